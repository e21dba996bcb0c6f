// The bytes of files at earlier moments. Short ones stand whole in their row. A long one is stored as its difference to
// the next newer image of its path, the newest as its difference to the mirror's bytes, where that saves half: a commit
// that changes a line of a file of megabytes stores that line. So old images can go without anything else being
// written; when one in the middle goes, its older neighbour is written anew. The checksum is over the whole bytes, not
// over the difference.
#include <algorithm>
#include <set>

#include "base/text.h"
#include "store/sqlite/checksum.h"
#include "store/sqlite/difference.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/transaction.h"

namespace pawl::sqlite {
namespace {

ImageKind kind_of(std::int64_t stored) {
  return stored == 0 ? ImageKind::baseline : stored == 1 ? ImageKind::kept : ImageKind::edit;
}

constexpr std::int64_t kImagesOfOnePath = std::int64_t{1} << 32U;

std::int64_t first_image(std::int64_t mirror_id) { return mirror_id * kImagesOfOnePath; }

std::int64_t sum_of(const Image& image) {
  return checksum_of(image.id, image.owner, image.operation, static_cast<int>(image.kind), image.by_command, image.keys,
                     image.bytes);
}

Error damaged_image(const Image& image) { return damaged(cat("image ", image.id, " of ", image.path)); }

struct StoredBytes {
  bool is_difference = false;
  std::string difference;
  std::optional<Blob> in_row;
};

// `text` has to outlive it.
void store_bytes(const std::optional<std::string>& text, const std::optional<std::string>& newer, StoredBytes& out) {
  if (!text) return;
  out.in_row = Blob{*text};
  if (text->size() <= kInline || !newer || newer->size() <= kInline) return;
  out.difference = written(difference(*newer, *text));
  out.is_difference = out.difference.size() < text->size() / 2;
  if (out.is_difference) out.in_row = Blob{out.difference};
}

// Those that go, oldest first. `images` are newest first.
std::vector<std::int64_t> beyond_limits(const std::vector<std::int64_t>& pinned,
                                        const std::function<std::size_t(std::size_t)>& stored,
                                        const std::vector<const Image*>& images) {
  std::vector<std::int64_t> gone;
  std::vector<std::pair<std::string_view, std::size_t>> owners;  // and how many baselines each has
  std::size_t kept = 0, bytes = 0;
  for (std::size_t i = 0; i < images.size(); ++i) {
    const Image& image = *images[i];
    bool stays = true;
    if (image.kind != ImageKind::baseline) {
      stays = ++kept <= kImageLimits.kept;
    } else {
      auto owner =
          std::find_if(owners.begin(), owners.end(), [&](const auto& one) { return one.first == image.owner; });
      if (owner == owners.end()) owner = owners.insert(owner, {image.owner, 0});
      const bool recent = owner - owners.begin() < static_cast<std::ptrdiff_t>(kImageLimits.owners);
      stays = ++owner->second <= (recent ? kImageLimits.baselines : 1);
    }
    stays = stays && (i == 0 || bytes + stored(i) <= kImageLimits.bytes);
    if (stays || std::binary_search(pinned.begin(), pinned.end(), image.id)) {
      bytes += stored(i);
    } else {
      gone.push_back(image.id);
    }
  }
  std::reverse(gone.begin(), gone.end());
  return gone;
}

}  // namespace

Done SqliteTransaction::each_image(std::int64_t mirror_id, const ImageVisitor& visit) {
  PAWL_ASSIGN(Statement rows, use(Sql::images));
  rows.bind(first_image(mirror_id), first_image(mirror_id + 1));
  std::optional<std::string> newer;
  bool newer_is_known = false;
  while (true) {
    PAWL_ASSIGN(const bool more, rows.step());
    if (!more) return done();
    StoredImage stored;
    Image& image = stored.image;
    image.id = rows.integer(0);
    image.owner = rows.text(1);
    image.operation = rows.integer(2);
    image.kind = kind_of(rows.integer(3));
    image.by_command = rows.integer(4) != 0;
    stored.is_difference = rows.integer(5) != 0;
    image.keys = rows.text(6);
    stored.sum = rows.integer(7);
    if (stored.is_difference) {
      if (!newer_is_known) {
        PAWL_ASSIGN(newer, bytes_of_mirror(mirror_id));
      }
      const std::optional<Difference> change = read_difference(rows.view(8));
      if (newer && change) image.bytes = applied(*newer, *change);
    } else {
      image.bytes = rows.maybe_text(8);
    }
    PAWL_ASSIGN(const bool go_on, visit(stored, newer));
    if (!go_on) return done();
    newer = std::move(image.bytes);
    newer_is_known = true;
  }
}

Result<std::vector<SqliteTransaction::StoredImage>> SqliteTransaction::image_heads(std::int64_t mirror_id) {
  std::vector<StoredImage> heads;
  PAWL_ASSIGN(Statement rows, use(Sql::image_heads));
  rows.bind(first_image(mirror_id), first_image(mirror_id + 1));
  while (true) {
    PAWL_ASSIGN(const bool more, rows.step());
    if (!more) return heads;
    StoredImage& head = heads.emplace_back();
    head.image.id = rows.integer(0);
    head.image.owner = rows.text(1);
    head.image.operation = rows.integer(2);
    head.image.kind = kind_of(rows.integer(3));
    head.image.by_command = rows.integer(4) != 0;
    head.is_difference = rows.integer(5) != 0;
    head.image.keys = rows.text(6);
    head.stored = static_cast<std::size_t>(rows.integer(7));
  }
}

Result<std::vector<Image>> SqliteTransaction::images(const ImageQuery& query) {
  std::vector<Image> found;
  PAWL_ASSIGN(const MirrorPlace place, place_of(query.path));
  if (place.id == 0) return found;
  const auto take = [&](Image& image) {
    image.path = query.path;
    if ((query.kind && image.kind != *query.kind) || (query.owner && image.owner != *query.owner)) return false;
    return query.newest < 0 || static_cast<std::int64_t>(found.size()) < query.newest;
  };
  if (query.part == ImagePart::without_bytes) {
    PAWL_ASSIGN(std::vector<StoredImage> heads, image_heads(place.id));
    for (StoredImage& head : heads) {
      if (take(head.image)) found.push_back(std::move(head.image));
    }
  } else {
    PAWL_TRY(each_image(place.id, [&](StoredImage& stored, const auto& /*newer*/) -> Result<bool> {
      if (query.newest >= 0 && static_cast<std::int64_t>(found.size()) >= query.newest) return false;
      if (!take(stored.image)) return true;
      if (stored.sum != sum_of(stored.image)) return tl::unexpected(damaged_image(stored.image));
      found.push_back(stored.image);
      return true;
    }));
  }
  std::reverse(found.begin(), found.end());
  return found;
}

Result<std::optional<Image>> SqliteTransaction::image(std::int64_t id) {
  std::optional<Image> found;
  const std::int64_t mirror_id = id / kImagesOfOnePath;
  std::string path;
  {
    PAWL_ASSIGN(Statement row, use(Sql::mirror_path));
    PAWL_ASSIGN(const bool known, row.bind(mirror_id).step());
    if (!known) return found;
    path = row.text(0);
  }
  PAWL_TRY(each_image(mirror_id, [&](StoredImage& stored, const auto& /*newer*/) -> Result<bool> {
    if (stored.image.id > id) return true;
    if (stored.image.id < id) return false;
    stored.image.path = path;
    if (stored.sum != sum_of(stored.image)) return tl::unexpected(damaged_image(stored.image));
    found = std::move(stored.image);
    return false;
  }));
  return found;
}

// Asked before the mirror's bytes change. nullopt: the newest image does not depend on them.
Result<std::optional<std::string>> SqliteTransaction::text_of_newest_difference(std::int64_t mirror_id) {
  std::optional<std::string> text;
  PAWL_TRY(each_image(mirror_id, [&](StoredImage& stored, const auto& /*newer*/) -> Result<bool> {
    if (stored.is_difference) text = std::move(stored.image.bytes);
    return false;
  }));
  return text;
}

Done SqliteTransaction::rebase_image(std::int64_t id, const std::optional<std::string>& text,
                                     const std::optional<std::string>& newer) {
  StoredBytes bytes;
  store_bytes(text, newer, bytes);
  PAWL_ASSIGN(Statement put, use(Sql::new_image_bytes));
  return put.bind(id, bytes.is_difference, bytes.in_row).run();
}

Done SqliteTransaction::rebase_newest_image(std::int64_t mirror_id, const std::optional<std::string>& text,
                                            const std::optional<std::string>& newer) {
  PAWL_ASSIGN(const std::vector<StoredImage> heads, image_heads(mirror_id));
  return heads.empty() ? done() : rebase_image(heads.front().image.id, text, newer);
}

Result<std::int64_t> SqliteTransaction::write_image(std::int64_t mirror_id, const Image& given) {
  Image image = given;
  StoredImage newest;
  PAWL_TRY(each_image(mirror_id, [&](StoredImage& stored, const auto& /*newer*/) -> Result<bool> {
    newest = std::move(stored);
    return false;
  }));
  const bool same = newest.image.id != 0 && newest.image.bytes == image.bytes;
  if (same && image.kind != ImageKind::baseline) return newest.image.id;
  image.id = same ? newest.image.id : newest.image.id != 0 ? newest.image.id + 1 : first_image(mirror_id);
  std::optional<std::string> current;
  if (newest.is_difference || (image.bytes && image.bytes->size() > kInline)) {
    PAWL_ASSIGN(current, bytes_of_mirror(mirror_id));
  }
  if (!same && newest.is_difference && current != image.bytes)
    PAWL_TRY(rebase_image(newest.image.id, newest.image.bytes, image.bytes));
  StoredBytes bytes;
  store_bytes(image.bytes, current, bytes);
  PAWL_ASSIGN(Statement put, use(Sql::put_image));
  PAWL_TRY(put.bind(image.id, image.owner, image.operation, static_cast<int>(image.kind), image.by_command,
                    bytes.is_difference, image.keys, sum_of(image), bytes.in_row)
               .run());
  return image.id;
}

Done SqliteTransaction::write_images(const Batch& batch, Committed& committed) {
  std::set<std::int64_t> touched;
  for (const Image& given : batch.images) {
    PAWL_ASSIGN(const MirrorPlace place, place_of(given.path));
    if (place.id == 0)
      return fail(ErrorCode::internal, cat("an image of ", given.path, ", of which there is no mirror row"));
    Image image = given;
    image.operation = made(given.operation, committed.operations);
    PAWL_ASSIGN(const std::int64_t id, write_image(place.id, image));
    committed.images.push_back(id);
    touched.insert(place.id);
  }
  for (const std::int64_t mirror_id : touched) PAWL_TRY(forget_images(mirror_id));
  return done();
}

Done SqliteTransaction::forget_images(std::int64_t mirror_id) {
  PAWL_ASSIGN(const std::vector<StoredImage> heads, image_heads(mirror_id));
  std::vector<const Image*> images;
  for (const StoredImage& head : heads) images.push_back(&head.image);
  const auto stored = [&](std::size_t i) { return heads[i].stored; };
  if (beyond_limits({}, stored, images).empty()) return done();

  std::vector<std::int64_t> pinned;
  {
    PAWL_ASSIGN(const std::vector<StoredConflict> open, conflicts({}));
    for (const StoredConflict& conflict : open) pinned.push_back(conflict.image);
    PAWL_ASSIGN(const MergeFacts merge, merge_of(mirror_id));
    for (const DisplacedFile& file : merge.displaced) pinned.push_back(file.image);
  }
  std::sort(pinned.begin(), pinned.end());
  for (const std::int64_t id : beyond_limits(pinned, stored, images)) PAWL_TRY(drop_image(mirror_id, id));
  return done();
}

Done SqliteTransaction::drop_image(std::int64_t mirror_id, std::int64_t id) {
  std::optional<std::string> newer, text;
  std::int64_t older = 0;
  {
    PAWL_ASSIGN(const std::vector<StoredImage> heads, image_heads(mirror_id));
    for (const StoredImage& head : heads) {
      if (head.image.id >= id) continue;
      if (head.is_difference) older = head.image.id;
      break;
    }
  }
  if (older != 0)
    PAWL_TRY(each_image(mirror_id, [&](StoredImage& stored, const std::optional<std::string>& before) -> Result<bool> {
      if (stored.image.id == id) newer = before;
      if (stored.image.id == older) text = std::move(stored.image.bytes);
      return stored.image.id > older;
    }));
  {
    PAWL_ASSIGN(Statement drop, use(Sql::drop_image));
    PAWL_TRY(drop.bind(id).run());
  }
  return older == 0 ? done() : rebase_image(older, text, newer);
}

}  // namespace pawl::sqlite
