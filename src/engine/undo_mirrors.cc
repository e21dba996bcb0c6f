#include "engine/undo_mirrors.h"

#include <limits>

#include "base/text.h"
#include "core/merge_rows.h"

namespace pawl {
namespace {

constexpr std::int64_t kLatest = std::numeric_limits<std::int64_t>::max();

// A record at an event; a removed one has the values that it had before.
Result<std::optional<merge::OurRecord>> at_event(Transaction& store, const std::optional<Event>& event) {
  std::optional<merge::OurRecord> out;
  if (!event) return out;
  const Record& record = event->after;
  out = {{record.id.key, record.id.kind, record.status, record.doc}, merge::State::active, event->unverified};
  if (record.present()) {
    if (record.aside) out->state = merge::State::inactive;
    return out;
  }
  out->state = merge::State::removed;
  PAWL_ASSIGN(const auto operation, store.operation(event->operation));
  out->removed_by = operation && operation->outside ? merge::RemovedBy::outside : merge::RemovedBy::command;
  PAWL_ASSIGN(const auto before, store.event_before(record.id, event->id));
  if (!before) return out;
  out->entry.status = before->after.status;
  out->entry.members = before->after.doc;
  return out;
}

const merge::OurRecord* pointer_to(const std::optional<merge::OurRecord>& record) {
  return record ? &*record : nullptr;
}

Done revert_state(Mirror& mirror, std::int64_t operation) {
  const auto around = states_around(mirror, operation);
  if (!around) return done();
  const auto& [before, after] = *around;
  FileState now = state_of(mirror);
  const auto changed_since = [&](std::string_view what) {
    return fail(ErrorCode::conflict,
                cat("operation ", operation, " cannot be undone: ", what, " of ", printable(mirror.file.path),
                    " changed after it"),
                "undo the later change first");
  };
  mirror.write = true;
  if (before.owner != after.owner) {
    if (now.owner != after.owner) return changed_since("the owner");
    set_state(mirror, before);
    return done();
  }
  auto file = merge::revert_members(before.file, after.file, now.file);
  if (!file) return changed_since("a member");
  now.file = *std::move(file);
  now.order = now.order == after.order ? before.order : merge::weave(now.order, before.order);
  set_state(mirror, std::move(now));
  return done();
}

// Which later operation is in the way, or undid it already.
tl::unexpected<Error> stands_on_it(Transaction& store, const Event& event) {
  const std::string what = cat("operation ", event.operation, " cannot be undone: ");
  OperationQuery query;
  query.record = event.after.id;
  const auto later = store.operations(query);
  const Operation* in_the_way = nullptr;
  for (const Operation& one : later ? *later : std::vector<Operation>()) {
    if (one.undoes == event.operation)
      return fail(ErrorCode::conflict, cat("operation ", event.operation, " is undone already"),
                  cat("pawl undo ", one.id, "  # makes it again"));
    if (one.id > event.operation) in_the_way = &one;  // the oldest comes last
  }
  if (in_the_way == nullptr)
    return fail(ErrorCode::conflict,
                cat(what, "an edit outside pawl, found just now, changed ", printable(event.after.id.ref())),
                "undo that edit first");
  return fail(ErrorCode::conflict,
              cat(what, "operation ", in_the_way->id, " (", printable(in_the_way->verb), ") changed ",
                  printable(event.after.id.ref()), " after it"),
              cat("pawl undo ", in_the_way->id, "  # undoes the later change first"));
}

}  // namespace

Result<Change> revert_record(const View& view, const std::vector<const Event*>& events) {
  Transaction& store = view.store();
  const RecordId& id = events.back()->after.id;
  PAWL_ASSIGN(const auto earlier, store.event_before(id, events.front()->id));
  if (!earlier && events.front()->after.revision > 1)
    return fail(ErrorCode::not_found,
                cat("operation ", events.front()->operation, " is too old to be undone: the version of ",
                    printable(id.ref()), " before it is no longer kept"));
  PAWL_ASSIGN(const auto newest, store.event_at(id, kLatest));
  PAWL_ASSIGN(const auto before, at_event(store, earlier));
  PAWL_ASSIGN(const auto after, at_event(store, *events.back()));
  PAWL_ASSIGN(auto now, at_event(store, newest));
  PAWL_ASSIGN(const Record current, view.load(id));
  if (now && newest->after.revision != current.revision) {  // this command found an edit
    now->state = !current.present() ? merge::State::removed
                 : current.aside    ? merge::State::inactive
                                    : merge::State::active;
    if (current.present()) now->entry = {id.key, id.kind, current.status, current.doc};
  }
  const merge::Reverted back = merge::revert(pointer_to(before), pointer_to(after), pointer_to(now));
  if (back.refused) return stands_on_it(store, *events.back());
  Change change{current, current, "undone", Json(), back.record && back.record->unverified};
  change.evidence["operation"] = events.back()->operation;
  const bool there = back.record && back.record->state != merge::State::removed;
  change.after.status = there ? back.record->entry.status.get<std::string>() : std::string();
  change.after.aside = there && back.record->state == merge::State::inactive;
  change.after.held.reset();
  change.after.doc = there ? Doc(back.record->entry.members) : Doc();
  return change;
}

Result<std::set<std::string>> mirrors_of(Transaction& store, std::int64_t operation) {
  PAWL_ASSIGN(const auto conflicts, store.conflicts({.open_only = false, .operation = operation}));
  std::set<std::string> paths;
  for (const StoredConflict& conflict : conflicts) paths.insert(conflict.cell.path);
  return paths;
}

Done revert_mirrors(Snapshot& snapshot, Transaction& store, std::int64_t operation, std::int64_t by) {
  for (auto& [path, mirror] : snapshot.mirrors()) {
    PAWL_TRY(snapshot.load_images(mirror));
    PAWL_TRY(revert_state(mirror, operation));
    if (auto bytes = bytes_before(mirror, operation); bytes && mirror.write) mirror.source = std::move(bytes);
    PAWL_ASSIGN(const auto open, snapshot.conflicts().open(path));
    for (StoredConflict* const conflict : open) {
      if (conflict->opened == operation) snapshot.conflicts().close(*conflict, kUndone, by);
    }
    PAWL_ASSIGN(const auto closed, store.conflicts({.open_only = false, .path = path, .operation = operation}));
    for (const StoredConflict& conflict : closed) {
      const bool opens =
          conflict.why_closed == kAssigned || conflict.why_closed == kAgreed || conflict.why_closed == kRestored;
      if (conflict.closed != operation || !opens || is_of_whole_file(conflict)) continue;
      Snapshot::Reading reading;
      if (mirror.source) {
        PAWL_ASSIGN(reading, snapshot.read(mirror, *mirror.source));
      }
      const std::string scope = reading.content ? scope_of(mirror.file, reading.content->owner) : std::string();
      const auto shown = shown_in(reading.content ? &*reading.content : nullptr, scope, conflict);
      const auto theirs = theirs_in(conflict);
      snapshot.conflicts().reopen(conflict, merge::same(shown ? &*shown : nullptr, theirs ? &*theirs : nullptr));
    }
  }
  return done();
}

}  // namespace pawl
