// A story: a piece of work that a bot carries from pending to merged. Six statuses and no seventh; stories that only
// know `passes` have two, pending and passed. What may follow what, what must hold for it, and what each command makes
// of the document. Pure. The file is prd_file.h, how urgent one is rank.h, what must hold for a move gates.h, what it
// waits for depends.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "core/decide.h"
#include "core/lifecycle.h"

namespace pawl::story {

inline constexpr std::string_view kKind = "story";     // tells its status
inline constexpr std::string_view kPasses = "passes";  // tells whether it passes

// The words, where code must know one.
inline constexpr std::string_view kPending = "pending";
inline constexpr std::string_view kCommitted = "committed";
inline constexpr std::string_view kPushed = "pushed";
inline constexpr std::string_view kMerged = "merged";
inline constexpr std::string_view kSkipped = "skipped";
inline constexpr std::string_view kInvalid = "invalid";
inline constexpr std::string_view kPassed = "passed";

[[nodiscard]] const Machine& machine();         // of the six
[[nodiscard]] const Machine& passes_machine();  // of the two
[[nodiscard]] const Machine& machine_of(const Record& record);
[[nodiscard]] const Lifecycle& lifecycle();
[[nodiscard]] const Lifecycle& passes_lifecycle();
[[nodiscard]] bool is_story(std::string_view kind);

// not_found, in the words that every door uses: there is none, or it is set aside.
[[nodiscard]] Error no_such_story(std::string_view key);
[[nodiscard]] Done must_be_there(const Record& story);

struct MoveStory {
  std::string to;
  std::optional<std::string> branch;
  std::optional<std::int64_t> pr;
  std::optional<std::string> pr_url;
  std::string reason;
  Json evidence = Json::object();        // facts by gate (gates.h)
  bool record_gates = false;             // make it also where they are not enough, and mark it unverified
  bool unverified = false;               // it came to its status without what that needs: an end may be shown after all
  std::vector<std::string> lacked = {};  // which gates that were, and nothing has shown since (engine/doubt.h)
};
// The gates between where it is and `to`; none where there is no such move. Of one that came to `to` unverified: those
// of the move that it made.
[[nodiscard]] std::vector<std::string_view> gates_before(const Record& current, std::string_view to,
                                                         bool unverified = false);
[[nodiscard]] Result<Change> decide(const Record& current, const MoveStory& command, const Now& now);

// Who went last: "bot" or "reviewer".
struct NoteActivity {
  std::string by;
};
[[nodiscard]] Result<Change> decide(const Record& current, const NoteActivity& command, const Now& now);

// A person's override: back to pending, with a reason.
struct ResetStory {
  std::string by;
  std::string reason;
  std::string at = {};  // the commit that its branch is at: what is there was done before
};
[[nodiscard]] Result<Change> decide(const Record& current, const ResetStory& command);

// A pending one whose worktree and branch are gone: it is begun anew, from where the base is then.
struct ForgetWork {};
[[nodiscard]] Result<Change> decide(const Record& current, const ForgetWork& command);

// A status for one that came in with a word that is none.
struct FixStory {
  std::string to;
  std::string by;
  std::string reason;
};
[[nodiscard]] Result<Change> decide(const Record& current, const FixStory& command);

struct DropStory {
  std::string by;
  std::string reason;
};
[[nodiscard]] Result<Change> decide(const Record& current, const DropStory& command);

// Not to be picked until somebody says `retry`. It keeps its status.
struct PauseStory {
  std::string reason;
};
[[nodiscard]] Result<Change> decide(const Record& current, const PauseStory& command);
struct RetryStory {};
[[nodiscard]] Result<Change> decide(const Record& current, const RetryStory& command);

struct AddStory {
  std::string id;
  std::string title;
  std::string description;
  std::vector<std::string> criteria;
  std::optional<std::int64_t> priority;
};
[[nodiscard]] Result<Change> decide(const Record& current, const AddStory& command);

// A worker took it to look at it. One that waits for a reviewer is not due again before `recheck_ms` have passed.
struct LookAtStory {
  std::int64_t recheck_ms = 0;
};
[[nodiscard]] Change decide(const Record& current, const LookAtStory& command, const Now& now);

// The bot could not do what its tier says: tried again later, with pauses that double; after the last try it is stuck,
// until `retry`.
struct FailStory {
  std::string why;  // the end of what was printed
  std::int64_t first_pause_ms = 0;
  std::int64_t most_failures = 0;
};
[[nodiscard]] Change decide(const Record& current, const FailStory& command, const Now& now);

// Why nobody picks a story: what lets it go depends on it. What others wrote or printed decides nothing here.
enum class Stuck {
  no,
  paused,    // by somebody, on purpose
  attest,    // a criterion that has no command waits for a person's word (Own::attest)
  criteria,  // it has none, so nothing could show that it is done
  person,    // something else that only a person can mend
  failed,    // as often as story.max_failures allows
  trust,     // a command that nobody has read and trusted would be run for it
};
[[nodiscard]] std::string_view word_of(Stuck stuck);  // as it is stored and told in JSON

// What pawl keeps of a story beside what its file says; it is in no file.
inline constexpr std::string_view kOwn = "_pawl";
struct Own {
  std::int64_t looked_ms = 0;
  std::int64_t due_ms = 0;  // not picked before; 0: at any time. due_of tells whether it still counts
  std::string due_tier;     // the tier that it had then; "": a pawl put it off that did not write that down
  std::int64_t failures = 0;
  Stuck stuck_for = Stuck::no;
  std::string stuck;    // the same in words of pawl's own
  std::string attest;   // the criterion that waits for somebody's word
  std::string printed;  // the last line of whatever failed: anybody's text, shown and never typed
  Json checks;          // criterion → evidence, with the commit that it holds for
  Json bot;             // how far the bot came (bot_note.h)
};
[[nodiscard]] Own own_of(const Json& doc);
void set_own(Json& doc, const Own& own);
// Not to be picked before `until_ms`, for what its tier says now.
void put_off(Own& own, const Record& current, std::int64_t until_ms);
// Until when a story is left alone; 0: it is not. What is to be done about one that has another tier by now (undone,
// moved in its file, ended) was never put off.
[[nodiscard]] std::int64_t due_of(const Record& record);
// The document without it: what is shown and written.
[[nodiscard]] Json shown_doc(const Json& doc);

// In thousandths; the lowest first. A missing one, or one that is no number, is 999.
[[nodiscard]] std::int64_t priority_of(const Json& doc);
[[nodiscard]] std::string title_of(const Json& doc);  // its first line
// Could git take it for a branch's name, and for nothing else?
[[nodiscard]] bool is_branch_name(std::string_view text);
// One whose id is missing, or another one's: only its file can mend that.
[[nodiscard]] bool has_id_trouble(const Record& record);
inline constexpr std::string_view kNoStory = "(not a story)";  // what such a one is held as
[[nodiscard]] std::string trouble_of(const Record& record);    // "it has no id"

// Nobody picks it, or somebody may again.
void set_stuck(Own& own, Stuck why, std::string words);
void release(Own& own);

// A criterion as a word of a command that somebody is told to type: quoted where it is plain words, else "CRITERION".
[[nodiscard]] std::string criterion_as_typed(std::string_view criterion);
[[nodiscard]] std::string how_to_attest(std::string_view id, std::string_view criterion);

// An id or a branch in a command that somebody is told to type. Others wrote it: it is quoted, so that a shell takes it
// for one word, and where it could be read as an option or cannot be shown, "ID" stands for it.
[[nodiscard]] std::string as_typed(std::string_view text);

}  // namespace pawl::story
