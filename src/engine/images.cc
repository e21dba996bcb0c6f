#include "engine/images.h"

#include <algorithm>

#include "base/text.h"

namespace pawl {
namespace {

// What Image::keys says. A file with one record and no members of its own needs none of it.
std::string keys_of(const Mirror& mirror, const merge::Content* shown) {
  if (mirror.spec().only_key != nullptr) return {};
  const FileState state = state_of(mirror);
  Json keys = {{"owner", state.owner}, {"file", state.file}, {"order", state.order}};
  if (shown != nullptr && !shown->pieces.empty()) keys["pieces"] = shown->pieces;
  return to_line(keys);
}

std::vector<std::string> texts_in(const Json& object, const char* name) {
  std::vector<std::string> texts;
  const auto found = object.find(name);
  if (found == object.end() || !found->is_array()) return texts;
  for (const Json& text : *found) texts.push_back(text.is_string() ? text.get<std::string>() : std::string());
  return texts;
}

std::optional<FileState> state_after(const Image& image) {
  const auto keys = image.keys.empty() ? Result<Json>(Json()) : parse_json(image.keys);
  if (!keys || !keys->is_object()) return std::nullopt;
  return FileState{string_or(*keys, "owner"), keys->value("file", Json::object()), texts_in(*keys, "order")};
}

}  // namespace

void add_image(Mirror& mirror, ImageKind kind, std::string_view owner, std::optional<std::string> bytes,
               const merge::Content* shown, std::int64_t operation, bool by_command) {
  if (!mirror.images.empty() && mirror.images.back().bytes == bytes) {
    if (kind != ImageKind::baseline) return;
    mirror.images.pop_back();  // the store does the same
  }
  mirror.images.push_back(
      {0, mirror.file.path, std::string(owner), operation, kind, by_command, std::move(bytes), keys_of(mirror, shown)});
}

std::int64_t newest_image(const Mirror& mirror) {
  const std::int64_t id = mirror.images.back().id;
  return id != 0 ? id : in_batch(mirror.images.size() - 1);
}

std::optional<merge::Content> content_of(const Mirror& mirror, const Image& image) {
  if (!image.bytes) return std::nullopt;
  const auto keys = image.keys.empty() ? Result<Json>(Json::object()) : parse_json(image.keys);
  const auto pieces = texts_in(keys && keys->is_object() ? *keys : Json::object(), "pieces");
  auto content = mirror.spec().codec->parse(mirror.file.path, *image.bytes, {.pieces = pieces});
  return content ? std::optional(std::move(*content)) : std::nullopt;
}

FileState state_of(const Mirror& mirror) {
  const MergeFacts& merge = mirror.row.merge;
  auto file = merge.file.empty() ? Result<Json>(Json::object()) : parse_json(merge.file);
  return {merge.owner, file && file->is_object() ? std::move(*file) : Json::object(), merge.order};
}

void set_state(Mirror& mirror, FileState state) {
  MergeFacts& merge = mirror.row.merge;
  std::string file = state.file.empty() ? std::string() : to_line(state.file);
  mirror.changed = mirror.changed || merge.owner != state.owner || merge.file != file || merge.order != state.order;
  merge.owner = std::move(state.owner);
  merge.file = std::move(file);
  merge.order = std::move(state.order);
}

std::optional<std::pair<FileState, FileState>> states_around(const Mirror& mirror, std::int64_t operation) {
  std::optional<FileState> before, after;
  for (const Image& image : mirror.images) {
    auto state = state_after(image);
    if (!state) continue;
    if (image.operation == operation) {
      after = std::move(state);
    } else if (!after) {
      before = std::move(state);
    } else {
      break;
    }
  }
  if (!after || before == after) return std::nullopt;
  return std::pair{before.value_or(FileState()), *std::move(after)};
}

const Image* newest_of(const Mirror& mirror, std::string_view owner) {
  const auto found = std::find_if(mirror.images.rbegin(), mirror.images.rend(), [&](const Image& image) {
    return image.kind == ImageKind::baseline && image.bytes && image.owner == owner;
  });
  return found == mirror.images.rend() ? nullptr : &*found;
}

std::optional<std::string> bytes_before(const Mirror& mirror, std::int64_t operation) {
  const Image* newest = nullptr;
  for (auto image = mirror.images.rbegin(); image != mirror.images.rend(); ++image) {
    if (image->kind == ImageKind::kept) continue;
    if (newest == nullptr) {
      if (image->kind != ImageKind::baseline || image->operation != operation) return std::nullopt;
      newest = &*image;
    } else if (image->bytes != newest->bytes) {
      return image->bytes;
    }
  }
  return std::nullopt;
}

}  // namespace pawl
