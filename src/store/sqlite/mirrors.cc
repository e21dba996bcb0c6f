// What pawl last wrote to each file. `before` is kept as its difference to `bytes`: files are long, edits short.
//
// Bytes above kInline stand in `part`: rows of about a page, numbered within the mirror with wide gaps. An edit
// replaces the rows that it touches and, when it has grown beyond one, puts others into the gap behind it. In their
// place the mirror's row has their fingerprint, so that a file that is as it was left costs none of these pages. (Rows
// of an older pawl have none: NULL.)
#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/fingerprint.h"
#include "base/json.h"
#include "base/text.h"
#include "store/sqlite/difference.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/transaction.h"

namespace pawl::sqlite {
namespace {

constexpr std::size_t kPart = kPageSize * 17 / 20;           // with its row's overhead, one to a page
constexpr std::size_t kLargestPart = kPageSize * 19 / 20;    // above it, a part is divided
constexpr std::int64_t kPerMirror = std::int64_t{1} << 40U;  // ids of one mirror's parts
constexpr std::size_t kOther = SIZE_MAX;                     // not what the parts hold
constexpr std::int64_t kGap = std::int64_t{1} << 20U;        // between parts that were written together

Error damaged_mirror(const std::string& path) { return damaged(cat("the file ", path)); }

// NULL where there is nothing to say.
std::optional<std::string> written_merge(const MergeFacts& merge, std::int64_t operation) {
  if (merge.owner.empty() && !merge.by_command && operation == 0 && merge.staged_inode == 0 && merge.displaced.empty())
    return std::nullopt;
  Json displaced = Json::array();
  for (const DisplacedFile& file : merge.displaced) displaced.push_back({file.name, file.inode, file.image});
  return to_line({{"owner", merge.owner},
                  {"by_command", merge.by_command},
                  {"operation", operation},
                  {"staged_inode", merge.staged_inode},
                  {"displaced", displaced}});
}

std::optional<std::string> written_shape(const MergeFacts& merge) {
  if (merge.file.empty() && merge.order.empty()) return std::nullopt;
  return to_line({{"file", merge.file}, {"order", merge.order}});
}

bool read_merge(std::string_view text, MergeFacts& merge) {
  const Result<Json> value = parse_json(text);
  if (!value || !value->is_object()) return false;
  merge.owner = string_or(*value, "owner");
  merge.by_command = bool_or(*value, "by_command");
  merge.operation = integer_or(*value, "operation");
  merge.staged_inode = integer_or(*value, "staged_inode");
  const auto displaced = value->find("displaced");
  if (displaced == value->end()) return true;
  for (const Json& file : *displaced) {
    if (!file.is_array() || file.size() != 3 || !file[0].is_string() || !file[1].is_number_integer() ||
        !file[2].is_number_integer())
      return false;
    merge.displaced.push_back({file[0].get<std::string>(), file[1].get<std::int64_t>(), file[2].get<std::int64_t>()});
  }
  return true;
}

bool read_shape(std::string_view text, MergeFacts& merge) {
  const Result<Json> value = parse_json(text);
  if (!value || !value->is_object()) return false;
  merge.file = string_or(*value, "file");
  const auto order = value->find("order");
  if (order == value->end()) return true;
  for (const Json& key : *order) {
    if (!key.is_string()) return false;
    merge.order.push_back(key.get<std::string>());
  }
  return true;
}

// Where the parts of a mirror's shape stand, as those of its bytes stand at its number.
std::int64_t shape_of(std::int64_t mirror_id) { return -mirror_id; }

std::int64_t first_part(std::int64_t mirror_id) { return mirror_id * kPerMirror; }

}  // namespace

Result<std::string> SqliteTransaction::joined_parts(std::int64_t mirror_id, std::size_t size) {
  std::string bytes;
  constexpr std::size_t kMostAtOnce = std::size_t{64} << 20U;  // a row that lies takes no more
  bytes.reserve(std::min(size, kMostAtOnce));
  PAWL_ASSIGN(Statement rows, use(Sql::parts));
  rows.bind(first_part(mirror_id), first_part(mirror_id + 1));
  while (true) {
    PAWL_ASSIGN(const bool more, rows.step());
    if (!more) return bytes;
    bytes += rows.view(1);
  }
}

Result<MirrorRow> SqliteTransaction::read_mirror(Statement& row, std::string path, MirrorPart part) {
  MirrorRow mirror;
  mirror.path = std::move(path);
  mirror.format = row.text(1);
  mirror.scope = row.text(2);
  mirror.state = row.text(3);
  mirror.head = row.text(4);
  mirror.staged = row.text(5);
  if (part == MirrorPart::without_bytes) return mirror;
  if (!row.is_null(10) && !read_merge(row.view(10), mirror.merge)) return tl::unexpected(damaged_mirror(mirror.path));
  const MirrorPlace place{row.integer(0), row.integer(6), row.is_integer(11) ? row.integer(11) : 0};
  if (access_ == Access::write) places_.insert_or_assign(mirror.path, place);
  if (place.size > 0 && part == MirrorPart::to_compare && is_fingerprint(row.view(8))) {
    mirror.fingerprint = row.text(8);
    return mirror;
  }
  if (place.size <= 0) {
    mirror.bytes = row.maybe_text(8);
  } else {
    PAWL_ASSIGN(mirror.bytes, joined_parts(place.id, static_cast<std::size_t>(place.size)));
    if (static_cast<std::int64_t>(mirror.bytes->size()) != place.size)
      return tl::unexpected(damaged_mirror(mirror.path));
  }
  if (part != MirrorPart::to_compare && !row.is_null(11)) {
    std::string shape = row.text(11);
    if (place.shape > 0) {
      PAWL_ASSIGN(shape, joined_parts(shape_of(place.id), static_cast<std::size_t>(place.shape)));
    }
    if (!read_shape(shape, mirror.merge)) return tl::unexpected(damaged_mirror(mirror.path));
  }
  if (row.is_null(7) || part == MirrorPart::without_before || part == MirrorPart::to_compare) return mirror;
  const std::optional<Difference> change = read_difference(row.view(7));
  if (change) mirror.before = applied(mirror.bytes ? std::string_view(*mirror.bytes) : std::string_view(), *change);
  if (!mirror.before) return tl::unexpected(damaged_mirror(mirror.path));
  return mirror;
}

Result<std::optional<MirrorRow>> SqliteTransaction::mirror(std::string_view path, MirrorPart part) {
  if (part == MirrorPart::to_compare && all_mirrors_) {
    const auto known = std::lower_bound(all_mirrors_->begin(), all_mirrors_->end(), path,
                                        [](const KnownMirror& a, std::string_view b) { return a.row.path < b; });
    const bool found = known != all_mirrors_->end() && known->row.path == path;
    if (found && (known->row.bytes || !known->row.fingerprint.empty())) {
      MirrorRow row = known->row;
      if (!known->merge.empty() && !read_merge(known->merge, row.merge))
        return tl::unexpected(damaged_mirror(row.path));
      return row;
    }
  }
  PAWL_ASSIGN(Statement row, use(Sql::mirror));
  PAWL_ASSIGN(const bool found, row.bind(path).step());
  if (!found) return std::nullopt;
  PAWL_ASSIGN(MirrorRow mirror, read_mirror(row, std::string(path), part));
  return mirror;
}

Result<std::vector<MirrorRow>> SqliteTransaction::mirrors(std::string_view format, MirrorPart part) {
  std::vector<MirrorRow> found;
  if (part == MirrorPart::without_bytes) {
    PAWL_ASSIGN(const std::vector<KnownMirror>* const all, all_mirrors());
    for (const KnownMirror& known : *all) {
      if (known.row.format != format) continue;
      MirrorRow& place = found.emplace_back(known.row);
      place.bytes.reset();
      place.fingerprint.clear();
    }
    return found;
  }
  PAWL_ASSIGN(Statement rows, use(Sql::mirrors));
  rows.bind(format);
  while (true) {
    PAWL_ASSIGN(const bool more, rows.step());
    if (!more) return found;
    PAWL_ASSIGN(MirrorRow mirror, read_mirror(rows, rows.text(9), part));
    found.push_back(std::move(mirror));
  }
}

// Whoever looks at all files asks for one format after the other, and then for what each was left with. No index leads
// to a format's, so all are read at once, and with them what there is to compare: bytes that are few, or a fingerprint.
Result<const std::vector<SqliteTransaction::KnownMirror>*> SqliteTransaction::all_mirrors() {
  if (all_mirrors_) return &*all_mirrors_;
  std::vector<KnownMirror> all;
  PAWL_ASSIGN(Statement rows, use(Sql::all_mirrors));
  while (true) {
    PAWL_ASSIGN(const bool more, rows.step());
    if (!more) break;
    PAWL_ASSIGN(MirrorRow mirror, read_mirror(rows, rows.text(9), MirrorPart::without_bytes));
    const std::string_view bytes = rows.view(8);
    if (rows.integer(6) > 0) {
      if (is_fingerprint(bytes)) mirror.fingerprint = bytes;
    } else if (!rows.is_null(8)) {
      mirror.bytes = bytes;
    }
    all.push_back({std::move(mirror), rows.text(10)});
  }
  std::sort(all.begin(), all.end(), [](const KnownMirror& a, const KnownMirror& b) { return a.row.path < b.row.path; });
  return &all_mirrors_.emplace(std::move(all));
}

Result<SqliteTransaction::MirrorPlace> SqliteTransaction::place_of(const std::string& path) {
  if (const auto known = places_.find(path); known != places_.end()) return known->second;
  PAWL_ASSIGN(Statement row, use(Sql::mirror));
  PAWL_ASSIGN(const bool found, row.bind(path).step());
  if (!found) return MirrorPlace{};
  return MirrorPlace{row.integer(0), row.integer(6), row.is_integer(11) ? row.integer(11) : 0};
}

Result<std::optional<std::string>> SqliteTransaction::bytes_of_mirror(std::int64_t mirror_id) {
  PAWL_ASSIGN(Statement row, use(Sql::mirror_bytes));
  PAWL_ASSIGN(const bool found, row.bind(mirror_id).step());
  if (!found) return std::nullopt;
  if (row.integer(0) <= 0) return row.maybe_text(1);
  return joined_parts(mirror_id, static_cast<std::size_t>(row.integer(0)));
}

Result<MergeFacts> SqliteTransaction::merge_of(std::int64_t mirror_id) {
  MergeFacts merge;
  PAWL_ASSIGN(Statement row, use(Sql::mirror_path));
  PAWL_ASSIGN(const bool found, row.bind(mirror_id).step());
  if (found && !row.is_null(1) && !read_merge(row.view(1), merge)) return tl::unexpected(damaged_mirror(row.text(0)));
  return merge;
}

Done SqliteTransaction::drop_parts(std::int64_t from, std::int64_t below) {
  PAWL_ASSIGN(Statement drop, use(Sql::drop_parts));
  return drop.bind(from, below).run();
}

Done SqliteTransaction::write_parts(std::int64_t mirror_id, std::string_view bytes, std::string_view before) {
  struct Part {
    std::int64_t id;
    std::size_t size;
  };
  std::vector<Part> parts;
  // What stood in the file before is mostly what the parts hold; then it need not be put together once more.
  std::size_t same = 0;
  {
    PAWL_ASSIGN(Statement rows, use(Sql::parts));
    rows.bind(first_part(mirror_id), first_part(mirror_id + 1));
    while (true) {
      PAWL_ASSIGN(const bool more, rows.step());
      if (!more) break;
      const std::string_view part = rows.view(1);
      parts.push_back({rows.integer(0), part.size()});
      same = same != kOther && same <= before.size() && before.substr(same, part.size()) == part ? same + part.size()
                                                                                                 : kOther;
    }
  }
  std::string joined;
  if (same != before.size()) {
    PAWL_ASSIGN(joined, joined_parts(mirror_id, bytes.size()));
    before = joined;
  }
  const std::string_view old = before;
  const Difference edit = difference(old, bytes);
  if (edit.middle.empty() && edit.early.empty() && old.size() == bytes.size()) return done();

  // Parts before `first` and from `behind` on stay; between them stands what is at `begin` and not in the last `tail`.
  std::size_t first = 0, begin = 0;
  for (auto early = edit.early.begin(); first < parts.size() && begin + parts[first].size <= edit.same_head;) {
    const std::size_t end = begin + parts[first].size;
    bool touched = false;
    // One that goes over the edge of a part touches the next one too.
    while (early != edit.early.end() && early->at < end) {
      touched = true;
      if (early->at + early->bytes.size() > end) break;
      ++early;
    }
    if (touched) {
      PAWL_ASSIGN(Statement put, use(Sql::put_part));
      PAWL_TRY(put.bind(parts[first].id, Blob{bytes.substr(begin, parts[first].size)}).run());
    }
    begin = end;
    ++first;
  }
  std::size_t behind = parts.size(), tail = 0;
  while (behind > first && tail + parts[behind - 1].size <= edit.same_tail) tail += parts[--behind].size;
  const std::string_view fresh = bytes.substr(begin, bytes.size() - begin - tail);

  // One in place of one keeps its number: the page that held it is the only one to be written.
  if (behind - first == 1 && !fresh.empty() && fresh.size() <= kLargestPart) {
    PAWL_ASSIGN(Statement put, use(Sql::put_part));
    return put.bind(parts[first].id, Blob{fresh}).run();
  }
  const auto count = static_cast<std::int64_t>((fresh.size() + kPart - 1) / kPart);
  const std::int64_t low = first == 0 ? first_part(mirror_id) : parts[first - 1].id;
  const std::int64_t high = behind == parts.size() ? low + kGap * (count + 1) : parts[behind].id;
  const std::int64_t step = (high - low) / (count + 1);
  if (step == 0 || high > first_part(mirror_id + 1)) {
    // No number is left in the gap: all are given anew.
    PAWL_TRY(drop_parts(first_part(mirror_id), first_part(mirror_id + 1)));
    return write_parts(mirror_id, bytes, {});
  }
  if (first < behind) PAWL_TRY(drop_parts(parts[first].id, parts[behind - 1].id + 1));
  for (std::int64_t i = 0; i < count; ++i) {
    PAWL_ASSIGN(Statement put, use(Sql::put_part));
    PAWL_TRY(put.bind(low + step * (i + 1), Blob{fresh.substr(static_cast<std::size_t>(i) * kPart, kPart)}).run());
  }
  return done();
}

Done SqliteTransaction::write_mirror(const MirrorRow& mirror, const Committed& committed) {
  all_mirrors_.reset();
  const std::string_view bytes = mirror.bytes ? std::string_view(*mirror.bytes) : std::string_view();
  std::string difference_text;
  std::optional<Blob> before, in_row;
  if (mirror.before) {
    difference_text = written(difference(bytes, *mirror.before));
    before = Blob{difference_text};
  }
  const bool in_parts = bytes.size() > kInline;
  const std::string fingerprint = in_parts ? fingerprint_of(bytes) : std::string();
  if (mirror.bytes) in_row = Blob{in_parts ? std::string_view(fingerprint) : bytes};
  const std::optional<std::string> merge =
      written_merge(mirror.merge, made(mirror.merge.operation, committed.operations));
  const std::optional<std::string> shape = written_shape(mirror.merge);
  const bool shape_in_parts = shape && shape->size() > kInline;

  PAWL_ASSIGN(const MirrorPlace old, place_of(mirror.path));
  // The newest image may be a difference to the bytes that go.
  std::optional<std::string> newest_image;
  if (old.size > 0) {
    PAWL_ASSIGN(newest_image, text_of_newest_difference(old.id));
  }
  MirrorPlace place{old.id, in_parts ? static_cast<std::int64_t>(bytes.size()) : 0,
                    shape_in_parts ? static_cast<std::int64_t>(shape->size()) : 0};
  const auto put = [&](Sql which, const auto& name, const auto& in_shape) -> Done {
    PAWL_ASSIGN(Statement row, use(which));
    return row
        .bind(name, mirror.format, mirror.scope, mirror.state, mirror.head, mirror.staged, place.size, before, in_row,
              merge, in_shape)
        .run();
  };
  const auto put_either = [&](const auto& in_shape) {
    return old.id == 0 ? put(Sql::new_mirror, mirror.path, in_shape) : put(Sql::put_mirror, old.id, in_shape);
  };
  PAWL_TRY(shape_in_parts ? put_either(place.shape) : put_either(shape));
  if (place.id == 0) place.id = sqlite3_last_insert_rowid(connection_->handle());
  places_.insert_or_assign(mirror.path, place);

  if (shape_in_parts) {
    PAWL_TRY(write_parts(shape_of(place.id), *shape, {}));
  } else if (old.shape > 0) {
    PAWL_TRY(drop_parts(first_part(shape_of(place.id)), first_part(shape_of(place.id) + 1)));
  }
  if (in_parts) {
    PAWL_TRY(write_parts(place.id, bytes, mirror.before ? std::string_view(*mirror.before) : std::string_view()));
  } else if (old.size > 0) {
    PAWL_TRY(drop_parts(first_part(place.id), first_part(place.id + 1)));
  }
  return newest_image ? rebase_newest_image(place.id, newest_image, mirror.bytes) : done();
}

}  // namespace pawl::sqlite
