#include "integrations/github/place.h"

#include <gtest/gtest.h>

#include "integrations/github/client.h"
#include "integrations/github/objects.h"

namespace pawl::github {
namespace {

TEST(PullRefs, AreReadInEveryForm) {
  const RepoRef here{"o", "r"};
  for (const char* text :
       {"octo/cat.x#12", "https://github.com/octo/cat.x/pull/12", "https://github.com/octo/cat.x/pull/12/files",
        "https://github.com/octo/cat.x/pull/12#issuecomment-1"}) {
    const auto ref = parse_pull_ref(text, "github.com", &here);
    ASSERT_TRUE(ref) << text;
    EXPECT_EQ(ref->text(), "octo/cat.x#12") << text;
  }
  for (const char* text : {"7", "#7"}) {
    const auto ref = parse_pull_ref(text, "github.com", &here);
    ASSERT_TRUE(ref);
    EXPECT_EQ(ref->text(), "o/r#7");
  }
}

TEST(PullRefs, ThatNameNoneAreRefused) {
  const RepoRef here{"o", "r"};
  for (const char* text : {"", "x", "o/r", "o/r#", "o/r#0", "o/r#-1", "o/r#x", "../r#1", "o/..#1", "o/r/x#1", "o/a b#1",
                           "https://github.com/o/r/issues/1", "file://github.com/o/r/pull/1",
                           "https://evil.com/o/r/pull/1", "https://github.com/o/pull/1", "99999999999999999999"}) {
    const auto ref = parse_pull_ref(text, "github.com", &here);
    EXPECT_FALSE(ref) << text;
  }
  EXPECT_EQ(parse_pull_ref("7", "github.com", nullptr).error().code, ErrorCode::not_found);
}

TEST(Remotes, AreReadInEveryForm) {
  for (const char* url : {"git@github.com:o/r.git", "https://github.com/o/r", "https://github.com/o/r.git/",
                          "ssh://git@github.com/o/r.git", "ssh://git@ssh.github.com:443/o/r.git",
                          "https://user:secret@github.com/o/r.git", "git://github.com/o/r"}) {
    const auto repo = parse_remote(url, "github.com");
    ASSERT_TRUE(repo) << url;
    EXPECT_EQ(repo->text(), "o/r") << url;
  }
  for (const char* url : {"git@gitlab.com:o/r.git", "https://github.com.evil.com/o/r", "/srv/o/r.git",
                          "https://github.com/o", "https://github.com/a/b/c", ""}) {
    EXPECT_FALSE(parse_remote(url, "github.com")) << url;
  }
}

TEST(Links, NameTheNextPage) {
  EXPECT_EQ(next_page(R"(<https://a/x?page=2>; rel="next", <https://a/x?page=9>; rel="last")"), "https://a/x?page=2");
  EXPECT_EQ(next_page(R"(<https://a/x?page=1>; rel="prev")"), "");
  EXPECT_EQ(next_page(""), "");
  EXPECT_EQ(next_page("rel=\"next\""), "");
  EXPECT_EQ(next_page("<https://a/x?a=1,2&page=2>; rel=next"), "https://a/x?a=1,2&page=2");
  EXPECT_EQ(next_page(R"(<https://a/1>; rel="prev", <https://a/3>; rel="next")"), "https://a/3");
}

TEST(Encoding, LeavesNothingThatMeansSomethingInAUrl) {
  EXPECT_EQ(encoded("feature/a b#1?&%"), "feature%2Fa%20b%231%3F%26%25");
  EXPECT_EQ(encoded("ü"), "%C3%BC");
  EXPECT_EQ(encoded("a-b_c.d~1"), "a-b_c.d~1");
}

}  // namespace
}  // namespace pawl::github
