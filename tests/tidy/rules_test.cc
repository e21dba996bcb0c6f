// Each rule is shown something bad and must not like it, and something good that looks alike and must not mind.
// A rule that cannot fail protects nothing. Words that the rules look for are written in two halves: "TO|DO".
#include "tidy/rules.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tidy/english.h"
#include "tidy/scan.h"

namespace pawl::tidy {
namespace {

std::string include(const std::string& quoted) { return "#include " + quoted + "\n"; }

std::size_t upward(const std::string& path, const std::string& quoted) {
  return upward_includes({path, "// x\n" + include(quoted)}).size();
}

std::size_t caged(const std::string& path, const std::string& quoted) {
  return caged_libraries({path, include(quoted)}).size();
}

TEST(TidyRules, AnIncludeFromBelowIsRefused) {
  EXPECT_EQ(upward("src/core/decide.h", "\"store/store.h\""), 1U);
  EXPECT_EQ(upward("src/commands/story.cc", "\"frontends/cli/text.h\""), 1U);
  EXPECT_EQ(upward("src/base/file.cc", "\"core/record.h\""), 1U);
  EXPECT_EQ(upward("src/store/sqlite/rows.cc", "\"core/record.h\""), 0U);
  EXPECT_EQ(upward("src/core/decide.h", "\"base/result.h\""), 0U);
  EXPECT_EQ(upward("src/core/decide.h", "\"pawl/error.h\""), 0U);
  EXPECT_EQ(upward("src/main.cc", "\"frontends/cli/cli.h\""), 0U);
}

TEST(TidyRules, AnIncludeSaysWhereItIs) {
  EXPECT_EQ(upward("src/core/decide.cc", "\"decide.h\""), 1U);
  EXPECT_EQ(upward("src/core/decide.cc", "\"../core/decide.h\""), 1U);
  EXPECT_EQ(upward("src/core/decide.cc", "\"support/fake_clock.h\""), 1U);
  EXPECT_EQ(upward("src/core/decide_test.cc", "\"support/fake_clock.h\""), 0U);
}

TEST(TidyRules, AFolderThatTheHouseDoesNotHaveIsRefused) { EXPECT_EQ(upward("src/attic/x.cc", "<string>"), 1U); }

TEST(TidyRules, ALifecycleDoesNotKnowAnother) {
  EXPECT_EQ(upward("src/lifecycles/story/story.cc", "\"lifecycles/issue/issue.h\""), 1U);
  EXPECT_EQ(upward("src/lifecycles/story/story.cc", "\"lifecycles/story/prd_file.h\""), 0U);
  EXPECT_EQ(upward("src/lifecycles/table.cc", "\"lifecycles/issue/issue.h\""), 0U);
}

TEST(TidyRules, AHeavyLibraryStaysInItsCage) {
  EXPECT_EQ(caged("src/engine/engine.cc", "<sqlite3.h>"), 1U);
  EXPECT_EQ(caged("src/store/sqlite/rows.cc", "<sqlite3.h>"), 0U);
  EXPECT_EQ(caged("src/store/sqlite/rows.cc", "<libpq-fe.h>"), 1U);
  EXPECT_EQ(caged("src/runners/story_bot.cc", "<curl/curl.h>"), 1U);
  EXPECT_EQ(caged("src/integrations/github/http.cc", "<curl/curl.h>"), 0U);
  EXPECT_EQ(caged("src/commands/verb.cc", "<CLI/CLI.hpp>"), 1U);
  EXPECT_EQ(caged("src/base/json.h", "<nlohmann/json.hpp>"), 0U);
  EXPECT_EQ(caged("src/base/text.cc", "<nlohmann/json.hpp>"), 1U);
  EXPECT_EQ(caged("tests/import_test.cc", "<nlohmann/json.hpp>"), 1U);
  EXPECT_EQ(caged("tests/power_cut_test.cc", "<sqlite3.h>"), 0U);
}

TEST(TidyRules, ASecondReaderOfTomlIsRefused) {
  const File one{"src/engine/settings.cc", include("<toml++/toml.h>")};
  const File two{"src/commands/trust.cc", include("<toml++/toml.h>")};
  EXPECT_EQ(scattered_toml({one}).size(), 0U);
  EXPECT_EQ(scattered_toml({one, two}).size(), 2U);
}

TEST(TidyRules, TheLawReachesForNothing) {
  EXPECT_EQ(impure_law({{"src/core/decide.cc", include("<chrono>") + include("<fstream>")}}).size(), 2U);
  EXPECT_EQ(impure_law({{"src/lifecycles/pr/pr.cc", include("<sys/stat.h>")}}).size(), 1U);
  EXPECT_EQ(impure_law({{"src/lifecycles/pr/pr.cc", "auto now = SystemClock().now();\n"}}).size(), 1U);
  EXPECT_EQ(impure_law({{"src/core/decide.cc", include("<string>") + include("\"base/clock.h\"")}}).size(), 0U);
  EXPECT_EQ(impure_law({{"src/engine/engine.cc", include("<unistd.h>")}}).size(), 0U);
}

TEST(TidyRules, TheLawReachesForNothingThroughAHelper) {
  const File header{"src/base/file.h", "// x\n"};
  const File helper{"src/base/file.cc", include("<unistd.h>")};
  EXPECT_EQ(impure_law({header, helper, {"src/core/decide.cc", include("\"base/file.h\"")}}).size(), 1U);
  EXPECT_EQ(impure_law({header, helper, {"src/core/decide.cc", include("\"base/text.h\"")}}).size(), 0U);
}

TEST(TidyRules, APublicHeaderIsLight) {
  EXPECT_EQ(heavy_public_headers({"include/pawl/store.h", include("<nlohmann/json.hpp>")}).size(), 1U);
  EXPECT_EQ(heavy_public_headers({"include/pawl/store.h", include("\"core/record.h\"")}).size(), 1U);
  EXPECT_EQ(heavy_public_headers({"include/pawl/store.h", include("<unistd.h>")}).size(), 1U);
  const std::string light = include("<string>") + include("<tl/expected.hpp>") + include("\"pawl/error.h\"");
  EXPECT_EQ(heavy_public_headers({"include/pawl/store.h", light}).size(), 0U);
}

TEST(TidyRules, RegexAndIostreamAreRefusedInCodeAndAllowedInComments) {
  EXPECT_EQ(banned_in_sources({"src/base/text.cc", include("<regex>") + "std::regex r;\n"}).size(), 2U);
  EXPECT_EQ(banned_in_sources({"src/base/text.cc", include("<iostream>")}).size(), 1U);
  EXPECT_EQ(banned_in_sources({"src/base/text.cc", "// no std::regex: it recurses\n"}).size(), 0U);
}

TEST(TidyRules, ATestThatSleepsIsRefused) {
  const auto found = [](const std::string& path, std::string_view halves) {
    return sleeping_tests({path, whole(halves)}).size();
  };
  EXPECT_EQ(found("tests/a_test.cc", "std::this_thread::sleep_|for(1s);\n"), 1U);
  EXPECT_EQ(found("tests/a_test.cc", "usl|eep(100);\n"), 1U);
  EXPECT_EQ(found("src/core/a_test.cc", "sl|eep(1);\n"), 1U);
  EXPECT_EQ(found("tests/a_test.cc", "run(\"sl|eep 5; true\");\n"), 1U);
  EXPECT_EQ(found("tests/a.sh", "sl|eep \"$n\"\n"), 1U);
  EXPECT_EQ(found("tests/a.sh", "# sl|eep 5 would be wrong\n"), 0U);
  EXPECT_EQ(found("tests/a_test.cc", "// it would sl|eep 5 seconds\nint sleep_ms = 0;\nf(\"sleep it off\");\n"), 0U);
  EXPECT_EQ(found("tests/crash/calls.cc", "Row{SYS_nanosleep, \"nanosleep\"},\n"), 0U);
  EXPECT_EQ(found("src/integrations/agent.cc", "usl|eep(100);\n"), 0U);
}

TEST(TidyRules, AnUnfinishedMarkIsRefused) {
  const auto found = [](const std::string& path, std::string_view halves) {
    return unfinished_marks({path, whole(halves)}).size();
  };
  EXPECT_EQ(found("src/core/a.cc", "// TO|DO later\n// FIX|ME\n// XX|X\n"), 3U);
  EXPECT_EQ(found("docs/a.md", "TO|DO: write this\n"), 1U);
  EXPECT_EQ(found("src/core/a.cc", "mkstemp(\"pawl.XXXXXX\");\n"), 0U);
}

TEST(TidyRules, ALongFileIsRefused) {
  std::string text;
  for (int i = 0; i < 600; ++i) text += "x\n";
  EXPECT_EQ(long_files({"src/core/a.cc", text}).size(), 0U);
  EXPECT_EQ(long_files({"src/core/a.cc", text + "x\n"}).size(), 1U);
  EXPECT_EQ(long_files({"tests/a.cc", text + "x\n"}).size(), 0U);
}

TEST(TidyRules, ANameThatSaysNothingIsRefused) {
  EXPECT_EQ(empty_names({"src/base/util.h", ""}).size(), 1U);
  EXPECT_EQ(empty_names({"src/base/string_utils.cc", ""}).size(), 1U);
  EXPECT_EQ(empty_names({"src/common/text.h", ""}).size(), 1U);
  EXPECT_EQ(empty_names({"tests/helpers.h", ""}).size(), 1U);
  EXPECT_EQ(empty_names({"src/base/utility_bill.h", ""}).size(), 0U);
}

TEST(TidyRules, AHeaderWithoutACommentOrPragmaIsRefused) {
  EXPECT_EQ(bare_headers({"src/base/a.h", "#pragma once\n"}).size(), 1U);
  EXPECT_EQ(bare_headers({"src/base/a.h", "// What for.\n"}).size(), 1U);
  EXPECT_EQ(bare_headers({"src/base/a.h", "// What for.\n#pragma once\n"}).size(), 0U);
}

TEST(TidyRules, UntidySpaceIsRefused) {
  EXPECT_EQ(untidy_space({"src/base/a.cc", "int a; \n"}).size(), 1U);
  EXPECT_EQ(untidy_space({"src/base/a.cc", "\tint a;\n"}).size(), 1U);
  EXPECT_EQ(untidy_space({"src/base/a.cc", "int a;"}).size(), 1U);
  EXPECT_EQ(untidy_space({"docs/a.md", "text"}).size(), 1U);
  EXPECT_EQ(untidy_space({"dev", "a\r\n"}).size(), 1U);
  EXPECT_EQ(untidy_space({"tests/fuzz/corpus/prd/torn.json", "{ "}).size(), 0U);
  EXPECT_EQ(untidy_space({"tests/samples/loop.md", "go on \n"}).size(), 0U);
  EXPECT_EQ(untidy_space({"src/base/a.cc", "int a;\n"}).size(), 0U);
}

TEST(TidyRules, ASecondListOfStatusesIsRefused) {
  const std::vector<StatusList> lists = {{"issue", {"running", "complete", "error"}}};
  const std::string all = "f(\"running\", \"complete\",\n \"error\");\n";
  EXPECT_EQ(repeated_statuses({"src/commands/issue.cc", all}, lists).size(), 1U);
  EXPECT_EQ(repeated_statuses({"src/lifecycles/issue/issue.cc", all}, lists).size(), 0U);
  EXPECT_EQ(repeated_statuses({"src/commands/issue_test.cc", all}, lists).size(), 0U);
  EXPECT_EQ(repeated_statuses({"src/commands/issue.cc", "f(\"running\", \"error\");\n"}, lists).size(), 0U);
  EXPECT_EQ(repeated_statuses({"src/commands/issue.cc", "// \"running\", \"complete\", \"error\"\n"}, lists).size(),
            0U);
}

TEST(TidyRules, ALongReadmeIsRefused) {
  std::string text;
  for (int i = 0; i < 120; ++i) text += "x\n";
  EXPECT_EQ(long_readme({{"README.md", text}}).size(), 0U);
  EXPECT_EQ(long_readme({{"README.md", text + "x\n"}}).size(), 1U);
  EXPECT_EQ(long_readme({}).size(), 1U);
}

TEST(TidyRules, ADeadLinkIsRefused) {
  const auto found = [](const std::string& text) {
    return dead_links({{"docs/formats/issue.md", text}, {"docs/tour.md", ""}, {"README.md", ""}}).size();
  };
  EXPECT_EQ(found("see [the tour](tour.md)\n"), 1U);
  EXPECT_EQ(found("see [the tour](../tour.md#start) and [home](../../README.md) and [all](..)\n"), 0U);
  EXPECT_EQ(found("see [out](../../../x.md) and [two](a.md \"title\")\n"), 2U);
  EXPECT_EQ(found("[label]: gone.md\n"), 1U);
  EXPECT_EQ(found("[a](https://example.org/x) [b](#here) `[c](gone.md)`\n```\n[d](gone.md)\n```\n"), 0U);
}

TEST(TidyRules, AFolderThatTheMapDoesNotNameIsRefused) {
  const auto found = [](const std::string& map) {
    return unmapped_folders(
               {{"docs/architecture.md", map}, {"src/core/decide.h", ""}, {"src/lifecycles/story/story.h", ""}})
        .size();
  };
  EXPECT_EQ(found("  core/  the law\n  lifecycles/  review/ story/\n"), 0U);
  EXPECT_EQ(found("`lifecycles/story` and `core/decide` and `src/core/decide.h`\n  lifecycle/ core/\n"), 0U);
  EXPECT_EQ(found("  core/  the law\n"), 2U);
  EXPECT_EQ(found("  score/  lifecycles/ story/\n"), 1U);
}

TEST(TidyRules, ARoomOfTheEngineThatTheMapDoesNotNameIsRefused) {
  const auto found = [](const std::string& map) {
    return unmapped_rooms({{"docs/architecture.md", map}, {"src/engine/undo.h", ""}, {"src/engine/undo_files.h", ""}})
        .size();
  };
  EXPECT_EQ(found("`undo`, `undo_files`\n"), 0U);
  EXPECT_EQ(found("`undo_files`\n"), 1U);
}

TEST(TidyRules, APathThatTheMapInventsIsRefused) {
  const auto found = [](const std::string& map) {
    return unmapped_folders({{"docs/architecture.md", "core/\n" + map}, {"src/core/decide.h", ""}}).size();
  };
  EXPECT_EQ(found("`core/gone.h` and `runners/gone_bot`\n"), 2U);
  EXPECT_EQ(found("`.pawl/refused/` and `POST /v1/story/next` and `core/*_test.cc` and `text/plain`\n"), 0U);
  EXPECT_EQ(unmapped_folders({}).size(), 1U);
}

TEST(TidyRules, ADevCommandThatDoesNotExistIsRefused) {
  const std::string help = "usage: ./dev COMMAND\n\n  run [ARGS]   run\n  test         test\n";
  EXPECT_EQ(unknown_dev_commands({{"README.md", "`./dev run`, then `./dev test X`, `./dev`\n"}}, help).size(), 0U);
  EXPECT_EQ(unknown_dev_commands({{"README.md", "`./dev launch`\n"}}, help).size(), 1U);
  EXPECT_EQ(unknown_dev_commands({{"docs/a/b.md", "./dev runs\n"}}, help).size(), 1U);
}

TEST(TidyRules, CiThatRunsSomethingElseIsRefused) {
  const File readme{"README.md", "    ./dev test\n"};
  EXPECT_EQ(ci_of_its_own({readme, {".ci/run", "#!/bin/bash\n./dev test\n"}}).size(), 0U);
  EXPECT_EQ(ci_of_its_own({readme, {".ci/run", "# not ./dev test\nctest\n"}}).size(), 1U);
  EXPECT_EQ(ci_of_its_own({{"README.md", "make check\n"}, {".ci/run", "./dev test\n"}}).size(), 1U);
  EXPECT_EQ(ci_of_its_own({readme}).size(), 1U);
}

TEST(TidyRules, APathOfOneMachineIsRefused) {
  const auto found = [](const std::string& path, std::string_view halves) {
    return machine_specifics({path, whole(halves)}).size();
  };
  EXPECT_EQ(found("docs/a.md", "cd /wo|rk/main\n"), 1U);
  EXPECT_EQ(found("a.json", "\"/ro|ot/.config\" /tmp/bu|ild-x\n"), 2U);
  EXPECT_EQ(found("dev", "deb http://deb.deb|ian.org/debian bookworm\n"), 1U);
  EXPECT_EQ(found("a.md", "~/wo|rk/x https://example.org/ro|ot/x $HOME/wo|rk/ /home/me/wo|rk/\n"), 0U);
}

TEST(TidyRules, AnIdiomInARebuiltRoomIsRefused) {
  const auto found = [](const std::string& path, const std::string& text) {
    return left_behind_idioms({path, text}).size();
  };
  EXPECT_EQ(found("src/core/merge.cc", "// Whoever only looks changes nothing.\n"), 1U);
  EXPECT_EQ(found("src/core/merge.cc", "// The records that are set\n  // aside come back.\n"), 1U);
  EXPECT_EQ(found("src/core/merge.cc", "bool what_stands = is_no_status(x);\n"), 2U);
  EXPECT_EQ(found("src/frontends/english/outside.cc", "\"it can not be \u201ctaken\u201d\""), 3U);
  EXPECT_EQ(found("src/core/merge.cc", "// pawl restored the file; at least one thatcher cannot set it aside\n"), 0U);
  EXPECT_EQ(found("src/core/decide.cc", "// Whoever only looks changes nothing.\n"), 0U);
  EXPECT_EQ(left_behind_idioms({"src/core/merge.cc", "\n// one\n// that\n"})[0].line, 2U);
}

TEST(TidyRules, SentencesAreMeasuredInWords) {
  EXPECT_EQ(longest_sentence(""), 0U);
  EXPECT_EQ(longest_sentence("prd.json is open. It waits until it is closed.\nSo"), 6U);
}

TEST(TidyScan, CommentsAreBlankedAndStringsAreNot) {
  const Scan scan = scan_cpp("a // b\n/* c\n d */ \"e // f\" 'g' 1'000 R\"x(h \" i)x\" \"\\\"j\"\n");
  EXPECT_EQ(scan.code, "a     \n    \n      \"e // f\" 'g' 1'000 R\"x(h \" i)x\" \"\\\"j\"\n");
  ASSERT_EQ(scan.literals.size(), 3U);
  EXPECT_EQ(scan.literals[0].text, "e // f");
  EXPECT_EQ(scan.literals[0].line, 3U);
  EXPECT_EQ(scan.literals[1].text, "h \" i");
  EXPECT_EQ(scan.literals[2].text, "\\\"j");
}

}  // namespace
}  // namespace pawl::tidy
