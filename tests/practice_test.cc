// `pawl practice`: the stand-in for GitHub, through the real binary, and with the real `gh` as a judge.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>

#include "base/text.h"
#include "support/practice.h"

namespace pawl::test {
namespace {

// One repository o/r with pull request 1: a.txt changes its second line.
Json world() {
  return Json::parse(R"({
    "tokens": {"weak": {"login": "ben", "can": ["read"]}},
    "organizations": [{"login": "o", "members": ["ann"]}],
    "repositories": [{
      "owner": "o", "name": "r", "branches": {"spare": {"s.txt": "spare\n"}},
      "collaborators": {"cat": "write"},
      "pulls": [{"number": 1, "title": "A change", "author": "ann",
        "files": {"a.txt": {"before": "one\ntwo\nthree\n", "after": "one\n2\nthree\n"}},
        "comments": [{"id": 9007199254740993, "author": "ben", "body": "hello"}],
        "threads": [{"path": "a.txt", "line": 2, "comments": [{"author": "ben", "body": "why?"}]}],
        "checks": [{"name": "build"}]}]}]})");
}

const std::string kPull = "/repos/o/r/pulls/1";

std::string head_of(const Practice& github) {
  return github.request("GET", kPull).json()["head"]["sha"].get<std::string>();
}

TEST(Practice, WithoutAWorldThereIsADemonstration) {
  const Practice github;
  const HttpReply reply = github.request("GET", "/repos/practice/demo/pulls/1");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.json()["state"], "open");
  EXPECT_EQ(github.request("GET", "/repos/practice/demo/pulls/1/comments").json().size(), 1U);
}

TEST(Practice, AnswersOnAPortAsOnASocket) {
  const Practice github(world(), Practice::Door::port);
  EXPECT_TRUE(github.url().starts_with("http://127.0.0.1:"));
  const Json pull = github.request("GET", "/api/v3" + kPull).json();
  EXPECT_EQ(pull["url"], github.url() + "/api/v3" + kPull);
}

TEST(Practice, StartsWhereTheTemporaryFolderHasNoName) {
  const TempWorkspace place;
  RunOptions options;
  options.env = {"TMPDIR="};
  Child practice(PAWL_BINARY, {"practice", "--socket", place.file("gh.sock")}, place.options(options));
  EXPECT_TRUE(practice.wait_for("gh.sock"));
}

TEST(Practice, AMemberThatIsNotKnownIsRefusedByName) {
  const TempWorkspace place;
  const auto refusal = [&](std::string_view from, std::string_view to) {
    std::string seed = to_line(world());
    seed.replace(seed.find(from), from.size(), to);
    place.write("world.json", seed);
    const Ran ran = place.run({"practice", "--world", "world.json"});
    EXPECT_EQ(ran.exit, 2) << ran.out << ran.err;
    return ran.err;
  };
  const std::string user = refusal("\"author\":\"ann\"", "\"user\":\"ann\"");
  EXPECT_NE(user.find("repositories[0].pulls[0]: a pull request has no “user”"), std::string::npos) << user;
  EXPECT_NE(user.find("did you mean “author”?"), std::string::npos) << user;
  EXPECT_NE(refusal("\"threads\":", "\"thread\":").find("did you mean “threads”?"), std::string::npos);
  EXPECT_NE(refusal("\"organizations\":", "\"orgs\":").find("a world has no “orgs”"), std::string::npos);
  EXPECT_NE(refusal("\"name\":\"build\"", "\"nam\":\"build\"").find("checks[0]: a check has no “nam”"),
            std::string::npos);
  const Practice github(world());
  EXPECT_THROW(github.control("POST", "/repos/o/r/issues/1/comments", {{"user", "ann"}, {"body", "x"}}),
               std::exception);
}

TEST(Practice, WhatIsNoRouteMakesNothing) {
  const Practice github(world());
  const auto comments = [&] { return github.request("GET", "/repos/o/r/issues/1/comments").json().size(); };
  const std::size_t before = comments();
  for (const char* path : {"/repos/o/r/issues/1/comments/more", "/repos/o/r/things/1/comments", "/events/more"})
    EXPECT_EQ(github.request("POST", cat("/_practice", path), {{"author", "ann"}, {"body", "x"}}).status, 404) << path;
  EXPECT_EQ(github.request("GET", "/_practice/repos/o/r/issues/1/comments").status, 404);
  EXPECT_EQ(comments(), before);
}

TEST(Practice, EveryCommentIsAnEventHoweverItCame) {
  const Practice github(world());
  const auto names = [&] {
    std::vector<std::string> out;
    for (const Json& one : github.control("DELETE", "/events")) out.push_back(string_or(one, "name"));
    return out;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names(), Names{}) << "what the world begins with has not happened";
  github.control("POST", "/repos/o/r/issues/1/comments", {{"author", "ann"}, {"body", "x"}, {"count", 3}});
  EXPECT_EQ(names(), (Names{"issue_comment", "issue_comment", "issue_comment"}));
  EXPECT_EQ(github.request("POST", "/repos/o/r/issues/1/comments", {{"body", "by REST"}}).status, 201);
  EXPECT_EQ(names(), (Names{"issue_comment"}));
  const std::string id = string_or(github.request("GET", kPull).json(), "node_id");
  const Json added = github.graphql(
      "mutation($id: ID!) { addComment(input: {subjectId: $id, body: \"by GraphQL\"}) "
      "{ clientMutationId } }",
      {{"id", id}});
  EXPECT_FALSE(added.contains("errors")) << added;
  EXPECT_EQ(names(), (Names{"issue_comment"}));
  EXPECT_EQ(github
                .request("POST", kPull + "/reviews",
                         {{"event", "COMMENT"},
                          {"body", "some words"},
                          {"comments", Json::array({{{"path", "a.txt"}, {"line", 2}, {"body", "here"}}})}})
                .status,
            200);
  EXPECT_EQ(names(), (Names{"pull_request_review", "pull_request_review_comment"}));
}

TEST(Practice, OddWishesAreRefusedAndItGoesOn) {
  const Practice github(world());
  for (const Json& count : {Json(0), Json(-1), Json(1'000'000'000'000), Json("x")}) {
    EXPECT_THROW(github.control("POST", "/repos/o/r/issues/1/comments", {{"body", "x"}, {"count", count}}),
                 std::exception);
  }
  EXPECT_THROW(github.control("POST", "/repos/o/r/pulls/1/threads", {{"comments", Json::array()}}), std::exception);
  EXPECT_EQ(github.request("GET", kPull).status, 200);
}

TEST(Practice, QueryForTooManyNodesIsAnErrorAndNotAHang) {
  const Practice github(world());
  github.control("POST", "/repos/o/r/issues/1/comments", {{"author", "ann"}, {"body", "x"}, {"count", 100}});
  std::string query = "id";
  for (int i = 0; i < 6; ++i)
    query = "repository{issueOrPullRequest(number:1){...on PullRequest{comments(first:100){nodes{" + query + "}}}}}";
  const Json answer = github.graphql(
      "{repository(owner:\"o\",name:\"r\"){pullRequest(number:1){comments(first:100){nodes{" + query + "}}}}}");
  EXPECT_TRUE(answer.contains("errors"));
}

TEST(Practice, FieldAskedForTwiceHasBothSelections) {
  const Practice github(world());
  const Json answer = github.graphql(
      "{repository(owner:\"o\",name:\"r\"){pullRequest(number:1){mergedAt} pullRequest(number:1){title "
      "comments(first:1){nodes{id}}}"
      " pullRequest(number:1){comments(first:1){nodes{body}}}}}");
  const Json pull = answer["data"]["repository"]["pullRequest"];
  EXPECT_TRUE(pull.contains("mergedAt"));
  EXPECT_TRUE(pull["comments"]["nodes"][0].contains("id"));
  EXPECT_TRUE(pull["comments"]["nodes"][0].contains("body"));
}

TEST(Practice, WithoutATokenEverythingIsRefused) {
  const Practice github(world());
  for (const std::string token : {"", "wrong"}) {
    EXPECT_EQ(github.request_as(token, "GET", "/user").status, 401);
    EXPECT_EQ(github.request_as(token, "POST", "/graphql", {{"query", "{viewer{login}}"}}).status, 401);
  }
  EXPECT_EQ(github.request_as("weak", "GET", kPull).status, 200);
  EXPECT_EQ(github.request_as("weak", "POST", "/repos/o/r/issues/1/comments", {{"body", "x"}}).status, 403);
  EXPECT_EQ(github.request("GET", "/repos/o/none").status, 404);
}

TEST(Practice, IdsBeyondADoubleAreKept) {
  const Practice github(world());
  EXPECT_EQ(github.request("GET", "/repos/o/r/issues/comments/9007199254740993").status, 200);
  const Json told = github.graphql(
      "{repository(owner:\"o\",name:\"r\"){pullRequest(number:1){comments(first:1){nodes{databaseId "
      "fullDatabaseId}}}}}");
  const Json& node = told["data"]["repository"]["pullRequest"]["comments"]["nodes"][0];
  EXPECT_EQ(node["fullDatabaseId"], "9007199254740993");
  EXPECT_TRUE(node["databaseId"].is_null());
}

TEST(Practice, PagesHaveLinksThatLeadOn) {
  Json seed = world();
  seed["repositories"][0]["pulls"][0]["comments"] = Json::array({{{"body", "n"}, {"count", 25}}});
  const Practice github(seed);
  const std::string path = "/repos/o/r/issues/1/comments";
  const HttpReply second = github.request("GET", path + "?per_page=10&page=2");
  EXPECT_EQ(second.json().size(), 10U);
  const std::string link = second.header("link");
  for (const char* const rel : {"next", "prev", "first", "last"}) {
    EXPECT_NE(link.find(cat("rel=\"", rel, "\"")), std::string::npos) << link;
  }
  EXPECT_NE(link.find("per_page=10&page=3>; rel=\"next\""), std::string::npos) << link;
  EXPECT_EQ(github.request("GET", path + "?per_page=10&page=3").json().size(), 5U);
  EXPECT_EQ(github.request("GET", path + "?per_page=10&page=9").json().size(), 0U);
}

TEST(Practice, AnUnchangedThingIsNotSentAgain) {
  const Practice github(world());
  const std::string tag = github.request("GET", kPull).header("etag");
  const HttpReply again = github.request("GET", kPull, {}, {"If-None-Match: " + tag});
  EXPECT_EQ(again.status, 304);
  EXPECT_EQ(again.body, "");
  github.control("POST", "/repos/o/r/issues/1/comments", {{"author", "ben"}, {"body", "new"}});
  EXPECT_EQ(github.request("GET", kPull, {}, {"If-None-Match: " + tag}).status, 200);
}

TEST(Practice, ABodyHoldsSoManyCharactersAndNoMore) {
  const Practice github(world());
  std::string text;
  for (int i = 0; i < 65'536; ++i) text += "é";
  EXPECT_EQ(github.request("POST", "/repos/o/r/issues/1/comments", {{"body", text}}).status, 201);
  const HttpReply refused = github.request("POST", "/repos/o/r/issues/1/comments", {{"body", text + "é"}});
  EXPECT_EQ(refused.status, 422);
  EXPECT_TRUE(refused.json()["errors"].is_array());
}

TEST(Practice, OneLineOutsideTheDiffFailsTheWholeReview) {
  const Practice github(world());
  const auto comment = [](int line) {
    return Json{{"path", "a.txt"}, {"line", line}, {"side", "RIGHT"}, {"body", "x"}};
  };
  const Json review = {{"event", "COMMENT"}, {"body", "b"}, {"commit_id", head_of(github)}};
  Json bad = review, good = review;
  bad["comments"] = Json::array({comment(2), comment(99)});
  good["comments"] = Json::array({comment(2)});
  const std::size_t before = github.request("GET", kPull + "/comments").json().size();
  EXPECT_EQ(github.request("POST", kPull + "/reviews", bad).status, 422);
  EXPECT_EQ(github.request("GET", kPull + "/comments").json().size(), before);
  EXPECT_EQ(github.request("POST", kPull + "/reviews", good).status, 200);
  EXPECT_EQ(github.request("GET", kPull + "/comments").json().size(), before + 1);
}

TEST(Practice, APushWithTheRealGitMovesTheHead) {
  const Practice github(world());
  const std::string before = head_of(github);
  const TempWorkspace place;
  const std::string clone = place.file("clone");
  const std::string bare = github.folder() + "/o/r.git";
  const std::vector<std::string> who = {"-c", "user.name=ann", "-c", "user.email=ann@example.com"};
  const auto git = [&](std::vector<std::string> args) {
    args.insert(args.begin(), who.begin(), who.end());
    args.insert(args.begin(), {"-C", clone});
    const Ran ran = run_program("git", args);
    EXPECT_EQ(ran.exit, 0) << ran.err;
  };
  ASSERT_EQ(run_program("git", {"clone", "-q", "-b", "topic-1", bare, clone}).exit, 0);
  write_all(clone + "/more.txt", "more\n");
  git({"add", "more.txt"});
  git({"commit", "-qm", "more"});
  git({"push", "-q", "origin", "topic-1"});
  const std::string after = head_of(github);
  EXPECT_NE(after, before);
  EXPECT_EQ(github.request("GET", kPull + "/files").json().size(), 2U);
  const Json activity = github.request("GET", "/repos/o/r/activity?ref=refs/heads/topic-1").json();
  ASSERT_EQ(activity.size(), 2U);
  EXPECT_EQ(activity[0]["after"], after);
  EXPECT_EQ(activity[0]["before"], before);
  EXPECT_EQ(activity[0]["activity_type"], "push");
}

TEST(Practice, AMergeNeedsTheHeadThatWasSeen) {
  const Practice github(world());
  const std::string seen = head_of(github);
  github.control("POST", "/repos/o/r/pulls/1/push", {{"files", {{"b.txt", "b\n"}}}});
  EXPECT_EQ(github.request("PUT", kPull + "/merge", {{"sha", seen}}).status, 409);
  EXPECT_EQ(github.request("PUT", kPull + "/merge", {{"sha", head_of(github)}}).status, 200);
  EXPECT_EQ(github.request("PUT", kPull + "/merge", Json::object()).status, 405);
  const Json pull = github.request("GET", kPull).json();
  EXPECT_EQ(pull["merged"], true);
  EXPECT_EQ(github.request("GET", "/repos/o/r/commits/main").json()["sha"], pull["merge_commit_sha"]);
}

TEST(Practice, AConflictIsFoundByGit) {
  Json seed = world();
  seed["repositories"][0]["pulls"].push_back(
      {{"number", 2}, {"files", {{"a.txt", {{"after", "one\nzwei\nthree\n"}}}}}});
  const Practice github(seed);
  EXPECT_EQ(github.request("PUT", kPull + "/merge", Json::object()).status, 200);
  EXPECT_EQ(github.request("GET", "/repos/o/r/pulls/2").json()["mergeable"], false);
  EXPECT_EQ(github.request("PUT", "/repos/o/r/pulls/2/merge", Json::object()).status, 405);
}

TEST(Practice, PeopleAreWhoTheyAre) {
  const Practice github(world());
  EXPECT_EQ(github.request("GET", "/orgs/o/members/ann").status, 204);
  EXPECT_EQ(github.request("GET", "/orgs/o/members/ben").status, 404);
  EXPECT_EQ(github.request("GET", "/repos/o/r/collaborators/cat/permission").json()["permission"], "write");
  EXPECT_EQ(github.request("GET", kPull).json()["author_association"], "MEMBER");
  EXPECT_EQ(github.request("GET", "/repos/o/r/issues/1/comments").json()[0]["author_association"], "NONE");
}

TEST(Practice, AThreadIsResolvedOverGraphql) {
  const Practice github(world());
  const std::string ask =
      "{repository(owner:\"o\",name:\"r\"){pullRequest(number:1){reviewThreads(first:5){nodes{id isResolved}}}}}";
  const auto thread = [&] {
    return github.graphql(ask)["data"]["repository"]["pullRequest"]["reviewThreads"]["nodes"][0];
  };
  EXPECT_EQ(thread()["isResolved"], false);
  const Json told =
      github.graphql("mutation($id: ID!) { resolveReviewThread(input: {threadId: $id}) { thread { isResolved } } }",
                     {{"id", thread()["id"]}});
  EXPECT_EQ(told["data"]["resolveReviewThread"]["thread"]["isResolved"], true) << to_line(told);
  EXPECT_EQ(thread()["isResolved"], true);
}

TEST(Practice, AFieldThatDoesNotExistIsAnErrorBeforeAnythingHappens) {
  const Practice github(world());
  const Json told = github.graphql("mutation { addComment(input: {subjectId: \"PR_1\", body: \"x\"}) { nonsense } }");
  EXPECT_FALSE(told.contains("data"));
  EXPECT_EQ(told["errors"][0]["extensions"]["code"], "undefinedField");
  EXPECT_EQ(github.graphql("{ repository(owner: \"o\", name: ")["errors"].size(), 1U);
  const Json missing = github.graphql("{repository(owner:\"o\",name:\"r\"){pullRequest(number:77){id}}}");
  EXPECT_EQ(missing["errors"][0]["type"], "NOT_FOUND");
}

TEST(Practice, AliasesFragmentsAndConditionsWork) {
  const Practice github(world());
  const Json told = github.graphql(
      "query($yes: Boolean!, $n: Int = 1) { r: repository(owner: \"o\", name: \"r\") { ...f p: pullRequest(number: $n) "
      "{ title @include(if: $yes) number @skip(if: $yes) author { ... on User { login } ... on Bot { id } } } } }"
      " fragment f on Repository { name }",
      {{"yes", true}});
  EXPECT_EQ(to_line(told["data"]), R"({"r":{"name":"r","p":{"title":"A change","author":{"login":"ann"}}}})");
}

TEST(Practice, FaultsStrikeAsOrdered) {
  const Practice github(world());
  github.fault({{"kind", "status"}, {"status", 502}, {"path", "/pulls/1"}, {"after", 1}});
  EXPECT_EQ(github.request("GET", kPull).status, 200);
  EXPECT_EQ(github.request("GET", kPull).status, 502);
  EXPECT_EQ(github.request("GET", kPull).status, 200);
  github.fault({{"kind", "rate"}});
  const HttpReply rate = github.request("GET", kPull);
  EXPECT_EQ(rate.status, 403);
  EXPECT_EQ(rate.header("x-ratelimit-remaining"), "0");
  github.fault({{"kind", "secondary"}, {"status", 429}, {"retry_after", 7}});
  EXPECT_EQ(github.request("GET", kPull).header("retry-after"), "7");
  github.fault({{"kind", "html"}});
  EXPECT_EQ(github.request("GET", kPull).header("content-type"), "text/html; charset=utf-8");
  github.fault({{"kind", "deep"}});
  EXPECT_EQ(github.request("GET", kPull).body.size(), 200'000U);
  github.fault({{"kind", "cut"}});
  const HttpReply cut = github.request("GET", kPull);
  EXPECT_EQ(cut.status, 200);
  EXPECT_FALSE(cut.whole);
  EXPECT_EQ(github.request_as("", "POST", "/_practice/faults", {{"kind", "nonsense"}}).status, 422);
}

TEST(Practice, ASlowAnswerComesAndNobodyElseWaitsForOneThatNeverDoes) {
  const Practice github(world());
  github.fault({{"kind", "never"}, {"path", "/user"}});
  // Its answer never comes: the connection is left, and the next one is served.
  EXPECT_TRUE(github.send_only("GET", "/user"));
  github.fault({{"kind", "slow"}, {"ms", 1}, {"path", "/pulls/1"}});
  EXPECT_EQ(github.request("GET", kPull).status, 200);
  EXPECT_EQ(github.requests().size(), 2U);
}

TEST(Practice, ALostAnswerWasCarriedOut) {
  const Practice github(world());
  github.fault({{"kind", "lost"}, {"method", "POST"}});
  EXPECT_EQ(github.request("POST", "/repos/o/r/issues/1/comments", {{"body", "x"}}).status, 0);
  EXPECT_EQ(github.request("GET", "/repos/o/r/issues/1/comments").json().size(), 2U);
}

TEST(Practice, WhatWasAskedIsListedWithoutTheToken) {
  const Practice github(world());
  (void)github.request("GET", "/user");
  (void)github.request_as("", "GET", "/user");
  const Json seen = github.requests();
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0]["authorized"], true);
  EXPECT_EQ(seen[1]["authorized"], false);
  EXPECT_EQ(seen[1]["status"], 401);
  EXPECT_EQ(to_line(seen).find(github.token() + "\""), std::string::npos);
}

TEST(Practice, EndsCleanlyOnASignal) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Practice github(world());
    const std::string folder = github.folder(), socket = github.socket();
    EXPECT_TRUE(std::filesystem::exists(folder));
    EXPECT_EQ(github.stop(signal).exit, 0);
    EXPECT_FALSE(std::filesystem::exists(folder));
    EXPECT_FALSE(std::filesystem::exists(socket));
  }
}

TEST(Practice, TakesNoPathWhereSomethingStands) {
  const TempWorkspace place;
  place.write("file", "mine");
  const Ran refused = place.run({"practice", "--socket", place.file("file")});
  EXPECT_EQ(refused.exit, 1);
  EXPECT_EQ(place.read("file"), "mine");
  const Practice github(world());
  EXPECT_EQ(place.run({"practice", "--socket", github.socket()}).exit, 1);
  EXPECT_EQ(github.request("GET", "/user").status, 200);
}

TEST(Practice, ADeadSocketIsTakenOver) {
  const TempWorkspace place;
  const std::string path = place.home() + "/dead.sock";  // bound once, and nobody listens
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ::close(fd);
  Child server(PAWL_BINARY, {"practice", "--socket", path}, place.options());
  EXPECT_TRUE(server.wait_for("practising at"));
  server.send(SIGTERM);
  EXPECT_EQ(server.finish().exit, 0);
}

TEST(Practice, ANameThatIsAPathIsRefused) {
  const TempWorkspace place;
  place.write("world.json", R"({"repositories": [{"owner": "..", "name": "out"}]})");
  const Ran ran = place.run({"practice", "--world", place.file("world.json"), "--folder", place.file("git")});
  EXPECT_EQ(ran.exit, 2) << ran.err;
  EXPECT_FALSE(place.exists("out.git"));
}

TEST(Practice, ABrokenWorldIsRefusedInASentence) {
  const TempWorkspace place;
  place.write("world.json", "[1, 2");
  const Ran ran = place.run({"practice", "--world", place.file("world.json")});
  EXPECT_NE(ran.exit, 0);
  EXPECT_NE(ran.err.find("is not a world"), std::string::npos) << ran.err;
}

// The real client is the judge of what the server says.
class PracticeGh : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_gh()) GTEST_SKIP() << "gh is not installed: the stand-in is not judged by the real client";
  }
  static std::string ok(const Practice& github, std::vector<std::string> args) {
    const bool about_repository = args.front() != "api";
    if (about_repository) args.insert(args.end(), {"--repo", "o/r"});
    const Ran ran = github.gh(args);
    EXPECT_EQ(ran.exit, 0) << args[0] << " " << args[1] << ": " << ran.err;
    return ran.out;
  }
};

TEST_F(PracticeGh, ViewsAPullRequest) {
  const Practice github(world());
  EXPECT_NE(ok(github, {"pr", "view", "1"}).find("A change"), std::string::npos);
  EXPECT_NE(ok(github, {"pr", "view", "1", "--comments"}).find("hello"), std::string::npos);
  const std::string all =
      "additions,assignees,author,baseRefName,body,changedFiles,closed,closedAt,comments,commits,createdAt,deletions,"
      "files,headRefName,headRefOid,headRepository,headRepositoryOwner,id,isCrossRepository,isDraft,labels,"
      "latestReviews,maintainerCanModify,mergeCommit,mergeStateStatus,mergeable,mergedAt,mergedBy,milestone,number,"
      "potentialMergeCommit,reactionGroups,reviewDecision,reviewRequests,reviews,state,statusCheckRollup,title,"
      "updatedAt,url";
  const Json told = Json::parse(ok(github, {"pr", "view", "1", "--json", all}));
  EXPECT_EQ(told["headRefOid"], head_of(github));
  EXPECT_EQ(told["mergeStateStatus"], "CLEAN");
  EXPECT_EQ(told["statusCheckRollup"][0]["conclusion"], "SUCCESS");
  EXPECT_NE(ok(github, {"pr", "list"}).find("A change"), std::string::npos);
  EXPECT_NE(ok(github, {"pr", "checks", "1"}).find("pass"), std::string::npos);
  EXPECT_NE(ok(github, {"pr", "diff", "1"}).find("+2"), std::string::npos);
  EXPECT_NE(ok(github, {"pr", "list", "--search", "change in:title"}).find("A change"), std::string::npos);
  EXPECT_EQ(github.gh({"auth", "status"}).exit, 0);
}

TEST_F(PracticeGh, TakesAPullRequestThroughItsLife) {
  const Practice github(world());
  ok(github, {"pr", "create", "--draft", "--head", "spare", "--base", "main", "--title", "Spare", "--body", "B"});
  const auto state = [&] { return github.request("GET", "/repos/o/r/pulls/2").json(); };
  EXPECT_EQ(state()["draft"], true);
  ok(github, {"pr", "ready", "2"});
  EXPECT_EQ(state()["draft"], false);
  ok(github, {"pr", "comment", "2", "--body", "said"});
  EXPECT_EQ(state()["comments"], 1);
  ok(github, {"pr", "review", "1", "--approve"});
  ok(github, {"pr", "review", "1", "--comment", "--body", "seen"});
  EXPECT_EQ(github.request("GET", kPull + "/reviews").json()[1]["state"], "APPROVED");
  ok(github, {"pr", "close", "2"});
  EXPECT_EQ(state()["state"], "closed");
  ok(github, {"pr", "reopen", "2"});
  ok(github, {"pr", "merge", "2", "--merge"});
  EXPECT_EQ(state()["merged"], true);
}

TEST_F(PracticeGh, SpeaksRestAndGraphql) {
  const Practice github(world());
  EXPECT_EQ(ok(github, {"api", "user", "--jq", ".login"}), "octocat\n");
  EXPECT_EQ(ok(github, {"api", "graphql", "-f", "query={viewer{login}}", "--jq", ".data.viewer.login"}), "octocat\n");
  const Ran missing = github.gh({"pr", "view", "77", "--repo", "o/r"});
  EXPECT_EQ(missing.exit, 1);
  EXPECT_NE(missing.err.find("Could not resolve to a PullRequest"), std::string::npos) << missing.err;
}

}  // namespace
}  // namespace pawl::test
