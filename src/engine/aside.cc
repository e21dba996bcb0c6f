#include "engine/aside.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <functional>

#include "base/clock.h"
#include "base/own_folder.h"
#include "base/text.h"

namespace pawl {
namespace {

constexpr std::size_t kMaxKept = std::size_t{128} << 20U;
constexpr int kMaxCopies = 10'000;

// What follows the name: ".20240130T090000Z", ".20240130T090000Z-2".
bool is_stamp(std::string_view end) {
  if (end.size() < 17 || end[0] != '.' || end[9] != 'T' || end[16] != 'Z') return false;
  return end.size() == 17 || end[17] == '-';
}

// Under a name that none of `names` is: "prd.json.20240130T090000Z", or the same with a number.
Result<std::string> under_new_name(const MirrorWorld& world, const std::string& folder,
                                   const std::vector<std::string>& names, const std::string& path, std::int64_t now_ms,
                                   const std::function<Done(const std::string&)>& put) {
  const std::string begins = cat(copy_name(path), ".", stamp_of(now_ms));
  for (int number = 1; number < kMaxCopies; ++number) {
    const std::string name = number == 1 ? begins : cat(begins, "-", number);
    if (std::binary_search(names.begin(), names.end(), name)) continue;
    PAWL_TRY(put(name));
    return cat(world.roots->shortened(folder), "/", name);
  }
  return fail(ErrorCode::io, cat("too many copies of ", printable(path), " are kept in ", printable(folder)));
}

}  // namespace

std::string stamp_of(std::int64_t now_ms) {
  std::string stamp = iso_time(now_ms);
  std::erase_if(stamp, [](char c) { return c == '-' || c == ':'; });
  return stamp;
}

std::string copy_name(std::string_view path) {
  std::string name;
  // None begins with a dot, or ls would not show it; and one that begins as these do keeps apart from them.
  if (path.substr(std::min(path.find_first_not_of('_'), path.size())).starts_with('.')) name = "_";
  for (const char c : path) {
    if (c == '+' || c == '%') {
      name += c == '+' ? "%2B" : "%25";  // "a+/b" and "a/+b" are two
    } else {
      name += c == '/' ? '+' : c;
    }
  }
  constexpr std::size_t kMost = 200;
  if (name.size() > kMost) {
    const std::size_t hash = std::hash<std::string_view>()(path);
    name = cat(name.substr(name.size() - kMost + 24), "#", hash);
  }
  return name;
}

bool is_copy_of(std::string_view name, std::string_view path) {
  const std::string begins = copy_name(path);
  return name.starts_with(begins) && is_stamp(name.substr(begins.size()));
}

std::vector<KeptAside> kept_since(const MirrorWorld& world, std::string_view folder, std::int64_t since_ms) {
  std::vector<KeptAside> out;
  const std::string whole = cat(world.workspace->store, "/", folder);
  const auto fd = open_below(world.workspace->store, folder);
  if (!fd) return out;  // nothing was ever kept
  const auto names = names_in(fd->get());
  for (const std::string& name : names ? *names : std::vector<std::string>{}) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos || !is_stamp(std::string_view(name).substr(dot))) continue;
    std::string time = name.substr(dot + 1, 16);  // 20240130T090000Z
    for (const std::size_t at : {13U, 11U}) time.insert(at, ":");
    for (const std::size_t at : {6U, 4U}) time.insert(at, "-");
    const auto when = parse_iso_time(time);
    if (when && *when >= since_ms) out.push_back({cat(world.roots->shortened(whole), "/", name), *when});
  }
  std::sort(out.begin(), out.end(), [](const KeptAside& a, const KeptAside& b) { return a.at_ms > b.at_ms; });
  return out;
}

namespace {

// Who may read a file may read a copy of it, and nobody else.
FileLooks looks_at(const MirrorWorld& world, const std::string& path) {
  FileLooks looks;
  const auto place = world.roots->find(path, false);
  struct stat info {};
  if (place && *place && fstatat((*place)->folder.get(), (*place)->name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 &&
      S_ISREG(info.st_mode)) {
    looks.mode = (info.st_mode & 0777U) | S_IRUSR | S_IWUSR;
    if (info.st_gid != getegid()) looks.group = info.st_gid;  // else what its group may do another group might
  }
  return looks;
}

}  // namespace

Result<std::string> keep_aside(const MirrorWorld& world, std::string_view folder, const std::string& path,
                               std::string_view bytes, std::int64_t now_ms) {
  const std::string whole = cat(world.workspace->store, "/", folder);
  PAWL_ASSIGN(const Fd fd, make_below(world.workspace->store, folder, 0777));
  PAWL_ASSIGN(auto names, names_in(fd.get()));
  // A command that looks again and again at the same damage keeps one copy of it.
  for (const std::string& name : names) {
    if (!is_copy_of(name, path)) continue;
    const auto kept = read_file_at(fd.get(), name, kMaxKept);
    if (kept && kept->bytes == bytes) return cat(world.roots->shortened(whole), "/", name);
  }
  // Nor is the name of one that was settled taken: what is known of a copy is known by its name.
  if (const auto settled = open_below(whole, "settled")) {
    PAWL_ASSIGN(const auto more, names_in(settled->get()));
    names.insert(names.end(), more.begin(), more.end());
    std::sort(names.begin(), names.end());
  }
  const FileLooks looks = looks_at(world, path);
  return under_new_name(world, whole, names, path, now_ms, [&](const std::string& name) -> Done {
    PAWL_TRY(write_synced_at(fd.get(), name, bytes, looks));
    return sync_folder(fd.get());
  });
}

Result<std::string> move_aside(const MirrorWorld& world, std::string_view folder, const std::string& path, int from,
                               const std::string& name, std::int64_t now_ms) {
  const std::string whole = cat(world.workspace->store, "/", folder);
  PAWL_ASSIGN(const Fd fd, make_below(world.workspace->store, folder, 0777));
  PAWL_ASSIGN(const auto names, names_in(fd.get()));
  return under_new_name(world, whole, names, path, now_ms, [&](const std::string& kept) -> Done {
    PAWL_TRY(move_new_at(from, name, fd.get(), kept));
    return sync_folder(fd.get());
  });
}

}  // namespace pawl
