// What the rest of the engine asks a format whose files go through the merge, answered by what it declares.
#include "core/mirror_format.h"

#include "core/file_spec.h"
#include "core/held_word.h"

namespace pawl {

Result<Content> MirrorFormat::parse(std::string_view path, std::string_view scope, std::string_view bytes) const {
  PAWL_ASSIGN(const merge::Content found, spec()->codec->parse(path, bytes, {}));
  Content content{found.owner, {}};
  for (const merge::Entry& entry : found.entries) {
    Shown& shown = content.shown.emplace_back();
    shown.id = {entry.kind, std::string(scope), entry.key};
    if (!entry.status.is_null()) shown.status = held_word(entry.status);
    shown.doc = entry.members;
  }
  return content;
}

std::optional<std::string> MirrorFormat::render(std::optional<std::string_view> base,
                                                std::span<const Record> records) const {
  merge::Content content;
  merge::Wanted wanted{content, {}, {}};
  for (const Record& record : records) {
    if (!record.present()) continue;
    content.entries.push_back({record.id.key, record.id.kind, record.status, record.doc});
    if (record.held) wanted.left[record.id.key].insert(std::string(merge::kStatus));
  }
  if (content.entries.empty()) return std::nullopt;
  const merge::Codec& codec = *spec()->codec;
  return base && codec.parse({}, *base, {}) ? codec.patch({}, *base, wanted) : codec.fresh({}, wanted);
}

Gone MirrorFormat::gone(const Record& /*record*/) const {
  const FileLaw& law = *spec()->law;
  if (law.on_gone == FileLaw::OnGone::end) return {std::string(law.gone_status), true};
  return law.on_gone == FileLaw::OnGone::remove ? Gone{std::string(kAbsent), false} : Gone{{}, true};
}

}  // namespace pawl
