#include "engine/known_bytes.h"

#include <algorithm>

#include "engine/git_state.h"
#include "engine/recorded_before.h"
#include "engine/shown.h"
#include "engine/shown_by_id.h"

namespace pawl {
namespace {

bool shows_in(const MirrorWorld& world, const MirrorFile& file, const RecordId& id) {
  const auto files = files_of(world, id);
  return std::any_of(files.begin(), files.end(),
                     [&](const MirrorFile& one) { return one.path == file.path && one.format == file.format; });
}

// Those that came in since the file was last written. A file that shows one of several at a time shows the same one.
Done add_newcomers(const MirrorWorld& world, const View& view, const MirrorFile& file, std::set<RecordId>& ids) {
  return each_record_of(world, view, file, [&](const Record& record) {
    if (file.format->identity_of(record.id)) return false;
    if (shows_in(world, file, record.id)) ids.insert(record.id);
    return true;
  });
}

// They are spelled as they were, where the file was theirs.
Result<std::optional<std::string>> bytes_of_what_is_back(const MirrorWorld& world, const View& view,
                                                         const MirrorFile& file, const MirrorRow& row) {
  PAWL_ASSIGN(const auto ids, back_without_file(world, view, file));
  std::vector<Record> records;
  for (const RecordId& id : ids) {
    PAWL_ASSIGN(records.emplace_back(), view.load(id));
  }
  if (records.empty()) return std::optional<std::string>();
  const MirrorFormat& format = *file.format;
  std::optional<std::string_view> base;
  if (row.before && !format.is_all_in_records() && !has_conflict_markers(*row.before) &&
      format.identity_in(*row.before) == format.identity_of(records.front().id))
    base = *row.before;
  return format.rendered(base, records, RecordedBefore(view.store(), base));
}

}  // namespace

Result<std::set<RecordId>> back_without_file(const MirrorWorld& world, const View& view, const MirrorFile& file) {
  std::set<RecordId> ids;
  PAWL_TRY(each_record_of(world, view, file, [&](const Record& record) {
    if (!record.aside && shows_in(world, file, record.id)) ids.insert(record.id);
    return true;
  }));
  return ids;
}

Done each_record_of(const MirrorWorld& world, const View& view, const MirrorFile& file,
                    const std::function<bool(const Record&)>& see) {
  for (const Lifecycle& row : world.lifecycles->rows()) {
    if (std::find(row.formats.begin(), row.formats.end(), file.format) == row.formats.end()) continue;
    Query query;
    query.kind = row.kind;
    query.scope = file.scope;
    query.by_rank_only = true;
    PAWL_ASSIGN(const auto records, view.list(query));
    for (const Record& record : records) {
      if (!see(record)) return done();
    }
  }
  return done();
}

Result<std::set<RecordId>> known_in(const MirrorWorld& world, const View& view, const MirrorFile& file,
                                    std::string_view left_there) {
  std::set<RecordId> ids;
  PAWL_ASSIGN(const Content content, content_of(file, view.store(), left_there));
  for (const Shown& shown : content.shown) ids.insert(shown.id);
  PAWL_TRY(add_newcomers(world, view, file, ids));
  return ids;
}

Result<std::map<RecordId, Record>> unknown_in(Transaction& store, const MirrorFile& file, std::string_view left_there) {
  std::map<RecordId, Record> out;
  PAWL_ASSIGN(const Content content, content_of(file, store, left_there));
  for (const Shown& shown : content.shown) {
    if (!shown.whole) continue;
    PAWL_ASSIGN(const Record record, store.load(shown.id, RecordPart::without_doc));
    if (!record.present()) out.insert_or_assign(shown.id, record_of(shown));
  }
  return out;
}

Result<std::vector<RecordId>> came_in_since(Transaction& store, const Sighting& seen) {
  std::vector<RecordId> out;
  if (!seen.row || seen.row->state != kLeftToGit || !seen.row->bytes) return out;
  const MirrorFile& file = seen.file;
  PAWL_ASSIGN(const Content known, content_of(file, store, *seen.row->bytes));
  PAWL_ASSIGN(const Content then, content_of(file, store, seen.row->before.value_or(*seen.row->bytes)));
  PAWL_ASSIGN(const Content now, content_of(file, store, seen.image.bytes));
  const ShownById in_then(then), in_now(now);
  for (const Shown& shown : known.shown) {
    if (shown.whole && in_then.find(shown.id) == nullptr && in_now.find(shown.id) == nullptr) out.push_back(shown.id);
  }
  return out;
}

Result<std::optional<std::string>> known_bytes(const MirrorWorld& world, const View& view, const MirrorFile& file,
                                               const std::optional<MirrorRow>& row, const std::vector<RecordId>& also,
                                               const WhatStands& standing) {
  if (!row) return std::optional<std::string>();
  if (!row->bytes && (row->state == kLeftToGit || !also.empty())) return bytes_of_what_is_back(world, view, file, *row);
  if (!row->bytes) return std::optional<std::string>();
  const std::string_view left = *row->bytes;
  PAWL_ASSIGN(auto ids, known_in(world, view, file, left));
  const auto whose = file.format->identity_in(left);
  for (const RecordId& id : also) {
    const auto own = file.format->identity_of(id);
    if (!own || own == whose) ids.insert(id);
  }
  std::vector<Record> records;
  for (const RecordId& id : ids) {
    PAWL_ASSIGN(Record record, view.load(id));
    if (const auto stands = standing.find(id); stands != standing.end() && !stands->second.gives_way) {
      if (stands->second.whole) continue;
      record.held = stands->second.word;
    }
    records.push_back(record.aside ? absent_record(id) : std::move(record));
  }
  if (records.empty()) return row->bytes;
  PAWL_ASSIGN(const auto unknown, unknown_in(view.store(), file, left));
  return file.format->rendered(left, records, RecordedBefore(view.store(), left, &unknown));
}

}  // namespace pawl
