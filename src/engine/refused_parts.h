// What was refused of a file when a copy of it was put into refused/. The rest of that edit was taken over, and work
// goes on after it: compared with what is recorded later, a copy would seem to ask for all of that to be taken back.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/outside.h"
#include "store/store.h"

namespace pawl {

struct RefusedPart {
  RecordId id;
  std::string member;  // "": its status
};

struct RefusedParts {
  std::vector<RefusedPart> parts;
  bool whole = false;  // of one of them nothing at all was taken over: then the copy counts as it is
};

// `copy`: its path or name. In the transaction that puts the values back.
[[nodiscard]] Done keep_parts(Transaction& store, const std::string& copy, const std::vector<Refusal>& refusals);

// Nothing: it was kept by a pawl that did not write it down, or by `pawl restore`.
[[nodiscard]] Result<std::optional<RefusedParts>> parts_of(Transaction& store, const std::string& copy);

}  // namespace pawl
