#include "lifecycles/review/review_file.h"

#include "base/clock.h"
#include "base/text.h"

namespace pawl::review {

std::vector<MirrorPlace> ReviewFile::places(const Settings&) const { return {{std::string(kFolder), {}}}; }
bool ReviewFile::accepts(std::string_view file_name) const { return path_.ends_with(cat("/", file_name)); }
std::optional<std::string> ReviewFile::path_of(const RecordId& id, const Settings&) const {
  return shows_kind(id.kind) ? std::optional(std::string(path_)) : std::nullopt;
}
std::optional<std::string> ReviewFile::identity_of(const RecordId& id) const { return std::string(pr_of(id.key)); }
void ReviewFile::tell_when(const Record& before, Json& doc, std::int64_t now_ms) const {
  if (string_or(doc, "updated") == string_or(before.doc, "updated")) doc["updated"] = iso_time(now_ms);
}
Gone ReviewFile::gone(const Record&) const { return {std::string(kAbsent), false}; }

}  // namespace pawl::review
