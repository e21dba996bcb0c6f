#include "engine/only_copies.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <functional>

#include "base/file.h"
#include "base/text.h"

namespace pawl {
namespace {

namespace fs = std::filesystem;

struct Kind {
  std::string_view folder, what;
  std::string_view only = {};  // of names that begin so; the rest is of use to a running pawl alone
  bool is_output = false;      // may be much
  bool is_private = false;     // may hold what git was not to see: an .env, a token that was printed
};
constexpr std::array kKinds = {
    Kind{"kept", "that cleanups kept", "", false, true},
    Kind{"damaged", "that pawl found damaged, and replaced"},
    Kind{"refused", "with what was refused, as it was written"},
    Kind{"dropped", "as they were before somebody left members out, or put another in their place"},
    Kind{"logs", "with what agents and checks printed", "", true, true},
    Kind{"runs", "with what the sessions of issues printed", "output.", true, true},
};
constexpr std::uintmax_t kMostOutput = std::uintmax_t{256} << 20U;

// Calls `take` for each file of this kind, in any depth. Links are files; folders are none, and what is neither (a
// pipe, a socket, a device) is passed over.
template <typename Take>
std::error_code each_file(const fs::path& top, const Kind& kind, const Take& take,
                          const std::function<void(const fs::path&)>& pass_over = {}) {
  std::error_code why;
  for (fs::recursive_directory_iterator at(top, why), end; !why && at != end; at.increment(why)) {
    const fs::file_type type = at->symlink_status(why).type();
    if (type == fs::file_type::directory || !at->path().filename().string().starts_with(kind.only)) continue;
    const bool is_file = type == fs::file_type::regular || type == fs::file_type::symlink;
    if (is_file || type == fs::file_type::none || type == fs::file_type::not_found)
      take(*at, why);
    else if (pass_over)
      pass_over(at->path());
    if (why) break;
  }
  return why;
}

const Kind& kind_of(const OnlyCopies& one) {
  return *std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& kind) { return kind.folder == one.folder; });
}

tl::unexpected<Error> can_not_copy(const fs::path& path, const std::error_code& why) {
  Error error = io_error("copy", path.string(), why.value());
  error.hint = "nothing was taken away; pawl is still here";
  return tl::unexpected(std::move(error));
}

// Not the library's: whatever goes wrong on its way, it calls that an error of the disk.
std::error_code copy_bytes(const fs::path& from, const fs::path& to) {
  const auto failed = [] { return std::error_code(errno, std::generic_category()); };
  const Fd in(open(from.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat looks {};
  if (!in.valid() || fstat(in.get(), &looks) != 0) return failed();
  const mode_t mode = looks.st_mode & 07777U;
  const Fd out(open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode | S_IWUSR));
  if (!out.valid()) return errno == EEXIST ? std::error_code() : failed();  // a .gitignore of its own
  std::array<char, 65536> piece;
  while (true) {
    const ssize_t got = read(in.get(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed();
    if (got == 0) break;
    for (ssize_t at = 0; at < got;) {
      const ssize_t wrote = write(out.get(), piece.data() + at, static_cast<std::size_t>(got - at));
      if (wrote < 0 && errno != EINTR) return failed();
      at += std::max<ssize_t>(wrote, 0);
    }
  }
  return fchmod(out.get(), mode) == 0 ? std::error_code() : failed();
}

// Its own name, and every name in it: files that are synced may still be gone with the folder that names them.
Done sync_names(const fs::path& folder) {
  std::error_code why;
  for (fs::recursive_directory_iterator at(folder, why), end; !why && at != end; at.increment(why)) {
    if (at->symlink_status(why).type() != fs::file_type::directory) continue;
    PAWL_ASSIGN(const Fd below, open_real_folder(at->path()));
    PAWL_TRY(sync_folder(below.get()));
  }
  if (why) return can_not_copy(folder, why);
  for (const fs::path& one : {folder, folder.parent_path()}) {
    PAWL_ASSIGN(const Fd names, open_folder(one));
    PAWL_TRY(sync_folder(names.get()));
  }
  return done();
}

// Before the first file is in it: whoever is cut off leaves nothing that `git add` would take.
Done hide_from_git(const fs::path& folder) {
  PAWL_TRY(make_folders(folder, 0777));
  PAWL_ASSIGN(const Fd place, open_real_folder(folder));
  PAWL_TRY(write_synced_at(place.get(), ".gitignore", "*\n"));
  return sync_folder(place.get());
}

}  // namespace

Result<std::vector<OnlyCopies>> only_copies(const Workspace& workspace) {
  std::vector<OnlyCopies> out;
  for (const Kind& kind : kKinds) {
    const fs::path top = cat(workspace.store, "/", kind.folder);
    std::error_code why;
    if (fs::symlink_status(top, why).type() != fs::file_type::directory) continue;
    OnlyCopies found{std::string(kind.folder), kind.what};
    why = each_file(
        top, kind,
        [&](const fs::directory_entry& file, std::error_code&) {
          std::error_code none;
          const std::uintmax_t size = file.file_size(none);
          ++found.files;
          found.bytes += none ? 0 : size;
        },
        [&](const fs::path& path) { found.passed_over.push_back(path.string()); });
    if (why) return can_not_copy(top, why);
    found.hidden = kind.is_private;
    found.too_much = kind.is_output && found.bytes > kMostOutput;
    if (found.files > 0 || !found.passed_over.empty()) out.push_back(std::move(found));
  }
  return out;
}

void add_copy(std::vector<OnlyCopies>& copies, std::string_view folder) {
  auto found = std::find_if(copies.begin(), copies.end(), [&](const OnlyCopies& one) { return one.folder == folder; });
  if (found == copies.end()) {
    found = copies.insert(copies.end(), OnlyCopies{std::string(folder), {}});
    found->what = kind_of(*found).what;
  }
  ++found->files;
}

std::vector<std::string_view> folders_of_copies() {
  std::vector<std::string_view> out;
  for (const Kind& kind : kKinds) out.push_back(kind.folder);
  return out;
}

Done copy_out(const Workspace& workspace, const std::vector<OnlyCopies>& copies, const std::string& folder) {
  for (const OnlyCopies& one : copies) {
    if (one.too_much || one.files == 0) continue;
    const Kind& kind = kind_of(one);
    const fs::path from = cat(workspace.store, "/", one.folder), to = cat(folder, "/", one.folder);
    if (kind.is_private) PAWL_TRY(hide_from_git(to));
    const std::error_code failed = each_file(from, kind, [&](const fs::directory_entry& file, std::error_code& why) {
      const fs::path place = to / file.path().lexically_relative(from);
      fs::create_directories(place.parent_path(), why);
      if (!why && file.is_symlink(why))
        fs::copy_symlink(file.path(), place, why);
      else if (!why)
        why = copy_bytes(file.path(), place);
      // What a watcher that goes on has just dropped is not there to be copied.
      if (kind.is_output && why == std::errc::no_such_file_or_directory) why.clear();
    });
    if (failed) return can_not_copy(from, failed);
  }
  PAWL_ASSIGN(const Fd place, open_folder(folder));
  if (!copies.empty() && syncfs(place.get()) != 0) return tl::unexpected(io_error("write", folder, errno));
  return sync_names(folder);
}

std::vector<std::string> databases_set_aside(const Workspace& workspace) {
  std::vector<std::string> out;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(workspace.store, none)) {
    std::string path = entry.path();
    if (path.ends_with("-pawl.db")) out.push_back(std::move(path));
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace pawl
