// Nothing is deleted because it is damaged or refused: a copy is kept in the store's folder, under a name that is
// never used twice.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "engine/mirror.h"

namespace pawl {

// `folder` is "refused", "damaged" or "dropped". Returns the copy's path as a user would type it; it is synced by then.
// The same bytes of the same file are kept once.
[[nodiscard]] Result<std::string> keep_aside(const MirrorWorld& world, std::string_view folder, const std::string& path,
                                             std::string_view bytes, std::int64_t now_ms);

// The same for a file that is too large to be read: it is moved there, from where it lies on the same disk.
[[nodiscard]] Result<std::string> move_aside(const MirrorWorld& world, std::string_view folder, const std::string& path,
                                             int from, const std::string& name, std::int64_t now_ms);

// "20240130T090000Z", for names.
[[nodiscard]] std::string stamp_of(std::int64_t now_ms);

// ".worktrees/.status/42.json" → "_.worktrees+.status+42.json": the name tells the file, and no other one's does.
[[nodiscard]] std::string copy_name(std::string_view path);

// Is this the name of a copy that keep_aside made of the file at `path`?
[[nodiscard]] bool is_copy_of(std::string_view name, std::string_view path);

// How long the board asks a person about a copy.
inline constexpr std::int64_t kAskedAboutMs = kDayMs;

// The copies in a folder of the store (refused, damaged) that are not older, as the roots spell them; newest first.
struct KeptAside {
  std::string path;
  std::int64_t at_ms = 0;
};
[[nodiscard]] std::vector<KeptAside> kept_since(const MirrorWorld& world, std::string_view folder,
                                                std::int64_t since_ms);

}  // namespace pawl
