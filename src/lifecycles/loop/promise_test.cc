#include "lifecycles/loop/promise.h"

#include <gtest/gtest.h>

#include <array>

namespace pawl::loop {
namespace {

constexpr std::string_view kPromise = "<promise>DONE</promise>";

struct Said {
  const char* text;
  bool given;
};

constexpr std::array kSaid = {
    Said{"<promise>DONE</promise>", true},
    Said{"All tests pass.\n\n<promise>DONE</promise>\n", true},
    Said{"  <promise>DONE</promise>  \r\n", true},
    Said{"\x1b[32m<promise>DONE</promise>\x1b[0m\n", true},
    Said{"```\ncode\n```\n<promise>DONE</promise>\n", true},
    Said{"~~~ text\n```\n~~~\n<promise>DONE</promise>", true},
    Said{"> quoted\n\n<promise>DONE</promise>", true},
    Said{"a `<promise>DONE</promise>` b\n```inline``` is no fence\n<promise>DONE</promise>", true},
    // A mention is not a promise.
    Said{"", false},
    Said{"I will write <promise>DONE</promise> when I am done.", false},
    Said{"<promise>DONE</promise>.", false},
    Said{"- <promise>DONE</promise>", false},
    Said{"`<promise>DONE</promise>`", false},
    Said{"\"<promise>DONE</promise>\"", false},
    Said{"<promise>done</promise>", false},
    Said{"<promise>DONE</promise> <promise>DONE</promise>", false},
    Said{"> <promise>DONE</promise>", false},
    Said{"> it says:\n<promise>DONE</promise>", false},  // a quotation goes on until an empty line
    Said{">> <promise>DONE</promise>\n", false},
    Said{"```\n<promise>DONE</promise>\n```", false},
    Said{"```text\n<promise>DONE</promise>", false},  // never closed
    Said{"````\n```\n<promise>DONE</promise>\n````", false},
    Said{"```\n~~~\n<promise>DONE</promise>\n```", false},
    Said{"   ```\n<promise>DONE</promise>\n   ```", false},
    Said{"```\n```js\n<promise>DONE</promise>\n```", false},  // what has words behind it closes nothing
    Said{"    <promise>DONE</promise>", false},
    Said{"\t<promise>DONE</promise>", false},
    Said{"<!--\n<promise>DONE</promise>\n-->", false},
    Said{"<!-- a -->\n<promise>DONE</promise>", true},
    Said{"<!-- a --> <!-- b\n<promise>DONE</promise>", false},
    Said{"<!-- a -->b --> c\n<promise>DONE</promise>", true},
    Said{"<!--\n\n<promise>DONE</promise>\n\n-->", false},  // an empty line does not end one of its own
    // Who writes about HTML has not begun a comment.
    Said{"Fixed the `<!--` handling.\n<promise>DONE</promise>", true},
    Said{"Fixed the stray <!-- in a.html\n\n<promise>DONE</promise>", true},
    Said{"Fixed the stray <!-- in a.html\n<promise>DONE</promise>", false},  // it may be closed yet
    Said{"<!-- checked --> Fixed the stray <!-- in a.html\n\n<promise>DONE</promise>", true},
    Said{"<!-- a\nb --> Fixed the stray <!-- in a.html\n\n<promise>DONE</promise>", true},
    Said{"<!-- checked --> Fixed the stray <!-- in a.html\n<promise>DONE</promise>", false},
    Said{"as <!-- it\nsays --> here\n<promise>DONE</promise>", true},
    Said{"as <!-- it\n<promise>DONE</promise>\nsays --> here", false},
};

class Promise : public testing::TestWithParam<Said> {};

TEST_P(Promise, CountsOnlyAsALineOfItsOwn) {
  EXPECT_EQ(gives_promise(GetParam().text, kPromise), GetParam().given) << GetParam().text;
}

TEST_P(Promise, IsTheSameInPieces) {
  const std::string_view text = GetParam().text;
  for (std::size_t size = 1; size <= 5; ++size) {
    PromiseWatch watch(kPromise);
    for (std::size_t at = 0; at < text.size(); at += size) watch.read(text.substr(at, size));
    watch.end();
    EXPECT_EQ(watch.given(), GetParam().given) << size << ": " << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Table, Promise, testing::ValuesIn(kSaid));

TEST(PromiseText, IsNeverARegularExpression) {
  EXPECT_TRUE(gives_promise("a.*b", "a.*b"));
  EXPECT_FALSE(gives_promise("axxb", "a.*b"));
}

TEST(PromiseText, ThatCouldNeverBeGivenIsRefused) {
  for (const char* text : {"", "  ", "two\nlines", "> quote", "```", "    code", "\tcode"}) {
    EXPECT_FALSE(check_promise(text)) << text;
  }
  for (const char* text : {"DONE", "<promise>X</promise>", "(a|b)+", "erledigt, wirklich"}) {
    EXPECT_TRUE(check_promise(text)) << text;
  }
}

TEST(PromiseText, InALineOfAHundredMegabytesCostsNoMemory) {
  PromiseWatch watch(kPromise);
  const std::string piece(1 << 20, 'x');
  for (int i = 0; i < 100; ++i) watch.read(piece);
  watch.read("\n<promise>DONE</promise>\n");
  EXPECT_TRUE(watch.given());
}

}  // namespace
}  // namespace pawl::loop
