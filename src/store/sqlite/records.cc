// Records as they stand now: one by its name, or many by rank.
//
// A listing first walks the index alone, group by group (a group is one scope, aside or not, one status), and
// loads documents only for those that it will return. The order is (rank, key, scope): total, so that paging
// with `after` neither repeats nor skips.
#include <algorithm>
#include <tuple>

#include "base/text.h"
#include "store/sqlite/checksum.h"
#include "store/sqlite/transaction.h"

namespace pawl::sqlite {

struct SqliteTransaction::Hit {
  std::string rank;
  std::string key;
  std::string scope;
  std::string status = {};
  bool aside = false;

  // (kind, scope, key) is a record's name, so no two are equal in these.
  auto operator<=>(const Hit& other) const {
    return std::tie(rank, key, scope) <=> std::tie(other.rank, other.key, other.scope);
  }
};

namespace {

// A blob is greater than every text: a bound that bounds nothing.
constexpr Blob kAboveAll{""};

std::int64_t wanted(const Query& query) { return query.limit < 0 ? INT64_MAX : query.limit; }

}  // namespace

Result<bool> SqliteTransaction::find_record(Statement& row, const RecordId& id) {
  PAWL_ASSIGN(const bool found, row.bind(id.kind, id.scope, id.key).step());
  if (found) PAWL_TRY(check_record(row));
  if (access_ == Access::write) newest_.insert_or_assign(id, found ? Newest{row.integer(6), row.integer(8)} : Newest{});
  return found;
}

Result<SqliteTransaction::Newest> SqliteTransaction::newest_of(const RecordId& id) {
  PAWL_ASSIGN(Statement row, use(Sql::record));
  PAWL_ASSIGN(const bool found, find_record(row, id));
  return found ? Newest{row.integer(6), row.integer(8)} : Newest{};
}

Result<Record> SqliteTransaction::load(const RecordId& id, RecordPart part) {
  Record record;
  record.id = id;
  PAWL_ASSIGN(Statement row, use(Sql::record));
  PAWL_ASSIGN(const bool found, find_record(row, id));
  if (!found) return record;
  record.status = row.text(3);
  record.held = row.maybe_text(4);
  record.aside = row.integer(5) != 0;
  record.revision = row.integer(6);
  if (part == RecordPart::without_doc) {
    record.doc = Doc::left_in_the_store();
    return record;
  }
  record.rank = row.text(7);
  PAWL_ASSIGN(std::optional<Event> newest, event(row.integer(8)));
  if (!newest) {
    return fail(ErrorCode::corruption, cat("the newest event of ", id.ref(), " is missing from the store"),
                "pawl doctor tells more; nothing was deleted");
  }
  if (newest->after.id != id || newest->after.revision != record.revision)
    return tl::unexpected(damaged(cat("record ", id.ref()), "its newest event is another's"));
  record.doc = std::move(newest->after.doc);
  return record;
}

Done SqliteTransaction::scan_group(const Query& query, const std::optional<Record>& after, std::string_view scope,
                                   bool aside, std::string_view status, const std::vector<RecordId>& leave_out,
                                   std::vector<Hit>& hits) {
  std::string_view rank_from = query.rank_from;
  std::string_view key_from;
  if (after && after->rank >= rank_from) {
    rank_from = after->rank;
    key_from = after->id.key;
  }
  PAWL_ASSIGN(Statement rows, use(Sql::scan_group));
  if (query.rank_below.empty()) {
    rows.bind(query.kind, scope, aside, status, rank_from, key_from, kAboveAll);
  } else {
    rows.bind(query.kind, scope, aside, status, rank_from, key_from, query.rank_below);
  }
  for (std::int64_t found = 0; found < wanted(query);) {
    PAWL_ASSIGN(const bool more, rows.step());
    if (!more) break;
    Hit hit{rows.text(0), rows.text(1), std::string(scope), std::string(status), aside};
    if (after && hit <= Hit{after->rank, after->id.key, after->id.scope}) continue;
    if (std::binary_search(leave_out.begin(), leave_out.end(), RecordId{query.kind, hit.scope, hit.key})) continue;
    hits.push_back(std::move(hit));
    ++found;
  }
  return done();
}

// The next text in the index behind `value`, or from the first when there is none. A number is less than every text,
// and NULL, which is an absent record's status, less than a number.
template <class... Prefix>
Result<std::optional<std::string>> SqliteTransaction::next(Sql which, const std::optional<std::string>& value,
                                                           const Prefix&... prefix) {
  PAWL_ASSIGN(Statement row, use(which));
  if (value) {
    row.bind(prefix..., *value);
  } else {
    row.bind(prefix..., 0);
  }
  PAWL_ASSIGN(const bool found, row.step());
  if (!found) return std::nullopt;
  std::string behind = row.text(0);
  // Something else than a text is above every text: asked from there, the answer would be the same for ever.
  if (value && behind <= *value)
    return fail(ErrorCode::corruption, cat("the store has a status or a folder that is no text: ", printable(behind)),
                "pawl doctor tells more; nothing was deleted");
  return behind;
}

Done SqliteTransaction::scan_groups(const Query& query, const std::optional<Record>& after,
                                    const std::optional<std::string>& status, const std::vector<RecordId>& leave_out,
                                    std::vector<Hit>& hits) {
  std::optional<std::string> scope = query.scope;
  if (!scope) {
    PAWL_ASSIGN(scope, next(Sql::next_scope, std::nullopt, query.kind));
  }
  while (scope) {
    for (const bool aside : {false, true}) {
      if (aside && !query.include_aside) continue;
      std::optional<std::string> group = status;
      if (!group) {
        PAWL_ASSIGN(group, next(Sql::next_status, std::nullopt, query.kind, *scope, aside));
      }
      while (group) {
        const auto before = static_cast<std::ptrdiff_t>(hits.size());
        PAWL_TRY(scan_group(query, after, *scope, aside, *group, leave_out, hits));
        // Each group is in order by itself.
        if (before > 0) std::inplace_merge(hits.begin(), hits.begin() + before, hits.end());
        if (status) break;
        PAWL_ASSIGN(group, next(Sql::next_status, group, query.kind, *scope, aside));
      }
    }
    if (query.scope) break;
    PAWL_ASSIGN(scope, next(Sql::next_scope, scope, query.kind));
  }
  return done();
}

Result<std::vector<Record>> SqliteTransaction::list(const Query& query) {
  std::optional<Record> after;
  if (query.after && query.after_rank) {
    after = absent_record(*query.after);
    after->rank = *query.after_rank;
  } else if (query.after) {
    PAWL_ASSIGN(after, load(*query.after));
    if (after->revision == 0)
      return fail(ErrorCode::not_found, cat("there is no ", query.after->ref(), " to go on after"));
  }
  std::vector<RecordId> leave_out;
  if (query.unclaimed_only) {
    PAWL_ASSIGN(const std::vector<Claim> held, claims());
    for (const Claim& claim : held) leave_out.push_back(claim.record);
  }
  // Held records are the group without a status.
  std::optional<std::string> status = query.status;
  if (query.held_only) {
    if (status && !status->empty()) return std::vector<Record>();
    status = "";
  } else if (status && status->empty()) {
    return std::vector<Record>();
  }

  std::vector<Hit> hits;
  PAWL_TRY(scan_groups(query, after, status, leave_out, hits));
  if (static_cast<std::int64_t>(hits.size()) > wanted(query)) hits.resize(static_cast<std::size_t>(wanted(query)));

  std::vector<Record> records;
  records.reserve(hits.size());
  for (Hit& hit : hits) {
    if (query.by_rank_only && !hit.status.empty()) {
      Record& record = records.emplace_back();
      record.id = {query.kind, std::move(hit.scope), std::move(hit.key)};
      record.doc = Doc::left_in_the_store();
      record.status = std::move(hit.status);
      record.aside = hit.aside;
      record.rank = std::move(hit.rank);
      continue;
    }
    PAWL_ASSIGN(Record record, load(RecordId{query.kind, std::move(hit.scope), std::move(hit.key)}));
    records.push_back(std::move(record));
  }
  return records;
}

Done SqliteTransaction::each(std::string_view kind, const Alike& alike, const Visitor& visit) {
  Record record;  // one for all: of most nothing but key and rank is other than of the one before
  record.id.kind = kind;
  record.doc = Doc::left_in_the_store();
  PAWL_ASSIGN(Statement rows, use(Sql::scan_kind));
  rows.bind(kind);
  PAWL_ASSIGN(bool more, rows.step());
  bool counts = false;
  for (bool first = true; more;) {
    const bool aside = rows.integer(1) != 0;
    const bool goes_on =
        !first && record.status == rows.view(2) && record.id.scope == rows.view(0) && record.aside == aside;
    first = false;
    if (!goes_on) {
      record.id.scope = rows.view(0);
      record.aside = aside;
      record.status = rows.view(2);
    }
    record.rank = rows.view(3);
    record.id.key = rows.view(4);
    if (!goes_on) counts = !record.status.empty() && alike(record);
    std::size_t count = 1;
    if (counts) {
      PAWL_ASSIGN(count, count_alike(rows, record, more));
    }
    if (record.status.empty()) {
      PAWL_ASSIGN(const Record held, load(record.id));
      PAWL_TRY(visit(held, count));
    } else {
      PAWL_TRY(visit(record, count));
    }
    if (!counts) {
      PAWL_ASSIGN(more, rows.step());
    }
  }
  return done();
}

// How many there are of those that begin with this one. `more`: of others that follow.
Result<std::size_t> SqliteTransaction::count_alike(Statement& rows, const Record& first, bool& more) {
  for (std::size_t count = 1;; ++count) {
    PAWL_ASSIGN(more, rows.step());
    if (!more || rows.view(2) != first.status || rows.view(0) != first.id.scope ||
        (rows.integer(1) != 0) != first.aside)
      return count;
  }
}

Result<std::vector<RecordId>> SqliteTransaction::find_key(std::string_view key) {
  std::vector<RecordId> found;
  PAWL_ASSIGN(Statement rows, use(Sql::find_key));
  rows.bind(key);
  while (true) {
    PAWL_ASSIGN(const bool more, rows.step());
    if (!more) return found;
    found.push_back(RecordId{rows.text(0), rows.text(1), std::string(key)});
  }
}

Result<std::vector<RecordId>> SqliteTransaction::find_keys(std::string_view from, std::string_view below) {
  std::vector<RecordId> found;
  PAWL_ASSIGN(Statement rows, use(Sql::find_keys));
  rows.bind(from, below);
  while (true) {
    PAWL_ASSIGN(const bool more, rows.step());
    if (!more) return found;
    found.push_back(RecordId{rows.text(0), rows.text(1), rows.text(2)});
  }
}

}  // namespace pawl::sqlite
