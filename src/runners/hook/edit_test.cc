#include "runners/hook/edit.h"

#include <gtest/gtest.h>

namespace pawl::hook {
namespace {

std::optional<std::string> edited(const char* arguments, std::string_view bytes) {
  const auto edit = edit_in(parse_json(arguments).value_or(Json()));
  return edit ? after(*edit, bytes) : std::nullopt;
}

TEST(Edit, OfEveryToolAndAgentIsUnderstood) {
  EXPECT_EQ(edited(R"({"file_path":"f","old_string":"a","new_string":"b"})", "xax"), "xbx");
  EXPECT_EQ(edited(R"({"file_path":"f","old_string":"a","new_string":"b","replace_all":true})", "xaxa"), "xbxb");
  EXPECT_EQ(edited(R"({"filePath":"f","oldString":"a","newString":"aa","replaceAll":true})", "aa"), "aaaa");
  EXPECT_EQ(edited(R"({"file_path":"f","content":"new"})", "old"), "new");
  EXPECT_EQ(
      edited(R"({"file_path":"f","edits":[{"old_string":"a","new_string":"b"},{"old_string":"b","new_string":"c"}]})",
             "a"),
      "c");
  EXPECT_EQ(edited(R"({"file_path":"f","old_string":"","new_string":"made"})", ""), "made");
}

TEST(Edit, ThatTheToolItselfWillRefuseIsLeftToIt) {
  EXPECT_EQ(edited(R"({"file_path":"f","old_string":"zz","new_string":"b"})", "a"), std::nullopt);
  EXPECT_EQ(edited(R"({"file_path":"f","old_string":"","new_string":"b"})", "a"), std::nullopt);
  EXPECT_EQ(edited(R"({"file_path":"f","old_string":"a","new_string":"b"})", "xaxa"), std::nullopt);  // which one?
}

TEST(Edit, OfOtherToolsAndOddArgumentsIsNone) {
  for (const char* arguments :
       {"null", "[]", "{}", R"({"command":"ls"})", R"({"file_path":"","content":"x"})",
        R"({"file_path":7,"content":"x"})", R"({"file_path":"f"})", R"({"file_path":"f","edits":[7]})",
        R"({"file_path":"f","old_string":1,"new_string":2})"}) {
    EXPECT_FALSE(edit_in(parse_json(arguments).value_or(Json()))) << arguments;
  }
}

}  // namespace
}  // namespace pawl::hook
