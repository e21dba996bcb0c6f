// What a person would call a finding is seen as one where it is read as none; and nothing else is.
#include "lifecycles/review/look_alike.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "lifecycles/review/finding_text.h"
#include "lifecycles/review/state_text.h"
#include "support/review_examples.h"

namespace pawl::review {
namespace {

constexpr std::string_view kHead = R"(---
pr_owner: "o"
pr_repo: "r"
pr_number: 1
head_sha: "abc123def456"
---

## Chunk Plan

| Chunk | Files | LOC | Status |
|-------|-------|-----|--------|
| 1 | a.c | 120 | reviewed |
)";
constexpr std::string_view kMinor = "### 🟢 Minor small\n\n**File:** `a.c:3` | **Category:** style\n";

std::string state(std::string_view findings, std::string_view before = {}, std::string_view behind = {}) {
  return std::string(kHead) + "\n" + std::string(before) + "\n## Findings\n\n" + std::string(findings) +
         "\n\n## Comments by File\n\n```json\n{}\n```\n" + std::string(behind);
}
// Damage keeps from approving too.
bool is_seen(const std::string& text) { return !scan_state(text) || !look_alikes(text).empty(); }
std::string all_of(const std::string& text) {
  if (const auto scanned = scan_state(text); !scanned) return scanned.error().message;
  std::string out;
  for (const LookAlike& one : look_alikes(text)) out += std::to_string(one.line) + ": " + one.text + "\n";
  return out;
}

constexpr std::string_view kLikeFindings[] = {
    "### Action Required bad",
    "### Action Required: bad",
    "#### 🔴 Action Required bad",
    "##### 🔴 bad",
    "###🔴 Action Required bad",
    "- 🔴 Action Required: bad",
    "* [ ] 🔴 Action Required: bad",
    "1. Action Required: bad",
    "> 🔴 Action Required: bad",
    "> - Action Required: bad",
    "**🔴 Action Required**",
    "**Action Required:** bad",
    "🔴 Action Required - bad",
    "Action Required: bad",
    "ACTION REQUIRED bad",
    "Action\u00A0Required bad",
    "action-required: bad",
    "### Acton Required bad",
    "### Action Requried: bad",
    "### Critical: bad",
    "### Critical: bad\n\n**Location:** a.c:3",
    "### [HIGH] bad",
    "### H1 bad",
    "- :red_circle: bad",
    "- 🔴 bad",
    "| 🔴 | a.c | bad |",
    "| Action Required | bad |",
    "<h3>Action Required bad</h3>",
    "<summary>🔴 bad</summary>",
    "<!-- ### 🔴 Action Required bad -->",
    "<!--\n### 🔴 Action Required bad\n-->",
    "```\n### 🔴 Action Required bad\n```",
    "    ### 🔴 Action Required bad",
    "bad (confidence 95)",
    "**Location:** a.c:3\nbad",
    "File: `a.c:3`\nbad",
    "- `core/my-file.c:42`: bad",
    "**Marked for GitHub:** true",
    "🔴 Action Required (2)\n1. bad\n2. worse",
    "### ðŸ”´ bad",
};

TEST(LookAlike, WhatLooksLikeAFindingIsSeenUnderFindings) {
  for (const std::string_view form : kLikeFindings) {
    EXPECT_TRUE(is_seen(state(form))) << form;
    EXPECT_TRUE(is_seen(state(std::string(kMinor) + "\nText.\n\n---\n\n" + std::string(form)))) << form;
    EXPECT_TRUE(is_seen(state(std::string(form) + "\n\n---\n\n" + std::string(kMinor)))) << form;
  }
}

// A red finding whose heading was mangled in whatever way, but so that sign or name is left, is never passed over.
TEST(LookAlike, NoMangledHeadingIsPassedOver) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto one_of = [&](const std::vector<std::string>& list) { return list[random() % list.size()]; };
  for (int i = 0; i < 3000; ++i) {
    const std::string sign = one_of({"", "🔴", "🔴\uFE0F", "ðŸ”´", ":red_circle:", "🟥", "&#128308;", "🚨"});
    std::string name = one_of({"Action Required", "ACTION REQUIRED", "action required", "Action  Required",
                               "Action\u00A0Required", "ActionRequired", "Action-Required", "Action_Required",
                               "[Action Required]", "**Action Required**", "(Action Required)", "Action Required H1",
                               "H1 Action Required", "Ａction Required", "Action\u200B Required", "typed", "none"});
    if (name == "typed") {  // a letter is missing, or two are exchanged
      name = "Action Required";
      const std::size_t at = random() % (name.size() - 1);
      if (name[at] == ' ') continue;
      if (random() % 2 == 0) {
        name.erase(at, 1);
      } else if (name[at + 1] != ' ') {
        std::swap(name[at], name[at + 1]);
      }
    } else if (name == "none") {
      if (sign.empty()) continue;
      name.clear();
    }
    std::string text =
        sign + one_of({" ", "", "  "}) + name + one_of({" ", ": ", " - ", " — ", ". "}) + "SQL injection";
    text = one_of({"", "### ", "# ", "## ", "#### ", "###### ", "###", "###\t", "####"}) + text;
    const std::string wrap = one_of({"",   "",       "- ",     "* ", "+ ", "1. ",  "2) ", "> ",    "> - ", " ",   "   ",
                                     "\t", "- [ ] ", "- [x] ", "**", "__", "<h3>", "<b>", "<!-- ", "| ",   "> > "});
    text = wrap + text;
    if (wrap == "**" || wrap == "__") text += wrap;
    if (wrap == "<!-- ") text += " -->";
    if (wrap == "| ") text += " |";
    text += one_of({"", "\n\nSomebody may read all.", "\n\n**File:** `a.c:3` | **Confidence:** 95/100", "\n---"});
    const std::string before = one_of({"", std::string(kMinor) + "\nText.\n\n---\n\n", "Words.\n\n"});
    const std::string behind = one_of({"", "\n\n---\n\n" + std::string(kMinor), "\r\n"});
    const std::string whole = state(before + text + behind);
    const auto scanned = scan_state(whole);
    const bool is_known = scanned && std::any_of(scanned->findings.begin(), scanned->findings.end(),
                                                 [](const FindingText& f) { return f.severity == &kSeverities[0]; });
    EXPECT_TRUE(is_known || is_seen(whole)) << text;
  }
}

TEST(LookAlike, ItsLineIsTold) {
  const auto found = look_alikes(state("words\n\n- 🔴 Action Required: bad\n- other"));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].line, 19U);
  EXPECT_EQ(found[0].text, "- 🔴 Action Required: bad");
  EXPECT_EQ(named(found), "line 19, “- 🔴 Action Required: bad”");
  EXPECT_EQ(named({found[0], found[0]}), "line 19, “- 🔴 Action Required: bad” (and 1 more)");
}

TEST(LookAlike, AFindingInAnothersTextIsSeen) {
  for (const std::string_view form :
       {"#### 🔴 Action Required: bad", "### Action Required bad", "**🔴 Action Required** bad", "**Action Required**",
        "- 🔴 Action Required: bad", "🔴 Action Required - bad", "### Critical: bad\n\n**Location:** a.c:3",
        "#### [HIGH] bad\n**File:** a.c", "#### SQL injection\n\n**File:** `a.c:3` | **Confidence:** 95/100",
        "**Marked for GitHub:** true", " ### 🔴 Action Required bad", "###🔴 Action Required bad",
        // A fence that was not closed takes in the next finding, up to the end of its suggestion.
        "```suggestion\nx\n\n### 🔴 Action Required bad\n\n**File:** `a.c:3`\n\n```suggestion\ny\n```",
        "> 🔴 Action Required: bad", "> ### 🔴 Action Required bad\n>\n> **File:** `a.c:3`",
        "<!--\n### 🔴 Action Required bad\n\n**File:** `a.c:3`\n-->"}) {
    EXPECT_TRUE(is_seen(state(std::string(kMinor) + "\nText.\n\n" + std::string(form) + "\n\nMore."))) << form;
  }
}

TEST(LookAlike, OneUnderAnotherHeadingIsSeen) {
  for (const std::string_view form :
       {"### 🔴 Action Required bad", "### Action Required bad", "- 🔴 Action Required: bad", "**Action Required:** bad",
        "🔴 bad", "#### 🟡 Recommended bad", "- 🟢 Minor: bad"}) {
    const std::string notes = "## Notes\n\n" + std::string(form) + "\n";
    EXPECT_TRUE(is_seen(state("", notes))) << form;
    EXPECT_TRUE(is_seen(state("", std::string(form) + "\n"))) << form;
    EXPECT_TRUE(is_seen(state("", {}, "\n" + notes))) << form;
    EXPECT_TRUE(is_seen(state("", {}, "\n## Findings\n\n" + std::string(form) + "\n"))) << form;
  }
}

TEST(LookAlike, AHeadingThatSaysTwoThingsIsSeen) {
  for (const std::string_view heading :
       {"### 🔴 Minor bad", "### 🟡 Minor bad", "### 🔴 Recommended bad", "### 🟢 Minor 🔴 Action Required bad",
        "### 🟢 Minor Action Required: bad"})
    EXPECT_TRUE(is_seen(state(heading))) << heading;
  for (const std::string_view heading : {"### 🟢 Action Required bad", "### 🔴 Action Required Minor leak",
                                         "### 🟢 Minor no action is required here"})
    EXPECT_EQ(all_of(state(heading)), "") << heading;
}

TEST(LookAlike, TheFormsThatAreMetHaveNone) {
  EXPECT_EQ(all_of(std::string(test::kSeed)), "");
  EXPECT_EQ(all_of(std::string(test::kForms)), "84: ### 🔴 Action Required this is another section\n");
  EXPECT_EQ(all_of(state("")), "");
}

TEST(LookAlike, WordsOfTheReviewersOwnAreNone) {
  for (const std::string_view words :
       {"(additional findings separated by `---`)", "No findings yet.", "None.", "No action required.",
        "No Action Required findings.", "0 action required, 2 recommended, 1 minor",
        "🔴 0 action-required, 🟡 2 recommended, 🟢 1 minor", "🔴 2 Action Required, 🟡 1 Recommended",
        "Legend: 🔴 Action Required, 🟡 Recommended, 🟢 Minor",
        "Legend\n\n- 🔴 Action Required: must be fixed\n- 🟡 Recommended: should be\n- 🟢 Minor: may be",
        "I have confidence in this.", "### 💡 Mentor's Note\n\nRead the manual.", "Nothing is required of ann.",
        "- High quality work", "See core/engine.c, all of it.", "### Notes\n\nAsk ann."}) {
    EXPECT_EQ(all_of(state(words)), "") << words;
    EXPECT_EQ(all_of(state(std::string(kMinor) + "\nText.\n\n---\n\n" + std::string(words))), "") << words;
    EXPECT_EQ(all_of(state("", "## Notes\n\n" + std::string(words) + "\n")), "") << words;
  }
  for (const std::string_view words : {"🟢 CI passes", "- 🟡 flaky today", "| 🔴 Action Required | 2 |",
                                       "```\n### 🔴 Action Required an example\n```", "**File:** is a label"})
    EXPECT_EQ(all_of(state("", "## Notes\n\n" + std::string(words) + "\n")), "") << words;
}

TEST(LookAlike, AFindingsOwnTextIsItsOwn) {
  for (const std::string_view body :
       {"This is an action required by the law: 🔴 stands for it.", "### Recommended fix\n\nUse a lock.",
        "### Minor detail\n\nText.", "**File:** `x.ts:1`", "### 🟢 What is good\n\nAll.", "**Critical** it is not.",
        "**Location:** here", "- Location: core/engine.c:42\n- Confidence: high",
        "```diff\n-### 🔴 Action Required old\n+### 🔴 Action Required new\n```",
        "```md\n### 🔴 Action Required an example\n```", "> 🔴 is what the bot said",
        "> +### 🔴 Action Required\n> +**File:** `a.c`", "    ### 🔴 Action Required in code",
        "<!-- ### 🔴 Action Required: or is it? -->", "| 🔴 | b |\n|---|---|\n| 1 | 2 |",
        "The dashboard shows 🔴 and 🟢 lights.", "Confidence: 95"})
    EXPECT_EQ(all_of(state(std::string(kMinor) + "\n" + std::string(body) + "\n\nMore.")), "") << body;
}

TEST(LookAlike, WhatPawlWritesIsNone) {
  for (const Severity& one : kSeverities) {
    for (const bool marked : {true, false}) {
      const Json doc{{"severity", one.word},    {"title", "Confidence in a.c:3 is lost"},
                     {"file", "core/engine.c"}, {"line", 42},
                     {"category", "bug"},       {"confidence", 95},
                     {"outdated", true},        {"body", "Text.\n\n```suggestion\nx\n```"}};
      const std::string text = write_finding(doc, marked, Marks::shown);
      EXPECT_EQ(all_of(state(text + "\n\n---\n\n" + text)), "") << text;
    }
  }
}

TEST(LookAlike, AnExportIsLookedAtToo) {
  const std::string head =
      "# Review Findings: o/r#1\n\n**Exported:** 2024-01-15T10:30:00Z\n**Head SHA:** abc\n**Total findings:** "
      "1\n\n---\n\n";
  EXPECT_TRUE(look_alikes_in_export(head + std::string(kMinor)).empty());
  EXPECT_EQ(look_alikes_in_export(head + std::string(kMinor) + "\n---\n\n- 🔴 Action Required: bad\n").size(), 1U);
}

}  // namespace
}  // namespace pawl::review
