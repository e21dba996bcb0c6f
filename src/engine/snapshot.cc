#include "engine/snapshot.h"

#include <algorithm>

#include "base/digest.h"
#include "base/text.h"
#include "core/held_word.h"
#include "core/merge_rows.h"
#include "engine/found_apart.h"
#include "engine/git_state.h"

namespace pawl {

merge::Policy policy_of(const MirrorWorld& world, const MirrorFile& file) {
  merge::Policy policy;
  const FileSpec& spec = *file.format->spec();
  const Lifecycle* const lifecycle = world.lifecycles->find(spec.law->kinds.front().kind);
  if (lifecycle != nullptr && records_gates(*lifecycle, *world.settings)) policy.gates = merge::Gates::record;
  if (world.settings->text("outside") == "flag") policy.outside = merge::Outside::flag;
  return policy;
}

Done Snapshot::look(const MirrorFile& file) {
  if (mirrors_.contains(file.path)) return done();
  const std::size_t notes = notes_.size();
  std::vector<std::size_t> changes;
  for (const FoundOperation& operation : operations_) changes.push_back(operation.changes.size());
  Mirror& mirror = mirrors_[file.path];
  mirror.file = file;
  const Done looked = look_at(mirror);
  if (looked) return looked;
  operations_.resize(changes.size());
  for (std::size_t i = 0; i < changes.size(); ++i) {
    auto& kept = operations_[i].changes;
    kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(changes[i]), kept.end());
  }
  records_.rebuild(operations_);
  notes_.resize(notes, Note{NoteCode::open});
  conflicts_.forget(file.path);
  mirrors_.erase(file.path);
  return looked;
}

Done Snapshot::look_at(Mirror& mirror) {
  mirror.row.path = mirror.file.path;
  PAWL_ASSIGN(auto row, store_.mirror(mirror.file.path));
  mirror.known = row.has_value();
  if (row) mirror.row = *std::move(row);
  mirror.row.format = mirror.file.format->name();
  mirror.row.scope = mirror.file.scope;
  if (!is_staged_name(mirror.row.staged, mirror.file.path)) mirror.row.staged.clear();
  PAWL_TRY(settle_held(mirror));
  PAWL_ASSIGN(auto moved_aside, displaced(mirror));
  PAWL_ASSIGN(Version now, file(mirror));
  for (Version& version : moved_aside) PAWL_TRY(judge(mirror, std::move(version)));
  mirror.source = mirror.row.bytes;
  PAWL_TRY(judge(mirror, std::move(now)));
  mirror.write = mirror.write || mirror.row.state == kWaits;
  return done();
}

// 0.1.0 held a record whose word was no status. Now it has the status of a new one, and a conflict that blocks it.
Done Snapshot::settle_held(Mirror& mirror) {
  if (!mirror.known || mirror.row.merge != MergeFacts()) return done();
  PAWL_ASSIGN(const auto records, records_.of(mirror.file, mirror.row.merge.owner));
  for (const Record& record : records) {
    if (!record.held) continue;
    const KindLaw& law = mirror.spec().law->of(record.id.kind);
    const Json theirs = held_value(*record.held);
    merge::Conflict found{record.id.key, record.id.kind, std::string(merge::kStatus),
                          std::nullopt,  theirs,         merge::Code::unknown_status};
    if (law.machine->status(*record.held) != nullptr) found.code = merge::Code::not_a_start;
    StoredConflict conflict = as_stored(found, mirror.file.path, record.id.scope);
    conflict.in_file = true;
    const std::size_t place = begin(FoundOperation::Sort::edit);
    PAWL_ASSIGN(const std::int64_t number, number_of(place));
    PAWL_ASSIGN(merge::OurRecord after, records_.as_ours(record));
    after.entry.status = std::string(law.start());
    PAWL_TRY(records_.put(operations_[place], record.id, std::move(after), "held by a conflict"));
    PAWL_TRY(conflicts_.add(std::move(conflict), number));
    mirror.changed = true;
  }
  return done();
}

Done Snapshot::leave_for_later(const MirrorFile& file) {
  Mirror& mirror = mirrors_[file.path];
  mirror.file = file;
  mirror.row.path = file.path;
  mirror.row.format = file.format->name();
  mirror.row.scope = file.scope;
  PAWL_ASSIGN(auto row, store_.mirror(file.path));
  mirror.known = row.has_value();
  if (row) mirror.row = *std::move(row);
  mirror.waits = mirror.write = true;
  return done();
}

Result<std::int64_t> Snapshot::newest_in_store() const {
  if (!newest_in_store_) {
    OperationQuery query;
    query.limit = 1;
    PAWL_ASSIGN(const auto newest, store_.operations(query));
    newest_in_store_ = newest.empty() ? 0 : newest.front().id;
  }
  return *newest_in_store_;
}

Result<std::int64_t> Snapshot::number_of(std::size_t place) const {
  PAWL_ASSIGN(const std::int64_t newest, newest_in_store());
  return newest + static_cast<std::int64_t>(place) + 1;
}

Result<std::int64_t> Snapshot::newest_number() const {
  PAWL_ASSIGN(const std::int64_t next, number_of(operations_.size()));
  return next - 1;
}

// The place of an operation that found changes go into.
std::size_t Snapshot::begin(FoundOperation::Sort sort) {
  for (std::size_t i = 0; sort != FoundOperation::Sort::edit && i < operations_.size(); ++i) {
    if (operations_[i].sort == sort) return i;
  }
  operations_.push_back({sort});
  return operations_.size() - 1;
}

Done Snapshot::load_images(Mirror& mirror) const {
  if (mirror.has_images) return done();
  mirror.has_images = true;
  PAWL_ASSIGN(auto known, store_.images({.path = mirror.file.path}));
  mirror.images.insert(mirror.images.begin(), std::make_move_iterator(known.begin()),
                       std::make_move_iterator(known.end()));
  return done();
}

void Snapshot::note(NoteCode code, const Mirror& mirror, std::vector<RecordId> ids, Json args, std::int64_t operation) {
  add_note(notes_, {code, mirror.file.path, std::move(ids), std::move(args), operation});
}

// ---- judging

Done Snapshot::judge(Mirror& mirror, Version version) {
  PAWL_ASSIGN(const merge::FileCase found, facts(mirror, version));
  const merge::Verdict row = merge::judge_file(found);
  using merge::Act;
  switch (row.act) {
    case Act::wait:
      mirror.waits = true;
      note(found.in_use ? NoteCode::open : NoteCode::git_at_work, mirror);
      return done();
    case Act::keep: {
      if (mirror.row.state != kLeftToGit) return done();
      PAWL_ASSIGN(const auto open, conflicts_.open(mirror.file.path));
      PAWL_ASSIGN(const std::int64_t operation, newest_number());
      for (StoredConflict* const conflict : open) {
        if (!merge::leaves_file_alone(code_of(*conflict))) continue;
        conflicts_.close(*conflict, kFileBack, operation);
        mirror.write = mirror.changed = true;
      }
      return done();
    }
    case Act::write_back:
    case Act::keep_image:
      PAWL_TRY(load_images(mirror));
      if (row.act == Act::keep_image) {
        add_image(mirror, ImageKind::kept, version.content->owner, version.bytes, &*version.content, 0);
        note(NoteCode::late, mirror);
      } else {
        note(NoteCode::stale, mirror);
      }
      mirror.source = mirror.row.bytes;
      mirror.write = mirror.changed = true;
      return done();
    case Act::on_gone:
      return gone(mirror);
    case Act::on_damage:
      return unreadable(mirror, version);
    case Act::conflict:
      if (row.row != "ended")
        return leave_alone(mirror, version, merge::code_named(row.row).value_or(merge::Code::unreadable));
      [[fallthrough]];
    default:
      return merge_records(mirror, version, row);
  }
}

Done Snapshot::gone(Mirror& mirror) {
  PAWL_TRY(load_images(mirror));
  const FileLaw& law = *mirror.spec().law;
  const std::string owner = mirror.row.merge.owner;
  PAWL_ASSIGN(const auto records, records_.ours(mirror.file, owner, {}));
  const std::size_t place = begin(FoundOperation::Sort::gone);
  const std::string scope = scope_of(mirror.file, owner);
  std::vector<RecordId> ids;
  std::string became = law.on_gone == FileLaw::OnGone::remove ? "removed" : "inactive";
  for (const merge::OurRecord& record : records) {
    if (record.state != merge::State::active) continue;
    ids.push_back({record.entry.kind, scope, record.entry.key});
    merge::OurRecord after = merge::gone(law, record);
    if (law.on_gone == FileLaw::OnGone::end) became = after.entry.status.get<std::string>();
    PAWL_TRY(records_.put(operations_[place], ids.back(), std::move(after), "file removed outside"));
  }
  PAWL_ASSIGN(const std::int64_t number, number_of(place));
  PAWL_TRY(close_not_shown(mirror, nullptr, number));
  if (operations_[place].changes.empty()) operations_.pop_back();
  mirror.changed = mirror.changed || mirror.row.bytes.has_value() || !mirror.row.staged.empty();
  // How the file was spelled is kept, in case its records return.
  if (mirror.row.bytes) mirror.row.before = mirror.row.bytes;
  mirror.row.bytes.reset();
  mirror.row.staged.clear();
  mirror.row.state.clear();
  mirror.source.reset();
  if (!ids.empty()) note(NoteCode::gone, mirror, std::move(ids), {{"became", std::move(became)}}, number);
  return done();
}

// With a baseline, ours is written in its place. Without one the bytes stay until a command writes the file.
Done Snapshot::unreadable(Mirror& mirror, const Version& version) {
  PAWL_TRY(load_images(mirror));
  PAWL_ASSIGN(const std::int64_t number, newest_number());
  add_image(mirror, ImageKind::kept, "", version.bytes, nullptr, number);
  mirror.changed = true;
  if (version.found.displaced) {
    note(NoteCode::unreadable, mirror, {}, {{"why", version.damage}, {"displaced", true}});
    return done();
  }
  PAWL_ASSIGN(const auto open, conflicts_.open(mirror.file.path));
  for (StoredConflict* const conflict : open) {
    if (merge::leaves_file_alone(code_of(*conflict))) conflicts_.close(*conflict, kFileChanged, number);
  }
  const bool left_alone = !mirror.row.bytes;
  if (left_alone || mirror.spec().law->on_damage == FileLaw::OnDamage::conflict) {
    StoredConflict conflict;
    conflict.cell.path = mirror.file.path;
    conflict.code = merge::name_of(merge::Code::unreadable);
    conflict.theirs = to_line(digest(*version.bytes));
    conflict.image = newest_image(mirror);
    conflict.in_file = left_alone;
    PAWL_TRY(conflicts_.add(std::move(conflict), number));
  }
  note(NoteCode::unreadable, mirror, {}, {{"why", version.damage}, {"restored", !left_alone}});
  mirror.write = true;
  return done();
}

// Rows markers, too_large and git: no cell is read, and the file is not written.
Done Snapshot::leave_alone(Mirror& mirror, const Version& version, merge::Code code) {
  PAWL_TRY(load_images(mirror));
  PAWL_ASSIGN(const std::int64_t number, newest_number());
  StoredConflict conflict;
  conflict.cell.path = mirror.file.path;
  conflict.code = merge::name_of(code);
  conflict.theirs = version.bytes ? to_line(digest(*version.bytes)) : "null";
  conflict.in_file = true;
  if (code != merge::Code::too_large) {
    add_image(mirror, ImageKind::kept, version.content ? version.content->owner : "", version.bytes, nullptr, number);
    conflict.image = newest_image(mirror);
  }
  PAWL_TRY(conflicts_.add(std::move(conflict), number));
  Json args = {{"conflict", merge::name_of(code)}, {"accept", code == merge::Code::git}, {"in_file", true}};
  if (code == merge::Code::too_large) args["limit"] = mirror.spec().size_cap;
  note(NoteCode::conflict, mirror, {}, std::move(args));
  return done();
}

Result<merge::Outcome> Snapshot::decide(Mirror& mirror, const Version& version, bool without_base) const {
  const FileSpec& spec = mirror.spec();
  const merge::Content& theirs = *version.content;
  std::vector<merge::Content> contents;
  std::vector<merge::Baseline> known;
  const bool was_there = version.knows_before ? version.before.has_value() : mirror.row.bytes.has_value();
  std::optional<Json> last_shown;
  std::vector<const Image*> images;
  for (const Image& image : mirror.images) {
    if (image.kind == ImageKind::baseline && image.bytes) images.push_back(&image);
  }
  if (was_there && !without_base) {
    if (version.knows_before && !images.empty() && images.back()->bytes == mirror.row.bytes) images.pop_back();
    std::vector<bool> by_command;
    for (const Image* const image : images) {
      auto content = content_of(mirror, *image);
      if (!content || merge::is_another_owner(*spec.law, *content, theirs)) continue;
      contents.push_back(*std::move(content));
      by_command.push_back(image->by_command);
    }
    if (version.knows_before) {
      PAWL_ASSIGN(Reading before, read(mirror, *version.before));
      if (before.content && !merge::is_another_owner(*spec.law, *before.content, theirs)) {
        contents.push_back(*std::move(before.content));
        by_command.push_back(false);
      }
    }
    for (std::size_t i = 0; i < contents.size(); ++i) known.push_back({&contents[i], by_command[i]});
  }
  if (const Image* const shown = newest_of(mirror, theirs.owner)) {
    if (const auto content = content_of(mirror, *shown)) last_shown = content->file;
  }
  const std::string scope = scope_of(mirror.file, theirs.owner);
  std::vector<RecordId> keys = ids_of(theirs, scope);
  for (const merge::Content& content : contents) {
    const auto more = ids_of(content, scope);
    keys.insert(keys.end(), more.begin(), more.end());
  }
  merge::Ours ours;
  PAWL_ASSIGN(ours.records, records_.ours(mirror.file, theirs.owner, keys));
  FileState state = state_of(mirror);
  ours.file = std::move(state.file);
  ours.order = std::move(state.order);
  ours.last_shown = std::move(last_shown);
  merge::Look look{*spec.law, ours, theirs, policy_of(world_, mirror.file), spec.gate_met};
  look.policy.take_whole = take_whole_ && !version.found.displaced;
  PAWL_ASSIGN(const std::int64_t first, newest_in_store());
  look.policy.first_look = first == 0;
  for (const RecordId& id : keys) {
    if (!spec.law->of(id.kind).identities) continue;
    PAWL_ASSIGN(const auto alike, store_.find_key(id.key));
    for (const RecordId& other : alike) {
      if (other.kind != id.kind || other.scope == id.scope) continue;
      PAWL_ASSIGN(const auto there, records_.load(other));
      if (there.present() || there.revision > 0) look.known_elsewhere.insert(id.key);
    }
  }
  return without_base ? merge::merge(look, nullptr) : merge::merge_file(look, known);
}

Done Snapshot::merge_records(Mirror& mirror, const Version& version, const merge::Verdict& row) {
  PAWL_TRY(load_images(mirror));
  const merge::Content& theirs = *version.content;
  const std::string scope = scope_of(mirror.file, theirs.owner);
  const FileState before = state_of(mirror);
  const bool is_new = !mirror.row.bytes && !version.knows_before;
  const bool ended = row.act == merge::Act::conflict, another = row.act == merge::Act::change_owner;
  const std::size_t place = begin(is_new ? FoundOperation::Sort::adopted : FoundOperation::Sort::edit);
  PAWL_ASSIGN(const std::int64_t number, number_of(place));
  if (row.act == merge::Act::go_on && !before.owner.empty() && before.owner != theirs.owner)
    PAWL_TRY(rename_owner(mirror, theirs.owner));

  merge::Outcome out;
  if (ended) {
    for (const merge::Entry& entry : theirs.entries)
      out.conflicts.push_back({entry.key, entry.kind, "", std::nullopt, merge::value_of(entry), merge::Code::ended});
  } else {
    PAWL_ASSIGN(out, decide(mirror, version, another));
  }
  FoundOperation& operation = operations_[place];
  if (another) {
    PAWL_ASSIGN(const auto leaving, records_.ours(mirror.file, before.owner, {}));
    std::vector<RecordId> ids;
    for (merge::OurRecord record : leaving) {
      if (record.state != merge::State::active) continue;
      ids.push_back({record.entry.kind, scope_of(mirror.file, before.owner), record.entry.key});
      record.state = merge::State::inactive;
      PAWL_TRY(records_.put(operation, ids.back(), std::move(record), "made inactive"));
    }
    note(NoteCode::another, mirror, std::move(ids), {{"owner", theirs.owner}, {"previous", before.owner}});
  }
  std::set<RecordId> changed, removed;
  for (merge::OurRecord& record : out.records) {
    const RecordId id{record.entry.kind, scope, record.entry.key};
    const bool adopted = std::any_of(out.rows.begin(), out.rows.end(), [&](const merge::RowHit& hit) {
      return hit.key == id.key && hit.row.act == merge::Act::adopt;
    });
    changed.insert(id);
    if (record.state == merge::State::removed) removed.insert(id);
    PAWL_TRY(records_.put(operation, id, std::move(record),
                          adopted                ? kAdopted
                          : removed.contains(id) ? "taken out of its file"
                                                 : "edited outside"));
  }
  if (!ended) set_state(mirror, {theirs.owner, out.file, out.order});

  PAWL_ASSIGN(const auto open, conflicts_.open(mirror.file.path));
  for (StoredConflict* const conflict : open) {
    const ConflictCell& cell = conflict->cell;
    if (cell.record.scope != scope || is_of_whole_file(*conflict)) continue;
    const bool taken = std::any_of(out.rows.begin(), out.rows.end(), [&](const merge::RowHit& hit) {
      return hit.key == cell.record.key && hit.member == cell.member && hit.row.takes();
    });
    const bool presence = changed.contains(cell.record) && cell.member == merge::kPresence;
    if (taken || presence || removed.contains(cell.record)) conflicts_.close(*conflict, kAssigned, number);
  }
  const merge::Policy policy = policy_of(world_, mirror.file);
  add_image(mirror, version.found.displaced ? ImageKind::kept : ImageKind::edit, theirs.owner, version.bytes, &theirs,
            number);
  for (const merge::Conflict& found : out.conflicts) {
    StoredConflict conflict = as_stored(found, mirror.file.path, scope);
    merge::Policy with = policy;
    with.take_whole = take_whole_ && !version.found.displaced;
    conflict.in_file = merge::is_left_in_file(found, with, !mirror.row.bytes, version.found.displaced);
    conflict.image = newest_image(mirror);
    Note note = note_of(found, *mirror.spec().law, mirror.file.path, scope);
    note.args["in_file"] = conflict.in_file;
    PAWL_TRY(conflicts_.add(std::move(conflict), number));
    notes_.push_back(std::move(note));
  }
  if (!version.found.displaced) PAWL_TRY(close_not_shown(mirror, &theirs, number));
  PAWL_TRY(close_agreed(number));

  for (const merge::Note& one : out.notes) {
    const auto entry = std::find_if(theirs.entries.begin(), theirs.entries.end(),
                                    [&](const merge::Entry& e) { return e.key == one.key; });
    std::vector<RecordId> ids;
    const std::string kind(entry != theirs.entries.end() ? entry->kind : mirror.spec().law->kinds.front().kind);
    if (one.key != merge::kFileKey) ids.push_back({kind, scope, one.key});
    Json args = Json::object();
    if (!one.member.empty()) args["member"] = one.member;
    note(one.code, mirror, std::move(ids), std::move(args), is_new ? 0 : number);
  }
  operation.rows = std::move(out.rows);
  mirror.source = version.bytes;
  mirror.write = mirror.changed = true;
  const bool same_members = ended || merge::same(&before.file, &out.file);
  if (operation.changes.empty() && out.conflicts.empty() && same_members) operations_.pop_back();
  return done();
}

Done Snapshot::rename_owner(Mirror& mirror, const std::string& to) {
  const std::string from = mirror.row.merge.owner;
  FoundOperation& operation = operations_.back();
  PAWL_ASSIGN(const auto records, records_.of(mirror.file, from));
  for (const Record& record : records) {
    PAWL_ASSIGN(merge::OurRecord there, records_.as_ours(record));
    merge::OurRecord left = there;
    left.state = merge::State::removed;
    PAWL_TRY(records_.put(operation, record.id, std::move(left), kMovedAway));
    PAWL_TRY(records_.put(operation, {record.id.kind, scope_of(mirror.file, to), record.id.key}, std::move(there),
                          "renamed outside"));
  }
  PAWL_ASSIGN(const auto open, conflicts_.open(mirror.file.path));
  for (StoredConflict* const conflict : open) {
    if (conflict->cell.record.scope == scope_of(mirror.file, from) && !is_of_whole_file(*conflict))
      conflicts_.move(*conflict, scope_of(mirror.file, to));
  }
  return done();
}

Done Snapshot::close_not_shown(const Mirror& mirror, const merge::Content* content, std::int64_t operation) {
  const std::string scope = content == nullptr ? std::string() : scope_of(mirror.file, content->owner);
  PAWL_ASSIGN(const auto open, conflicts_.open(mirror.file.path));
  for (StoredConflict* const conflict : open) {
    if (!conflict->in_file) continue;
    const auto shown = shown_in(content, scope, *conflict), theirs = theirs_in(*conflict);
    if (!merge::same(shown ? &*shown : nullptr, theirs ? &*theirs : nullptr))
      conflicts_.close(*conflict, kFileChanged, operation);
  }
  return done();
}

Done Snapshot::close_agreed(std::int64_t operation) {
  for (StoredConflict* const conflict : conflicts_.open_at_hand()) {
    const ConflictCell& cell = conflict->cell;
    if (is_of_whole_file(*conflict) || cell.member == merge::kPresence) continue;
    std::optional<Json> ours;
    if (cell.record.key == merge::kFileKey) {
      const auto mirror = mirrors_.find(cell.path);
      const Json file = mirror == mirrors_.end() ? Json::object() : state_of(mirror->second).file;
      if (const auto member = file.find(cell.member); member != file.end()) ours = *member;
    } else {
      PAWL_ASSIGN(const Record record, records_.load(cell.record));
      if (record.revision == 0) continue;
      PAWL_ASSIGN(const merge::OurRecord known, records_.as_ours(record));
      const Json value = merge::value_of(known.entry);
      if (const auto member = value.find(cell.member); member != value.end()) ours = *member;
    }
    const auto theirs = theirs_in(*conflict);
    if (merge::same(ours ? &*ours : nullptr, theirs ? &*theirs : nullptr))
      conflicts_.close(*conflict, kAgreed, operation);
  }
  return done();
}

}  // namespace pawl
