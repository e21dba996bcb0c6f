// What a file says about one record among many, looked up: a file may show thousands.
#pragma once

#include <map>

#include "core/mirror_format.h"

namespace pawl {

class ShownById {
 public:
  explicit ShownById(const Content& content) {
    for (const Shown& shown : content.shown) by_id_.emplace(&shown.id, &shown);
  }
  [[nodiscard]] const Shown* find(const RecordId& id) const {
    const auto found = by_id_.find(&id);
    return found == by_id_.end() ? nullptr : found->second;
  }

 private:
  struct Less {
    bool operator()(const RecordId* a, const RecordId* b) const { return *a < *b; }
  };
  std::map<const RecordId*, const Shown*, Less> by_id_;
};

// A record as a file that is in step would show it.
[[nodiscard]] inline Shown as_shown(const Record& record) {
  return {record.id, record.held ? std::optional<std::string>(*record.held) : std::optional<std::string>(record.status),
          record.doc};
}

// What a file shows of something that pawl does not have, as a record of it would be.
[[nodiscard]] inline Record as_it_stands(const Shown& shown) {
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
