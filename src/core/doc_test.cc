#include "core/doc.h"

#include <gtest/gtest.h>

namespace pawl {
namespace {

TEST(Doc, IsAnEmptyObjectAtFirst) {
  EXPECT_EQ(Doc().line(), "{}");
  EXPECT_EQ(Doc(), Json::object());
  EXPECT_FALSE(Doc().contains("a"));
}

TEST(Doc, KeepsTheTextItWasReadFrom) {
  const auto doc = Doc::read(R"({"b" : 1.50, "a":[]})");
  ASSERT_TRUE(doc);
  EXPECT_EQ((*doc)["b"], 1.5);
  EXPECT_EQ(doc->line(), R"({"b" : 1.50, "a":[]})");
}

TEST(Doc, ReadsOnlyJson) {
  for (const char* text : {"", "{", "{} {}", "{\"a\":}", "nul"}) EXPECT_FALSE(Doc::read(text)) << text;
}

TEST(Doc, CopyIsNotChangedByAnAssignmentToTheOther) {
  Doc first = Json{{"a", 1}};
  const Doc copy = first;
  first = Json{{"a", 2}};
  EXPECT_EQ(copy["a"], 1);
  EXPECT_EQ(first["a"], 2);
  EXPECT_FALSE(first == copy);
}

TEST(Doc, IsComparedByContent) {
  const auto read = Doc::read(R"({"a":  1})");
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, Doc(Json{{"a", 1}}));
}

}  // namespace
}  // namespace pawl
