// Each row of the tables, as data; then each row is deleted, and some case must come out otherwise.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "core/merge_rows.h"
#include "support/merge_stage.h"

namespace pawl::merge {
namespace {

// In `in`, an entry is an object with "id", "status" and members; "_state", "_by", "_unverified" and "_kind" say the
// rest of it. Ours is the base where it is not given. No base: there was no file.
struct Case {
  const char* name;
  const FileLaw* law;
  const char* in;
  std::vector<std::string> out;
};

Entry entry_in(const FileLaw& law, const Json& spelled) {
  Entry entry{string_or(spelled, "id"), string_or(spelled, "_kind", law.kinds.front().kind), nullptr};
  for (const auto& [name, value] : spelled.items()) {
    if (name != "id" && name != "status" && !name.starts_with('_')) entry.members[name] = value;
  }
  entry.status = status_meant(law.of(entry.kind), spelled.contains("status") ? &spelled["status"] : nullptr);
  return entry;
}

Content content_in(const FileLaw& law, const Json& entries, const Json& file) {
  Content content{"one", {}, file, {}};
  for (const Json& one : entries) content.entries.push_back(entry_in(law, one));
  return content;
}

OurRecord record_in(const FileLaw& law, const Json& spelled) {
  OurRecord record{entry_in(law, spelled)};
  const std::string state = string_or(spelled, "_state", "active"), by = string_or(spelled, "_by");
  record.state = state == "active" ? State::active : state == "inactive" ? State::inactive : State::removed;
  record.unverified = spelled.contains("_unverified");
  record.removed_by = by == "command" ? RemovedBy::command : by == "outside" ? RemovedBy::outside : RemovedBy::nobody;
  return record;
}

struct Input {
  Ours ours;
  Content base, theirs;
  Policy policy;
  std::set<std::string, std::less<>> elsewhere;
  bool has_base = false;
};

Input input_of(const Case& one) {
  const Json in = parse_json(one.in).value();
  const auto part = [&](const char* name, const Json& fallback) { return in.contains(name) ? in[name] : fallback; };
  const Json base_file = part("base_file", Json::object()), list = Json::array();
  Input input;
  input.has_base = in.contains("base");
  input.base = content_in(*one.law, part("base", list), base_file);
  input.theirs = content_in(*one.law, part("theirs", list), part("theirs_file", base_file));
  for (const Json& record : part("ours", part("base", list))) input.ours.records.push_back(record_in(*one.law, record));
  input.ours.file = part("ours_file", base_file);
  input.ours.order = order_of(input.has_base ? input.base : input.theirs);
  if (in.contains("last_shown")) input.ours.last_shown = in["last_shown"];
  for (const Json& word : part("policy", list)) {
    input.policy.take_whole = input.policy.take_whole || word == "take_whole";
    input.policy.first_look = input.policy.first_look || word == "first_look";
    if (word == "record") input.policy.gates = Gates::record;
  }
  for (const Json& key : part("elsewhere", list)) input.elsewhere.insert(key.get<std::string>());
  return input;
}

Outcome merged(const Case& one, const Input& in, const Tables& tables) {
  const Look look{*one.law, in.ours, in.theirs, in.policy, test_gate_met, in.elsewhere};
  const std::array<Baseline, 1> known = {Baseline{&in.base}};
  return merge_file(look, in.has_base ? std::span<const Baseline>(known) : std::span<const Baseline>(), tables);
}

const std::vector<Case>& cases() {
  static const std::vector<Case> kCases = {
      // presence
      {"a missing record is restored",
       &kStoryFile,
       R"({"base": [{"id": "A"}, {"id": "B"}], "theirs": [{"id": "A"}]})",
       {"B/ restored"}},
      {"a missing record is removed",
       &kReviewFile,
       R"({"base": [{"id": "A"}, {"id": "B"}], "theirs": [{"id": "A"}]})",
       {R"(B is "open" {} removed outside)", "B/ removed"}},
      {"take whole: a missing record is removed",
       &kStoryFile,
       R"({"base": [{"id": "A"}, {"id": "B"}], "theirs": [{"id": "A"}], "policy": ["take_whole"]})",
       {R"(B is "pending" {} removed outside)", "B/ removed"}},
      {"two kinds: each goes by its own law",
       &kTwoKinds,
       R"({"base": [{"id": "c1", "_kind": "chunk"}, {"id": "H1", "_kind": "finding"}, {"id": "H2", "_kind": "finding"}],
           "theirs": [{"id": "H2", "_kind": "finding", "status": "dropped"}]})",
       {R"(H2 is "dropped" {})", R"(H1 is "open" {} removed outside)", "c1/ restored", "H1/ removed"}},
      {"removed, and the file lacks it",
       &kStoryFile,
       R"({"base": [{"id": "A"}], "ours": [{"id": "A", "_state": "removed", "_by": "command"}], "theirs": []})",
       {}},
      {"removed, and unedited",
       &kStoryFile,
       R"({"base": [{"id": "A"}], "ours": [{"id": "A", "_state": "removed", "_by": "command"}], "theirs": [{"id": "A"}]})",
       {}},
      {"removed, and edited",
       &kStoryFile,
       R"({"base": [{"id": "A"}], "ours": [{"id": "A", "_state": "removed", "_by": "command"}],
           "theirs": [{"id": "A", "title": "x"}]})",
       {R"(A/ removed: nothing, not {"status":"pending","title":"x"})"}},
      {"an identity that another path has",
       &kLoopFile,
       R"({"theirs": [{"id": "s1", "status": "active"}], "elsewhere": ["s1"]})",
       {R"(s1/ elsewhere: nothing, not {"status":"active"})"}},
      {"an ended identity does not return",
       &kLoopFile,
       R"({"base": [{"id": "s1", "status": "complete"}], "theirs": [{"id": "s1", "status": "active", "x": 1}]})",
       {R"(s1/ ended: {"status":"complete"}, not {"status":"active","x":1})"}},
      {"a removed identity does not return",
       &kLoopFile,
       R"({"ours": [{"id": "s1", "status": "active", "_state": "removed", "_by": "outside"}],
           "theirs": [{"id": "s1", "status": "active"}]})",
       {R"(s1/ ended: nothing, not {"status":"active"})"}},
      {"an ended identity moves to another end",
       &kLoopFile,
       R"({"base": [{"id": "s1", "status": "complete"}], "theirs": [{"id": "s1", "status": "cancelled"}]})",
       {R"(s1 is "cancelled" {})"}},
      {"take whole: an ended identity returns",
       &kLoopFile,
       R"({"base": [{"id": "s1", "status": "complete"}], "theirs": [{"id": "s1", "status": "active"}],
           "policy": ["take_whole"]})",
       {R"(s1 is "active" {} unverified)"}},
      {"an inactive record returns, edits and all",
       &kStoryFile,
       R"({"ours": [{"id": "A", "status": "committed", "title": "x", "_state": "inactive"}],
           "theirs": [{"id": "A", "status": "skipped", "title": "y"}]})",
       {R"(A is "skipped" {"title":"y"})"}},
      {"a record that was removed outside is resumed",
       &kStoryFile,
       R"({"ours": [{"id": "A", "status": "committed", "_state": "removed", "_by": "outside"}],
           "theirs": [{"id": "A", "status": "merged"}]})",
       {R"(A is "committed" {})", R"(A/status no_move: "committed", not "merged")"}},
      {"a record that was removed outside is adopted anew",
       &kIssueFile,
       R"({"ours": [{"id": "1", "status": "complete", "x": 1, "_state": "removed", "_by": "outside"}],
           "theirs": [{"id": "1", "status": "error"}]})",
       {R"(1 is "error" {})", "1/ adopted"}},
      {"a record that a command removed is adopted anew",
       &kStoryFile,
       R"({"ours": [{"id": "A", "status": "committed", "_state": "removed", "_by": "command"}], "theirs": [{"id": "A"}]})",
       {R"(A is "pending" {})", "A/ adopted"}},

      {"a resumed record is as verified as it was",
       &kStoryFile,
       R"({"ours": [{"id": "A", "status": "committed", "_unverified": true, "_state": "inactive"}],
           "theirs": [{"id": "A", "status": "committed"}]})",
       {R"(A is "committed" {} unverified)"}},
      {"take whole: a removed record is adopted",
       &kStoryFile,
       R"({"ours": [{"id": "A", "_state": "removed", "_by": "command"}], "base": [{"id": "A"}],
           "theirs": [{"id": "A", "x": 1}], "policy": ["take_whole"]})",
       {R"(A is "pending" {"x":1})", "A/ adopted"}},

      // starts
      {"an unknown status gives the first start",
       &kIssueFile,
       R"({"theirs": [{"id": "1", "status": "done", "x": 1}]})",
       {R"(1 is "running" {"x":1})", R"(1/status unknown_status: nothing, not "done" blocks)", "1/ adopted"}},
      {"a missing status is unknown where there is no default",
       &kIssueFile,
       R"({"theirs": [{"id": "1"}]})",
       {R"(1 is "running" {})", R"(1/status unknown_status: nothing, not null blocks)", "1/ adopted"}},
      {"an unknown status gives the default",
       &kReviewFile,
       R"({"theirs": [{"id": "A", "status": 7}]})",
       {R"(A is "open" {})", R"(A/status unknown_status: nothing, not 7 blocks)", "A/ adopted"}},
      {"a new record does not begin in the middle",
       &kStoryFile,
       R"({"theirs": [{"id": "A", "status": "committed"}]})",
       {R"(A is "pending" {})", R"(A/status not_a_start: nothing, not "committed" blocks)", "A/ adopted"}},
      {"first look: a new record has any known status",
       &kStoryFile,
       R"({"theirs": [{"id": "A", "status": "committed"}], "policy": ["first_look"]})",
       {R"(A is "committed" {})", "A/ adopted"}},
      {"take whole: a new record has any known status",
       &kStoryFile,
       R"({"base": [], "theirs": [{"id": "A", "status": "committed"}], "policy": ["take_whole"]})",
       {R"(A is "committed" {})", "A/ adopted", R"(order ["A"])"}},
      {"trusted: a new record has any known status",
       &kReviewFile,
       R"({"theirs": [{"id": "A", "status": "reviewed"}]})",
       {R"(A is "reviewed" {})", "A/ adopted"}},
      {"a bad value is not adopted",
       &kLoopFile,
       R"({"theirs": [{"id": "s1", "status": "active", "iteration": "x", "y": 2}]})",
       {R"(s1 is "active" {"y":2})", R"(s1/iteration bad_value: nothing, not "x")", "s1/ adopted"}},

      // members
      {"an old copy with one edit changes that alone",
       &kIssueFile,
       R"({"base": [{"id": "1", "status": "running", "a": 1, "b": 1}],
           "ours": [{"id": "1", "status": "complete", "a": 2, "b": 1}],
           "theirs": [{"id": "1", "status": "running", "a": 1, "b": 3}]})",
       {R"(1 is "complete" {"a":2,"b":3})"}},
      {"what both changed alike is no change",
       &kReviewFile,
       R"({"base": [{"id": "A", "sha": 1}], "ours": [{"id": "A", "sha": 2}], "theirs": [{"id": "A", "sha": 2}]})",
       {}},
      {"1 and 1.0 differ, the order of members does not",
       &kIssueFile,
       R"({"base": [{"id": "1", "status": "running", "a": 1, "b": {"x": 1, "y": 2}}],
           "theirs": [{"id": "1", "status": "running", "a": 1.0, "b": {"y": 2, "x": 1}}]})",
       {R"(1 is "running" {"a":1.0,"b":{"x":1,"y":2}})"}},
      {"a removed member is noted",
       &kIssueFile,
       R"({"base": [{"id": "1", "status": "running", "a": 1}], "theirs": [{"id": "1", "status": "running"}]})",
       {R"(1 is "running" {})", "1/a member_removed"}},
      {"pawl's own member is not taken",
       &kReviewFile,
       R"({"base": [{"id": "A", "sha": 1}], "theirs": [{"id": "A", "sha": 2}]})",
       {"A/sha pawls: 1, not 2"}},
      {"take whole: pawl's own member is taken",
       &kReviewFile,
       R"({"base": [{"id": "A", "sha": 1}], "theirs": [{"id": "A", "sha": 2}], "policy": ["take_whole"]})",
       {R"(A is "open" {"sha":2})"}},
      {"a counter does not fall",
       &kLoopFile,
       R"({"base": [{"id": "s1", "status": "active", "iteration": 3}],
           "theirs": [{"id": "s1", "status": "active", "iteration": 2}]})",
       {"s1/iteration counter_kept"}},
      {"a counter rises",
       &kLoopFile,
       R"({"base": [{"id": "s1", "status": "active", "iteration": 3}],
           "theirs": [{"id": "s1", "status": "active", "iteration": 4}]})",
       {R"(s1 is "active" {"iteration":4})"}},
      {"take whole: a counter falls",
       &kLoopFile,
       R"({"base": [{"id": "s1", "status": "active", "iteration": 3}],
           "theirs": [{"id": "s1", "status": "active", "iteration": 2}], "policy": ["take_whole"]})",
       {R"(s1 is "active" {"iteration":2})"}},
      {"a counter and a required text stay",
       &kLoopFile,
       R"({"base": [{"id": "s1", "status": "active", "iteration": 3, "prompt": "p"}],
           "theirs": [{"id": "s1", "status": "active"}]})",
       {"s1/iteration bad_value: 3, not nothing", R"(s1/prompt bad_value: "p", not nothing)"}},
      {"values of another type are not taken",
       &kLoopFile,
       R"({"base": [{"id": "s1", "status": "active", "max_iterations": 3, "prompt": "p"}],
           "theirs": [{"id": "s1", "status": "active", "max_iterations": "3", "prompt": ""}]})",
       {R"(s1/max_iterations bad_value: 3, not "3")", R"(s1/prompt bad_value: "p", not "")"}},
      {"an optional number can go",
       &kLoopFile,
       R"({"base": [{"id": "s1", "status": "active", "max_iterations": 3}], "theirs": [{"id": "s1", "status": "active"}]})",
       {R"(s1 is "active" {})", "s1/max_iterations member_removed"}},

      // statuses
      {"a move is taken",
       &kIssueFile,
       R"({"base": [{"id": "1", "status": "running"}], "theirs": [{"id": "1", "status": "error", "error_message": "disk"}]})",
       {R"(1 is "error" {"error_message":"disk"})"}},
      {"an unknown status is not taken",
       &kIssueFile,
       R"({"base": [{"id": "1", "status": "running"}], "theirs": [{"id": "1", "status": "done", "error_message": "x", "a": 1}]})",
       {R"(1 is "running" {"a":1})", R"(1/status unknown_status: "running", not "done" with error_message "x")"}},
      {"take whole: an unknown status blocks",
       &kIssueFile,
       R"({"base": [{"id": "1", "status": "running"}], "theirs": [{"id": "1", "status": "done"}], "policy": ["take_whole"]})",
       {R"(1/status unknown_status: nothing, not "done" blocks)"}},
      {"take whole: any known status is taken",
       &kStoryFile,
       R"({"base": [{"id": "A"}], "theirs": [{"id": "A", "status": "merged"}], "policy": ["take_whole"]})",
       {R"(A is "merged" {} unverified)"}},
      {"a record stays unverified until its status changes",
       &kStoryFile,
       R"({"base": [{"id": "A", "status": "committed", "_unverified": true}],
           "theirs": [{"id": "A", "status": "committed", "x": 1}]})",
       {R"(A is "committed" {"x":1} unverified)"}},
      {"a move with all its gates verifies the record",
       &kStoryFile,
       R"({"base": [{"id": "A", "status": "committed", "_unverified": true}],
           "theirs": [{"id": "A", "status": "skipped"}]})",
       {R"(A is "skipped" {})"}},
      {"no move leads there",
       &kStoryFile,
       R"({"base": [{"id": "A"}], "theirs": [{"id": "A", "status": "merged", "title": "x"}]})",
       {R"(A is "pending" {"title":"x"})", R"(A/status no_move: "pending", not "merged")"}},
      {"no move leads there, also where gates are recorded",
       &kStoryFile,
       R"({"base": [{"id": "A"}], "theirs": [{"id": "A", "status": "merged"}], "policy": ["record"]})",
       {R"(A/status no_move: "pending", not "merged")"}},
      {"a gate that the edit itself meets",
       &kStoryFile,
       R"({"base": [{"id": "A"}], "theirs": [{"id": "A", "status": "committed", "ok": true}]})",
       {R"(A is "committed" {"ok":true})"}},
      {"a gate is missing",
       &kStoryFile,
       R"({"base": [{"id": "A"}], "theirs": [{"id": "A", "status": "committed"}]})",
       {R"(A/status gate: "pending", not "committed")"}},
      {"one of two gates is missing",
       &kStoryFile,
       R"({"base": [{"id": "A", "status": "committed", "ok": true}], "theirs": [{"id": "A", "status": "pushed", "ok": true}]})",
       {R"(A/status gate: "committed", not "pushed")"}},
      {"a gate is recorded as missing",
       &kStoryFile,
       R"({"base": [{"id": "A"}], "theirs": [{"id": "A", "status": "committed"}], "policy": ["record"]})",
       {R"(A is "committed" {} unverified)"}},
      {"a person is required, also where gates are recorded",
       &kStoryFile,
       R"({"base": [{"id": "A", "status": "pushed", "prNumber": 1}],
           "theirs": [{"id": "A", "status": "merged", "prNumber": 1}], "policy": ["record"]})",
       {R"(A/status gate: "pushed", not "merged")"}},
      {"members that moves set wait if they were emptied",
       &kStoryFile,
       R"({"base": [{"id": "A", "status": "pushed", "prNumber": 1, "branchName": "b"}],
           "theirs": [{"id": "A", "status": "pending", "prNumber": null, "branchName": "c"}]})",
       {R"(A is "pushed" {"prNumber":1,"branchName":"c"})",
        R"(A/status gate: "pushed", not "pending" with prNumber null)"}},
      {"a member that waits is not noted as removed",
       &kStoryFile,
       R"({"base": [{"id": "A", "status": "pushed", "prNumber": 1}], "theirs": [{"id": "A", "status": "pending"}]})",
       {R"(A/status gate: "pushed", not "pending" with prNumber nothing)"}},
      {"a gate sees siblings that are edited after it",
       &kReviewFile,
       R"({"base": [{"id": "A", "status": "pending"}, {"id": "B", "status": "in-progress"}],
           "theirs": [{"id": "A", "status": "in-progress"}, {"id": "B", "status": "reviewed"}]})",
       {R"(A is "in-progress" {})", R"(B is "reviewed" {})"}},
      {"a gate sees siblings that are edited before it",
       &kReviewFile,
       R"({"base": [{"id": "A", "status": "in-progress"}, {"id": "B", "status": "pending"}],
           "theirs": [{"id": "A", "status": "reviewed"}, {"id": "B", "status": "in-progress"}]})",
       {R"(A is "reviewed" {})", R"(B is "in-progress" {})"}},
      {"a gate sees siblings that stay",
       &kReviewFile,
       R"({"base": [{"id": "A", "status": "pending"}, {"id": "B", "status": "in-progress"}],
           "theirs": [{"id": "A", "status": "in-progress"}, {"id": "B", "status": "in-progress"}]})",
       {R"(A/status gate: "pending", not "in-progress")"}},

      // the file's own members, and the order
      {"members of the file go through the member rows",
       &kReviewFile,
       R"({"base": [], "theirs": [], "base_file": {"head_sha": "a", "x": 1}, "theirs_file": {"head_sha": "b", "x": 2}})",
       {R"(//head_sha pawls: "a", not "b")", R"(file {"head_sha":"a","x":2})"}},
      {"without a base they are compared with what the owner's file last showed",
       &kReviewFile,
       R"({"theirs": [], "theirs_file": {"head_sha": "b", "x": 2}, "last_shown": {"head_sha": "a", "x": 1}})",
       {R"(//head_sha pawls: "a", not "b")", R"(file {"head_sha":"a","x":2})"}},
      {"of a new owner they are taken",
       &kReviewFile,
       R"({"theirs": [], "theirs_file": {"head_sha": "b"}, "ours_file": {"head_sha": "a"}})",
       {R"(file {"head_sha":"b"})"}},
      {"theirs' order is taken",
       &kStoryFile,
       R"({"base": [{"id": "A"}, {"id": "B"}, {"id": "C"}], "theirs": [{"id": "C"}, {"id": "A"}]})",
       {"B/ restored", R"(order ["C","A","B"])"}},
  };
  return kCases;
}

TEST(MergeRows, EachCaseComesOutAsTheTablesSay) {
  for (const Case& one : cases()) {
    const Input in = input_of(one);
    EXPECT_EQ(lines_of(merged(one, in, all_tables()), in.ours), one.out) << one.name;
  }
}

// ---- the whole file

struct FileRow {
  const char* row;
  Act act;
  FileCase found;
};

std::vector<FileRow> file_cases() {
  using enum Damage;
  constexpr auto kBrought = GitState::brought;
  return {
      {"open", Act::wait, {.in_use = true, .moved_here = true, .equals_newest = true, .damage = unreadable}},
      {"moved", Act::move_records, {.moved_here = true, .git = GitState::at_work, .another = true}},
      {"same", Act::keep, {.equals_newest = true, .git = GitState::at_work, .damage = markers}},
      {"same", Act::keep, {.exists = false, .equals_newest = true}},
      {"cells", Act::go_on, {.displaced = true, .equals_newest = true}},
      {"stale", Act::write_back, {.equals_before = true, .git = kBrought}},
      {"stale", Act::write_back, {.exists = false, .equals_before = true}},
      {"git_at_work", Act::wait, {.exists = false, .git = GitState::at_work}},
      {"markers", Act::conflict, {.git = kBrought, .damage = markers, .take_whole = true}},
      {"unreadable", Act::on_damage, {.displaced = true, .damage = markers}},
      {"too_large", Act::conflict, {.git = kBrought, .damage = too_large}},
      {"unreadable", Act::on_damage, {.displaced = true, .damage = too_large}},
      {"git", Act::conflict, {.exists = false, .git = kBrought}},
      {"git", Act::conflict, {.git = kBrought, .another = true}},
      {"cells", Act::go_on, {.git = kBrought, .take_whole = true}},
      {"gone", Act::on_gone, {.exists = false}},
      {"unreadable", Act::on_damage, {.damage = unreadable}},
      {"late", Act::keep_image, {.displaced = true, .before_is_theirs = true, .another = true, .all_over = true}},
      {"cells", Act::go_on, {.displaced = true, .before_is_theirs = true}},
      {"ended", Act::conflict, {.another = true, .all_over = true}},
      {"another", Act::change_owner, {.another = true, .all_over = true, .take_whole = true}},
      {"another", Act::change_owner, {.another = true}},
      {"cells", Act::go_on, {}},
  };
}

TEST(MergeRows, EachFileIsJudgedAsTheTableSays) {
  for (const FileRow& one : file_cases()) {
    const Verdict verdict = judge_file(one.found);
    EXPECT_EQ(verdict.row, one.row);
    EXPECT_EQ(verdict.act, one.act) << one.row;
  }
}

template <class Row>
void expect_codes(std::span<const Row> rows) {
  for (const Row& row : rows) {
    EXPECT_TRUE(row.act != Act::conflict || code_named(row.name)) << row.name;
  }
}

TEST(MergeRows, TheNameOfARowThatEndsInAConflictIsItsCode) {
  expect_codes(all_tables().file);
  expect_codes(all_tables().presence);
  expect_codes(all_tables().start);
  expect_codes(all_tables().member);
  expect_codes(all_tables().status);
}

// ---- every row is needed

bool all_come_out_as_said(const Tables& tables) {
  const auto files = file_cases();
  const auto as_said = [&](const Case& one) {
    const Input in = input_of(one);
    return lines_of(merged(one, in, tables), in.ours) == one.out;
  };
  return std::all_of(files.begin(), files.end(),
                     [&](const FileRow& one) { return judge_file(one.found, tables).row == one.row; }) &&
         std::all_of(cases().begin(), cases().end(), as_said);
}

template <class Row>
void expect_each_row_is_needed(std::span<const Row> Tables::*table) {
  const std::span<const Row> rows = all_tables().*table;
  for (std::size_t at = 0; at < rows.size(); ++at) {
    std::vector<Row> left(rows.begin(), rows.end());
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
    Tables tables;
    tables.*table = left;
    EXPECT_FALSE(all_come_out_as_said(tables)) << "no case needs the row " << rows[at].name;
  }
}

TEST(MergeRows, NoCaseFailsWithAllRowsAndSomeCaseFailsWithoutEach) {
  ASSERT_TRUE(all_come_out_as_said(all_tables()));
  expect_each_row_is_needed(&Tables::file);
  expect_each_row_is_needed(&Tables::presence);
  expect_each_row_is_needed(&Tables::start);
  expect_each_row_is_needed(&Tables::member);
  expect_each_row_is_needed(&Tables::status);
}

}  // namespace
}  // namespace pawl::merge
