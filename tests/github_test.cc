// `pawl pr view` and the forge client against the stand-in: what it shows, and what it says when GitHub is slow,
// broken, unwilling or somebody else.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "integrations/github/github.h"
#include "integrations/posting.h"
#include "support/practice.h"
#include "support/todo_project.h"

namespace pawl::test {
namespace {

Json seed() {
  return Json::parse(R"({
    "token": "s3cret-token", "login": "octocat", "ids_from": 9007199254740993,
    "tokens": {"weak": {"login": "guest", "can": ["read"]}},
    "organizations": [{"login": "acme", "members": ["ann"]}],
    "repositories": [{"owner": "o", "name": "r", "collaborators": {"ann": "maintain"},
      "issues": [{"number": 5, "title": "An issue", "author": "ann"}],
      "pulls": [{"number": 1, "title": "One", "author": "ann", "draft": false, "head": "topic",
        "files": {"a.txt": {"before": "one\ntwo\nthree\n", "after": "one\n2\nthree\nfour\n"}},
        "comments": [{"author": "ann", "body": "first"}, {"author": "bob", "body": "second"}],
        "reviews": [{"author": "bob", "state": "CHANGES_REQUESTED", "body": "no"}],
        "threads": [{"path": "a.txt", "line": 2, "comments": [{"author": "bob", "body": "why?"}]},
                    {"path": "a.txt", "line": 4, "resolved": true, "comments": [{"author": "bob", "body": "ok"}]}],
        "checks": [{"name": "build", "status": "completed", "conclusion": "failure"},
                   {"name": "lint", "status": "completed", "conclusion": "success"}, {"name": "slow", "status": "in_progress"}]},
       {"number": 2, "title": "Two \u001b[31mred", "author": "ann", "draft": true, "head": "other",
        "files": {"b.txt": {"before": "x\n", "after": "y\n"}}}]}]})");
}

class Github : public testing::Test {
 protected:
  [[nodiscard]] RunOptions with(std::vector<std::string> more = {}) const {
    RunOptions options;
    options.env = {"GITHUB_API_URL=" + practice_.url(), "GH_TOKEN=" + practice_.token(), "HOME=" + workspace_.home(),
                   "GH_CONFIG_DIR=" + workspace_.home()};
    for (const std::string& one : more) {  // in place of what is there
      std::erase_if(options.env,
                    [&](const std::string& old) { return old.starts_with(one.substr(0, one.find('=') + 1)); });
      options.env.push_back(one);
    }
    return options;
  }
  [[nodiscard]] Ran view(const std::vector<std::string>& words = {"o/r#1", "--json"},
                         std::vector<std::string> more = {}) const {
    std::vector<std::string> all = {"pr", "view"};
    all.insert(all.end(), words.begin(), words.end());
    return workspace_.run(all, with(std::move(more)));
  }
  [[nodiscard]] Json viewed(const std::vector<std::string>& words = {"o/r#1", "--json"}) const {
    const Ran ran = view(words);
    EXPECT_EQ(ran.exit, 0) << ran.err;
    return Json::parse(ran.out, nullptr, false);
  }
  void fault(Json fault) const { practice_.fault(std::move(fault)); }

  Practice practice_{seed(), Practice::Door::port};
  TempWorkspace workspace_;
};

TEST_F(Github, ViewTellsWhatThereIs) {
  const Json pull = viewed();
  EXPECT_EQ(pull["state"], "open");
  EXPECT_EQ(pull["draft"], false);
  EXPECT_EQ(pull["review_decision"], "changes_requested");
  EXPECT_EQ(pull["checks"].size(), 3U);
  EXPECT_EQ(pull["checks"][0]["state"], "failed");
  EXPECT_EQ(pull["checks"][2]["state"], "waiting");
  EXPECT_EQ(pull["threads"].size(), 2U);
  EXPECT_EQ(pull["threads"][0]["resolved"], false);
  EXPECT_EQ(pull["comments"], 2);
  EXPECT_EQ(viewed({"o/r#2", "--json"})["draft"], true);
}

TEST_F(Github, ViewAndGhAgree) {
  if (!has_gh()) GTEST_SKIP() << "gh is not installed";
  const Practice socket(seed());
  const Ran theirs =
      socket.gh({"pr", "view", "1", "--repo", "o/r", "--json",
                 "headRefOid,headRefName,baseRefName,state,isDraft,mergeStateStatus,reviewDecision,title,"
                 "author,comments,reviews"});
  ASSERT_EQ(theirs.exit, 0) << theirs.err;
  const Json gh = Json::parse(theirs.out);
  workspace_.write("../gh/config.yml", "http_unix_socket: " + socket.socket() + "\n");
  RunOptions options;
  options.env = {"GH_TOKEN=" + socket.token(), "GH_CONFIG_DIR=" + workspace_.file("../gh")};
  const Ran ours = workspace_.run({"pr", "view", "o/r#1", "--json"}, options);
  ASSERT_EQ(ours.exit, 0) << ours.err;
  const Json pawl = Json::parse(ours.out);
  const auto small = [](std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
  };
  EXPECT_EQ(pawl["head"]["sha"], gh["headRefOid"]);
  EXPECT_EQ(pawl["head"]["ref"], gh["headRefName"]);
  EXPECT_EQ(pawl["base"], gh["baseRefName"]);
  EXPECT_EQ(pawl["state"], small(gh["state"].get<std::string>()));
  EXPECT_EQ(pawl["draft"], gh["isDraft"]);
  EXPECT_EQ(pawl["merge_state"], small(gh["mergeStateStatus"].get<std::string>()));
  EXPECT_EQ(pawl["review_decision"], small(gh["reviewDecision"].get<std::string>()));
  EXPECT_EQ(pawl["title"], gh["title"]);
  EXPECT_EQ(pawl["author"], gh["author"]["login"]);
  EXPECT_EQ(pawl["comments"], gh["comments"].size());
  EXPECT_EQ(pawl["reviews"].size(), gh["reviews"].size());
}

TEST_F(Github, TextIsPlainAndHasNoEscapes) {
  EXPECT_EQ(view({"o/r#2"}).out.find('\x1b'), std::string::npos);
  const Ran ran = view({"o/r#1"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_NE(ran.out.find("1 not resolved"), std::string::npos) << ran.out;
}

TEST_F(Github, TokenIsNeverShown) {
  const Ran ran = view({"o/r#1", "--json"}, {"PAWL_LOG=debug"});
  EXPECT_EQ((ran.out + ran.err).find("s3cret"), std::string::npos);
  fault({{"kind", "status"}, {"status", 500}, {"times", 100}, {"path", "/"}});
  const Ran failed = view({"o/r#1"}, {"PAWL_LOG=debug", "PAWL_GITHUB_MAX_WAIT=1ms"});
  EXPECT_NE(failed.exit, 0);
  EXPECT_EQ((failed.out + failed.err).find("s3cret"), std::string::npos);
}

TEST_F(Github, UnchangedPagesCostA304) {
  ASSERT_EQ(workspace_.run({"init"}).exit, 0);
  EXPECT_EQ(viewed(), viewed());
  int unchanged = 0;
  for (const Json& request : practice_.requests()) unchanged += integer_or(request, "status") == 304 ? 1 : 0;
  EXPECT_GE(unchanged, 3);
}

// The page that was full has not changed: GitHub answers 304, and only its Link header would tell of the next page.
TEST_F(Github, WhatComesAfterAFullPageIsSeen) {
  constexpr std::size_t kFull = 100;
  ASSERT_EQ(workspace_.run({"init"}).exit, 0);
  const auto seen = [&] { return viewed()["reviews"].size(); };
  for (std::size_t reviews = seen(); reviews < kFull + 1; ++reviews) {
    const Json review{{"event", "COMMENT"}, {"body", "once more"}};
    ASSERT_EQ(practice_.request("POST", "/repos/o/r/pulls/1/reviews", review).status, 200);
    if (reviews + 1 >= kFull) {
      ASSERT_EQ(seen(), reviews + 1);
    }
  }
}

TEST_F(Github, NumberAndBranchAreFoundFromTheClone) {
  const auto git = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"-C", workspace_.path()});
    EXPECT_EQ(run_program("git", words).exit, 0) << words.back();
  };
  git({"init", "-q"});
  git({"symbolic-ref", "HEAD", "refs/heads/topic"});
  git({"remote", "add", "origin", "git@github.com:o/r.git"});
  EXPECT_EQ(viewed({"1", "--json"})["ref"], "o/r#1");
  EXPECT_EQ(viewed({"--json"})["ref"], "o/r#1");
  git({"symbolic-ref", "HEAD", "refs/heads/none"});
  EXPECT_EQ(view({}).exit, 3);
}

// --- what goes wrong ---

struct Wrong {
  const char* name;
  Json fault;
  int exit;
  const char* says;
};

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.name; }

class GithubFault : public Github, public testing::WithParamInterface<Wrong> {};

TEST_P(GithubFault, IsAnErrorThatSaysWhichCallAndWhat) {
  Json wrong = GetParam().fault;
  wrong["times"] = 1000;
  fault(wrong);
  const Ran ran = view({"o/r#1"}, {"PAWL_GITHUB_MAX_WAIT=1ms", "PAWL_GITHUB_TIMEOUT=1s"});
  EXPECT_EQ(ran.exit, GetParam().exit) << ran.err;
  EXPECT_EQ(ran.out, "") << "a part taken for the whole";
  EXPECT_TRUE(ran.err.find("GET /") != std::string::npos || ran.err.find("GraphQL") != std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find(GetParam().says), std::string::npos) << ran.err;
}

INSTANTIATE_TEST_SUITE_P(
    OfEveryKind, GithubFault,
    testing::Values(
        Wrong{"html", {{"kind", "html"}, {"path", "/comments"}}, 5, "not JSON"},
        Wrong{"cut", {{"kind", "cut"}, {"path", "/comments"}}, 5, "no answer"},
        Wrong{"deep", {{"kind", "deep"}, {"path", "/comments"}}, 5, "cannot be read"},
        Wrong{"deep_graphql", {{"kind", "deep"}, {"path", "/graphql"}}, 5, "cannot be read"},
        Wrong{"garbage", {{"kind", "garbage"}, {"path", "/reviews"}}, 5, "cannot be read"},
        Wrong{"never", {{"kind", "never"}, {"path", "/check-runs"}}, 5, "imeout"},
        Wrong{"bad_gateway", {{"kind", "status"}, {"status", 502}, {"path", "/graphql"}}, 5, "502"},
        Wrong{"rate", {{"kind", "rate"}, {"path", "/comments"}}, 5, "rate limit"},
        Wrong{"secondary", {{"kind", "secondary"}, {"path", "/reviews"}, {"retry_after", 30}}, 5, "slow down"},
        Wrong{"gone", {{"kind", "status"}, {"status", 410}, {"path", "/comments"}}, 3, "not there"}),
    [](const auto& one) { return std::string(one.param.name); });

TEST_F(Github, WhoMayNotIsToldSo) {
  EXPECT_EQ(workspace_
                .run({"pr", "view", "o/r#1"},
                     [&] {
                       RunOptions options = with({"PATH=/nowhere"});
                       std::erase_if(options.env, [](const std::string& one) { return one.starts_with("GH_TOKEN="); });
                       return options;
                     }())
                .exit,
            1);
  const Ran wrong = view({"o/r#1"}, {"GH_TOKEN=nonsense"});
  EXPECT_EQ(wrong.exit, 1);
  EXPECT_NE(wrong.err.find("does not accept the token"), std::string::npos) << wrong.err;
  EXPECT_EQ(view({"o/none#1"}).exit, 3);
  EXPECT_EQ(view({"o/r#99"}).exit, 3);
  EXPECT_EQ(view({"o/r#5"}).exit, 3) << "an issue is no pull request";
  EXPECT_EQ(view({"nonsense"}).exit, 2);
  EXPECT_EQ(view({"o/r#1"}, {"GITHUB_API_URL=http://api.example.com"}).exit, 1) << "an open line";
}

TEST_F(Github, WordsOfStrangersAreNotTakenForGithubs) {
  practice_.control("POST", "/repos/o/r/issues/1/comments", {{"author", "stranger"}, {"body", "RATE_LIMITED"}});
  const Ran ran = view({"o/r#1", "--json"}, {"PAWL_GITHUB_MAX_WAIT=1ms"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
}

TEST_F(Github, UnreadableAnswerIsNotKept) {
  ASSERT_EQ(workspace_.run({"init"}).exit, 0);
  fault({{"kind", "garbage"}, {"path", "/reviews"}, {"times", 1}});
  EXPECT_EQ(view().exit, 5);
  EXPECT_EQ(view().exit, 0) << "the next answer is a good one";
}

TEST_F(Github, ToThisMachineItGoesByNoProxy) {
  EXPECT_EQ(view({"o/r#1", "--json"}, {"http_proxy=http://127.0.0.1:1", "ALL_PROXY=http://127.0.0.1:1"}).exit, 0);
}

TEST_F(Github, TokenIsSentOnlyWhereItIsFor) {
  EXPECT_EQ(view({"o/r#1"}, {"GH_TOKEN=a\nX-Evil: 1"}).exit, 1);
  EXPECT_EQ(view({"o/r#1", "--json"}, {"GH_TOKEN=" + practice_.token() + "\n"}).exit, 0)
      << "a line end is no part of it";
  RunOptions elsewhere = with({"GH_HOST=ghe.example.com", "PATH=/nowhere"});
  std::erase_if(elsewhere.env, [](const std::string& one) { return one.starts_with("GITHUB_API_URL="); });
  const Ran ran = workspace_.run({"pr", "view", "o/r#1"}, elsewhere);
  EXPECT_EQ(ran.exit, 1) << ran.err;
  EXPECT_NE(ran.err.find("no token for ghe.example.com"), std::string::npos) << ran.err;
}

TEST_F(Github, BrokenReadsAreTriedAgain) {
  fault({{"kind", "status"}, {"status", 502}, {"path", "/graphql"}, {"times", 1}});
  fault({{"kind", "cut"}, {"path", "/comments"}, {"times", 1}});
  fault({{"kind", "secondary"}, {"path", "/reviews"}, {"retry_after", 1}, {"times", 1}});
  const Ran ran = view();
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_NE(ran.err.find("again in"), std::string::npos) << ran.err;
}

TEST_F(Github, ProgressIsShownOnATerminalOnly) {
  fault({{"kind", "slow"}, {"path", "/graphql"}, {"text", "query Pull"}, {"ms", 2500}, {"times", 2}});
  EXPECT_EQ(view().err, "");
  // script(1) lends it a terminal.
  const std::string command = std::string(PAWL_BINARY) + " -C '" + workspace_.path() + "' pr view 'o/r#1' --no-color";
  const Ran ran = run_program("script", {"-qec", command, "/dev/null"}, with());
  EXPECT_NE(ran.out.find("waiting for GitHub: GraphQL query Pull"), std::string::npos) << ran.out;
}

TEST(GithubMany, TenThousandCommentsAreAllRead) {
  Json world = seed();
  Json& comments = world["repositories"][0]["pulls"][0]["comments"];
  comments = {{{"author", "ann"}, {"body", "again"}, {"count", 10'000}}};
  const Practice practice(world, Practice::Door::port);
  const TempWorkspace workspace;
  RunOptions options;
  options.env = {"GITHUB_API_URL=" + practice.url(), "GH_TOKEN=" + practice.token()};
  const Ran ran = workspace.run({"pr", "view", "o/r#1", "--json"}, options);
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(Json::parse(ran.out)["comments"], 10'000);
}

// --- the client itself ---

class GithubClient : public testing::Test {
 protected:
  GithubClient() {
    github::ClientOptions options;
    options.place = {"http://api.github.com", "http://api.github.com/graphql", "github.com", practice_.socket(),
                     practice_.token()};
    options.clock = &clock_;
    options.pause = [this](std::int64_t ms) { pauses_.push_back(ms); };
    forge_ = github::make_github(std::move(options));
  }
  [[nodiscard]] std::size_t comments_with(const std::string& text) {
    const auto all = forge_->comments(kPull);
    EXPECT_TRUE(all);
    std::size_t count = 0;
    for (const Comment& one : *all) count += one.body.find(text) != std::string::npos ? 1 : 0;
    return count;
  }
  const PullRef kPull{{"o", "r"}, 1};
  Practice practice_{seed()};
  SystemClock clock_;
  std::vector<std::int64_t> pauses_;
  std::unique_ptr<Forge> forge_;
};

TEST_F(GithubClient, ReadsEverything) {
  const auto pull = forge_->pull(kPull);
  ASSERT_TRUE(pull) << pull.error().message;
  const auto files = forge_->files(kPull);
  ASSERT_TRUE(files) << files.error().message;
  ASSERT_EQ(files->size(), 1U);
  EXPECT_EQ((*files)[0].path, "a.txt");
  EXPECT_EQ(diff_lines((*files)[0].patch).size(), 5U);
  const auto threads = forge_->threads(kPull);
  ASSERT_TRUE(threads) << threads.error().message;
  EXPECT_GT((*threads)[0].comments[0].id, 9007199254740992ULL);
  const auto review_comments = forge_->review_comments(kPull);
  ASSERT_TRUE(review_comments);
  EXPECT_EQ(review_comments->front().id, (*threads)[0].comments[0].id);
  EXPECT_EQ(forge_->issue(kPull.repo, 5)->title, "An issue");
  EXPECT_EQ(forge_->permission(kPull.repo, "ann").value(), "maintain");
  EXPECT_EQ(forge_->permission(kPull.repo, "nobody").value(), "none");
  EXPECT_TRUE(forge_->is_member("acme", "ann").value());
  EXPECT_FALSE(forge_->is_member("acme", "bob").value());
  EXPECT_TRUE(forge_->push_of(kPull.repo, "topic", pull->head_sha)) << "when the head was pushed";
}

TEST_F(GithubClient, WritesAreASecondApart) {
  ASSERT_TRUE(forge_->create_comment(kPull, "one"));
  const auto made = forge_->create_comment(kPull, "two");
  ASSERT_TRUE(made) << made.error().message;
  ASSERT_EQ(pauses_.size(), 1U);
  EXPECT_GT(pauses_[0], 500);
  EXPECT_LE(pauses_[0], 1000);
  EXPECT_GT(made->id, 9007199254740992ULL);
  EXPECT_EQ(forge_->comment(kPull.repo, made->id)->body, "two");
  EXPECT_EQ(forge_->update_comment(kPull.repo, made->id, "three")->body, "three");
}

TEST_F(GithubClient, WritesReviewsThreadsAndMerges) {
  const auto pull = forge_->pull(kPull);
  ASSERT_TRUE(pull);
  const auto review = forge_->submit_review(
      kPull, {pull->head_sha, "COMMENT", "look", {{"a.txt", 2, "RIGHT", 0, "```suggestion\nzwei\n```"}}});
  ASSERT_TRUE(review) << review.error().message;
  const auto refused = forge_->submit_review(kPull, {pull->head_sha, "COMMENT", "x", {{"a.txt", 99, "RIGHT", 0, "y"}}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
  const auto threads = forge_->threads(kPull);
  ASSERT_TRUE(threads);
  EXPECT_TRUE(forge_->reply(kPull, (*threads)[0].comments[0].id, "because"));
  EXPECT_TRUE(forge_->resolve((*threads)[0].node_id));
  EXPECT_TRUE((*forge_->threads(kPull))[0].resolved);
  EXPECT_EQ((*forge_->threads(kPull))[0].comments.size(), 2U);
  const PullRef draft{{"o", "r"}, 2};
  EXPECT_TRUE(forge_->mark_ready(draft));
  EXPECT_FALSE(forge_->pull(draft)->draft);
  const auto moved = forge_->merge(draft, std::string(40, 'a'), MergeMethod::merge);
  ASSERT_FALSE(moved);
  EXPECT_EQ(moved.error().code, ErrorCode::conflict);
  EXPECT_TRUE(forge_->merge(draft, forge_->pull(draft)->head_sha, MergeMethod::merge));
  EXPECT_EQ(forge_->pull(draft)->state, PullState::merged);
}

TEST_F(GithubClient, TokenWithoutPermissionIsToldSo) {
  github::ClientOptions options;
  options.place = {"http://api.github.com", "http://api.github.com/graphql", "github.com", practice_.socket(), "weak"};
  options.clock = &clock_;
  options.pause = [](std::int64_t) {};
  const auto weak = github::make_github(std::move(options));
  EXPECT_TRUE(weak->pull(kPull)) << "reading it may";
  for (const auto& refused : {weak->create_comment(kPull, "x").error(), weak->mark_ready({{"o", "r"}, 2}).error()}) {
    EXPECT_EQ(refused.code, ErrorCode::unauthorized) << refused.message;
    EXPECT_NE(refused.message.find(":"), std::string::npos) << "it says which call";
  }
}

TEST_F(GithubClient, LostAnswerIsNotTriedAgainByItself) {
  ASSERT_TRUE(forge_->pull(kPull)) << "a connection that is used again must not tempt the library to send twice";
  practice_.fault({{"kind", "lost"}, {"method", "POST"}, {"path", "/comments"}, {"times", 1}});
  const auto made = forge_->create_comment(kPull, "lost?");
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::unavailable);
  EXPECT_EQ(comments_with("lost?"), 1U);
}

TEST_F(GithubClient, LostAnswerIsLookedForAndNotPostedTwice) {
  TodoProject project;
  project.put(R"({"project": "alpha", "items": [{"id": "a", "state": "open"}]})");
  project.look();
  const ForgeActs acts(*forge_);
  const auto outcome = project.change({todo("a")}, [&](const View&, const Now&) -> Result<Decision> {
    Decision decision;
    PAWL_ASSIGN(Effect effect, intend_comment(todo("a"), kPull, "posted once"));
    decision.effects.push_back(std::move(effect));
    return decision;
  });
  ASSERT_TRUE(outcome) << outcome.error().message;
  ASSERT_EQ(outcome->effects.size(), 1U);
  ASSERT_TRUE(forge_->pull(kPull));
  practice_.fault({{"kind", "lost"}, {"method", "POST"}, {"path", "/comments"}, {"times", 1}});
  Effect comment;
  comment.kind = "comment";
  EXPECT_FALSE(carry_out(project.engine(), outcome->effects[0], *acts.handler(comment)));
  const auto settled = settle(project.engine(), [&](const Effect& effect) { return acts.handler(effect); });
  ASSERT_TRUE(settled) << settled.error().message;
  EXPECT_EQ(settled->size(), 1U);
  EXPECT_EQ(comments_with("posted once"), 1U);
}

TEST_F(GithubClient, EveryActIsFoundAgainByItsMarker) {
  const auto pull = forge_->pull(kPull);
  ASSERT_TRUE(pull);
  const auto threads = forge_->threads(kPull);
  ASSERT_TRUE(threads);
  const RecordId record = todo("a");
  const ForgeActs acts(*forge_);
  std::vector<Result<Effect>> effects;
  effects.push_back(intend_comment(record, kPull, "c"));
  effects.push_back(intend_reply(record, kPull, (*threads)[0].comments[0].id, "r"));
  effects.push_back(intend_review(record, kPull, {pull->head_sha, "COMMENT", "v", {}}));
  effects.push_back(intend_resolve(record, kPull, (*threads)[0].node_id));
  effects.push_back(intend_ready(record, {{"o", "r"}, 2}));
  effects.push_back(intend_merge(record, kPull, pull->head_sha, MergeMethod::squash));
  for (const auto& effect : effects) {
    ASSERT_TRUE(effect);
    const EffectHandler* handler = acts.handler(*effect);
    ASSERT_NE(handler, nullptr) << effect->kind;
    const auto before = handler->find(*effect);
    ASSERT_TRUE(before) << effect->kind << before.error().message;
    EXPECT_FALSE(*before) << effect->kind;
    const auto did = handler->act(*effect);
    ASSERT_TRUE(did) << effect->kind << ": " << did.error().message;
    const auto after = handler->find(*effect);
    ASSERT_TRUE(after) << effect->kind;
    EXPECT_TRUE(*after) << effect->kind;
  }
}

TEST_F(GithubClient, TextThatIsTooLongIsRefusedBeforeItIsSent) {
  EXPECT_FALSE(intend_comment(todo("a"), kPull, std::string(70'000, 'x')));
}

}  // namespace
}  // namespace pawl::test
