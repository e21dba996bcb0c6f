#include "engine/undo_files.h"

#include <unistd.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "engine/found_apart.h"
#include "engine/recorded_before.h"

namespace pawl {
namespace {

bool is_of_a_file(const Event& event) { return event.from.empty() && !event.after.present(); }

Done put_new(const Engine& engine, const FileBack& back) {
  PAWL_ASSIGN(const auto place, engine.world().roots->find(back.file.path, true));
  if (!place) return fail(ErrorCode::io, "its folder is not there");
  PAWL_ASSIGN(const Fd staging, open_real_folder(tmp_folder(engine.workspace())));
  const std::string name = cat("back-", getpid(), "-", engine.clock().now().boot_ms);
  PAWL_TRY(write_synced_at(staging.get(), name, back.bytes, {0644, {}}));
  Done moved = move_new_at(staging.get(), name, place->folder.get(), place->name);
  if (!moved) {
    if (const Done removed = remove_at(staging.get(), name); !removed) return removed;
  }
  return moved;
}

}  // namespace

// What another file adds to one that came in came in with it.
bool only_came_in(const Operation& operation, const std::vector<Event>& events) {
  std::set<RecordId> came;
  return operation.outside && !events.empty() && std::all_of(events.begin(), events.end(), [&](const Event& event) {
           if (event.what == kAdopted && event.from.empty()) came.insert(event.after.id);
           return came.contains(event.after.id) && event.after.present();
         });
}

Result<std::string> file_that_came(const Engine& engine, Transaction& store, const Operation& operation,
                                   const std::vector<Event>& events) {
  if (!only_came_in(operation, events)) return std::string();
  std::set<RecordId> came;
  for (const Event& event : events) came.insert(event.after.id);
  std::set<std::string> looked_at;
  for (const RecordId& id : came) {
    for (const MirrorFile& file : files_of(engine.world(), id)) {
      if (!looked_at.insert(file.path).second) continue;
      PAWL_ASSIGN(const auto row, store.mirror(file.path));
      if (!row || !row->bytes) continue;
      const auto content = content_of(file, store, *row->bytes);
      if (!content || content->shown.empty()) continue;
      if (std::all_of(content->shown.begin(), content->shown.end(),
                      [&](const Shown& shown) { return came.contains(shown.id); }))
        return file.path;
    }
  }
  return std::string();
}

Result<bool> only_came_back(Transaction& store, const Operation& operation, const std::vector<Event>& events) {
  if (!operation.outside) return false;
  bool back = false;
  for (const Event& event : events) {
    PAWL_ASSIGN(const auto earlier, store.event_before(event.after.id, event.id));
    const bool was_there = earlier && earlier->after.present() && !earlier->after.aside;
    const bool is_there = event.after.present() && !event.after.aside;
    if (was_there && !is_there) return false;
    back = back || (is_there && earlier && earlier->after.present() && earlier->after.aside);
  }
  return back;
}

Result<bool> changed_nothing_else(Transaction& store, const std::vector<Event>& events) {
  for (const Event& event : events) {
    PAWL_ASSIGN(const auto earlier, store.event_before(event.after.id, event.id));
    Record before = earlier ? earlier->after : absent_record(event.after.id);
    if (before.present()) before.aside = event.after.aside;
    if (!event.after.same_content(before)) return false;
  }
  return true;
}

bool took_a_file(const std::vector<Event>& events) {
  return !events.empty() && std::all_of(events.begin(), events.end(), is_of_a_file);
}

Result<std::vector<FileBack>> unread_files_of(const Engine& engine, Transaction& store,
                                              const std::vector<Event>& events) {
  std::vector<FileBack> out;
  if (!took_a_file(events)) return out;
  for (const Event& event : events) {
    for (const MirrorFile& file : files_of(engine.world(), event.after.id)) {
      PAWL_ASSIGN(const auto row, store.mirror(file.path));
      if (row && !row->bytes && row->before) out.push_back({file, *row->before});
    }
  }
  return out;
}

void put_unread_back(const Engine& engine, const FileBack& back) {
  if (const Done put = put_new(engine, back); !put)
    engine.note(cat(printable(back.file.path), " could not be put back: ", put.error().message,
                    "; as it was it is kept in .pawl/damaged"));
}

}  // namespace pawl
