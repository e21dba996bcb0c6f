#include "runners/install/users_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/file.h"
#include "base/text.h"
#include "runners/install/exchange.h"
#include "runners/install/memory.h"

namespace pawl::install {
namespace {

constexpr int kTries = 20;  // against somebody who writes into it again and again

// "" for one that lies in the workspace's own.
std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

class UsersFile {
 public:
  UsersFile(const Engine& engine, const std::string& path)
      : engine_(engine), roots_(*engine.world().roots), path_(path), memory_(engine, path) {}

  Result<Edited> edit(const Part& part, Wish wish) {
    if (!only_tells(wish)) PAWL_TRY(lock());
    PAWL_TRY(memory_.must_be_no_link());
    // What was before may be lost, and pawl's part goes all the same.
    if (const Done loaded = memory_.load(); !loaded && !removes(wish)) return tl::unexpected(loaded.error());
    auto edited = try_again(part, wish);
    if (edited || !removes(wish) || moved_ || may_have_part(part, edited.error())) return edited;
    Edited out;
    out.left_alone = edited.error().message;
    return out;
  }

 private:
  struct Seen : FileImage {
    bool linked = false;
  };

  Done lock() {
    PAWL_ASSIGN(lock_, lock_users_files(engine_.workspace().root, path_));
    return done();
  }

  Result<Edited> try_again(const Part& part, Wish wish) {
    for (int left = kTries; left > 0; --left) {
      PAWL_ASSIGN(auto edited, try_once(part, wish));
      if (edited) {
        PAWL_TRY(settle_left_overs(part, wish, *edited));
        if (wish == Wish::remove) {  // (what lay beside it may have been all that was still in its folder)
          if (!edited->bytes) remove_empty_folders();
          static_cast<void>(memory_.forget());  // it is out; what is remembered of it too long does no harm
        }
        return *std::move(edited);
      }
    }
    return fail(ErrorCode::conflict, cat(path_, " is written by somebody else again and again"),
                "it stands as they wrote it; try again when they are done");
  }

  // Nobody is kept from leaving by what pawl never wrote into, nor by what is somebody else's, or outside.
  [[nodiscard]] bool may_have_part(const Part& part, const Error& why) const {
    if (why.code == ErrorCode::already_exists || why.code == ErrorCode::untrusted) return false;
    const auto now = read();
    if (!now) return memory_.wrote() && !is_no_file();
    return now->exists && (part.may_be_in(now->bytes) || (why.code == ErrorCode::corruption && memory_.wrote()));
  }

  // A folder or a pipe has come in its place.
  [[nodiscard]] bool is_no_file() const {
    const auto place = roots_.find(path_, false);
    struct stat info {};
    return place && *place &&
           fstatat((*place)->folder.get(), (*place)->name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 &&
           !S_ISREG(info.st_mode);
  }

  Result<Seen> read() const {
    PAWL_ASSIGN(const auto place, roots_.find(path_, false));
    if (!place) return Seen{};
    PAWL_ASSIGN(FileImage image, read_file_at(place->folder.get(), place->name, kMaxUsersFile));
    if (image.too_large) return fail(ErrorCode::invalid_argument, cat(path_, " is larger than 4 MiB"));
    return Seen{std::move(image), place->linked};
  }

  Result<std::optional<std::string>> wanted(const Seen& now, const Part& part, Wish wish) const {
    if (!removes(wish)) {
      PAWL_ASSIGN(std::string with, part.with(now.bytes));
      return std::optional(std::move(with));
    }
    if (!now.exists) return std::optional<std::string>();
    const Before& before = memory_.before();
    PAWL_ASSIGN(auto without, part.without(now.bytes, before));
    if (without == now.bytes) return without;
    if (before && part.comes_of && part.comes_of(*before, now.bytes)) return before;
    if (!without && now.linked) return std::optional(std::string());  // no link is left that leads to nothing
    return without;
  }

  // Nothing: somebody else wrote it in this moment, and it stands as they did.
  Result<std::optional<Edited>> try_once(const Part& part, Wish wish) {
    PAWL_ASSIGN(const Seen now, read());
    PAWL_ASSIGN(const auto after, wanted(now, part, wish));
    if (part.wrote && now.exists && !memory_.leads_back(now) && !part.wrote(now.bytes))
      return fail(ErrorCode::already_exists, cat(path_, " was changed by somebody since pawl wrote it"),
                  "move what is yours into a file beside it, remove this one, and try again");
    Edited out;
    out.bytes = after;
    const bool changes = after != now.content();
    if (changes) out.became = !now.exists ? "made" : after ? "changed" : "removed";
    if (only_tells(wish) && changes) PAWL_TRY(may_be_written());
    if (only_tells(wish) || (!changes && !removes(wish))) return std::optional(std::move(out));
    if (!removes(wish)) {
      const auto without = part.without(now.bytes, {});
      const bool ours = now.exists && (!without || *without != now.bytes);
      PAWL_TRY(memory_.keep(now, *after, ours, missing_folders()));
    }
    if (changes) {
      PAWL_ASSIGN(const auto place, roots_.find(path_, true));
      if (!place) return fail(ErrorCode::io, cat("cannot make the folder of ", path_));
      const auto done_so = after ? put(*place, now, *after) : take_away(*place, now);
      if (!done_so) return tl::unexpected(moved_ ? changed_but(path_, done_so.error(), true) : done_so.error());
      if (!*done_so) return std::optional<Edited>();
    }
    return std::optional(std::move(out));
  }

  // What can be known before anything is begun.
  Done may_be_written() const {
    PAWL_ASSIGN(const auto place, roots_.find(path_, false));
    if (!place || faccessat(place->folder.get(), ".", W_OK | X_OK, AT_EACCESS) == 0) return done();
    return tl::unexpected(io_error("write", path_, errno));
  }

  // Of the file's folders, from its own upwards.
  [[nodiscard]] int missing_folders() const {
    int count = 0;
    for (std::string folder = parent_of(path_); !folder.empty(); folder = parent_of(folder)) {
      const auto found = roots_.find_folder(folder, false);
      if (!found || *found) break;
      ++count;
    }
    return count;
  }

  // Those that pawl made, unless somebody has put something there.
  void remove_empty_folders() const {
    std::string folder = parent_of(path_);
    for (int left = memory_.made_folders(); left > 0 && !folder.empty(); --left) {
      const std::string above = parent_of(folder);
      const auto found = roots_.find_folder(above.empty() ? "." : above, false);
      const std::string name = folder.substr(above.empty() ? 0 : above.size() + 1);
      const bool there = found && *found;  // one that was killed may have taken it away
      if (there && unlinkat((*found)->get(), name.c_str(), AT_REMOVEDIR) != 0 && errno != ENOENT) return;
      folder = above;
    }
  }

  // A new file's name, and those of the folders that may have been made for it.
  [[nodiscard]] Done sync_up(const Place& place) const {
    PAWL_TRY(sync_folder(place.folder.get()));
    for (std::string folder = parent_of(path_); !folder.empty();) {
      folder = parent_of(folder);
      PAWL_ASSIGN(const auto above, roots_.find_folder(folder.empty() ? "." : folder, false));
      if (above) PAWL_TRY(sync_folder(above->get()));
    }
    return done();
  }

  Result<bool> put(const Place& place, const FileImage& now, const std::string& after) {
    const std::string staged = name_beside(place.name);
    PAWL_ASSIGN(const bool there, put_if_still({place.folder.get(), place.name, staged, path_, now, after}, moved_));
    if (there && !now.exists) PAWL_TRY(sync_up(place));
    return there;
  }

  Result<bool> take_away(const Place& place, const FileImage& now) {
    const int folder = place.folder.get();
    const std::string staged = name_beside(place.name);
    if (const Done moved = move_new_at(folder, place.name, folder, staged); !moved) {
      PAWL_ASSIGN(const Seen there, read());
      if (!there.exists) return false;
      return tl::unexpected(moved.error());
    }
    moved_ = true;
    PAWL_ASSIGN(const bool same, is_still(folder, staged, now.bytes));
    if (same) {
      PAWL_TRY(remove_at(folder, staged));
      PAWL_TRY(sync_folder(folder));
      return true;
    }
    moved_ = false;
    static_cast<void>(move_new_at(folder, staged, folder, place.name));  // a new one has come: this stays, and is named
    return false;
  }

  // Is it nobody's work? It says no more than the file does, with pawl's part or without it, and in that part stands
  // what pawl writes there; of one that is pawl's alone, somebody may have changed any of it.
  static bool is_told(const Part& part, const std::string& text, const std::string& file) {
    if (text.empty() || text == file) return true;  // cut off before it was written
    if (part.wrote) return part.wrote(text);
    if (part.with(file) == text || (part.comes_of && part.comes_of(file, text))) return true;
    const auto without = [&](const std::string& one) { return part.without(one, {}).value_or(one).value_or(""); };
    const std::string bare = without(text);
    const bool as_written = bare == text || (part.comes_of ? part.comes_of(bare, text) : part.with(text) == text);
    return as_written && (bare == without(file) || part.with(text) == file);
  }

  Done settle_left_overs(const Part& part, Wish wish, Edited& edited) const {
    PAWL_ASSIGN(const auto names, left_overs_of(engine_, path_));
    PAWL_ASSIGN(const auto own, roots_.find(path_, false));  // where a link leads
    for (const std::string& name : names) {
      PAWL_ASSIGN(const auto place, roots_.find(name, false));
      if (!place) continue;
      const auto image = read_file_at(place->folder.get(), place->name, kMaxUsersFile);
      const bool told = own && is_named_beside(place->name, own->name) && image && image->exists && !image->too_large &&
                        is_told(part, image->bytes, edited.bytes.value_or(""));
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
  bool moved_ = false;  // another file stands there by now
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
  const Roots& roots = *engine.world().roots;
  const std::string folder =
      place->linked ? parent_of(roots.shortened(cat(real_path(cat("/proc/self/fd/", place->folder.get())), "/x")))
                    : parent_of(path);
  for (const std::string& name : names) {
    if (name.starts_with(begin)) out.push_back(folder.empty() ? name : cat(folder, "/", name));
  }
  return out;
}

}  // namespace pawl::install
