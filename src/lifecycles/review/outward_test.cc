#include "lifecycles/review/outward.h"

#include <gtest/gtest.h>

namespace pawl::review {
namespace {

TEST(Outward, NoCommentGetsOutWhereverItStands) {
  for (const char* text : {
           "a <!-- SECRET --> b",
           "<!--\nSECRET\n-->",
           "<!-- SECRET",
           "- ```\n  x\n  ```\n\n<!-- SECRET -->\n\n- ```\n  y\n  ```",
           "    ```\n<!-- SECRET -->\n    ```",
           "<div>\n```\n<!-- SECRET -->\n```\n</div>",
           "<!-<!-- x -->- SECRET -->",
           "`<!-- SECRET -->`",
           "<!--\n```suggestion\nSECRET\n```\n-->",
           "\t```\n<!-- SECRET -->\n\t```",
       }) {
    EXPECT_EQ(outward_text(text).find("SECRET"), std::string::npos) << text;
    EXPECT_EQ(outward_text(text).find("<!--"), std::string::npos) << text;
  }
}

TEST(Outward, SuggestionIsLeftAsItIs) {
  const std::string text = "Use this:\n\n```suggestion\n<!-- kept: it is code -->\n<p>\n```\n\nand <!-- no -->that.";
  EXPECT_EQ(outward_text(text), "Use this:\n\n```suggestion\n<!-- kept: it is code -->\n<p>\n```\n\nand that.");
}

TEST(Outward, EveryFieldOfAFindingIsCleaned) {
  const Json finding{
      {"title", "T <!-- S -->t"}, {"category", "bug <!-- S -->"}, {"file", "a.c <!-- S -->"}, {"body", "<!-- S -->b"}};
  EXPECT_EQ(outward(finding).dump().find("S"), std::string::npos) << outward(finding);
}

}  // namespace
}  // namespace pawl::review
