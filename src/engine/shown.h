// What a file shows of a record, and the record: the one as the other, and whether they say the same.
#pragma once

#include <optional>
#include <string>

#include "core/mirror_format.h"

namespace pawl {

// A record as a file that is in step would show it.
[[nodiscard]] inline Shown as_shown(const Record& record) {
  return {record.id, record.held ? std::optional<std::string>(*record.held) : std::optional<std::string>(record.status),
          record.doc};
}

// What a file shows of something that pawl does not have, as a record of it would be.
[[nodiscard]] inline Record record_of(const Shown& shown) {
  Record record = absent_record(shown.id);
  record.status = shown.status.value_or("");
  record.doc = shown.doc;
  record.revision = 1;
  return record;
}

// Does a file say of a record what is recorded?
[[nodiscard]] inline bool says_the_same(const Shown& shown, const Record& record) {
  if (shown.status && *shown.status != record.held.value_or(record.status)) return false;
  for (const auto& [name, value] : shown.doc.items()) {
    if (name == "updated") continue;  // when it was written, not what
    const auto found = record.doc.find(name);
    if (found == record.doc.end() || *found != value) return false;
  }
  return true;
}

}  // namespace pawl
