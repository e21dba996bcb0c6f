#include "engine/aside.h"

#include <algorithm>

#include "base/clock.h"
#include "base/text.h"

namespace pawl {
namespace {

constexpr std::size_t kMaxKept = std::size_t{128} << 20U;
constexpr int kMaxCopies = 10'000;

}  // namespace

Result<std::string> keep_aside(const MirrorWorld& world, std::string_view folder, const std::string& path,
                               std::string_view bytes, std::int64_t now_ms) {
  const std::string whole = cat(world.workspace->store, "/", folder);
  PAWL_TRY(make_folders(whole, 0777));
  PAWL_ASSIGN(const Fd fd, open_folder(whole));
  PAWL_ASSIGN(const auto names, names_in(fd.get()));
  const std::string file_name = path.substr(path.rfind('/') + 1);

  // A command that looks again and again at the same damage keeps one copy of it.
  for (const std::string& name : names) {
    if (!name.starts_with(file_name + ".")) continue;
    const auto kept = read_file_at(fd.get(), name, kMaxKept);
    if (kept && kept->bytes == bytes) return cat(world.roots->shortened(whole), "/", name);
  }
  std::string stamp = iso_time(now_ms);
  std::erase_if(stamp, [](char c) { return c == '-' || c == ':'; });
  for (int number = 1; number < kMaxCopies; ++number) {
    const std::string name = number == 1 ? cat(file_name, ".", stamp) : cat(file_name, ".", stamp, "-", number);
    if (std::binary_search(names.begin(), names.end(), name)) continue;
    PAWL_TRY(write_synced_at(fd.get(), name, bytes));
    PAWL_TRY(sync_folder(fd.get()));
    return cat(world.roots->shortened(whole), "/", name);
  }
  return fail(ErrorCode::io, cat("too many copies of ", printable(path), " are kept in ", printable(whole)));
}

}  // namespace pawl
