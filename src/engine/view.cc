#include "engine/view.h"

#include <algorithm>
#include <tuple>

#include "base/text.h"
#include "core/held_word.h"
#include "engine/snapshot.h"

namespace pawl {
namespace {

bool fits(const Query& query, const Record& record) {
  if (!record.present() || record.id.kind != query.kind) return false;
  if (query.scope && *query.scope != record.id.scope) return false;
  if (query.status && *query.status != record.status) return false;
  if (query.held_only && !record.held) return false;
  if (record.aside && !query.include_aside) return false;
  if (record.rank < query.rank_from) return false;
  return query.rank_below.empty() || record.rank < query.rank_below;
}

}  // namespace

bool comes_before(const Record& a, const Record& b) {
  return std::tie(a.rank, a.id.key, a.id.scope) < std::tie(b.rank, b.id.key, b.id.scope);
}

const Overlay View::kNothingOver;

std::string rank_of(const Lifecycles& lifecycles, const Record& record) {
  const Lifecycle* row = lifecycles.find(record.id.kind);
  return row != nullptr && row->rank != nullptr ? row->rank(record) : record.id.key;
}

std::optional<std::string> path_by_scope(const Lifecycles& lifecycles, const RecordId& id) {
  const Lifecycle* const row = lifecycles.find(id.kind);
  std::optional<std::string> path;
  if (row == nullptr) return path;
  for (const MirrorFormat* const format : row->formats) {
    if (!path) path = format->path_by_scope(id);
  }
  return path;
}

Result<const Overlay*> View::over() const {
  if (over_) return over_.get();
  if (at_ || !holds_blocked_) return overlay_;
  PAWL_ASSIGN(auto open, store_->conflicts({}));
  if (snapshot_ != nullptr) {
    Conflicts& at_hand = snapshot_->conflicts();
    std::erase_if(open, [&](const StoredConflict& one) { return at_hand.has(one.cell.path); });
    for (const StoredConflict* const one : at_hand.open_at_hand()) open.push_back(*one);
  }
  std::erase_if(open, [](const StoredConflict& one) { return !blocks(one); });
  // Not kept if there is none, as the command may open one before the next question.
  if (open.empty()) return overlay_;
  auto over = std::make_shared<Overlay>(*overlay_);
  for (const StoredConflict& conflict : open) {
    const RecordId& id = conflict.cell.record;
    if (!over->contains(id)) {
      PAWL_ASSIGN(Record stored, store_->load(id));
      stored.rank = rank_of(*lifecycles_, stored);
      over->emplace(id, std::move(stored));
    }
    Record& record = over->at(id);
    if (!record.present()) continue;
    record.status.clear();
    record.held = held_word(theirs_in(conflict).value_or(Json()));
  }
  over_ = std::move(over);
  return over_.get();
}

Result<std::string> View::owner_of(const std::string& path) const {
  if (snapshot_ != nullptr && snapshot_->mirrors().contains(path)) return snapshot_->mirrors().at(path).row.merge.owner;
  PAWL_ASSIGN(const auto row, store_->mirror(path));
  return row ? row->merge.owner : std::string();
}

Result<Record> View::load(const RecordId& id, RecordPart part) const {
  if (at_) {
    PAWL_ASSIGN(const auto event, store_->event_at(id, *at_));
    return event ? event->after : absent_record(id);
  }
  PAWL_ASSIGN(const Overlay* const over, this->over());
  const auto found = over->find(id);
  if (found != over->end()) return found->second;
  PAWL_ASSIGN(Record record, store_->load(id, part));
  PAWL_TRY(must_be_legal(record));
  return record;
}

// What somebody has written into the database with other tools is not shown as if it were a status.
Done View::must_be_legal(const Record& record) const {
  const Lifecycle* row = lifecycles_->find(record.id.kind);
  if (row == nullptr || record.status.empty() || row->machine->status(record.status) != nullptr) return done();
  return fail(
      ErrorCode::corruption,
      cat(printable(record.id.ref()), " has “", printable(record.status), "” for a status in the store, which is none"),
      "pawl doctor tells more; nothing was deleted");
}

Result<std::vector<Record>> View::list(const Query& query) const {
  std::vector<Record> records;
  PAWL_ASSIGN(const Overlay* const over, this->over());
  if (at_) {
    PAWL_ASSIGN(auto then, store_->list_at(query.kind, *at_));
    for (Record& record : then) {
      record.rank = rank_of(*lifecycles_, record);
      if (fits(query, record)) records.push_back(std::move(record));
    }
  } else {
    // As many more as may be taken out again.
    Query wider = query;
    if (query.limit >= 0) wider.limit = query.limit + static_cast<std::int64_t>(over->size());
    // What this command has found in a file is not in the store yet, or stood elsewhere in it.
    if (const auto known = query.after ? over->find(*query.after) : over->end(); known != over->end())
      wider.after_rank = known->second.rank;
    PAWL_ASSIGN(records, store_->list(wider));
    for (const Record& record : records) PAWL_TRY(must_be_legal(record));
    if (over->empty()) return records;
    std::optional<Record> after;
    if (query.after) {
      PAWL_ASSIGN(after, load(*query.after));
    }
    std::erase_if(records, [&](const Record& record) { return over->contains(record.id); });
    for (const auto& [id, record] : *over) {
      if (!fits(query, record) || (after && !comes_before(*after, record))) continue;
      if (query.unclaimed_only) {
        PAWL_ASSIGN(const auto claim, store_->claim(id));
        if (claim) continue;
      }
      records.push_back(record);
    }
  }
  std::sort(records.begin(), records.end(), comes_before);
  if (query.limit >= 0 && records.size() > static_cast<std::size_t>(query.limit))
    records.resize(static_cast<std::size_t>(query.limit));
  return records;
}

Done View::each(std::string_view kind, const Alike& alike, const Visitor& visit) const {
  PAWL_ASSIGN(const Overlay* const over, this->over());
  if (!at_ && over->empty()) {
    return store_->each(kind, alike, [&](const Record& record, std::size_t count) -> Done {
      PAWL_TRY(must_be_legal(record));
      return visit(record, count);
    });
  }
  Query query;
  query.kind = kind;
  query.include_aside = true;
  query.by_rank_only = true;
  PAWL_ASSIGN(auto records, list(query));
  std::stable_sort(records.begin(), records.end(), [](const Record& a, const Record& b) {
    return std::tie(a.id.scope, a.aside, a.status) < std::tie(b.id.scope, b.aside, b.status);
  });
  for (const Record& record : records) PAWL_TRY(visit(record, 1));
  return done();
}

// What belongs to a session has its start for the rest of its key; whoever types names the session, and means what is
// under way in it, or else what was last. Session ids are long: the beginning of one is enough.
Result<std::vector<RecordId>> View::of_session(std::string_view kind, const std::string& session) const {
  PAWL_ASSIGN(auto named, of_session_beginning(kind, cat(session, "@")));
  if (!named.empty() || session.size() < kShortestSessionName) return named;
  return of_session_beginning(kind, session);
}

Result<std::vector<RecordId>> View::of_session_beginning(std::string_view kind, const std::string& begin) const {
  std::vector<RecordId> under_way, ended;
  for (const Lifecycle& row : lifecycles_->rows()) {
    if (!row.of_a_session || (!kind.empty() && row.kind != kind)) continue;
    std::optional<RecordId> last;
    PAWL_TRY(each(row.kind, none_alike, [&](const Record& record, std::size_t) {
      if (!record.id.key.starts_with(begin) || record.id.key.find('@') == std::string::npos) return done();
      if (!row.machine->terminal(record.status)) under_way.push_back(record.id);
      if (!last || last->key < record.id.key) last = record.id;
      return done();
    }));
    if (last) ended.push_back(*last);
  }
  return under_way.empty() ? ended : under_way;
}

// Of those whose kind has several files that one key may stand in, each by itself: what is set aside is not meant where
// another is not.
Result<std::vector<RecordId>> View::not_aside(std::vector<RecordId> ids) const {
  std::vector<RecordId> open;
  for (const RecordId& id : ids) {
    PAWL_ASSIGN(const Record record, load(id, RecordPart::without_doc));
    if (record.present() && !record.aside) open.push_back(id);
  }
  return open.empty() ? std::move(ids) : std::move(open);
}

Result<RecordId> View::resolve(std::string_view ref, const std::function<bool(const RecordId&)>& among) const {
  // "story/US-1"; and "octo/cat#7" is a key that has a slash in it.
  const std::size_t slash = ref.find('/');
  const std::string before = slash == std::string_view::npos ? std::string() : std::string(ref.substr(0, slash));
  const std::string kind = before.empty() || lifecycles_->find(before) == nullptr ? std::string() : before;
  const std::string key(kind.empty() ? ref : ref.substr(slash + 1));
  PAWL_ASSIGN(const auto known, store_->find_key(key));
  std::vector<RecordId> ids, gone;
  for (const RecordId& id : known) {
    PAWL_ASSIGN(const Record record, store_->load(id, RecordPart::without_doc));
    (record.present() ? ids : gone).push_back(id);
  }
  for (const auto& [id, record] : *overlay_) {
    if (id.key == key && std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
  }
  if (!kind.empty()) {
    for (auto* list : {&ids, &gone})
      std::erase_if(*list, [&](const RecordId& id) { return called(id.kind) != called(kind); });
  }
  if (among) {
    for (auto* list : {&ids, &gone}) std::erase_if(*list, [&](const RecordId& id) { return !among(id); });
  }
  if (ids.empty() && !among) {
    PAWL_ASSIGN(ids, of_session(kind, key));
  }
  if (ids.empty()) ids = gone;  // it has a past
  if (ids.empty() && !before.empty() && kind.empty()) {
    std::vector<std::string_view> kinds;
    for (const Lifecycle& row : lifecycles_->rows()) {
      if (called(row.kind) == row.kind) kinds.push_back(row.kind);
    }
    return fail(ErrorCode::invalid_argument, cat("there is no kind “", printable(before), "”: ", join_or(kinds)));
  }
  if (ids.empty())
    return fail(ErrorCode::not_found, cat("there is no “", printable(ref), "”"), "pawl status lists what there is");
  const auto in_lists = [&](const RecordId& id) {
    const Lifecycle* const lifecycle = lifecycles_->find(id.kind);
    return lifecycle != nullptr && lifecycle->in_its_file != nullptr;
  };
  const bool lists = std::all_of(ids.begin(), ids.end(), in_lists);
  if (ids.size() > 1 && lists) {
    PAWL_ASSIGN(ids, not_aside(std::move(ids)));
  }
  // The ordinary scope is meant where one is there; not of two lists, whose stories have one name.
  if (ids.size() > 1 && !kind.empty() && !lists) {
    std::vector<RecordId> ordinary;
    std::copy_if(ids.begin(), ids.end(), std::back_inserter(ordinary),
                 [](const RecordId& id) { return id.scope.empty(); });
    if (ordinary.size() == 1) return ordinary.front();
  }
  if (ids.size() > 1) {
    std::string names;
    std::vector<std::string> files;  // where only the file tells them apart
    for (const RecordId& id : ids) {
      names += cat(names.empty() ? "" : ", ", printable(id.ref()), id.scope.empty() ? "" : " in ", printable(id.scope));
      if (const auto file = path_by_scope(*lifecycles_, id)) files.push_back(printable(*file));
    }
    const bool by_file = files.size() == ids.size();
    return fail(ErrorCode::invalid_argument, cat("“", printable(ref), "” may be ", names),
                by_file ? cat("--file FILE names the one that is meant: ",
                              join_or(std::vector<std::string_view>(files.begin(), files.end())))
                : lists ? "--file FILE names the one that is meant"
                        : "name the kind: KIND/KEY");
  }
  return ids.front();
}

}  // namespace pawl
