#include "drive/copied_files.h"

#define XXH_INLINE_ALL
#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>

#include "base/text.h"

namespace pawl {
namespace {

constexpr std::size_t kMaxFile = std::size_t{64} << 20U;

std::string mark_of(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return cat(hash.high64, "-", hash.low64);
}

bool leads_out(std::string_view path) {
  if (path.empty() || path.starts_with('/') || path.starts_with("~")) return true;
  const auto parts = split(path, '/');
  return std::any_of(parts.begin(), parts.end(), [](std::string_view part) { return part == ".." || part == ".git"; });
}

}  // namespace

Result<std::map<std::string, std::string>> copy_files(const Roots& roots, const std::vector<std::string>& files,
                                                      const std::string& worktree,
                                                      const std::function<void(std::string_view)>& note) {
  std::map<std::string, std::string> copied;
  for (const std::string& file : files) {
    if (leads_out(file))
      return fail(ErrorCode::invalid_argument,
                  cat("issue.copy_files: “", printable(file), "” leads out of the workspace"));
    const auto place = roots.find(file, false);
    if (!place) return tl::unexpected(place.error());
    if (!*place) continue;
    const auto image = read_file_at((*place)->folder.get(), (*place)->name, kMaxFile);
    if (!image || image->too_large) {
      note(cat(printable(file), " was not copied into the worktree: ",
               image ? std::string("it is larger than 64 MiB") : image.error().message));
      continue;
    }
    if (!image->exists) continue;
    const Roots inside(worktree, {}, {});
    PAWL_ASSIGN(const auto target, inside.find(file, true));
    if (!target) continue;
    const Fd out(openat(target->folder.get(), target->name.c_str(),
                        O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, image->mode & 0777U));
    if (!out.valid() && errno == EEXIST) continue;
    if (!out.valid()) return tl::unexpected(io_error("write", target->path, errno));
    PAWL_TRY(write_all(out.get(), image->bytes, target->path));
    copied[file] = mark_of(image->bytes);
  }
  return copied;
}

Result<CopiedNow> compare_copied(const std::map<std::string, std::string>& copied, const std::string& worktree) {
  CopiedNow now;
  for (const auto& [file, mark] : copied) {
    const auto image = read_file(cat(worktree, "/", file), kMaxFile);
    if (image && !image->exists) continue;
    (image && !image->too_large && mark_of(image->bytes) == mark ? now.same : now.changed).push_back(file);
  }
  return now;
}

void mark_copied(std::map<std::string, std::string>& copied, const std::string& file, std::string_view bytes) {
  copied[file] = mark_of(bytes);
}

}  // namespace pawl
