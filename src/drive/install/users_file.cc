#include "drive/install/users_file.h"

#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "base/file.h"
#include "base/text.h"

namespace pawl::install {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{4} << 20U;
constexpr int kLockMs = 20'000;
constexpr int kTries = 20;  // against somebody who writes into it again and again

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

// What it was before pawl came, and what pawl made of it.
class Memory {
 public:
  Memory(const Engine& engine, std::string path) : store_(engine.workspace().store) {
    std::replace(path.begin(), path.end(), '/', '+');
    name_ = std::move(path);
    any_ = access(store_.c_str(), F_OK) == 0;
  }

  Done load() {
    if (!any_) return done();
    PAWL_ASSIGN(const FileImage after, read_file(at(".after"), kMaxBytes));
    PAWL_ASSIGN(const FileImage before, read_file(at(".before"), kMaxBytes));
    known_ = after.exists;
    after_ = after.bytes;
    existed_ = before.exists;
    before_ = before.bytes;
    return done();
  }

  // It is about to become `after`. `ours`: pawl's part is in it already, so what stands there is not what was before.
  Done keep(const FileImage& now, const std::string& after, bool ours) {
    if (!any_) return done();
    const bool follows = known_ && now.exists && now.bytes == after_;
    if (ours && !follows) return forget_bytes();
    PAWL_TRY(make_folders(cat(store_, "/hooks"), 0777));
    if (!follows) {
      PAWL_TRY(forget());
      if (now.exists) PAWL_TRY(write(".before", now.bytes));
    }
    return write(".after", after);
  }

  Done forget() {
    if (!any_) return done();
    for (const char* const end : {".after", ".before"}) {
      if (unlink(at(end).c_str()) != 0 && errno != ENOENT) return tl::unexpected(io_error("remove", at(end), errno));
    }
    known_ = existed_ = false;
    return done();
  }

  // Folders that were made for it go with it, where nothing else came to be in them.
  Done keep_folders(const std::vector<std::string>& made) {
    if (!any_ || made.empty()) return done();
    std::string lines;
    for (const std::string& folder : made) lines += cat(folder, "\n");
    PAWL_TRY(make_folders(cat(store_, "/hooks"), 0777));
    return write(".folders", lines);
  }
  void remove_folders(const std::string& root) const {
    const auto made = any_ ? read_file(at(".folders"), kMaxBytes) : Result<FileImage>(FileImage());
    if (!made || !made->exists) return;
    const auto folders = split(made->bytes, '\n');
    for (auto folder = folders.rbegin(); folder != folders.rend(); ++folder) {
      if (!folder->empty() && folder->find("..") == std::string_view::npos)
        static_cast<void>(rmdir(cat(root, "/", *folder).c_str()));
    }
    static_cast<void>(unlink(at(".folders").c_str()));
  }

  // Nobody has touched it since.
  [[nodiscard]] bool leads_back(const FileImage& now) const { return known_ && now.exists && now.bytes == after_; }
  [[nodiscard]] std::optional<std::string> before() const { return existed_ ? std::optional(before_) : std::nullopt; }
  [[nodiscard]] bool was_there() const { return known_ && existed_; }

 private:
  [[nodiscard]] std::string at(std::string_view end) const { return cat(store_, "/hooks/", name_, end); }

  // Somebody has written into it since: whether there was a file before is all that is still of use.
  Done forget_bytes() { return known_ ? write(".after", "") : done(); }

  Done write(std::string_view end, std::string_view bytes) {
    PAWL_ASSIGN(const Fd folder, open_folder(cat(store_, "/hooks")));
    const std::string name = cat(name_, end);
    PAWL_TRY(write_synced_at(folder.get(), cat(name, ".new"), bytes));
    return move_over_at(folder.get(), cat(name, ".new"), folder.get(), name);
  }

  std::string store_, name_, after_, before_;
  bool any_ = false, known_ = false, existed_ = false;
};

class UsersFile {
 public:
  UsersFile(const Engine& engine, const std::string& path)
      : engine_(engine), roots_(*engine.world().roots), path_(path), memory_(engine, path) {}

  Result<Edited> edit(const Part& part, Wish wish) {
    if (!only_tells(wish)) PAWL_TRY(lock());
    PAWL_TRY(memory_.load());
    for (int left = kTries; left > 0; --left) {
      PAWL_ASSIGN(auto edited, try_once(part, wish));
      if (edited) {
        PAWL_TRY(settle_left_overs(part, wish, *edited));
        return *std::move(edited);
      }
    }
    return fail(ErrorCode::conflict, cat(path_, " is written by somebody else again and again"),
                "it stands as they wrote it; try again when they are done");
  }

 private:
  Done lock() {
    PAWL_ASSIGN(lock_, open_folder(engine_.workspace().root));
    PAWL_ASSIGN(const bool locked, lock_within(lock_.get(), LOCK_EX, kLockMs, engine_.workspace().root));
    return locked ? done()
                  : fail(ErrorCode::busy, cat("another pawl has been changing ", path_, " for long"), "try again");
  }

  Result<FileImage> read() const {
    PAWL_ASSIGN(const auto place, roots_.find(path_, false));
    if (!place) return FileImage{};
    PAWL_ASSIGN(FileImage image, read_file_at(place->folder.get(), place->name, kMaxBytes));
    if (image.too_large) return fail(ErrorCode::invalid_argument, cat(path_, " is larger than 4 MiB"));
    return image;
  }

  Result<std::optional<std::string>> wanted(const FileImage& now, const Part& part, Wish wish) const {
    if (!removes(wish)) {
      PAWL_ASSIGN(std::string with, part.with(now.bytes));
      return std::optional(std::move(with));
    }
    if (!now.exists) return std::optional<std::string>();
    PAWL_ASSIGN(auto without, part.without(now.bytes));
    if (without && *without == now.bytes) return without;
    if (memory_.leads_back(now)) return memory_.before();
    if (!without && memory_.was_there()) return std::optional(std::string(part.nothing));
    return without;
  }

  // Nothing: somebody else wrote it in this moment, and it stands as they did.
  Result<std::optional<Edited>> try_once(const Part& part, Wish wish) {
    PAWL_ASSIGN(const FileImage now, read());
    PAWL_ASSIGN(const auto after, wanted(now, part, wish));
    if (part.whole && now.exists && !memory_.leads_back(now) && part.with("") != now.bytes)
      return fail(ErrorCode::already_exists, cat(path_, " was changed by somebody since pawl wrote it"),
                  "move what is yours into a file beside it, remove this one, and try again");
    Edited out;
    out.bytes = after;
    if (after == now.content()) return std::optional(std::move(out));
    out.became = !now.exists ? "made" : after ? "changed" : "removed";
    if (only_tells(wish)) return std::optional(std::move(out));
    if (!removes(wish)) {
      const auto without = part.without(now.bytes);
      PAWL_TRY(memory_.keep(now, *after, now.exists && (!without || *without != now.bytes)));
    }
    if (!removes(wish)) PAWL_TRY(memory_.keep_folders(missing_folders()));
    PAWL_ASSIGN(const auto place, roots_.find(path_, true));
    if (!place) return fail(ErrorCode::io, cat("can not make the folder of ", path_));
    PAWL_ASSIGN(const bool done_so, after ? put(*place, now, *after) : take_away(*place, now));
    if (!done_so) return std::optional<Edited>();
    if (removes(wish)) {
      PAWL_TRY(memory_.forget());
      if (!after) memory_.remove_folders(engine_.workspace().root);
    }
    return std::optional(std::move(out));
  }

  // Those on the way to it that are not there yet, the outermost first.
  [[nodiscard]] std::vector<std::string> missing_folders() const {
    std::vector<std::string> out;
    for (std::size_t slash = path_.find('/'); slash != std::string::npos; slash = path_.find('/', slash + 1)) {
      const std::string folder = path_.substr(0, slash);
      if (access(cat(engine_.workspace().root, "/", folder).c_str(), F_OK) != 0) out.push_back(folder);
    }
    return out;
  }

  // Beside it first, and then exchanged with it: whoever reads it sees one or the other.
  Result<bool> put(const Place& place, const FileImage& now, const std::string& after) const {
    const int folder = place.folder.get();
    const std::string staged = new_name(place.name);
    if (const Done written = write_synced_at(folder, staged, after, looks_of(now)); !written) {
      static_cast<void>(remove_at(folder, staged));
      return tl::unexpected(io_error_beside(written.error()));
    }
    if (!now.exists) {
      const Done moved = move_new_at(folder, staged, folder, place.name);
      if (moved) return true;
      PAWL_TRY(remove_at(folder, staged));
      if (moved.error().code == ErrorCode::already_exists) return false;
      return tl::unexpected(moved.error());
    }
    if (const Done exchanged = exchange_at(folder, staged, folder, place.name); !exchanged) {
      PAWL_TRY(remove_at(folder, staged));
      PAWL_ASSIGN(const FileImage there, read());
      if (!there.exists) return false;  // taken away meanwhile
      return tl::unexpected(exchanged.error());
    }
    PAWL_ASSIGN(const bool same, is_still(folder, staged, now.bytes));
    if (same) {
      PAWL_TRY(remove_at(folder, staged));
      return true;
    }
    PAWL_TRY(exchange_at(folder, staged, folder, place.name));
    PAWL_ASSIGN(const bool unseen, is_still(folder, staged, after));
    if (unseen) PAWL_TRY(remove_at(folder, staged));  // else somebody wrote into that one too: it stays, and is named
    return false;
  }

  Result<bool> take_away(const Place& place, const FileImage& now) const {
    const int folder = place.folder.get();
    const std::string staged = new_name(place.name);
    if (const Done moved = move_new_at(folder, place.name, folder, staged); !moved) {
      PAWL_ASSIGN(const FileImage there, read());
      if (!there.exists) return false;
      return tl::unexpected(moved.error());
    }
    PAWL_ASSIGN(const bool same, is_still(folder, staged, now.bytes));
    if (same) {
      PAWL_TRY(remove_at(folder, staged));
      return true;
    }
    static_cast<void>(move_new_at(folder, staged, folder, place.name));  // a new one has come: this stays, and is named
    return false;
  }

  // Who had it open before the exchange may still write into it.
  static Result<bool> is_still(int folder, const std::string& name, std::string_view bytes) {
    static_cast<void>(wait_for_writers_at(folder, name));
    return same_bytes_at(folder, name, bytes);
  }

  [[nodiscard]] Error io_error_beside(Error error) const {
    error.message = cat("can not write ", path_, ": ", error.message.substr(error.message.rfind(": ") + 2));
    return error;
  }

  static std::string new_name(const std::string& name) {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return cat(".", name, ".pawl-", getpid(), "-", in_ns(now));
  }

  // One that says no more than the file does, with pawl's part or without it, is nobody's work.
  Done settle_left_overs(const Part& part, Wish wish, Edited& edited) const {
    PAWL_ASSIGN(const auto names, left_overs_of(engine_, path_));
    const auto without = [&](const std::string& text) { return part.without(text).value_or(text).value_or(""); };
    for (const std::string& name : names) {
      PAWL_ASSIGN(const auto place, roots_.find(name, false));
      if (!place) continue;
      const auto image = read_file_at(place->folder.get(), place->name, kMaxBytes);
      const bool told = image && image->exists && !image->too_large &&
                        (without(image->bytes) == without(edited.bytes.value_or("")) ||
                         part.with(image->bytes) == edited.bytes.value_or(""));
      if (told && !only_tells(wish)) PAWL_TRY(remove_at(place->folder.get(), place->name));
      if (!told) edited.left_over.push_back(name);
    }
    return done();
  }

  const Engine& engine_;
  const Roots& roots_;
  const std::string path_;
  Memory memory_;
  Fd lock_;
};

}  // namespace

Result<Edited> edit_users_file(const Engine& engine, const std::string& path, const Part& part, Wish wish) {
  return UsersFile(engine, path).edit(part, wish);
}

Result<std::vector<std::string>> left_overs_of(const Engine& engine, const std::string& path) {
  std::vector<std::string> out;
  PAWL_ASSIGN(const auto place, engine.world().roots->find(path, false));
  if (!place) return out;
  PAWL_ASSIGN(const auto names, names_in(place->folder.get()));
  const std::string begin = cat(".", place->name, ".pawl-");
  for (const std::string& name : names) {
    if (name.starts_with(begin)) out.push_back(cat(folder_of(path), name));
  }
  return out;
}

}  // namespace pawl::install
