#include "base/shell_word.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>

namespace pawl {
namespace {

std::string echoed_by_bash(const std::string& word) {
  const std::string file = testing::TempDir() + "shell_word_test.sh";
  std::FILE* const script = std::fopen(file.c_str(), "w");
  std::fprintf(script, "printf %%s %s", word.c_str());
  std::fclose(script);
  std::FILE* const bash = popen(("bash " + file).c_str(), "r");
  std::string out;
  std::array<char, 256> piece{};
  while (const std::size_t got = std::fread(piece.data(), 1, piece.size(), bash)) out.append(piece.data(), got);
  pclose(bash);
  return out;
}

TEST(ShellWord, IsReadBackAsItWas) {
  for (const std::string word :
       {"plain/.pawl", "my dir/.pawl", "a;touch PWNED $(id)", "it's", "#x", "two\nlines", "\x1b[31mred", "caf\xc3\xa9",
        "\xff\xfe bytes", "back\\slash\t'", "*?[a]", "~", "", "-x", "!1"}) {
    const std::string typed = shell_word(word);
    EXPECT_EQ(echoed_by_bash(typed), word) << typed;
    for (const char c : typed) EXPECT_GE(static_cast<unsigned char>(c), 0x20) << "would not reach a shell";
  }
  EXPECT_EQ(shell_word("/home/ann/shop/.pawl"), "/home/ann/shop/.pawl");
  EXPECT_EQ(shell_word("/home/ann/my shop/.pawl"), "'/home/ann/my shop/.pawl'");
}

}  // namespace
}  // namespace pawl
