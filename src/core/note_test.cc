#include "core/note.h"

#include <gtest/gtest.h>

#include "core/merge_rows.h"
#include "support/merge_stage.h"

namespace pawl {
namespace {

using merge::Code;
using merge::Conflict;

TEST(Note, EveryCodeHasANameOfItsOwn) {
  for (int i = 0; i <= static_cast<int>(NoteCode::not_written); ++i) {
    EXPECT_EQ(note_code_named(name_of(static_cast<NoteCode>(i))), static_cast<NoteCode>(i));
  }
  EXPECT_EQ(name_of(NoteCode::open), "open");
  EXPECT_EQ(name_of(NoteCode::not_written), "not_written");
  EXPECT_EQ(note_code_named("nothing"), std::nullopt);
}

TEST(Note, EveryFileRowIsANoteOrAConflictOrQuiet) {
  for (const auto& row : merge::kFileRows) {
    const bool quiet = row.name == "same" || row.name == "cells";
    const bool refused = row.act == merge::Act::conflict;
    EXPECT_EQ(note_code_named(row.name).has_value(), !quiet && !refused) << row.name;
    EXPECT_TRUE(!refused || merge::code_named(row.name)) << row.name;
  }
}

struct Told {
  const char* what;
  const FileLaw& law;
  Conflict conflict;
  const char* fields;  // all but conflict, ours and theirs
};

class NoteOfConflict : public testing::TestWithParam<Told> {};

TEST_P(NoteOfConflict, HasTheFieldsThatItsSentenceNeeds) {
  const auto& [what, law, conflict, fields] = GetParam();
  Json args = note_of(conflict, law, "a.json").args;
  EXPECT_EQ(args["conflict"], merge::name_of(conflict.code));
  EXPECT_EQ(args.contains("ours"), conflict.ours.has_value());
  EXPECT_EQ(args.contains("theirs"), conflict.theirs.has_value());
  for (const char* name : {"conflict", "ours", "theirs"}) args.erase(name);
  EXPECT_EQ(args, Json::parse(fields)) << to_line(args);
}

const std::optional<Json> kNotThere;
INSTANTIATE_TEST_SUITE_P(
    Table, NoteOfConflict,
    testing::Values(
        Told{"UnknownStatus",
             merge::kIssueFile,
             {"42", "issue", "status", "running", "x", Code::unknown_status},
             R"({"member":"status","accept":false,"blocks":false,"valid":["running","complete","error"]})"},
        Told{"UnknownStatusOfANewRecord",
             merge::kIssueFile,
             {"42", "issue", "status", kNotThere, "x", Code::unknown_status},
             R"({"member":"status","accept":false,"blocks":true,"valid":["running","complete","error"]})"},
        Told{"NoMove",
             merge::kLoopFile,
             {"s-1", "loop", "status", "complete", "active", Code::no_move},
             R"({"member":"status","accept":false,"blocks":false,"valid":["cancelled"]})"},
        Told{"Gate",
             merge::kStoryFile,
             {"US-1", "story", "status", "pending", "committed", Code::gate, {{"branch", "b"}, {"number", kNotThere}}},
             R"({"member":"status","waits":["branch","number"],"accept":true,"blocks":false,"gates":["criteria"],
                 "needs":["criteria"]})"},
        Told{"NotAStart",
             merge::kStoryFile,
             {"US-1", "story", "status", kNotThere, "merged", Code::not_a_start},
             R"({"member":"status","accept":true,"blocks":true,"valid":["pending"]})"},
        Told{"Counter",
             merge::kLoopFile,
             {"s-1", "loop", "iteration", 3, "x", Code::bad_value},
             R"({"member":"iteration","accept":false,"blocks":false,"type":"number","required":true})"},
        Told{"Text",
             merge::kLoopFile,
             {"s-1", "loop", "prompt", "p", kNotThere, Code::bad_value},
             R"({"member":"prompt","accept":false,"blocks":false,"type":"text","required":true})"},
        Told{"Removed",
             merge::kIssueFile,
             {"42", "issue", "", kNotThere, Json({{"status", "running"}}), Code::removed},
             R"({"accept":true,"blocks":false})"},
        Told{"MemberOfTheFile",
             merge::kReviewFile,
             {"/", "", "head_sha", "a", "b", Code::pawls},
             R"({"member":"head_sha","accept":false,"blocks":false})"},
        Told{"WholeFile",
             merge::kIssueFile,
             {"/", "", "", kNotThere, kNotThere, Code::git},
             R"({"accept":true,"blocks":false})"}),
    [](const auto& one) { return std::string(one.param.what); });

TEST(Note, ConflictOfAFileHasNoIds) {
  const Note of_file = note_of({"/", "", "", kNotThere, kNotThere, Code::markers}, merge::kIssueFile, "a.json");
  EXPECT_EQ(to_json(of_file),
            Json::parse(R"({"code":"conflict","path":"a.json","conflict":"markers","accept":false,"blocks":false})"));
  const Note of_record =
      note_of({"42", "issue", "", kNotThere, kNotThere, Code::ended}, merge::kIssueFile, "a.json", "there");
  ASSERT_EQ(of_record.ids.size(), 1U);
  EXPECT_EQ(of_record.ids[0], (RecordId{"issue", "there", "42"}));
}

TEST(Note, NotesThatDifferInTheirIdsBecomeOne) {
  std::vector<Note> notes;
  for (const char* key : {"1", "2", "3"}) add_note(notes, {NoteCode::adopted, "a.json", {{"issue", "", key}}});
  add_note(notes, {NoteCode::adopted, "b.json", {{"issue", "", "4"}}});
  add_note(notes, {NoteCode::restored, "a.json", {{"issue", "", "5"}}});
  add_note(notes, {NoteCode::counter_kept, "a.json", {{"issue", "", "6"}}, {{"member", "n"}}});
  add_note(notes, {NoteCode::counter_kept, "a.json", {{"issue", "", "7"}}, {{"member", "m"}}});
  for (int i = 0; i < 2; ++i)
    add_note(notes, note_of({"8", "issue", "", kNotThere, kNotThere, Code::ended}, merge::kIssueFile, ""));
  ASSERT_EQ(notes.size(), 7U);
  EXPECT_EQ(to_json(notes[0]),
            Json::parse(R"({"code":"adopted","path":"a.json","ids":["issue/1","issue/2","issue/3"]})"));
}

}  // namespace
}  // namespace pawl
