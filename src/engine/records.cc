#include "engine/records.h"

#include <limits>

#include "base/text.h"
#include "engine/found_apart.h"

namespace pawl {
namespace {

constexpr std::int64_t kNewest = std::numeric_limits<std::int64_t>::max();

merge::State state_of_record(const Record& record) {
  if (!record.present()) return merge::State::removed;
  return record.aside ? merge::State::inactive : merge::State::active;
}

}  // namespace

std::string scope_of(const MirrorFile& file, std::string_view owner) {
  return file.format->spec()->only_key != nullptr || owner.empty() ? file.scope : cat(file.scope, "|", owner);
}

std::vector<RecordId> ids_of(const merge::Content& content, const std::string& scope) {
  std::vector<RecordId> ids;
  for (const merge::Entry& entry : content.entries) ids.push_back({entry.kind, scope, entry.key});
  return ids;
}

View Records::view() const {
  View view{store_, lifecycles_, overlay_};
  view.show_blocked_as_stored();
  return view;
}

Result<Record> Records::load(const RecordId& id) const {
  const auto found = overlay_.find(id);
  return found != overlay_.end() ? Result<Record>(found->second) : store_.load(id);
}

Result<std::vector<Record>> Records::of(const MirrorFile& file, std::string_view owner) const {
  const FileSpec& spec = *file.format->spec();
  std::vector<Record> all;
  for (const KindLaw& law : spec.law->kinds) {
    const std::string kind(law.kind);
    if (spec.only_key != nullptr) {
      PAWL_ASSIGN(Record record, load({kind, scope_of(file, owner), spec.only_key(file.path, owner)}));
      if (record.present()) all.push_back(std::move(record));
      continue;
    }
    Query query;
    query.kind = kind;
    query.scope = scope_of(file, owner);
    query.include_aside = true;
    PAWL_ASSIGN(auto listed, view().list(query));
    for (Record& record : listed) all.push_back(std::move(record));
  }
  return all;
}

Result<std::vector<merge::OurRecord>> Records::ours(const MirrorFile& file, std::string_view owner,
                                                    const std::vector<RecordId>& keys) const {
  PAWL_ASSIGN(const auto present, of(file, owner));
  std::vector<merge::OurRecord> all;
  std::set<RecordId> known;
  for (const Record& record : present) {
    known.insert(record.id);
    PAWL_ASSIGN(auto one, as_ours(record));
    all.push_back(std::move(one));
  }
  for (const RecordId& id : keys) {
    if (!known.insert(id).second) continue;
    PAWL_ASSIGN(const Record record, load(id));
    if (record.revision == 0) continue;
    PAWL_ASSIGN(const bool moved, moved_away(record));
    if (moved) continue;
    PAWL_ASSIGN(auto one, as_ours(record));
    all.push_back(std::move(one));
  }
  return all;
}

// The record goes on under another path or owner.
Result<bool> Records::moved_away(const Record& record) const {
  if (record.present() || touched_.contains(record.id)) return false;
  PAWL_ASSIGN(const auto removal, store_.event_at(record.id, kNewest));
  return removal && removal->what == kMovedAway;
}

Result<merge::OurRecord> Records::as_ours(const Record& record) const {
  if (const auto touched = touched_.find(record.id); touched != touched_.end()) return touched->second;
  merge::OurRecord out{{record.id.key, record.id.kind, record.status, record.doc}, state_of_record(record)};
  if (record.present()) return out;
  PAWL_ASSIGN(const auto removal, store_.event_at(record.id, kNewest));
  if (!removal) return out;
  PAWL_ASSIGN(const auto operation, store_.operation(removal->operation));
  out.removed_by = operation && operation->outside ? merge::RemovedBy::outside : merge::RemovedBy::command;
  PAWL_ASSIGN(const auto before, store_.event_before(record.id, removal->id));
  if (!before) return out;
  out.entry.status = before->after.status;
  out.entry.members = before->after.doc;
  return out;
}

Result<bool> Records::was_unverified(const RecordId& id) const {
  if (const auto touched = touched_.find(id); touched != touched_.end()) return touched->second.unverified;
  PAWL_ASSIGN(const auto newest, store_.event_at(id, kNewest));
  return newest && newest->unverified;
}

Done Records::put(FoundOperation& operation, const RecordId& id, merge::OurRecord after, std::string_view what) {
  PAWL_ASSIGN(const Record before, load(id));
  const bool removed = after.state == merge::State::removed;
  const std::string status = after.entry.status.get<std::string>();
  if (before.present() && before.status == status && what != kAdopted) {  // a doubt stays with its status
    PAWL_ASSIGN(const bool unverified, was_unverified(id));
    after.unverified = after.unverified || unverified;
  }
  Change change{before, before, std::string(what), Json(), after.unverified};
  change.after.status = removed ? std::string() : status;
  change.after.held.reset();
  change.after.aside = after.state == merge::State::inactive;
  change.after.doc = removed ? Doc() : Doc(after.entry.members);
  change.after.rank = rank_of(lifecycles_, change.after);
  Record now = change.after;
  now.revision = before.revision + 1;
  overlay_.insert_or_assign(id, std::move(now));
  touched_.insert_or_assign(id, std::move(after));
  operation.changes.push_back(std::move(change));
  return done();
}

void Records::rebuild(const std::vector<FoundOperation>& operations) {
  for (const auto& [id, record] : touched_) overlay_.erase(id);
  touched_.clear();
  for (const FoundOperation& operation : operations) {
    for (const Change& change : operation.changes) {
      Record now = change.after;
      now.revision = change.before.revision + 1;
      overlay_.insert_or_assign(now.id, std::move(now));
    }
  }
}

}  // namespace pawl
