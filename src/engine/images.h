// The bytes of a mirror at moments: what pawl left there, found there, or moved aside. Only baselines (what pawl wrote,
// or found and did not change) can be the base of an edit; the others are kept so that nothing is lost.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/file_spec.h"
#include "engine/mirror.h"

namespace pawl {

// One mirror in a command.
struct Mirror {
  MirrorFile file;
  MirrorRow row;                      // as it will be stored
  std::vector<Image> images;          // oldest first; new ones have no id
  FileImage found;                    // the file, when it was looked at
  std::optional<std::string> source;  // the bytes that write back patches
  bool known = false;                 // the store has a row
  bool changed = false;               // the row has to be stored
  bool write = false;                 // what the file shows may have to change
  bool waits = false;                 // somebody has it open for writing, or git is running
  bool linked = false;                // its path is a symbolic link
  bool has_images = false;            // `images` has those of the store

  [[nodiscard]] const FileSpec& spec() const { return *file.format->spec(); }
};

// Adds the newest image. One with the same bytes as the image before it takes its place.
void add_image(Mirror& mirror, ImageKind kind, std::string_view owner, std::optional<std::string> bytes,
               const merge::Content* shown, std::int64_t operation, bool by_command = false);

// Names the newest image in what is stored with it: by its id, or by its place among those of this mirror (in_batch).
[[nodiscard]] std::int64_t newest_image(const Mirror& mirror);

// What an image shows; nullopt: it has no bytes, or they cannot be read.
[[nodiscard]] std::optional<merge::Content> content_of(const Mirror& mirror, const Image& image);

// The file's own members, owner and order after an image, for formats whose files have them.
struct FileState {
  std::string owner;
  Json file = Json::object();
  merge::Order order;

  bool operator==(const FileState&) const = default;
};
[[nodiscard]] FileState state_of(const Mirror& mirror);
void set_state(Mirror& mirror, FileState state);
// What an operation changed of it: before and after; nullopt: nothing, or it is not known any more.
[[nodiscard]] std::optional<std::pair<FileState, FileState>> states_around(const Mirror& mirror,
                                                                           std::int64_t operation);

// The newest baseline of an owner that has bytes; nullptr: there is none.
[[nodiscard]] const Image* newest_of(const Mirror& mirror, std::string_view owner);
// The bytes before the newest baseline, if that is the operation's: undo writes them to the byte. nullopt: it patches.
[[nodiscard]] std::optional<std::string> bytes_before(const Mirror& mirror, std::int64_t operation);

}  // namespace pawl
