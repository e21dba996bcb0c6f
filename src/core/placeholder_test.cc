#include "core/placeholder.h"

#include <gtest/gtest.h>

#include <array>

namespace pawl {
namespace {

constexpr std::array kWritten = {Placeholder{"{x}", "\"$X\""}, Placeholder{"{ours}", "\"$OURS\"", true}};
using Words = std::vector<std::string>;

std::string shown(const Words& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

TEST(Placeholder, WhatOthersWriteIsNoProgram) {
  for (const Words& words : {
           Words{"{x}"},
           Words{"sh", "-c", "echo {x}"},
           Words{"sh", "-c", "{x}"},
           Words{"/bin/bash", "-lc", "{x}"},
           Words{"bash", "-o", "pipefail", "-c", "{x}"},
           Words{"bash", "--rcfile", "x", "-c", "{x}"},
           Words{"bash", "--rcfile", "x", "{x}"},
           Words{"bash", "--something", "x", "-c", "{x}"},
           Words{"bash", "--rcfile={x}", "-i"},
           Words{"sh", "{x}"},
           Words{"busybox", "sh", "-c", "{x}"},
           Words{"python3.12", "-c", "{x}"},
           Words{"python", "-m", "{x}"},
           Words{"perl", "-w", "-e", "{x}"},
           Words{"perl", "-ne", "{x}"},
           Words{"ruby", "-e", "{x}"},
           Words{"node", "--eval", "{x}"},
           Words{"node", "--eval={x}"},
           Words{"node", "-p", "{x}"},
           Words{"node", "--require={x}", "run.js"},
           Words{"php", "-r", "{x}"},
           Words{"awk", "{x}", "file"},
           Words{"awk", "-v", "a=1", "{x}"},
           Words{"sed", "{x}"},
           Words{"sed", "-e", "{x}"},
           Words{"sed", "s/a/{x}/"},
           Words{"env", "-S", "{x}"},
           Words{"env", "--split-string={x}"},
           Words{"env", "A=1", "{x}"},
           Words{"env", "A=1", "nice", "-n", "5", "{x}"},
           Words{"env", "A=1", "nice", "sh", "-ec", "cd {ours}"},
           Words{"timeout", "10", "{x}"},
           Words{"xargs", "{x}"},
           Words{"xargs", "-I", "%", "sh", "-c", "{x}"},
           Words{"ssh", "host", "ls", "{x}"},
           Words{"find", ".", "-exec", "{x}", ";"},
           Words{"find", ".", "-name", "a", "-exec", "rm", "{x}", ";"},
           Words{"git", "-c", "alias.a=!sh", "a", "{x}"},
           Words{"git", "{x}"},
           Words{"git", "bisect", "run", "{x}"},
           Words{"make", "--eval", "{x}"},
           Words{"make", "--eval={x}"},
           Words{"make", "{x}"},
           Words{"make", "A={x}"},
           Words{"su", "me", "-c", "{x}"},
           Words{"mywrapper", "sh", "-c", "{x}"},
           Words{"anything", "--eval={x}"},
           Words{"anything", "a {x} b"},
           Words{"anything", "-k{x}"},
           Words{"npx", "{x}"},
           Words{"npm", "run", "{x}", "sh", "-c", "{x}"},
           Words{"npm", "run", "test", "--", "make", "{x}"},
           Words{"bun", "run", "watch", "{x}"},  // may be one of the system
           Words{"npm", "exec", "watch", "{x}"},
       }) {
    const Done checked = check_placeholders(words, kWritten);
    ASSERT_FALSE(checked) << shown(words);
    EXPECT_EQ(checked.error().code, ErrorCode::invalid_argument);
    EXPECT_NE(checked.error().hint.find("$"), std::string::npos) << checked.error().hint;
  }
}

TEST(Placeholder, ArgumentsAreArguments) {
  for (const Words& words : {
           Words{"claude", "-p", "{x}"},
           Words{"claude", "-c", "{x}"},
           Words{"npm", "test", "--", "--filter={x}"},
           Words{"npm", "test", "--", "{x}"},
           Words{"npm", "run", "watch", "{x}"},
           Words{"/usr/bin/pnpm", "run", "make", "--", "{x}"},
           Words{"sh", "-c", "claude \"$1\"", "sh", "{x}"},
           Words{"sh", "run.sh", "{x}"},
           Words{"sh", "run.sh", "-c", "{x}"},
           Words{"sh", "-e", "run.sh", "{x}"},
           Words{"python", "-m", "pytest", "-k", "{x}"},
           Words{"python3", "-X", "dev", "run.py", "{x}"},
           Words{"node", "--test", "--test-name-pattern={x}", "tests"},
           Words{"env", "A=1", "nice", "-n", "5", "npm", "test", "{x}"},
           Words{"timeout", "10", "npm", "test", "{x}"},
           Words{"git", "log", "--grep={x}"},
           Words{"git", "grep", "-e", "{x}"},
           Words{"find", ".", "-name", "{x}"},
           Words{"pi", "@{ours}"},
           Words{"sh", "{other}"},
       })
    EXPECT_TRUE(check_placeholders(words, kWritten)) << shown(words);
}

TEST(Placeholder, InAShellsLineItIsAnArgumentToo) {
  for (const char* line : {"{x}",
                           "{x} a",
                           "a; {x}",
                           "a && {x}",
                           "a | {x}",
                           "a\n{x}",
                           "$({x})",
                           "`{x}`",
                           "A=1 {x}",
                           "if {x}; then a; fi",
                           "if a; then {x}; fi",
                           "! {x}",
                           "{ {x}; }",
                           "eval {x}",
                           "sh -c {x}",
                           "sh -c \"echo {x}\"",
                           "sh -c 'echo {x}'",
                           "echo '{x}'",
                           "echo \"a {x} b\"",
                           "echo a{x}",
                           "echo a > {x}",
                           "cat < {x}",
                           "a | xargs {x}",
                           "A={x} b",
                           "exec {x}",
                           ". {x}",
                           "( {x} )",
                           "echo \"$(sh -c {x})\"",
                           "cat <<E\n{x}\nE",
                           "a \\\n; {x}"})
    EXPECT_FALSE(check_placeholders_in_shell(line, kWritten)) << line;
  for (const char* line :
       {"echo {x}", "echo {x} | cat", "A=1 npm test --filter={x} && b", "if grep -q {x} f; then a; fi", "sh run.sh {x}",
        "printf %s {x}; b", "for i in {x}; do a; done", "a 'b; c' {x}"})
    EXPECT_TRUE(check_placeholders_in_shell(line, kWritten)) << line;
}

TEST(Placeholder, NoValueBecomesAnOption) {
  EXPECT_FALSE(check_filled("{x}", "--help"));
  EXPECT_TRUE(check_filled("{x}", "a-b"));
  EXPECT_TRUE(check_filled("--f={x}", "--f=--help"));
}

TEST(Placeholder, FilledInOnce) { EXPECT_EQ(filled_in("a {x} {y} {", {{"x", "{y}"}, {"y", "2"}}), "a {y} 2 {"); }

}  // namespace
}  // namespace pawl
