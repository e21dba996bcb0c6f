#include "runners/issue/copied_files.h"

#include <fcntl.h>
#include <sys/stat.h>

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

// Whole or not at all, and without a name until then: a command that dies leaves nothing that looks like work. False:
// something else stands there.
Result<bool> put(const Place& target, const FileImage& image) {
  const int folder = target.folder.get();
  const mode_t mode = image.mode & 0777U;
  Fd out(openat(folder, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, mode));
  if (out.valid()) {
    PAWL_TRY(write_all(out.get(), image.bytes, target.path));
    const std::string nameless = cat("/proc/self/fd/", out.get());
    if (linkat(AT_FDCWD, nameless.c_str(), folder, target.name.c_str(), AT_SYMLINK_FOLLOW) == 0) return true;
    if (errno != EEXIST) return tl::unexpected(io_error("write", target.path, errno));
  } else {  // a disk that has no files without a name
    out = Fd(openat(folder, target.name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode));
    if (out.valid()) {
      PAWL_TRY(write_all(out.get(), image.bytes, target.path));
      return true;
    }
    if (errno != EEXIST) return tl::unexpected(io_error("write", target.path, errno));
  }
  const auto there = read_file_at(folder, target.name, kMaxFile);
  return there && there->exists && !there->too_large && there->bytes == image.bytes;  // copied by one that died
}

}  // namespace

Result<std::map<std::string, std::string>> copy_files(const Roots& roots, const std::vector<std::string>& files,
                                                      const std::string& worktree,
                                                      const std::function<void(std::string_view)>& note) {
  std::map<std::string, std::string> copied;
  PAWL_TRY(check_copy_files(files));
  for (const std::string& file : files) {
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
    PAWL_ASSIGN(const bool ours, put(*target, *image));
    if (ours) copied[file] = mark_of(image->bytes);
  }
  return copied;
}

Done check_copy_files(const std::vector<std::string>& files) {
  const auto out = std::find_if(files.begin(), files.end(), [](const std::string& file) { return leads_out(file); });
  if (out == files.end()) return done();
  return fail(ErrorCode::invalid_argument, cat("issue.copy_files: “", printable(*out), "” leads out of the workspace"),
              "files of the workspace by their path in it, and none in .git");
}

Result<CopiedNow> compare_copied(const Roots& roots, const std::map<std::string, std::string>& copied,
                                 const std::string& worktree) {
  CopiedNow now;
  for (const auto& [file, mark] : copied) {
    const auto image = read_file(cat(worktree, "/", file), kMaxFile);
    if (image && !image->exists) continue;
    const auto original = roots.find(file, false);
    struct stat info {};
    const bool has_original =
        original && *original && fstatat((*original)->folder.get(), (*original)->name.c_str(), &info, 0) == 0;
    const bool same = image && !image->too_large && mark_of(image->bytes) == mark;
    (same && has_original ? now.same : now.changed).push_back(file);
  }
  return now;
}

void mark_copied(std::map<std::string, std::string>& copied, const std::string& file, std::string_view bytes) {
  copied[file] = mark_of(bytes);
}

}  // namespace pawl
