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

}  // namespace pawl
