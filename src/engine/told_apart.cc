#include "engine/told_apart.h"

namespace pawl {

Result<std::string> told_apart(const View& view, const Lifecycles& lifecycles, const RecordId& id, std::string advice) {
  const auto in_its_file = lifecycles.find(id.kind)->in_its_file;
  if (in_its_file == nullptr || advice.empty()) return advice;
  PAWL_ASSIGN(const auto ids, view.store().find_key(id.key));
  for (const RecordId& other : ids) {
    if (other == id || lifecycles.find(other.kind) == nullptr) continue;
    if (lifecycles.find(other.kind)->in_its_file != in_its_file) continue;
    PAWL_ASSIGN(const Record record, view.load(other, RecordPart::without_doc));
    if (record.present() && !record.aside) return in_its_file(advice, id);
  }
  return advice;
}

}  // namespace pawl
