// Acceptance criteria and the commands that check them. A criterion is free text; which command stands for it is said
// in pawl.toml, by its text or a pattern, or by the story itself. What a check showed holds for one commit and no
// other: it is kept in the story's own part (story.h), and in the event.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "base/result.h"
#include "core/event.h"

namespace pawl::story {

// `*` stands for any text. Upper and lower case are told apart.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view criterion);

// The command for one criterion.
struct CheckPlan {
  std::string criterion;
  Json command;      // null: there is none; a line, or a list of words, as it was written
  std::string key;   // what the criterion was found by
  bool own = false;  // the story's file said so, not pawl.toml
};
// The story's own come first, then an exact text, then the pattern that says most.
[[nodiscard]] std::vector<CheckPlan> plan_checks(const Json& doc, const Json& table);

// What a story's own checks say, a line each: what a person trusts.
[[nodiscard]] std::vector<std::string> own_check_lines(const std::string& id, const Json& doc);
[[nodiscard]] std::string own_check_line(const std::string& id, const std::string& key, const Json& command);

// What is filled into a command.
struct CheckValues {
  std::string id, branch, test_filter;
};

struct CheckCommand {
  std::vector<std::string> argv;
  std::string text;  // to show
};
// {id}, {branch} and {testFilter} are words of their own, and neither a program nor an option (core/placeholder.h).
// With a shell they become variables, which it does not read as commands. The error says what is wrong with the
// command.
[[nodiscard]] Result<CheckCommand> fill_check(const Json& command, const CheckValues& values, bool shell);
// Whether a command can be run at all, whatever is filled in: to be said before anybody works for it.
[[nodiscard]] Done check_form(const Json& command, bool shell);
// The variables that a shell finds them in.
[[nodiscard]] std::vector<std::string> check_environment(const CheckValues& values);

// The command with all that goes into it, as one text: what was shown holds for this text and no other.
[[nodiscard]] std::string exact_command(const Json& command, const CheckValues& values, bool shell);
// Of every criterion of the story; null for one that has no command.
[[nodiscard]] Json exact_commands(const Json& doc, const Json& table, const CheckValues& values, bool shell);

// What one check showed, or a person attested.
struct CheckResult {
  std::string criterion;
  bool ok = false;
  std::string commit;
  std::string command;  // "": attested
  int exit = 0;
  std::int64_t took_ms = 0;
  std::string tail;   // the end of what was printed, or what the person said
  std::string ended;  // "": by itself; else why it was ended
  std::string log;
  std::string exact;         // what was checked, to the letter (exact_command)
  std::string not_run = {};  // why it could not be run, and so showed nothing; "": it was run
};

struct NoteChecks {
  std::string branch, commit;
  std::vector<CheckResult> results;
  std::string actor;
  Json exact = Json::object();  // as exact_commands gives them
  bool shared = false;          // the branch is what stories go into, and shows nothing of this one
};
[[nodiscard]] Result<Change> decide(const Record& current, const NoteChecks& command, const Now& now);

struct AttestCriterion {
  std::string criterion;  // its text, or the beginning of one
  std::string evidence;
  std::string branch, commit;
  std::string actor;            // who says so; somebody must
  Json exact = Json::object();  // as exact_commands gives them: what has a command is checked
  bool shared = false;          // as in NoteChecks
};
[[nodiscard]] Result<Change> decide(const Record& current, const AttestCriterion& command, const Now& now);

// How each criterion stands at a commit.
struct CriterionState {
  enum class Kind { passed, attested, failed, stale, unchecked, no_command };
  std::string criterion;
  Kind kind = Kind::unchecked;
  Json evidence;
};
// `exact`: criterion → its command (exact_commands). What another command showed, or a person said of one that has a
// command by now, shows nothing.
[[nodiscard]] std::vector<CriterionState> criteria_at(const Json& doc, const Json& exact, const std::string& commit);
[[nodiscard]] std::string_view word_of(CriterionState::Kind kind);
[[nodiscard]] bool holds(const CriterionState& state);

// Where the table of checks is in pawl.toml: what is put behind the file goes into its last table.
enum class ChecksTable { missing, last, elsewhere };
[[nodiscard]] ChecksTable checks_table_in(std::string_view toml);
// "[story.checks]" and a line for each criterion that has no command. Where the table is there only the lines, and
// where they go; put behind the file they leave it whole.
[[nodiscard]] std::string suggested_toml(const std::vector<std::string>& criteria, ChecksTable table);

}  // namespace pawl::story
