// The first change of something that an agent wrote into a file: the command takes it over and changes it in one go.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/text.h"
#include "support/review_examples.h"
#include "support/review_on_github.h"
#include "support/review_project.h"

namespace pawl::test {
namespace {

constexpr std::string_view kFront = R"(---
pr_owner: "octo"
pr_repo: "cat"
pr_number: 7
head_sha: "abc123def456"
started: "2024-01-15T10:30:00Z"
updated: "2024-01-15T10:45:00Z"
mode: "full"
focus: ""
self_review: false
---

## Chunk Plan

| Chunk | Files | LOC | Status |
|-------|-------|-----|--------|
| 1 | core/engine.ts | 450 | in-progress |
| 4 | core/other.ts | 20 | pending |

## Findings

)";

// The first two have the same place, and differ in their words alone.
constexpr std::string_view kPlain = R"(### 🔴 Action Required One

**File:** `core/engine.ts:42` | **Category:** bug | **Confidence:** 95/100
**Marked for GitHub:** true

First.

---

### 🔴 Action Required Two

**File:** `core/engine.ts:42` | **Category:** bug | **Confidence:** 95/100
**Marked for GitHub:** true

First.

---

### 🟢 Minor Three

**File:** `core/engine.ts:7` | **Category:** style | **Confidence:** 88/100
**Marked for GitHub:** true

Third.

---

Words of somebody's own.
)";

struct Sample {
  const char* name;
  std::string text;
};

std::vector<Sample> samples() {
  const std::string plain = cat(kFront, kPlain);
  std::string with_ids = replaced(plain, "Action Required One", "H1 Action Required: One");
  with_ids = replaced(with_ids, "Action Required Two", "H2 Action Required: Two");
  std::string long_ends;
  for (const char c : plain) long_ends += c == '\n' ? "\r\n" : std::string(1, c);
  return {{"plain", plain},
          {"with ids", replaced(with_ids, "Minor Three", "L3 Minor: Three")},
          {"line ends of two bytes", long_ends},
          {"one finding", cat(kFront, kPlain.substr(0, kPlain.find("---")))},
          {"the seed's", std::string(kSeed)}};
}

// What was in the store when the agent wrote the file.
enum class Known { nothing, the_review, all_but_the_last };
constexpr std::array kKnown = {Known::nothing, Known::the_review, Known::all_but_the_last};

// Without the time, which goes with each change.
using Lines = std::vector<std::string>;
Lines lines_of(std::string_view text) {
  Lines out;
  for (const std::string_view line : split(text, '\n')) {
    if (!line.starts_with("updated: ")) out.emplace_back(trim(line));
  }
  return out;
}

std::size_t findings_in(std::string_view text) {
  const Lines lines = lines_of(text);
  return static_cast<std::size_t>(
      std::count_if(lines.begin(), lines.end(), [](const std::string& line) { return line.starts_with("### "); }));
}

// Are the lines of `part` in `whole`, in the same order?
bool stands_in(const Lines& part, const Lines& whole) {
  std::size_t found = 0;
  for (const std::string& line : whole) found += found < part.size() && line == part[found] ? 1 : 0;
  return found == part.size();
}

// Those that two texts of as many lines do not share.
std::vector<std::pair<std::string, std::string>> differences(const Lines& a, const Lines& b) {
  std::vector<std::pair<std::string, std::string>> out;
  EXPECT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i] != b[i]) out.emplace_back(a[i], b[i]);
  }
  return out;
}

class ReviewFirstChange : public testing::Test {
 protected:
  // The file as an agent left it just now.
  static void agent_writes(const ReviewProject& project, const std::string& text, Known known) {
    if (known != Known::nothing) {
      const std::size_t from = known == Known::the_review ? text.find("### ") : text.rfind("### ");
      project.write(kStateFile, text.substr(0, from));
      project.must({"issue", "set", "1", "running"});  // makes the store
      project.must({"review", "status"});
    }
    project.write(kStateFile, text);
  }

  // In every state of the store, with every file: runs the command, calls `look(before, after)` with the lines of the
  // file, and sees that each finding is there once, that the next look finds nothing, and that undo is exact.
  template <class Look>
  static void each(const Lines& command, int change_of_count, const Look& look) {
    for (const Sample& sample : samples()) {
      for (const Known known : kKnown) {
        const std::size_t count = findings_in(sample.text);
        if (std::find(command.begin(), command.end(), "3") != command.end() && count < 3) continue;
        std::string words;
        for (const std::string& word : command) words += cat(" ", word);
        SCOPED_TRACE(cat(sample.name, ", known ", static_cast<int>(known), ":", words));
        ReviewProject project;
        agent_writes(project, sample.text, known);
        project.must(command);
        const std::string left = project.state_file();
        look(lines_of(sample.text), lines_of(left));
        expect_each_once(project, count + static_cast<std::size_t>(change_of_count));
        EXPECT_EQ(project.state_file(), left);
        const Ran undo = project.run({"undo"});
        EXPECT_EQ(undo.exit, 0) << undo.err;
        EXPECT_EQ(project.state_file(), sample.text);
        EXPECT_EQ(project.run({"review", "status"}).err, "");
        EXPECT_EQ(project.state_file(), sample.text);
        if (HasFailure()) return;
      }
    }
  }

  static void expect_each_once(const ReviewProject& project, std::size_t count) {
    EXPECT_EQ(findings_in(project.state_file()), count) << project.state_file();
    const std::size_t operations = project.operations();
    EXPECT_EQ(project.run({"review", "status"}).err, "");
    const Json list = project.json({"review", "finding", "list"});
    EXPECT_EQ(list.size(), count) << list;
    EXPECT_EQ(project.operations(), operations);
    const auto marked = static_cast<std::size_t>(
        std::count_if(list.begin(), list.end(), [](const Json& one) { return bool_or(one, "marked"); }));
    if (marked == 0) return;
    project.must({"review", "export"});
    const std::string exported = project.read(kExportFile).value_or("");
    EXPECT_EQ(findings_in(exported), marked) << exported;
    project.must({"undo"});
  }
};

TEST_F(ReviewFirstChange, EditsOneMemberOfOneFinding) {
  for (const Lines& edit : {Lines{"--title", "New"},
                            {"--title", "Two"},
                            {"--line", "9"},
                            {"--category", "security"},
                            {"--confidence", "91"},
                            {"--file", "core/other.ts"},
                            {"--severity", "recommended"},
                            {"--body", "Other words."}}) {
    Lines command = {"review", "finding", "edit", "1"};
    command.insert(command.end(), edit.begin(), edit.end());
    each(command, 0, [&](const Lines& before, const Lines& after) {
      // The seed's example has a body of several lines.
      if (edit.front() == "--body" && before.size() != after.size()) return;
      const auto changed = differences(before, after);
      ASSERT_EQ(changed.size(), 1U);
      const bool in_words = edit.front() != "--severity";
      EXPECT_TRUE(has(changed[0].second, in_words ? edit.back() : "🟡")) << changed[0].second;
    });
  }
}

TEST_F(ReviewFirstChange, TogglesMarks) {
  const std::pair<std::string, std::string> off = {"**Marked for GitHub:** true", "**Marked for GitHub:** false"};
  each({"review", "toggle", "1"}, 0, [&](const Lines& before, const Lines& after) {
    const auto changed = differences(before, after);
    ASSERT_EQ(changed.size(), 1U);
    EXPECT_EQ(changed[0], off);
  });
  each({"review", "toggle", "1", "3"}, 0, [&](const Lines& before, const Lines& after) {
    EXPECT_EQ(differences(before, after), std::vector({off, off}));
  });
  each({"review", "toggle", "none"}, 0, [&](const Lines& before, const Lines& after) {
    EXPECT_EQ(differences(before, after), std::vector(std::count(before.begin(), before.end(), off.first), off));
  });
}

TEST_F(ReviewFirstChange, DropsFindings) {
  const auto is_part = [](const Lines& before, const Lines& after) { EXPECT_TRUE(stands_in(after, before)); };
  each({"review", "finding", "drop", "1"}, -1, is_part);
  each({"review", "finding", "drop", "3"}, -1, is_part);
  each({"review", "finding", "drop", "1", "3"}, -2, [&](const Lines& before, const Lines& after) {
    is_part(before, after);
    EXPECT_TRUE(std::any_of(after.begin(), after.end(), [](const std::string& line) { return line.ends_with("Two"); }));
  });
}

TEST_F(ReviewFirstChange, AddsAFindingOrMarksAChunk) {
  for (const char* const title : {"Another", "One"}) {
    each({"review", "finding", "add", "--file", "core/engine.ts", "--line", "42", "--severity", "action-required",
          "--title", title},
         1, [](const Lines& before, const Lines& after) { EXPECT_TRUE(stands_in(before, after)); });
  }
  each({"review", "mark", "4", "skipped"}, 0, [](const Lines& before, const Lines& after) {
    const auto changed = differences(before, after);
    ASSERT_EQ(changed.size(), 1U);
    EXPECT_TRUE(has(changed[0].first, "| pending |") && has(changed[0].second, "| skipped |")) << changed[0].second;
  });
}

// The list of what is to do is seen for the first time too, and the review that it is of begins with it, not now.
TEST_F(ReviewFirstChange, OfAChunkLeavesTheOthersInTheTodoList) {
  ReviewProject project;
  project.start();
  std::filesystem::remove_all(project.file(".pawl"));
  const std::string state = project.state_file(), todo = project.todo();
  project.must({"review", "mark", "2", "skipped"});
  EXPECT_EQ(project.todo(), replaced(todo, "- [ ] Chunk 2: core/engine.ts", "- [x] Chunk 2: core/engine.ts (skipped)"));
  project.must({"undo"});
  EXPECT_EQ(project.todo(), todo);
  EXPECT_EQ(project.state_file(), state);
}

class ReviewFirstPost : public ReviewOnGithub {};

TEST_F(ReviewFirstPost, HasEachFindingOnce) {
  json({"start", "o/r#1"});
  const std::string block =
      "### 🟢 Minor Agent's own\n\n**File:** `core/engine.c:42`\n**Marked for GitHub:** true\n\nWords.\n\n";
  project.edit_file(kStateFile, "## Comments by File", block + "## Comments by File");
  EXPECT_EQ(run({"finding", "edit", "1", "--title", "Other words"}).exit, 0);
  const Json would = json({"post", "--dry-run"});
  ASSERT_EQ(would["findings"].size(), 1U) << would;
  EXPECT_EQ(json({"post", "--yes"})["findings"].size(), 1U);
  const Json posted = inline_comments(1);
  EXPECT_EQ(std::count_if(posted.begin(), posted.end(),
                          [](const Json& one) { return has(string_or(one, "body"), "Agent's own"); }),
            0)
      << posted;
  EXPECT_EQ(std::count_if(posted.begin(), posted.end(),
                          [](const Json& one) { return has(string_or(one, "body"), "Other words"); }),
            1)
      << posted;
}

}  // namespace
}  // namespace pawl::test
