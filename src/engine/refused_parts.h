// What was refused of a file when a copy of it was put into refused/. The rest of that edit was taken over, and work
// goes on after it: compared with what is recorded later, a copy would seem to ask for all of that to be taken back.
// And a copy is a file that anybody may write into: whoever accepts it has been told of what was refused then, so one
// that has changed since is not taken.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/outside.h"
#include "store/store.h"

namespace pawl {

struct RefusedPart {
  RecordId id;
  std::string member;                  // "": its status
  std::string why = {};                // in the words of then; "": a pawl kept it that did not write that down
  std::optional<bool> taken_out = {};  // by that, as it was not there; nothing: as `why`
};

struct RefusedParts {
  std::vector<RefusedPart> parts;
  bool whole = false;  // of one of them nothing at all was taken over: then the copy counts as it is
  std::string mark;    // of the copy as it was kept; "": a pawl kept it that did not write that down
  std::string digest;  // what a pawl wrote down that had no marks; it tells accidents, and nobody who means to deceive
};

// What tells whether a copy is what it was (base/fingerprint.h), as text.
[[nodiscard]] std::string mark_of_copy(std::string_view bytes);
// `path`: the file's; `copy`: its path or name; `mark`: of what is in it. In the transaction that puts the values back.
[[nodiscard]] Done keep_parts(Transaction& store, const std::string& path, const std::string& copy,
                              const std::string& mark, const std::vector<Refusal>& refusals);
// Conflict: the copy does not say any more what was refused.
[[nodiscard]] Done must_be_as_refused(const RefusedParts& parts, const std::string& copy, std::string_view bytes);

// Nothing: it was kept by a pawl that did not write it down, or by `pawl restore`.
[[nodiscard]] Result<std::optional<RefusedParts>> parts_of(Transaction& store, const std::string& copy);

// What was refused of these bytes, which stood in the file when pawl last put something back there; nothing of others.
// It is known whatever became of the copy: `pawl dismiss` says that it may go, and not that it may be written again.
[[nodiscard]] Result<std::vector<RefusedPart>> put_back_from(Transaction& store, const std::string& path,
                                                             std::string_view bytes);

}  // namespace pawl
