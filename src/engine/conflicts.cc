#include "engine/conflicts.h"

#include <algorithm>

#include "base/json_same.h"
#include "core/merge_rows.h"

namespace pawl {
namespace {

std::optional<Json> read_value(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  auto value = parse_json(*text);
  return value ? std::move(*value) : Json();
}

bool same_value_of(const std::optional<std::string>& a, const std::optional<std::string>& b) {
  const auto x = read_value(a), y = read_value(b);
  return merge::same(x ? &*x : nullptr, y ? &*y : nullptr);
}

std::optional<Json> member_of(const Json& object, const std::string& name) {
  const auto found = object.find(name);
  return found == object.end() ? std::nullopt : std::optional<Json>(*found);
}

}  // namespace

merge::Code code_of(const StoredConflict& conflict) {
  return merge::code_named(conflict.code).value_or(merge::Code::unreadable);
}

bool is_of_whole_file(const StoredConflict& conflict) { return merge::is_of_whole_file(code_of(conflict)); }

bool blocks(const StoredConflict& conflict) { return conflict.cell.member == merge::kStatus && !conflict.ours; }

std::optional<Json> theirs_in(const StoredConflict& conflict) { return read_value(conflict.theirs); }

std::vector<merge::Waiting> waiting_in(const StoredConflict& conflict) {
  std::vector<merge::Waiting> out;
  const auto group = conflict.group.empty() ? Result<Json>(Json::array()) : parse_json(conflict.group);
  if (!group || !group->is_array()) return out;
  for (const Json& one : *group) {
    if (one.is_object()) out.push_back({string_or(one, "member"), member_of(one, "theirs")});
  }
  return out;
}

merge::Conflict as_found(const StoredConflict& stored) {
  return {stored.cell.record.key, stored.cell.record.kind, stored.cell.member, read_value(stored.ours),
          theirs_in(stored),      code_of(stored),         waiting_in(stored)};
}

StoredConflict as_stored(const merge::Conflict& found, const std::string& path, const std::string& scope) {
  StoredConflict out;
  out.cell = {path, {found.kind, scope, found.key}, found.member};
  out.code = merge::name_of(found.code);
  if (found.ours) out.ours = to_line(*found.ours);
  if (found.theirs) out.theirs = to_line(*found.theirs);
  Json group = Json::array();
  for (const merge::Waiting& one : found.group) {
    Json waiting = {{"member", one.member}};
    if (one.theirs) waiting["theirs"] = *one.theirs;
    group.push_back(std::move(waiting));
  }
  if (!group.empty()) out.group = to_line(group);
  return out;
}

std::optional<Json> shown_in(const merge::Content* content, const std::string& scope, const StoredConflict& conflict) {
  const ConflictCell& cell = conflict.cell;
  if (content == nullptr || is_of_whole_file(conflict) || cell.record.scope != scope) return std::nullopt;
  if (code_of(conflict) == merge::Code::unread) return Json(content->unread);
  if (cell.record.key == merge::kFileKey) return member_of(content->file, cell.member);
  const auto entry = std::find_if(content->entries.begin(), content->entries.end(), [&](const merge::Entry& one) {
    return one.key == cell.record.key && one.kind == cell.record.kind;
  });
  if (entry == content->entries.end()) return std::nullopt;
  if (cell.member == merge::kPresence) return merge::value_of(*entry);
  if (cell.member == merge::kStatus) return entry->status;
  return member_of(entry->members, cell.member);
}

Result<std::vector<StoredConflict*>> Conflicts::open(const std::string& path) {
  if (loaded_.insert(path).second) {
    PAWL_ASSIGN(auto known, store_.conflicts({.path = path}));
    for (StoredConflict& one : known) all_.push_back({std::move(one)});
  }
  std::vector<StoredConflict*> out;
  for (Entry& entry : all_) {
    if (entry.conflict.cell.path == path && entry.conflict.closed == 0) out.push_back(&entry.conflict);
  }
  return out;
}

std::vector<StoredConflict*> Conflicts::open_at_hand() {
  std::vector<StoredConflict*> out;
  for (Entry& entry : all_) {
    if (entry.conflict.closed == 0) out.push_back(&entry.conflict);
  }
  return out;
}

Conflicts::Entry& Conflicts::entry_of(const StoredConflict& conflict) {
  return *std::find_if(all_.begin(), all_.end(), [&](const Entry& entry) { return &entry.conflict == &conflict; });
}

Done Conflicts::add(StoredConflict conflict, std::int64_t operation) {
  PAWL_ASSIGN(const auto known, open(conflict.cell.path));
  for (StoredConflict* const other : known) {
    if (other->cell != conflict.cell) continue;
    if (other->code == conflict.code && same_value_of(other->theirs, conflict.theirs)) {
      set_in_file(*other, conflict.in_file);
      return done();
    }
    if (blocks(*other)) conflict.ours.reset();
    close(*other, kSuperseded, operation);
  }
  conflict.opened = operation;
  all_.push_back({std::move(conflict), true});
  return done();
}

void Conflicts::close(StoredConflict& conflict, std::string_view why, std::int64_t operation) {
  conflict.closed = std::max<std::int64_t>(1, operation);
  conflict.why_closed = why;
  conflict.in_file = false;
  entry_of(conflict).changed = true;
}

void Conflicts::move(StoredConflict& conflict, std::string scope) {
  conflict.cell.record.scope = std::move(scope);
  entry_of(conflict).changed = true;
}

void Conflicts::set_in_file(StoredConflict& conflict, bool in_file) {
  if (conflict.in_file == in_file) return;
  conflict.in_file = in_file;
  entry_of(conflict).changed = true;
}

void Conflicts::reopen(StoredConflict conflict, bool in_file) {
  conflict.closed = 0;
  conflict.why_closed.clear();
  conflict.in_file = in_file;
  all_.push_back({std::move(conflict), true});
}

std::vector<StoredConflict> Conflicts::changed() const {
  std::vector<StoredConflict> out;
  for (const Entry& entry : all_) {
    if (entry.changed) out.push_back(entry.conflict);
  }
  return out;
}

void Conflicts::forget(const std::string& path) {
  loaded_.erase(path);
  std::erase_if(all_, [&](const Entry& entry) { return entry.conflict.cell.path == path; });
}

}  // namespace pawl
