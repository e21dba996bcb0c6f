// libpawl as another program uses it: include/pawl/, and the example program that comes with it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "base/json.h"
#include "base/text.h"
#include "pawl/pawl.h"
#include "support/binary.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

class Library : public testing::Test {
 protected:
  Client open(bool long_lived = false) {
    ClientOptions options;
    options.dir = ws.path();
    options.actor = "the library";
    options.long_lived = long_lived;
    options.note = [this](std::string_view text) { notes.emplace_back(text); };
    auto client = Client::open(options);
    if (!client) throw std::runtime_error(client.error().message);
    return std::move(*client);
  }
  static Json json(const Result<std::string>& answer) {
    EXPECT_TRUE(answer) << answer.error().message;
    return answer ? parse_json(*answer).value_or(Json()) : Json();
  }

  TempWorkspace ws;
  std::vector<std::string> notes;
};

TEST_F(Library, CallAnswersWhatTheCommandLinePrintsAsJson) {
  Client client = open();
  const Json set = json(client.call("issue set", {{"number", "42"}, {"status", "error"}, {"message", "失敗"}}));
  EXPECT_EQ(string_or(set, "status"), "error");
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{"issue", "list"}, {"log"}, {"status"}, {"machine", "list"}}) {
    std::string verb;
    for (const std::string& word : args) verb += (verb.empty() ? "" : " ") + word;
    std::vector<std::string> with_json = args;
    with_json.push_back("--json");
    EXPECT_EQ(json(client.call(verb, {})), json(ws.run(with_json).out)) << verb;
  }
  EXPECT_EQ(string_or(json(client.call("log", {}))[0], "actor"), "the library");
}

TEST_F(Library, ErrorsHaveTheCodeOfTheirKind) {
  Client client = open();
  const auto code = [&](std::string_view verb, const std::map<std::string, std::string>& arguments,
                        const CallOptions& options = {}) {
    const auto answer = client.call(verb, arguments, options);
    EXPECT_FALSE(answer) << *answer;
    return answer ? ErrorCode::internal : answer.error().code;
  };
  EXPECT_EQ(code("issue set", {{"number", "42"}, {"status", "done"}}), ErrorCode::illegal_move);
  EXPECT_EQ(code("issue set", {{"number", "0"}, {"status", "running"}}), ErrorCode::invalid_argument);
  EXPECT_EQ(code("issue set", {{"number", "42"}}), ErrorCode::invalid_argument);
  EXPECT_EQ(code("issue set", {{"number", "42"}, {"status", "running"}, {"mesage", "x"}}), ErrorCode::invalid_argument);
  EXPECT_EQ(code("issue show", {{"number", "42"}}), ErrorCode::not_found);
  EXPECT_EQ(code("issue dance", {}), ErrorCode::invalid_argument);
  EXPECT_EQ(code("", {}), ErrorCode::invalid_argument);
  EXPECT_EQ(code("watch", {}), ErrorCode::invalid_argument) << "what goes on for ever cannot be called";
  ASSERT_TRUE(client.call("issue set", {{"number", "42"}, {"status", "complete"}}));
  EXPECT_EQ(code("issue set", {{"number", "42"}, {"status", "error"}}), ErrorCode::gate_failed);
  EXPECT_TRUE(client.call("issue set", {{"number", "42"}, {"status", "error"}}, {"because", {}, 0}));
  EXPECT_EQ(code("issue set", {{"number", "42"}, {"status", "running"}}, {{}, {}, 1}), ErrorCode::invalid_argument)
      << "the past cannot be set";
  EXPECT_EQ(code("issue set", {{"number", "42"}, {"status", "running"}, {"token", "7"}}), ErrorCode::lease_lost);
}

TEST_F(Library, ErrorsSayWhatIsAllowed) {
  Client client = open();
  const auto wrong = client.call("issue set", {{"number", "42"}, {"status", "completed"}});
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("running, complete or error"), std::string::npos) << wrong.error().message;
  EXPECT_NE(wrong.error().hint.find("complete"), std::string::npos) << wrong.error().hint;
  const auto argument = client.call("issue set", {{"number", "42"}, {"status", "running"}, {"mesage", "x"}});
  ASSERT_FALSE(argument);
  EXPECT_NE(argument.error().hint.find("message"), std::string::npos) << argument.error().hint;
}

TEST_F(Library, FolderThatIsNoneIsAnError) {
  EXPECT_FALSE(Client::open({"/no/such/folder", {}, false, {}}));
  EXPECT_FALSE(Client::open({ws.file(".git/HEAD"), {}, false, {}}));
  ws.write("pawl.toml", "outsid = 1\n");
  const auto wrong = Client::open({ws.path(), {}, false, {}});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::invalid_argument);
}

TEST_F(Library, OpeningAndReadingMakesNoStore) {
  Client client = open();
  EXPECT_EQ(get_issue(client, 42)->status, "unknown");
  EXPECT_TRUE(list_issues(client)->empty());
  EXPECT_FALSE(ws.exists(".pawl"));
}

TEST_F(Library, IssuesWithTypes) {
  Client client = open();
  SetIssue failed;
  failed.session = "mine";
  failed.message = "tests fail";
  ASSERT_TRUE(set_issue(client, 42, "error", failed));
  ASSERT_TRUE(set_issue(client, 7, "running"));
  const auto issue = get_issue(client, 42);
  ASSERT_TRUE(issue);
  EXPECT_EQ(issue->status, "error");
  EXPECT_EQ(issue->session, "mine");
  EXPECT_EQ(issue->error_message, "tests fail");
  EXPECT_EQ(issue->timestamp.size(), 20U);
  EXPECT_EQ(get_issue(client, 7)->session, "pi-issue-7");
  EXPECT_EQ(list_issues(client)->size(), 2U);
  ASSERT_EQ(list_issues(client, "running")->size(), 1U);
  EXPECT_EQ(list_issues(client, "running")->front().number, 7);
  EXPECT_FALSE(list_issues(client, "done"));
  EXPECT_TRUE(*remove_issue(client, 42));
  EXPECT_FALSE(*remove_issue(client, 42));
  EXPECT_EQ(get_issue(client, 42)->status, "unknown");
  EXPECT_EQ(set_issue(client, -1, "running").error().code, ErrorCode::invalid_argument);
}

TEST_F(Library, PastIsAsked) {
  Client client = open();
  ASSERT_TRUE(set_issue(client, 42, "running"));
  ASSERT_TRUE(set_issue(client, 42, "complete"));
  EXPECT_EQ(string_or(json(client.call("issue get", {{"number", "42"}}, {{}, {}, 1})), "status"), "running");
  EXPECT_EQ(string_or(json(client.call("issue get", {{"number", "42"}})), "status"), "complete")
      << "the next call is of the present";
}

TEST_F(Library, IdempotencyKeyIsOfOneCallOnly) {
  Client client = open();
  const auto first = client.call("issue set", {{"number", "42"}, {"status", "running"}}, {{}, "k", 0});
  const auto again = client.call("issue set", {{"number", "42"}, {"status", "running"}}, {{}, "k", 0});
  EXPECT_EQ(*first, *again);
  EXPECT_EQ(json(client.call("log", {})).size(), 1U);
  EXPECT_TRUE(client.call("issue set", {{"number", "42"}, {"status", "complete"}}));
  EXPECT_EQ(json(client.call("log", {})).size(), 2U);
}

TEST_F(Library, NotesTellOfChangesOutside) {
  Client client = open();
  ASSERT_TRUE(set_issue(client, 42, "running"));
  ws.write(".worktrees/.status/42.json", R"({"issue": 42, "status": "invented"})");
  EXPECT_EQ(get_issue(client, 42)->status, "running");
  ASSERT_FALSE(notes.empty());
  EXPECT_NE(notes.front().find("invented"), std::string::npos) << notes.front();
}

TEST_F(Library, ClientsAndProcessesSeeEachOther) {
  Client one = open(), other = open(true);
  for (int i = 1; i <= 5; ++i) {
    ASSERT_TRUE(set_issue(i % 2 == 0 ? one : other, i, "running"));
    EXPECT_EQ(ws.run({"issue", "set", std::to_string(10 + i), "error"}).exit, 0);
    EXPECT_EQ(list_issues(one)->size(), static_cast<std::size_t>(2 * i));
    EXPECT_EQ(list_issues(other)->size(), static_cast<std::size_t>(2 * i));
  }
}

TEST_F(Library, LongLivedClientLetsOthersWorkAndLeavesNothingBehind) {
  const auto mode = [&] {
    return string_or(parse_json(ws.run({"doctor", "--json"}).out).value_or(Json()), "journal_mode");
  };
  {
    Client client = open(true);
    ASSERT_TRUE(set_issue(client, 1, "running"));
    EXPECT_EQ(mode(), "wal");
    EXPECT_EQ(ws.run({"issue", "set", "2", "running"}).exit, 0);
    EXPECT_EQ(get_issue(client, 2)->status, "running");
    Client moved = std::move(client);
    ASSERT_TRUE(set_issue(moved, 3, "running"));
  }
  EXPECT_NE(mode(), "wal") << "the last one that lives long leaves the mode";
  EXPECT_FALSE(ws.exists(".pawl/pawl.db-wal"));
  EXPECT_EQ(ws.run({"issue", "list"}).out, "1\trunning\n2\trunning\n3\trunning\n");
  EXPECT_EQ(ws.run({"doctor"}).exit, 0);
}

TEST_F(Library, ThreadsWithAClientEachLoseNothing) {
  std::vector<std::thread> threads;
  std::array<int, 4> failures{};
  for (std::size_t t = 0; t < failures.size(); ++t) {
    threads.emplace_back([this, t, &failures] {
      auto client = Client::open({ws.path(), cat("thread ", t), t % 2 == 1, {}});
      for (int i = 0; i < 15; ++i) failures[t] += !client || !set_issue(*client, i % 3 + 1, "running") ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, (std::array<int, 4>{}));
  EXPECT_EQ(json(ws.run({"log", "--json", "--limit", "1000"}).out).size(), 60U);
  EXPECT_EQ(ws.run({"doctor"}).exit, 0) << ws.run({"doctor"}).out;
}

TEST_F(Library, ExampleProgramRunsAsItsCommentSays) {
  const fs::path built = fs::path(PAWL_BINARY).parent_path();
  std::string program;
  for (const fs::path& candidate : {built / "examples/issue_board", built / "issue_board"}) {
    if (fs::exists(candidate)) program = candidate;
  }
  if (program.empty()) GTEST_SKIP() << "the example was not built";
  const Ran ran = run_program(program, {ws.path()}, ws.options());
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_NE(ran.out.find("refused: “finished” is not a status"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("9    error      tests fail\n"), std::string::npos) << ran.out;
  EXPECT_EQ(ws.run({"issue", "list"}).out, "7\trunning\n8\tcomplete\n9\terror\n");
  EXPECT_EQ(string_or(json(ws.run({"log", "--json"}).out)[0], "actor"), "issue_board");
  EXPECT_EQ(run_program(program, {"/no/such/folder"}).exit, 5);
}

}  // namespace
}  // namespace pawl::test
