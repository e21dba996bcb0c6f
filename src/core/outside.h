// The law for changes that were not asked for but found in a file: which are taken over, and which are put back.
// Pure. What the file said when pawl last wrote it is the base; only what differs from the base is a change,
// so a tool that saves an old copy with one field edited changes that field alone.
#pragma once

#include <string>
#include <vector>

#include "core/decide.h"
#include "core/lifecycle.h"

namespace pawl {

// What an event is called by which a status came in that no move leads to: from a file that git brought, or that went
// on without pawl.
inline constexpr std::string_view kAsItStands = "taken as it stands";

struct OutsideRules {
  bool record_gates = false;  // gates = "record"
  std::string accepted_by;    // a person takes the file as it is (`pawl accept`): reason gates are met by that
  // And git brought it: which version counts was chosen with git, so it stands to the byte, a status also where no move
  // leads to it. But what has ended, and does not come back by its format, does not by git.
  bool by_git = false;
  std::optional<GateBeside> beside = std::nullopt;  // of the record that this is about
  bool left_standing = false;                       // outside = "flag": a refused status stays in the file as it is
};

struct Refusal {
  RecordId id;
  std::string written;  // what stood in the file; "": nothing
  std::string kept;     // what stays
  Error why;
  bool of_status = true;    // of another member: what stands there is never left standing in the place of a status
  std::string member = {};  // which one that is
  bool whole = false;       // nothing of what the file says of it was taken over, and not only its status was not
};

struct TakenOver {
  std::vector<Change> changes;
  std::vector<Refusal> refusals;

  [[nodiscard]] bool empty() const { return changes.empty() && refusals.empty(); }
};

// A record that the base knows and the file still shows. `record` is the newest one.
void take_over_edit(const Lifecycle& lifecycle, const MirrorFormat& format, const Record& record, const Shown& base,
                    const Shown& now, const OutsideRules& rules, TakenOver& out);

// "story/A is committed now, unverified: nothing shows “criteria” (…)", of a change that is.
[[nodiscard]] std::string unverified_in_words(const Change& made);

// A record that comes in from a file. A status that does not exist is held as it is; so is one in which no record
// begins, where whoever wrote the file is not believed.
[[nodiscard]] Change adopt(const Lifecycle& lifecycle, const Record& before, const Shown& now, bool believed = true);

// A record whose file was removed by hand, or which was taken out of it: the user's emergency stop.
[[nodiscard]] Change take_away(const Record& record, const Gone& gone);
// And where the file is there, and it was taken out.
inline constexpr std::string_view kTakenOut = "taken out of its file";

// A file that showed a part of the record is gone, or does not show it any more: that part goes.
[[nodiscard]] Change take_part_away(const Record& record, const Shown& shown);

// Kept as it is, but no longer what its file shows.
[[nodiscard]] Change set_aside(const Record& record);

}  // namespace pawl
