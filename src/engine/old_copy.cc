#include "engine/old_copy.h"

#include <limits>
#include <set>

#include "base/json_same.h"

namespace pawl {
namespace {

// One member of what a record shows: its status under "", the others under their names.
std::optional<Json> part_of(const Shown& shown, const std::string& name) {
  if (name.empty()) return shown.status ? std::optional<Json>(*shown.status) : std::nullopt;
  const auto found = shown.doc.find(name);
  return found == shown.doc.end() ? std::nullopt : std::optional<Json>(*found);
}

void take_member(const Shown& from, const std::string& name, Shown& into) {
  if (const auto found = from.doc.find(name); found != from.doc.end()) {
    into.doc[name] = *found;
  } else {
    into.doc.erase(name);
  }
}

}  // namespace

void take_refused_out(const MirrorFormat& format, const std::string& member, const Shown& written, Shown& before) {
  if (!member.empty()) return take_member(written, member, before);
  before.status = written.status;
  for (const std::string& name : format.members_of_status()) take_member(written, name, before);
}

Result<bool> stood_so_before(Transaction& store, const MirrorFormat& format, const Shown& now) {
  constexpr int kMost = 500;  // of what happened to one record
  PAWL_ASSIGN(auto event, store.event_at(now.id, std::numeric_limits<std::int64_t>::max()));
  for (int i = 0; event && event->after.present() && i < kMost; ++i) {
    const Record& then = event->after;
    Json doc = now.doc;
    format.keep_counting(then, doc);
    if (now.status == then.held.value_or(then.status) && same_value(then.doc, doc)) return true;
    PAWL_ASSIGN(event, store.event_before(now.id, event->id));
  }
  return false;
}

bool is_old_copy(const Shown& before, const Shown& written, const Shown& now) {
  std::set<std::string> names = {""};
  for (const Shown* shown : {&before, &written, &now}) {
    for (const auto& [key, value] : shown->doc.items()) names.insert(key);
  }
  bool pawl_changed = false, edited = false;
  for (const std::string& name : names) {
    const bool ours = part_of(before, name) != part_of(written, name);
    const bool theirs = part_of(before, name) != part_of(now, name);
    if (ours && theirs) return false;
    pawl_changed = pawl_changed || ours;
    edited = edited || theirs;
  }
  return pawl_changed && edited;
}

}  // namespace pawl
