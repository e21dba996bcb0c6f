#include "engine/replaced.h"

#include <set>

#include "base/digest.h"
#include "base/text.h"
#include "engine/recorded_before.h"

namespace pawl {
namespace {

std::string names_begin(const MirrorFile& file) { return cat("replaced.", file.path, " "); }

}  // namespace

Result<std::string> keep_replaced(Transaction& store, const MirrorFile& file, std::string_view bytes) {
  constexpr std::size_t kMost = std::size_t{8} << 20U;
  if (bytes.size() > kMost) return std::string();
  std::string name = cat(names_begin(file), digest(bytes));
  while (true) {  // two that share a digest are two
    PAWL_ASSIGN(const auto there, store.kept(name));
    if (there == bytes) return name;
    if (!there) break;
    name += '+';
  }
  PAWL_TRY(store.keep(name, bytes));
  return name;
}

Result<bool> take_back_replaced(const View& after, const PlannedFile& planned, std::vector<Record>& records,
                                std::optional<std::string_view>& base, std::optional<std::string>& kept) {
  const MirrorFile& file = planned.seen.file;
  if (!planned.replaced_back.starts_with(names_begin(file))) return false;
  PAWL_ASSIGN(auto earlier, after.store().kept(planned.replaced_back));
  if (!earlier) return false;
  // Others that stand in either: what is there shows, and what is not any more goes.
  std::set<RecordId> known(planned.show.begin(), planned.show.end());
  for (const std::string_view bytes : {base.value_or(std::string_view(*earlier)), std::string_view(*earlier)}) {
    PAWL_ASSIGN(Content content, file.format->parse(file.path, file.scope, bytes));
    PAWL_TRY(file.format->name_records(content, RecordedAfter(after)));
    for (const Shown& shown : content.shown) {
      if (!known.insert(shown.id).second) continue;
      PAWL_ASSIGN(Record record, after.load(shown.id));
      records.push_back(record.present() && !record.aside ? std::move(record) : absent_record(shown.id));
    }
  }
  kept = std::move(earlier);
  base = *kept;
  return true;
}

}  // namespace pawl
