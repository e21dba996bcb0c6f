// What must hold for a story's move. Facts are gathered before the decision, by whoever can look (git, GitHub), and
// handed in as MoveStory::evidence under the gate's name; whether they are enough is decided here, and only here.
//
//   criteria   {"commit": SHA, "branch": B, "dirty": [PATH…], "exact": {CRITERION: COMMAND or null}, "shared": true}
//              `shared`: the branch is what others' work goes into, and no story's own.
//              The commit that the story's branch is at, what is changed and not committed there, and which command
//              stands for which criterion now (checks.h). What the checks said is in the record itself (Own::checks, by
//              criterion); it counts when it is of this commit and this command.
//              {"repository": FOLDER, "lacks": …}: what story.repo names is no repository.
//   published  {"branch": B, "on_remote": SHA, "pr": N, "url": U, "state": "open"}
//              `on_remote`: where the remote has the branch. An open or a merged pull request will do.
//   merge      {"pr": N, "url": U, "state": "merged", "sha": SHA, …}
//              Whatever it stood on (approvals, checks, threads) goes along, for the log.
//   closed     {"pr": N, "url": U, "state": "closed"}, or
//              {"pr": N, "done_elsewhere": {"by": LOGIN, "association": A, "url": U}} by a trusted reviewer
//   duplicate  {"pr": N, "url": U, "state": "open", "confirmed": "how it is known to address the issue"}
//
// Any of them may have `lacks`, a sentence: what is missing, where whoever looked knows it better than these rules. A
// fact that could not be had is left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/record.h"

namespace pawl::story {

// All acceptance criteria pass at the commit of the story's branch, with nothing left uncommitted.
inline constexpr std::string_view kCriteria = "criteria";
inline constexpr std::string_view kPublished = "published";  // the branch is on the remote, the pull request exists
inline constexpr std::string_view kMergedGate = "merge";     // the pull request is merged
inline constexpr std::string_view kClosed = "closed";        // closed unmerged, or done elsewhere as a reviewer said
inline constexpr std::string_view kDuplicate = "duplicate";  // another pull request addresses the issue

// What to do where story.repo names no repository.
inline constexpr std::string_view kRepositoryToSet =
    "# set story.repo in pawl.toml to the repository that has the code, then type: pawl trust";

// Is it GitHub that knows? Else git alone does.
[[nodiscard]] bool needs_forge(std::string_view gate);

struct Verdict {
  bool met = false;
  Json evidence;      // what goes into the event: the facts, and of criteria what their checks said
  std::string lacks;  // a sentence, where it is not met
  std::string hint;   // what to type
};
[[nodiscard]] Verdict judge(std::string_view gate, const Record& story, const Json& facts);

// The acceptance criteria as texts, in order: free text, each as it stands there.
[[nodiscard]] std::vector<std::string> criteria_of(const Json& doc);

// What a move that a file alone tells of lacks for this gate; "": nothing that is known.
[[nodiscard]] std::string lacks_in_file(std::string_view gate, const Record& story);

}  // namespace pawl::story
