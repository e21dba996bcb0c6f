#include "runners/hook/transcript.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "base/text.h"

namespace pawl::hook {
namespace {

std::string assistant(std::string_view text, std::string_view id = "m1", std::string_view more = "") {
  return cat(R"({"type":"assistant","message":{"id":")", id,
             R"(","role":"assistant","content":[{"type":"text","text":")", text, R"("}])", more, "}}\n");
}
std::string tool_use(std::string_view id = "m1") {
  return cat(R"({"type":"assistant","message":{"id":")", id,
             R"(","role":"assistant","content":[{"type":"tool_use","name":"Bash","input":{}}]}})", "\n");
}
std::string tool_result(std::string_view text) {
  return cat(R"({"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":")", text,
             "\"}]}}\n");
}
std::string user(std::string_view text) {
  return cat(R"({"type":"user","message":{"role":"user","content":")", text, "\"}}\n");
}

LastTurn of(const std::string& text) { return last_turn_in(text, true).turn; }

TEST(Transcript, LastMessageIsTheLastOneOfTheAgentsOnly) {
  const LastTurn turn = of(user("<promise>") + assistant("first", "m0") + assistant("one", "m1") +
                           assistant("two", "m1") + R"({"type":"system","subtype":"x"})" + "\n");
  EXPECT_EQ(turn.text, "one\ntwo");
  EXPECT_TRUE(turn.found);
  EXPECT_FALSE(turn.used_a_tool);
}

TEST(Transcript, ToolsCountSinceSomebodyLastSaidSomething) {
  EXPECT_TRUE(of(user("go") + tool_use() + tool_result("x") + assistant("done", "m2")).used_a_tool);
  EXPECT_FALSE(of(tool_use() + tool_result("x") + user("go on") + assistant("done", "m2")).used_a_tool);
}

TEST(Transcript, TokensAreAllThatStandsInTheContext) {
  const LastTurn turn = of(assistant("x", "m1",
                                     R"(,"usage":{"input_tokens":5,"cache_read_input_tokens":170000,)"
                                     R"("cache_creation_input_tokens":9990,"output_tokens":5})"));
  EXPECT_EQ(turn.tokens, 180'000);
  EXPECT_TRUE(is_nearly_full(turn.tokens));
  EXPECT_FALSE(is_nearly_full(179'999));
  EXPECT_FALSE(is_nearly_full(250'000));  // of a million then
  EXPECT_TRUE(is_nearly_full(900'000));
}

TEST(Transcript, OfASubagentIsNotTheSessions) {
  const LastTurn turn =
      of(assistant("mine") + R"({"isSidechain":true,"type":"assistant","message":{"id":"q","content":[)" +
         R"({"type":"text","text":"another's"}]}})" + "\n");
  EXPECT_EQ(turn.text, "mine");
}

TEST(Transcript, DamagedMissingOrOddIsNotFound) {
  EXPECT_FALSE(of("").found);
  EXPECT_FALSE(of("garbage\n{\"type\":\n[1,2]\n\"x\"\n{}\n{\"type\":\"assistant\"}\n").found);
  EXPECT_FALSE(read_last_turn("/nowhere/at/all").found);
  EXPECT_FALSE(read_last_turn("/").found);
  EXPECT_FALSE(read_last_turn("").found);
  EXPECT_EQ(of(assistant("kept") + "{\"type\":\"assistant\",\"mess").text, "kept");  // its last line half written
}

TEST(Transcript, OfTwoHundredMegabytesIsReadAtItsEndOnly) {
  const std::string path = cat("/tmp/pawl-transcript-", getpid());
  {
    std::ofstream file(path);
    file << user("begin");
    file.seekp(200 << 20);  // a hole: what would be read before the end is zeros
    file << "\n" << user("go") << tool_use() << tool_result(std::string(100'000, 'x')) << assistant("the end", "m9");
  }
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  const LastTurn turn = read_last_turn(path);
  getrusage(RUSAGE_SELF, &after);
  std::remove(path.c_str());
  EXPECT_EQ(turn.text, "the end");
  EXPECT_TRUE(turn.used_a_tool);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 32'768);  // in KiB
}

TEST(Transcript, WithATurnLongerThanWhatIsReadWasNotOnlySaid) {
  const std::string path = cat("/tmp/pawl-long-turn-", getpid());
  {
    std::ofstream file(path);
    file << user("go") << tool_use();
    for (int i = 0; i < 60; ++i) file << tool_result(std::string(100'000, 'x'));
    file << assistant("still at it", "m9");
  }
  const LastTurn turn = read_last_turn(path);
  std::remove(path.c_str());
  EXPECT_EQ(turn.text, "still at it");
  EXPECT_TRUE(turn.used_a_tool);
}

}  // namespace
}  // namespace pawl::hook
