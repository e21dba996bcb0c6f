#include "engine/set_aside.h"

#include <limits>
#include <set>

#include "base/text.h"
#include "engine/recorded_before.h"

namespace pawl {

Result<std::vector<AsideWithFile>> aside_with_files(const MirrorWorld& world, Transaction& store) {
  std::vector<AsideWithFile> out;
  std::set<std::string> seen;
  for (const Lifecycle& lifecycle : world.lifecycles->rows()) {
    if (lifecycle.of_a_session) continue;
    for (const MirrorFormat* format : lifecycle.formats) {
      // Only of what is set aside when its file is removed.
      if (!format->gone(absent_record({std::string(lifecycle.kind), "", "one"})).aside) continue;
      PAWL_ASSIGN(const auto rows, store.mirrors(format->name()));
      for (const MirrorRow& row : rows) {
        if (row.bytes || !row.before || !seen.insert(row.path).second) continue;
        const auto content = content_of({row.path, row.scope, format}, store, *row.before);
        if (!content) continue;
        std::size_t count = 0;
        std::string first;
        std::int64_t operation = 0;
        for (const Shown& shown : content->shown) {
          const Lifecycle* const its = world.lifecycles->find(shown.id.kind);
          PAWL_ASSIGN(const Record record, store.load(shown.id, RecordPart::without_doc));
          if (!record.present() || !record.aside || its == nullptr || its->machine->terminal(record.status)) continue;
          if (++count > 1) continue;
          first = printable(record.id.ref());
          PAWL_ASSIGN(const auto event, store.event_at(record.id, std::numeric_limits<std::int64_t>::max()));
          if (event) operation = event->operation;
        }
        if (count == 0) continue;
        out.push_back({cat(printable(row.path), " is not there; ", first,
                           count > 1 ? cat(" and ", count - 1, " more are") : std::string(" is"), " set aside with it"),
                       cat("pawl undo ", operation, "  # brings ", count > 1 ? "them" : "it", " back, with the file")});
      }
    }
  }
  return out;
}

}  // namespace pawl
