#include "runners/install/memory.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/own_folder.h"
#include "base/text.h"
#include "runners/install/users_file.h"

namespace pawl::install {
namespace {

constexpr std::string_view kFolder = "hooks";
constexpr std::string_view kBefore = ".before", kAfter = ".after", kMade = ".made";

}  // namespace

Memory::Memory(const Engine& engine, std::string path)
    : store_(engine.workspace().store), folder_(cat(store_, "/", kFolder)) {
  std::replace(path.begin(), path.end(), '/', '+');
  name_ = std::move(path);
  any_ = access(engine.workspace().store.c_str(), F_OK) == 0;
}

std::optional<std::string> Memory::read(const Fd& folder, std::string_view end) const {
  auto image = read_file_at(folder.get(), cat(name_, end), kMaxUsersFile);
  return image && image->exists && !image->too_large ? std::optional(std::move(image->bytes)) : std::nullopt;
}

Done Memory::must_be_no_link() const {
  struct stat info {};
  if (lstat(store_.c_str(), &info) != 0 || !S_ISLNK(info.st_mode)) return done();
  return fail(ErrorCode::untrusted, cat(printable(store_), " is a symbolic link; pawl's store is not kept behind one"),
              "replace the link by what it leads to, if you made it");
}

Done Memory::load() {
  struct stat info {};
  if (!any_ || lstat(folder_.c_str(), &info) != 0) return done();
  PAWL_ASSIGN(const Fd folder, open_below(store_, kFolder));
  const auto after = read(folder, kAfter);
  before_ = read(folder, kBefore);
  wrote_ = after || before_;
  after_ = after.value_or("");
  const std::string made = read(folder, kMade).value_or("");
  made_ = made.size() == 1 && made[0] >= '0' && made[0] <= '9' ? made[0] - '0' : 0;
  return done();
}

Done Memory::keep(const FileImage& now, const std::string& after, bool ours, int folders) {
  if (!any_) return done();
  PAWL_TRY(make_below(store_, kFolder, 0777));
  if (folders > made_) {
    PAWL_TRY(write(kMade, cat(folders)));
    made_ = folders;
  }
  const bool follows = leads_back(now);
  // Somebody has written into it since: only what was before pawl came is still of use.
  const std::string next = ours && !follows ? std::string() : after;
  if (!ours && !follows) {
    PAWL_TRY(drop(kAfter));
    PAWL_TRY(drop(kBefore));
    before_ = now.content();
    if (before_) PAWL_TRY(write(kBefore, *before_, looks_of(now)));
  }
  PAWL_TRY(write(kAfter, next, looks_of(now)));
  after_ = next;
  wrote_ = true;
  return done();
}

Done Memory::forget() {
  if (!any_ || (!wrote_ && made_ == 0)) return done();
  for (const std::string_view end : {kAfter, kBefore, kMade}) PAWL_TRY(drop(end));
  after_.clear();
  before_.reset();
  wrote_ = false;
  made_ = 0;
  return done();
}

Done Memory::drop(std::string_view end) {
  PAWL_ASSIGN(const Fd folder, open_below(store_, kFolder));
  return remove_at(folder.get(), cat(name_, end));
}

Done Memory::write(std::string_view end, std::string_view bytes, const FileLooks& looks) {
  PAWL_ASSIGN(const Fd folder, open_below(store_, kFolder));
  const std::string name = cat(name_, end), next = cat(name, ".new");
  PAWL_TRY(remove_at(folder.get(), next));
  PAWL_TRY(write_synced_at(folder.get(), next, bytes, looks));
  PAWL_TRY(move_over_at(folder.get(), next, folder.get(), name));
  return sync_folder(folder.get());
}

}  // namespace pawl::install
