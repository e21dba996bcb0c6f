// Every code has its sentences, whatever fields a note comes with.
#include "frontends/english/outside.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "core/merge.h"
#include "support/merge_stage.h"
#include "tidy/english.h"

namespace pawl::english {
namespace {

using merge::Code;

const RecordId kStory{"story", "", "US-1"};

struct Sample {
  std::string name;
  Note note;
};

Note with(Note note, const Json& more) {
  if (more.is_object()) note.args.update(more);
  return note;
}

// What the engine hands over of each code, in the forms that read differently; and without the fields that may be
// missing.
std::vector<Sample> notes() {
  const Json image = {{"image", 12}};
  std::vector<Sample> out = {
      {"open", {NoteCode::open, "prd.json", {}, {{"process", "vim"}, {"pid", 12}}}},
      {"moved", {NoteCode::moved, "b.json", {kStory}, {{"from", "a.json"}}, 7}},
      {"gone, removed", {NoteCode::gone, "prd.json", {kStory}, {{"became", "removed"}}, 7}},
      {"gone, inactive", {NoteCode::gone, "prd.json", {kStory}, {{"became", "inactive"}}, 7}},
      {"gone, ended", {NoteCode::gone, "prd.json", {kStory}, {{"became", "cancelled"}}, 7}},
      {"unreadable", with({NoteCode::unreadable, "prd.json", {}, {{"why", "line 3: no comma"}}}, image)},
      {"unreadable, late", with({NoteCode::unreadable, "prd.json", {}, {{"displaced", true}}}, image)},
      {"late", with({NoteCode::late, "prd.json", {}, {{"owner", "one"}}}, image)},
      {"another", {NoteCode::another, "prd.json", {kStory, kStory}, {{"owner", "two"}, {"previous", "one"}}, 7}},
      {"counter", {NoteCode::counter_kept, "a.md", {kStory}, {{"member", "iteration"}, {"ours", 5}, {"theirs", 3}}}},
      {"member", {NoteCode::member_removed, "prd.json", {kStory}, {{"member", "branch"}}, 7}},
      {"unverified",
       {NoteCode::unverified, "prd.json", {kStory}, {{"status", "merged"}, {"needs", {"tests", "pr"}}}, 7}},
      {"not written", {NoteCode::not_written, "prd.json", {}, {{"why", "permission denied"}}}},
  };
  const Json required = {{"from", "a.json"}, {"became", "removed"}, {"owner", "two"},
                         {"member", "n"},    {"status", "merged"},  {"why", "permission denied"}};
  for (int i = 0; i <= static_cast<int>(NoteCode::not_written); ++i) {
    const auto code = static_cast<NoteCode>(i);
    if (code != NoteCode::conflict)
      out.push_back({cat(name_of(code), ", bare"), {code, "prd.json", {kStory}, required}});
  }
  return out;
}

struct Refused {
  merge::Conflict conflict;
  const FileLaw& law;
  Json more = Json::object();
};

std::vector<Sample> conflicts() {
  const std::optional<Json> none;
  const Json record = {{"status", "pending"}, {"title", "t"}};
  const auto& story = merge::kStoryFile;
  const auto of = [](std::string_view member, std::optional<Json> ours, std::optional<Json> theirs, Code code) {
    return merge::Conflict{"US-1", "story", std::string(member), std::move(ours), std::move(theirs), code};
  };
  const auto whole = [&](Code code, std::optional<Json> theirs = std::nullopt) {
    return merge::Conflict{"/", "", "", none, std::move(theirs), code};
  };
  std::vector<Refused> all = {
      {of("status", "pending", "done", Code::unknown_status), story, {{"in_file", false}}},
      {of("status", none, nullptr, Code::unknown_status), story, {{"in_file", true}}},
      {of("status", "merged", "pending", Code::no_move), story, {}},
      {of("status", "committed", "pending", Code::no_move), story, {{"again", true}}},
      {of("status", "pending", "committed", Code::gate), story, {{"in_file", false}}},
      {of("status", "pushed", "pending", Code::gate), story, {}},  // wants a reason
      {of("status", none, "merged", Code::not_a_start), story, {{"in_file", true}}},
      {of("", none, record, Code::ended), story, {}},
      {of("", none, record, Code::elsewhere), story, {{"elsewhere", "b.json"}}},
      {of("", none, record, Code::removed), story, {}},
      {of("branch", "a", "b", Code::pawls), story, {}},
      {of("priority", 1, "x", Code::bad_value), story, {{"in_file", false}}},
      {{"s-1", "loop", "prompt", "p", none, Code::bad_value}, merge::kLoopFile, {}},
      {{"s-1", "loop", "prompt", "p", "", Code::bad_value}, merge::kLoopFile, {}},
      {{"/", "", "head_sha", "a", "b", Code::pawls}, merge::kReviewFile, {}},
      {whole(Code::unread, Json::array({"- x"})), story, {{"pieces", {"- x"}}}},
      {whole(Code::git, "{}"), story, {}},
      {whole(Code::git), story, {}},
      {whole(Code::markers), story, {}},
      {whole(Code::too_large), story, {{"size", 2'000'000}, {"limit", 1'000'000}}},
      {whole(Code::unreadable), story, {{"why", "line 3: no comma"}, {"in_file", true}}},
      {whole(Code::unreadable), story, {{"why", "line 3: no comma"}, {"in_file", false}, {"image", 12}}},
  };
  std::vector<Sample> out;
  for (const auto& [conflict, law, more] : all) {
    out.push_back({std::string(merge::name_of(conflict.code)), with(note_of(conflict, law, "prd.json"), more)});
    out.push_back({cat(merge::name_of(conflict.code), ", bare"), note_of(conflict, law, "prd.json")});
  }
  return out;
}

std::vector<Sample> samples() {
  std::vector<Sample> all = notes();
  for (Sample& one : conflicts()) all.push_back(std::move(one));
  return all;
}

TEST(EnglishOfOutsideChanges, EveryConflictCodeHasASample) {
  for (int i = 0; i <= static_cast<int>(Code::unreadable); ++i) {
    const auto name = merge::name_of(static_cast<Code>(i));
    const auto all = conflicts();
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Sample& one) { return one.name == name; })) << name;
  }
}

TEST(EnglishOfOutsideChanges, SentencesArePlainAndShort) {
  for (const auto& [name, note] : samples()) {
    const auto [text, advice] = say(note);
    SCOPED_TRACE(cat(name, ": ", text));
    ASSERT_FALSE(text.empty());
    EXPECT_EQ(text.back(), '.');
    EXPECT_LE(tidy::longest_sentence(text), 25U);
    for (const std::string_view one : split(advice, '\n')) {
      EXPECT_LE(tidy::longest_sentence(one), 12U) << one;
      EXPECT_TRUE(advice.empty() || one.ends_with('.') || one.find(": pawl ") != std::string_view::npos) << one;
    }
    EXPECT_EQ(tidy::listed(tidy::idioms_in(cat(text, "\n", advice))), "");
    for (const std::string_view odd : {"null", "{", "  ", " .", " ,", "()", "..", "REF", "FILE"}) {
      EXPECT_EQ(text.find(odd), std::string::npos) << odd;
      EXPECT_EQ(advice.find(odd), std::string::npos) << odd;
    }
  }
}

TEST(EnglishOfOutsideChanges, EveryConflictSaysHowToEndIt) {
  for (const auto& [name, note] : conflicts()) {
    const std::string advice = say(note).advice;
    EXPECT_NE(advice.find("pawl restore "), std::string::npos) << name;
    EXPECT_EQ(advice.find("pawl accept ") != std::string::npos, bool_or(note.args, "accept")) << name;
  }
}

TEST(EnglishOfOutsideChanges, ConflictNamesFileRecordValuesAndCommands) {
  const Note note = with(note_of({"US-1", "story", "status", "pushed", "pending", Code::gate, {{"branch", "b"}}},
                                 merge::kStoryFile, "prd.json"),
                         {{"in_file", false}});
  EXPECT_EQ(in_lines(note),
            "Not taken: prd.json moves story/US-1 from \"pushed\" to \"pending\". That needs: reason. "
            "Not taken either: branch. pawl writes back what it knows.\n"
            "  Take it anyway: pawl accept story/US-1 --reason <why>\n"
            "  Keep \"pushed\": pawl restore story/US-1");
}

TEST(EnglishOfOutsideChanges, CommandNamesTheRefThatIsGivenAsOneWordOfTheShell) {
  Note note = note_of({"/", "", "", {}, Json("{}"), Code::git}, merge::kIssueFile, "my file.json");
  EXPECT_NE(say(note).advice.find("pawl accept 'my file.json'"), std::string::npos);
  note.args["ref"] = "conflict/3";
  EXPECT_NE(say(note).advice.find("pawl accept conflict/3\n"), std::string::npos);
}

TEST(EnglishOfOutsideChanges, TextOfOthersIsCutAndCannotSteerATerminal) {
  const std::string evil = "\x1b[2J" + std::string(500, 'x');
  Note note =
      note_of({"US-1", "story", "status", "pending", evil, Code::unknown_status}, merge::kStoryFile, "a\x1b]0;.json");
  note.ids[0].key = "\x1b[31m";
  const std::string text = say(note).text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_LT(text.size(), 300U);
}

TEST(EnglishOfOutsideChanges, ManyRecordsAreCounted) {
  Note note{NoteCode::adopted, "prd.json"};
  for (int i = 0; i < 300; ++i) note.ids.push_back({"story", "", cat("US-", i)});
  EXPECT_EQ(say(note).text,
            "pawl added story/US-0, story/US-1, story/US-2, story/US-3, story/US-4 and 295 more from prd.json.");
}

TEST(EnglishOfOutsideChanges, JsonHasTheSentencesAndTheFields) {
  const Note note{NoteCode::gone, "prd.json", {kStory}, {{"became", "removed"}}, 7};
  EXPECT_EQ(
      as_json(note),
      Json::parse(R"({"note":"prd.json was removed, so pawl removed story/US-1.","hint":"Bring it back: pawl undo 7",
                "code":"gone","path":"prd.json","ids":["story/US-1"],"operation":7,"became":"removed"})"));
}

}  // namespace
}  // namespace pawl::english
