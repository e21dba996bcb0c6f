// The state file's text: every form that is met is read, and comes back to the byte where nothing changes.
#include <gtest/gtest.h>

#include <array>

#include "base/text.h"
#include "lifecycles/review/command.h"
#include "lifecycles/review/export_file.h"
#include "lifecycles/review/interchange.h"
#include "lifecycles/review/review.h"
#include "lifecycles/review/state_file.h"
#include "lifecycles/review/state_text.h"
#include "lifecycles/review/state_write.h"
#include "lifecycles/review/todo_file.h"
#include "support/review_examples.h"

namespace pawl::review {
namespace {

using test::kForms;
using test::kSeed;

Content parsed(std::string_view text) {
  auto content = state_file().parse(kStatePath, "", text);
  EXPECT_TRUE(content) << content.error().message;
  return content.value_or(Content{});
}

// As the records would stand in the store.
std::vector<Record> records_in(std::string_view text) {
  std::vector<Record> out;
  Content content = parsed(text);
  std::int64_t number = 0;
  for (Shown& shown : content.shown) {
    Record record;
    record.id = shown.id;
    if (record.id.kind == kFinding && part_of_key(record.id.key).front() == '?')
      record.id = finding_id(content.identity, "H" + std::to_string(100 + ++number));
    record.status = *shown.status;
    record.doc = Doc(shown.doc);
    record.revision = 1;
    out.push_back(std::move(record));
  }
  return out;
}

std::vector<Record> findings_in(std::string_view text) {
  std::vector<Record> out;
  for (Record& record : records_in(text)) {
    if (record.id.kind == kFinding) out.push_back(std::move(record));
  }
  return out;
}

std::optional<std::string> edit_state(std::string_view base, std::span<const Record> records,
                                      std::span<const Record> before) {
  const auto scanned = scan_state(base);
  EXPECT_TRUE(scanned) << scanned.error().message;
  return scanned ? review::edit_state(*scanned, records, before).text : std::nullopt;
}

std::string damage(std::string_view text) {
  const auto content = state_file().parse(kStatePath, "", text);
  return content ? std::string("(none)") : content.error().message;
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string out(text);
  const std::size_t at = out.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? out : out.replace(at, from.size(), to);
}

TEST(ReviewText, TheSeedsExampleIsRead) {
  const auto scanned = scan_state(kSeed);
  ASSERT_TRUE(scanned) << scanned.error().message;
  EXPECT_EQ(scanned->pr(), "owner/repo#123");
  ASSERT_EQ(scanned->chunks.rows.size(), 5U);
  EXPECT_EQ(scanned->chunks.rows[1].files, (std::vector<std::string>{"utils/helper.ts", "utils/format.ts"}));
  EXPECT_EQ(scanned->chunks.rows[2].status, kInProgress);
  ASSERT_EQ(scanned->findings.size(), 1U);
  const Json doc = finding_doc(kSeed, scanned->findings[0]);
  EXPECT_EQ(doc["severity"], "action-required");
  EXPECT_EQ(doc["title"], "Unchecked null dereference in user lookup");
  EXPECT_EQ(doc["file"], "core/engine.ts");
  EXPECT_EQ(doc["line"], 42);
  EXPECT_EQ(doc["confidence"], 95);
  EXPECT_TRUE(suggestion_in(string_or(doc, "body")));
  const Content content = parsed(kSeed);
  EXPECT_EQ(content.shown[0].doc["comments"]["core/engine.ts"][0]["author"], "reviewer1");
}

TEST(ReviewText, EveryFormIsRead) {
  const auto scanned = scan_state(kForms);
  ASSERT_TRUE(scanned) << scanned.error().message;
  EXPECT_EQ(scanned->pr(), "octo/cat.x#7");
  ASSERT_EQ(scanned->chunks.rows.size(), 2U);
  EXPECT_EQ(scanned->chunks.rows[0].files, (std::vector<std::string>{"types.ts", "a, b.ts"}));
  EXPECT_EQ(scanned->chunks.rows[1].files, (std::vector<std::string>{"core/engine.ts", "we|rd.ts"}));
  EXPECT_EQ(scanned->chunks.rows[1].loc, 1450);
  EXPECT_EQ(scanned->chunks.rows[1].status, kPending);
  ASSERT_EQ(scanned->findings.size(), 3U);
  EXPECT_EQ(scanned->findings[0].id, "H1");
  EXPECT_EQ(scanned->findings[1].id, "M2");
  EXPECT_EQ(scanned->findings[2].id, "");
  const Json first = finding_doc(kForms, scanned->findings[0]);
  EXPECT_EQ(first["title"], "No space before the id");
  EXPECT_EQ(first["end_line"], 45);
  EXPECT_NE(string_or(first, "body").find("Mentor's Note"), std::string::npos);
  EXPECT_NE(string_or(first, "body").find("not one either"), std::string::npos);
  EXPECT_EQ(suggestion_in(string_or(first, "body"))->text, "```\n---\n```");
  EXPECT_EQ(finding_doc(kForms, scanned->findings[1])["title"], "With id in front");
  EXPECT_EQ(finding_doc(kForms, scanned->findings[1])["category"], "a-new-one");
  const Json third = finding_doc(kForms, scanned->findings[2]);
  EXPECT_EQ(third["file"], "we|rd.ts");
  EXPECT_NE(string_or(third, "body").find("~~~\n---\n~~~"), std::string::npos);
  const Content content = parsed(kForms);
  EXPECT_EQ(content.shown[0].doc["comments"]["core/engine.ts"][0]["thread_id"], 9007199254740993);
  // Below the threshold and without a mark of its own.
  EXPECT_EQ(content.shown[4].status, kUnmarked);
}

TEST(ReviewText, NothingChangedIsTheSameToTheByte) {
  for (const std::string_view text : {kSeed, kForms}) {
    for (const bool returns : {false, true}) {
      const std::string bytes = returns ? with_newlines(std::string(text), "\r\n") : std::string(text);
      const auto records = records_in(bytes);
      std::vector<Record> before;
      for (const Record& record : records) {
        if (record.id.kind == kFinding) before.push_back(record);
      }
      EXPECT_EQ(edit_state(bytes, records, before), bytes);
    }
  }
}

TEST(ReviewText, AnEditChangesTheBytesOfItsValueAlone) {
  auto findings = findings_in(kForms);
  ASSERT_EQ(findings.size(), 3U);
  const auto with = [&](std::size_t index, const char* name, const Json& value) {
    std::vector<Record> after = {findings[index]};
    Json doc = after[0].doc;
    doc[name] = value;
    after[0].doc = Doc(doc);
    return edit_state(kForms, after, std::span(&findings[index], 1)).value_or("(none)");
  };
  EXPECT_EQ(with(2, "line", 9), replaced(kForms, "we|rd.ts:3", "we|rd.ts:9"));
  EXPECT_EQ(with(0, "confidence", 90), replaced(kForms, "95/100", "90/100"));
  EXPECT_EQ(with(1, "title", "Other words"), replaced(kForms, "With id in front", "Other words"));
  EXPECT_EQ(with(2, "title", "Other words"), replaced(kForms, "Damaged on its way", "Other words"));
  std::vector<Record> toggled = {findings[2]};
  toggled[0].status = kMarked;
  EXPECT_EQ(edit_state(kForms, toggled, std::span(&findings[2], 1)),
            replaced(kForms, "GitHub:** false", "GitHub:** true"));
}

TEST(ReviewText, AStatusOfATableWithoutOneGetsAColumn) {
  auto records = records_in(kForms);
  records[1].status = kInProgress;
  const std::string after = edit_state(kForms, std::span(&records[1], 1), {}).value_or("(none)");
  EXPECT_NE(after.find("Existing Comments | Status |"), std::string::npos) << after;
  EXPECT_NE(after.find("| 5 min | 0 | in-progress |"), std::string::npos) << after;
  EXPECT_NE(after.find("| 20 min | 2 | pending |"), std::string::npos) << after;
  const auto scanned = scan_state(after);
  ASSERT_TRUE(scanned) << scanned.error().message;
  EXPECT_EQ(scanned->chunks.rows[0].status, kInProgress);
}

TEST(ReviewText, ABarInAStatusIsNoEndOfItsCell) {
  constexpr std::string_view kWord = "done | or not";
  const auto status_in = [](const std::string& text, std::size_t row) {
    const auto scanned = scan_state(text);
    EXPECT_TRUE(scanned) << scanned.error().message << "\n" << text;
    return scanned && row < scanned->chunks.rows.size() ? scanned->chunks.rows[row].status : std::string("(none)");
  };
  for (const std::string_view text : {kSeed, kForms}) {  // with a column for it, and without
    auto records = records_in(text);
    Record fresh = records[1];
    ASSERT_EQ(fresh.id.kind, kChunk);
    records[1].status.clear();
    records[1].held = kWord;
    EXPECT_EQ(status_in(new_state(records).value_or("(none)"), 0), kWord);
    EXPECT_EQ(status_in(edit_state(text, std::span(&records[1], 1), {}).value_or("(none)"), 0), kWord);
    const auto last = scan_state(text)->chunks.rows.size();
    fresh.id = chunk_id(scan_state(text)->pr(), 99);
    fresh.status.clear();
    fresh.held = kWord;
    EXPECT_EQ(status_in(edit_state(text, std::span(&fresh, 1), {}).value_or("(none)"), last), kWord);
  }
}

TEST(ReviewText, FindingsComeAndGoWithoutTouchingTheRest) {
  Record fresh;
  fresh.id = finding_id("octo/cat.x#7", "L9");
  fresh.status = kMarked;
  fresh.revision = 1;
  fresh.doc = Doc(
      Json{{"severity", "minor"}, {"title", "New"}, {"file", "x`y.ts"}, {"line", 1}, {"body", "b"}, {"updated", ""}});
  const std::string with = edit_state(kForms, std::span(&fresh, 1), {}).value_or("(none)");
  auto scanned = scan_state(with);
  ASSERT_TRUE(scanned) << scanned.error().message;
  ASSERT_EQ(scanned->findings.size(), 4U);
  EXPECT_EQ(finding_doc(with, scanned->findings[3])["file"], "x`y.ts");
  EXPECT_NE(with.find("Free words at the end"), std::string::npos);
  // And out again.
  Record gone = absent_record(fresh.id);
  gone.revision = 2;
  EXPECT_EQ(edit_state(with, std::span(&gone, 1), std::span(&fresh, 1)).value_or("(none)").find("New"),
            std::string::npos);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto findings = findings_in(kForms);
    Record out = absent_record(findings[i].id);
    out.revision = 2;
    const std::string without = edit_state(kForms, std::span(&out, 1), std::span(&findings[i], 1)).value_or("(none)");
    const auto left = scan_state(without);
    ASSERT_TRUE(left);
    EXPECT_EQ(left->findings.size(), 2U) << without;
    EXPECT_EQ(left->chunks.rows.size(), 2U);
    EXPECT_NE(without.find("Free words at the end"), std::string::npos);
    EXPECT_TRUE(without.ends_with("without a newline"));
  }
}

// Findings called "one" to "five", in a file with words of others before and behind them.
std::string with_findings(std::size_t count, std::string_view between, std::string_view at_the_end) {
  constexpr std::array kNames = {"one", "two", "three", "four", "five"};
  std::string out(kSeed.substr(0, kSeed.find("### ")));
  for (std::size_t i = 0; i < count; ++i) {
    out += cat("### 🔴 Action Required ", kNames[i], "\n\n**File:** `a.c:", i + 1,
               "` | **Category:** bug | **Confidence:** 95/100\n**Marked for GitHub:** true\n");
    if (i % 2 == 0) out += cat("\nText of ", kNames[i], "\n");
    out += i + 1 < count ? between : at_the_end;
  }
  return out;
}

std::vector<std::string> titles_in(std::string_view text) {
  std::vector<std::string> out;
  const auto state = scan_state(text);
  EXPECT_TRUE(state) << text;
  if (!state) return out;
  for (const FindingText& one : state->findings) out.emplace_back(one.title.of(text));
  return out;
}

// Whichever go at once, and however they are separated: those stay, to the byte, and so do the words of others.
TEST(ReviewText, AnyOfTheFindingsAreTakenOutAtOnce) {
  const std::string comments(kSeed.substr(kSeed.find("## Comments")));
  for (const std::string_view between : {"\n---\n\n", "---\n", "\n", "\n---\n\nWords between.\n\n"}) {
    for (const std::string& end : {"\n" + comments, "\n---\n\n" + comments, "\n---\n\nWords behind.\n\n" + comments,
                                   std::string("\n"), std::string("\n---\n")}) {
      for (std::size_t count = 1; count <= 5; ++count) {
        for (const std::string_view newline : {"\n", "\r\n"}) {
          const std::string text = markdown::with_newlines(with_findings(count, between, end), newline);
          const auto all = findings_in(text);
          const auto before = scan_state(text);
          ASSERT_TRUE(before && all.size() == count) << text;
          for (std::size_t goes = 1; goes < (std::size_t{1} << count); ++goes) {
            std::vector<Record> gone;
            std::vector<std::string> stays;
            for (std::size_t i = 0; i < count; ++i) {
              if ((goes >> i & 1U) == 0) {
                stays.push_back(string_or(all[i].doc, "title"));
                continue;
              }
              gone.push_back(absent_record(all[i].id));
              gone.back().revision = 2;
            }
            const EditedState made = review::edit_state(*before, gone, all);
            const std::string after = made.text.value_or("(none)");
            EXPECT_EQ(titles_in(after), stays) << text << "\n=>\n" << after;
            EXPECT_TRUE(reads_back(made)) << text << "\n=>\n" << after;
            for (const std::string_view words : {"Words between.", "Words behind."}) {
              const auto how_often = [&](std::string_view in) {
                std::size_t n = 0;
                for (std::size_t at = in.find(words); at != in.npos; at = in.find(words, at + 1)) ++n;
                return n;
              };
              EXPECT_EQ(how_often(after), how_often(text)) << text << "\n=>\n" << after;
            }
          }
        }
      }
    }
  }
}

TEST(ReviewText, AFileThatSaysSomethingElseThanItWasMadeForIsKnown) {
  const std::string text = with_findings(3, "\n---\n\n", "\n");
  const auto all = findings_in(text);
  const auto state = scan_state(text);
  ASSERT_TRUE(state);
  Record gone = absent_record(all[2].id);
  gone.revision = 2;
  const EditedState made = review::edit_state(*state, std::span(&gone, 1), all);
  EXPECT_TRUE(reads_back(made));
  EditedState wrong = made;
  wrong.text = text;  // what was taken out is still there
  EXPECT_FALSE(reads_back(wrong));
  for (const auto& [from, to] : std::initializer_list<std::pair<std::string_view, std::string_view>>{
           {"Text of one", "Text of nobody"}, {"GitHub:** true", "GitHub:** false"}, {"| reviewed |", "| skipped |"}}) {
    wrong.text = *made.text;
    wrong.text->replace(wrong.text->find(from), from.size(), to);
    EXPECT_FALSE(reads_back(wrong)) << *wrong.text;
  }
}

TEST(ReviewText, ANewFileIsReadBackAsItWasMeant) {
  const auto records = records_in(kForms);
  const std::string fresh = new_state(records).value_or("(none)");
  const auto again = records_in(fresh);
  ASSERT_EQ(again.size(), records.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    EXPECT_EQ(again[i].status, records[i].status);
    EXPECT_EQ(to_line(again[i].doc), to_line(records[i].doc)) << i;
  }
  EXPECT_EQ(edit_state(fresh, again, findings_in(fresh)), fresh);
}

TEST(ReviewText, DamageIsNamed) {
  const auto without = [&](std::string_view from, std::string_view to) { return damage(replaced(kSeed, from, to)); };
  EXPECT_EQ(damage("no front matter"), "line 1: the front matter, which begins with ---, is missing");
  EXPECT_NE(damage("---\npr_owner: x\n").find("not closed"), std::string::npos);
  EXPECT_EQ(without("pr_number: 123\n", ""), "the front matter has no pr_number");
  EXPECT_NE(without("pr_number: 123", "pr_number: -3").find("line 4"), std::string::npos);
  EXPECT_NE(without("pr_owner: \"owner\"", "pr_owner: &a [*a, *a]").find("not a plain value"), std::string::npos);
  EXPECT_NE(without("pr_owner: \"owner\"", "pr_owner: \"a/../b\"").find("not names of a repository"),
            std::string::npos);
  EXPECT_NE(without("pr_owner: \"owner\"", "pr_owner: \"..\"").find("not names of a repository"), std::string::npos);
  EXPECT_NE(without("pr_repo: \"repo\"", "pr_owner: \"repo\"").find("twice"), std::string::npos);
  EXPECT_NE(without("| Chunk | Files | LOC", "| Chunk | Names | LOC").find("no column “Files”"), std::string::npos);
  EXPECT_NE(without("| 3 | core/engine.ts | 450 | in-progress |", "| 3 | core/engine.ts |").find("2 cells"),
            std::string::npos);
  EXPECT_NE(without("| 3 | core", "| three | core").find("not a chunk's number"), std::string::npos);
  EXPECT_NE(without("| 3 | core", "| 2 | core").find("chunk 2 is there twice"), std::string::npos);
  EXPECT_NE(without("95/100", "101/100").find("a confidence of 101"), std::string::npos);
  EXPECT_NE(without("GitHub:** true", "GitHub:** maybe").find("neither true nor false"), std::string::npos);
  EXPECT_NE(without("## Chunk Plan", "## Plan").find("“Chunk Plan” is missing"), std::string::npos);
  EXPECT_NE(without("\"line\": 42,", "\"line\": 42").find("the comments by file"), std::string::npos);
  EXPECT_NE(without("\"utils/helper.ts\": []\n}\n```", "\"utils/helper.ts\": []\n}").find("never closed"),
            std::string::npos);
}

TEST(ReviewText, ManyAnchorsDoNoHarm) {
  std::string bomb = "a0: &a0 [lol]\n";
  for (int i = 1; i < 40; ++i)
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) + ", *a" +
            std::to_string(i - 1) + "]\n";
  const std::string text = replaced(kSeed, "pr_owner", bomb + "pr_owner");
  EXPECT_EQ(damage(text), "(none)");
  EXPECT_EQ(edit_state(text, records_in(text), findings_in(text)), text);
}

TEST(ReviewText, BodiesAreMadeToFit) {
  const std::string body = fit_body("a\n---\n## H\n### 🔴 Action Required x\n```\n---\n");
  Json doc{{"severity", "minor"}, {"title", "t"}, {"file", "f"}, {"body", body}};
  const std::string text = replaced(kSeed, "(additional findings",
                                    write_finding(doc, true, Marks::shown) + "\n\n---\n\n(additional findings");
  const auto scanned = scan_state(text);
  ASSERT_TRUE(scanned) << scanned.error().message << text;
  ASSERT_EQ(scanned->findings.size(), 2U);
  EXPECT_EQ(string_or(finding_doc(text, scanned->findings[1]), "body"), body);
  EXPECT_EQ(fit_body("<!-- open"), "<!-- open\n-->");
}

TEST(ReviewText, InternalWordsStayInside) {
  EXPECT_EQ(without_comments("a\n<!-- secret -->\nb <!-- more\nstill --> c\n"), "a\nb \n c\n");
  EXPECT_EQ(without_comments("```\n<!-- code -->\n```\n"), "```\n<!-- code -->\n```\n");
  EXPECT_EQ(without_comments("use `<!--` here"), "use `<!--` here");
  const auto findings = findings_in(kForms);
  const std::string text = export_text("octo/cat.x#7", "0123abcd", findings, "2024-01-01T00:00:00Z");
  EXPECT_EQ(text.find("reviewer-internal"), std::string::npos);
  EXPECT_EQ(text.find("Marked for GitHub"), std::string::npos);
  const auto read = read_export(text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->pr, "octo/cat.x#7");
  EXPECT_EQ(read->head_sha, "0123abcd");
  EXPECT_EQ(read->findings.size(), 3U);
  EXPECT_EQ(to_line(to_sarif(findings, "0123abcd")).find("reviewer-internal"), std::string::npos);
}

}  // namespace
}  // namespace pawl::review
