#include "runners/issue/signal_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "lifecycles/issue/issue.h"

namespace pawl {
namespace {

constexpr std::size_t kMaxSignal = std::size_t{1} << 20U;
constexpr std::int64_t kWordsMayFollowMs = 400;  // how old an empty file that tells of an error must be

struct SignalFile {
  std::optional<Fd> folder;  // none: there is no such file
  std::string name, path;
  bool odd = false;  // something else stands there
  std::int64_t changed_ms = 0;
};

Result<SignalFile> find_signal(const Engine& engine, std::string_view kind, std::int64_t number) {
  const std::string folder = cat(issue::base_dir(engine.settings()), "/.status");
  SignalFile file{std::nullopt, cat("signal-", kind, "-", number), {}, false, 0};
  file.path = cat(folder, "/", file.name);
  PAWL_ASSIGN(auto opened, engine.world().roots->find_folder(folder, false));
  struct stat info {};
  if (!opened || fstatat(opened->get(), file.name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return file;
  file.odd = !S_ISREG(info.st_mode);
  file.changed_ms = info.st_mtim.tv_sec * 1'000 + info.st_mtim.tv_nsec / 1'000'000;
  if (!file.odd) file.folder = std::move(opened);
  return file;
}

Result<std::optional<std::string>> read_signal(const SignalFile& file) {
  if (!file.folder) return std::optional<std::string>();
  PAWL_ASSIGN(const FileImage image, read_file_at(file.folder->get(), file.name, kMaxSignal));
  if (image.too_large) return std::optional<std::string>("(its signal file is larger than 1 MiB)");
  return image.exists ? std::optional(image.bytes) : std::nullopt;
}

}  // namespace

Result<Signals> read_signals(const Engine& engine, std::int64_t number) {
  Signals found;
  PAWL_ASSIGN(const SignalFile complete, find_signal(engine, issue::kComplete, number));
  PAWL_ASSIGN(const SignalFile error, find_signal(engine, issue::kError, number));
  for (const SignalFile* const file : {&complete, &error}) {
    if (file->odd) found.ignored.push_back(file->path);
  }
  PAWL_ASSIGN(found.complete, read_signal(complete));
  PAWL_ASSIGN(found.error, read_signal(error));
  const std::int64_t age_ms = engine.clock().now().wall_ms - error.changed_ms;
  found.words_may_follow = found.error && found.error->empty() && age_ms >= 0 && age_ms < kWordsMayFollowMs;
  if (found.words_may_follow) found.error.reset();
  return found;
}

Done remove_signals(const Engine& engine, std::int64_t number) {
  for (const std::string_view kind : {issue::kComplete, issue::kError}) {
    PAWL_ASSIGN(const SignalFile file, find_signal(engine, kind, number));
    if (file.folder) PAWL_TRY(remove_at(file.folder->get(), file.name));
  }
  return done();
}

std::string text_of_ignored(const std::vector<std::string>& ignored) {
  std::string names;
  for (const std::string& path : ignored) names += cat(names.empty() ? "" : ", ", printable(path));
  return cat(names, ignored.size() == 1 ? " is no file" : " are no files", ": no signal is read from there; remove ",
             ignored.size() == 1 ? "it" : "them");
}

}  // namespace pawl
