// A lifecycle is one folder and one row: a list of to-dos that the engine has never heard of gets all of the law, with
// many records in one file. Operations of several records are in lifecycle_operations_test.cc, and what happens when
// others write at the same moment in interleaving_test.cc.
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/undo.h"
#include "support/todo_project.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kList =
    "{ \"project\": \"alpha\",\n"
    "  \"items\": [\n"
    "    {\"id\": \"a\", \"state\": \"open\", \"title\": \"caf\\u00e9\", \"priority\": 3},\n"
    "\t{\"title\": \"second\", \"state\":\"doing\",   \"id\":\"b\", \"priority\": 1.0},\r\n"
    "    {\"id\": \"c\", \"state\": \"done\", \"mine\": {\"x\": [1,  2]}}\n"
    "  ],\n"
    "  \"theirs\": null }";

class Todos : public testing::Test {
 protected:
  Todos() {
    project_.put(kList);
    project_.look();  // without a store nothing is adopted
    start();
  }
  void start() {
    const auto made = project_.change({}, [](const View&, const Now&) -> Result<Decision> { return Decision{}; });
    EXPECT_TRUE(made);
    project_.look();
  }
  static std::string with(std::string_view from, std::string_view to, std::string text = std::string(kList)) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  }
  TodoProject project_;
};

TEST_F(Todos, AreAdoptedTogetherAndTheFileStays) {
  EXPECT_EQ(project_.bytes(), kList);
  EXPECT_EQ(project_.operations().size(), 1U);
  EXPECT_EQ(project_.events().size(), 3U);
  EXPECT_EQ(project_.status("a"), "open");
  EXPECT_EQ(project_.status("b"), "doing");
  EXPECT_EQ(project_.status("c"), "done");
  EXPECT_EQ(project_.stored("c").doc["mine"]["x"][1], 2);
}

TEST_F(Todos, MoveOfOneOfManyChangesItsBytesAlone) {
  ASSERT_TRUE(project_.move("a", "doing"));
  EXPECT_EQ(project_.bytes(), with("\"id\": \"a\", \"state\": \"open\"", "\"id\": \"a\", \"state\": \"doing\""));
  ASSERT_TRUE(project_.move("b", "open"));
  EXPECT_EQ(project_.bytes(), with("\"state\":\"doing\"", "\"state\":\"open\"",
                                   with("\"id\": \"a\", \"state\": \"open\"", "\"id\": \"a\", \"state\": \"doing\"")));
  EXPECT_EQ(project_.status("c"), "done");
}

TEST_F(Todos, RemovalTakesOutOneAndUndoPutsItBack) {
  ASSERT_TRUE(project_.move("b", std::string(kAbsent)));
  EXPECT_EQ(project_.status("b"), "absent");
  EXPECT_EQ(project_.bytes().find("second"), std::string::npos);
  EXPECT_NE(project_.bytes().find("caf\\u00e9"), std::string::npos);
  Request request;
  request.verb = "undo";
  ASSERT_TRUE(undo(project_.engine(), request, std::nullopt));
  EXPECT_EQ(project_.status("b"), "doing");
  EXPECT_NE(project_.bytes().find("second"), std::string::npos);
}

TEST_F(Todos, SeveralEditedOutsideAreOneOperation) {
  project_.edit("\"state\": \"open\"", "\"state\": \"dropped\"");
  project_.edit("\"second\"", "\"2nd\"");
  project_.look();
  EXPECT_EQ(project_.stored("a").status, "dropped");
  EXPECT_EQ(project_.stored("b").doc["title"], "2nd");
  const auto operations = project_.operations();
  ASSERT_EQ(operations.size(), 2U);
  EXPECT_TRUE(operations.front().outside);
  EXPECT_EQ(project_.events().size(), 5U);  // c has none
}

TEST_F(Todos, OneIllegalAmongManyIsPutBackAlone) {
  const std::string before = project_.bytes();
  project_.edit("\"state\": \"open\"", "\"state\": \"shipped\"");
  project_.edit("\"second\"", "\"2nd\"");
  project_.look();
  EXPECT_EQ(project_.bytes(), with("\"second\"", "\"2nd\"", before));
  EXPECT_TRUE(project_.noted("“shipped” is not a status of a to-do: open, doing, done or dropped"));
  EXPECT_EQ(project_.kept("refused").size(), 1U);
}

TEST_F(Todos, IllegalMoveAmongLegalWordsIsPutBack) {
  project_.edit("\"state\": \"open\"", "\"state\": \"done\"");  // open cannot become done
  project_.look();
  EXPECT_EQ(project_.bytes(), kList);
  EXPECT_TRUE(project_.noted("doing, dropped or removed")) << "what is allowed is not said";
}

TEST_F(Todos, GateSkippedByHandIsRefusedAndByCommandTooUntilItIsMet) {
  project_.edit("\"state\":\"doing\"", "\"state\":\"done\"");
  EXPECT_EQ(project_.status("b"), "doing");
  EXPECT_EQ(project_.bytes(), kList);
  const auto refused = project_.move("b", "done");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::gate_failed);
  EXPECT_NE(refused.error().message.find("proof"), std::string::npos);
  ASSERT_TRUE(project_.move("b", "done", {}, Json{{"proof", "run 17"}}));
  EXPECT_EQ(project_.events().back().evidence["proof"], "run 17");
}

TEST_F(Todos, GateSkippedByHandIsTakenUnverifiedUnderRecord) {
  project_.write("pawl.toml", "gates = \"record\"\n");
  project_.reopen();
  project_.edit("\"state\":\"doing\"", "\"state\":\"done\"");
  EXPECT_EQ(project_.status("b"), "done");
  EXPECT_TRUE(project_.events().back().unverified);
}

TEST_F(Todos, MissingOneIsPutBackAndSaid) {
  project_.put(
      R"({"project": "alpha", "items": [{"id": "a", "state": "open", "title": "new"}, {"id": "c", "state": "done"}]})");
  project_.look();
  EXPECT_EQ(project_.stored("b").status, "doing");
  EXPECT_EQ(project_.stored("a").doc["title"], "new");
  EXPECT_NE(project_.bytes().find("second"), std::string::npos);
  EXPECT_TRUE(project_.noted("todo/b is missing"));
  EXPECT_EQ(project_.status("b"), "doing");
}

TEST_F(Todos, NewOneInAKnownFileIsAdopted) {
  project_.edit("\"items\": [\n", "\"items\": [\n    {\"id\": \"new\", \"state\": \"doing\"},\n");
  const std::string written = project_.bytes();
  EXPECT_EQ(project_.status("new"), "doing");
  EXPECT_EQ(project_.bytes(), written);
}

TEST_F(Todos, InventedStatusOfANewOneIsHeldSaidAndFixed) {
  project_.edit("\"items\": [\n", "\"items\": [\n    {\"id\": \"new\", \"state\": \"someday\"},\n");
  const std::string written = project_.bytes();
  EXPECT_EQ(project_.status("new"), "held someday");
  EXPECT_EQ(project_.bytes(), written);
  EXPECT_TRUE(project_.noted("someday")) << "a held status is shown, not only kept";
  ASSERT_TRUE(project_.move("a", "doing"));  // another one moves: the held one stays as it is
  EXPECT_NE(project_.bytes().find("\"someday\""), std::string::npos);
  ASSERT_TRUE(project_.move("new", "doing"));
  EXPECT_EQ(project_.status("new"), "doing");
}

TEST_F(Todos, AnotherIdentitySetsAsideAndAdopts) {
  const std::string theirs = R"({"project": "beta", "items": [{"id": "x", "state": "doing"}]})";
  project_.put(theirs);
  project_.look();
  EXPECT_EQ(project_.bytes(), theirs);
  EXPECT_EQ(project_.status("x"), "doing");
  for (const char* key : {"a", "b", "c"}) EXPECT_EQ(project_.status(key), "aside") << key;
  EXPECT_TRUE(project_.noted("set aside"));
  EXPECT_EQ(project_.operations().size(), 2U);
}

// The new project's “a” is another thing than the old one's, and need not be a legal move away from it.
TEST_F(Todos, SameKeyUnderAnotherIdentityIsANewRecord) {
  const std::string theirs = R"({"project": "beta", "items": [{"id": "a", "state": "done", "title": "other"}]})";
  project_.put(theirs);
  project_.look();
  EXPECT_EQ(project_.bytes(), theirs);
  EXPECT_EQ(project_.status("a"), "done");
  EXPECT_TRUE(project_.kept("refused").empty());
  Request request;
  ASSERT_TRUE(undo(project_.engine(), request, std::nullopt));
  EXPECT_EQ(project_.stored("a").status, "open");
}

TEST_F(Todos, SetAsideComeBackWithUndo) {
  project_.put(R"({"project": "beta", "items": []})");
  ASSERT_EQ(project_.status("a"), "aside");
  Request request;
  ASSERT_TRUE(undo(project_.engine(), request, std::nullopt));
  EXPECT_EQ(project_.status("a"), "open");
  EXPECT_NE(project_.bytes().find("caf"), std::string::npos);
}

TEST_F(Todos, SetAsideComeBackWhenTheirFileDoes) {
  project_.put(R"({"project": "beta", "items": [{"id": "x", "state": "open"}]})");
  ASSERT_EQ(project_.status("a"), "aside");
  project_.put(kList);
  EXPECT_EQ(project_.status("a"), "open");
  EXPECT_EQ(project_.status("x"), "aside");
  EXPECT_EQ(project_.bytes(), kList);
}

TEST_F(Todos, GoneFileSetsAsideIsSaidOnceAndNotRestored) {
  fs::remove(project_.file(kTodoPath));
  project_.look();
  for (const char* key : {"a", "b", "c"}) EXPECT_EQ(project_.status(key), "aside") << key;
  EXPECT_EQ(
      std::count_if(project_.notes.begin(), project_.notes.end(),
                    [](const std::string& note) { return note.find("was removed outside") != std::string::npos; }),
      1)
      << "one file, one sentence";
  project_.notes.clear();
  project_.look();
  EXPECT_TRUE(project_.notes.empty());
  EXPECT_EQ(project_.bytes(), "(none)");
}

TEST_F(Todos, GoneFileThatComesBackIsAdoptedAgain) {
  fs::remove(project_.file(kTodoPath));
  project_.look();
  project_.put(kList);
  EXPECT_EQ(project_.status("b"), "doing");
  EXPECT_EQ(project_.bytes(), kList);
}

TEST_F(Todos, AreListedByRank) {
  const auto keys = [&] {
    std::string out;
    Query query;
    query.kind = kTodoKind;
    EXPECT_TRUE(project_.engine().read_store([&](const View& view) -> Done {
      PAWL_ASSIGN(const auto records, view.list(query));
      for (const Record& record : records) out += record.id.key;
      return done();
    }));
    return out;
  };
  EXPECT_EQ(keys(), "abc");  // 3, none (1.0 is no integer), none
  project_.edit("\"mine\"", "\"priority\": 1, \"mine\"");
  project_.look();
  EXPECT_EQ(keys(), "cab");
}

TEST_F(Todos, DamagedListIsKeptAsideAndAllComeBack) {
  ASSERT_TRUE(project_.move("a", "doing"));
  const std::string good = project_.bytes();
  for (const std::string_view broken :
       {"", "{\"project\": \"alpha\", \"items\": [{\"id\": \"a\"", "{\"items\": [{\"state\": \"open\"}]}"}) {
    project_.put(broken);
    project_.look();
    EXPECT_EQ(project_.bytes(), good);
    const auto kept = project_.kept("damaged");
    EXPECT_NE(std::find(kept.begin(), kept.end(), broken), kept.end()) << broken;
  }
  EXPECT_EQ(project_.events().size(), 4U);
}

TEST_F(Todos, FlaggedWordStaysAmongOthersThatMove) {
  project_.write("pawl.toml", "outside = \"flag\"\n");
  project_.reopen();
  project_.edit("\"state\": \"open\"", "\"state\": \"shipped\"");
  project_.look();
  EXPECT_NE(project_.bytes().find("\"shipped\""), std::string::npos);
  EXPECT_EQ(project_.stored("a").status, "open");
  ASSERT_TRUE(project_.move("b", "open"));  // not a's business
  EXPECT_NE(project_.bytes().find("\"shipped\""), std::string::npos) << project_.bytes();
  ASSERT_TRUE(project_.move("a", "doing"));
  EXPECT_EQ(project_.bytes().find("\"shipped\""), std::string::npos);
}

// The file is then what it was before pawl's last write, byte for byte; but pawl has not died: somebody meant it.
TEST_F(Todos, MovedBackByHandIsAnEdit) {
  ASSERT_TRUE(project_.move("a", "doing"));
  project_.put(kList);
  EXPECT_EQ(project_.status("a"), "open");
  EXPECT_EQ(project_.bytes(), kList);
  EXPECT_TRUE(project_.operations().front().outside);
}

TEST(TodoFolder, AtTheRootOfTheWorkspaceIsOneFile) {
  TodoProject project;
  project.write("pawl.toml", "[todo]\nfolder = \".\"\n");
  project.write("todos.json", "{\"items\": [{\"id\": \"a\", \"state\": \"open\"}]}");
  project.reopen();
  ASSERT_TRUE(project.move("a", "doing"));
  EXPECT_EQ(project.status("a"), "doing");
  EXPECT_EQ(*project.read("todos.json"), "{\"items\": [{\"id\": \"a\", \"state\": \"doing\"}]}");
  EXPECT_EQ(project.operations().size(), 2U);  // adopted, moved
  project.write("todos.json", "{\"items\": [{\"id\": \"a\", \"state\": \"shipped\"}]}");
  project.notes.clear();
  EXPECT_EQ(project.status("a"), "doing");
  EXPECT_EQ(*project.read("todos.json"), "{\"items\": [{\"id\": \"a\", \"state\": \"doing\"}]}");
  EXPECT_EQ(project.notes.size(), 1U) << "the same file was looked at under two names";
  ASSERT_TRUE(project.engine().read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(const auto rows, view.store().mirrors("todo-list"));
    EXPECT_EQ(rows.size(), 1U) << "one file is kept under two names";
    return done();
  }));
  const auto here = file_at(project.engine().world(), "todos.json");
  ASSERT_TRUE(here);
  EXPECT_EQ(here->path, "todos.json");
}

}  // namespace
}  // namespace pawl::test
