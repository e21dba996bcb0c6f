// Files as pawl needs them: relative to an open folder, so that nobody can swap the path underneath;
// synced where it is promised; exchanged instead of overwritten, so that nothing is lost unseen.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace pawl {

class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    reset();
    fd_ = std::exchange(other.fd_, -1);
    return *this;
  }
  ~Fd() { reset(); }

  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool valid() const { return fd_ >= 0; }
  void reset();

 private:
  int fd_ = -1;
};

// A file as it was found.
struct FileImage {
  bool exists = false;
  bool too_large = false;  // larger than asked for; `bytes` is empty
  std::string bytes;
  mode_t mode = 0;
  uid_t owner = 0;
  gid_t group = 0;

  // The bytes, where there is a file.
  [[nodiscard]] std::optional<std::string> content() const { return exists ? std::optional(bytes) : std::nullopt; }
};

// "cannot write PATH: no space left on the disk": the one place that words errno.
[[nodiscard]] Error io_error(std::string_view doing, std::string_view path, int error_number);

// A regular file, not following a link in its last part. A folder, a pipe or a link there is an error that says so.
[[nodiscard]] Result<FileImage> read_file_at(int folder, const std::string& name, std::size_t max_bytes);
[[nodiscard]] Result<FileImage> read_file(const std::string& path, std::size_t max_bytes);

// A regular file, no link, of just this size: its bytes piece by piece, as long as the visitor says yes. False: it is
// not there, or is another, or the visitor said no.
[[nodiscard]] Result<bool> each_piece_at(int folder, const std::string& name, std::size_t size,
                                         const std::function<bool(std::string_view)>& visit);
// Whether a regular file stands there, no link, with just these bytes.
[[nodiscard]] Result<bool> same_bytes_at(int folder, const std::string& name, std::string_view bytes);
// The same, where one that is not there is as good.
[[nodiscard]] Result<bool> holds_at(int folder, const std::string& name, const std::optional<std::string>& bytes);
// All of stdin. invalid_argument: it is larger than this.
[[nodiscard]] Result<std::string> read_input(std::size_t max_bytes);

// What a replacement must look like from outside; unset means as any new file.
struct FileLooks {
  std::optional<mode_t> mode = std::nullopt;
  std::optional<gid_t> group = std::nullopt;
  std::optional<uid_t> owner = std::nullopt;
};
// As the file that it replaces; also whose it is, where we are root and may say so.
[[nodiscard]] FileLooks looks_of(const FileImage& image);

// Makes (or empties) the file, writes all, and syncs its content.
[[nodiscard]] Done write_synced_at(int folder, const std::string& name, std::string_view bytes,
                                   const FileLooks& looks = {});

// A file that is written as what goes into it becomes known: it may be larger than memory.
class NewFile {
 public:
  // already_exists: something is called so.
  [[nodiscard]] static Result<NewFile> make_at(int folder, std::string name);
  [[nodiscard]] Done append(std::string_view bytes);
  // What is still held back is written, and all of it synced. Without it the file is not to be relied on.
  [[nodiscard]] Done finish();

 private:
  NewFile(Fd fd, std::string name) : fd_(std::move(fd)), name_(std::move(name)) {}

  Fd fd_;
  std::string name_, piece_;
};

// Both names exist and swap their files.
[[nodiscard]] Done exchange_at(int from_folder, const std::string& from, int to_folder, const std::string& to);
// Moves where nothing stands; already_exists otherwise.
[[nodiscard]] Done move_new_at(int from_folder, const std::string& from, int to_folder, const std::string& to);
[[nodiscard]] Done move_over_at(int from_folder, const std::string& from, int to_folder, const std::string& to);
// A new folder in TMPDIR, or in /tmp; "NAME-XXXXXX".
[[nodiscard]] Result<std::string> make_temporary_folder(std::string_view name);

// Gone is as good as removed.
[[nodiscard]] Done remove_at(int folder, const std::string& name);

// All of them, whatever the kernel takes at a time.
[[nodiscard]] Done write_all(int fd, std::string_view bytes, std::string_view name);
// Takes flock(2)'s LOCK_EX or LOCK_SH, waiting so long at most; false: somebody else still had it.
[[nodiscard]] Result<bool> lock_within(int fd, int how, int patience_ms, std::string_view name);

// "NFS", "FUSE" …, where the files are kept by another machine or program; empty for another file system.
[[nodiscard]] std::string_view network_file_system(const std::string& folder);
[[nodiscard]] std::string_view network_file_system(int fd);

[[nodiscard]] std::int64_t in_ns(const timespec& time);
// The kernel's file times go in steps of up to 10 ms, and what happens later in the same step does not show in them.
// Whether a time is so long ago that the next change will show.
[[nodiscard]] bool is_settled(std::int64_t file_time_ns);

[[nodiscard]] Result<Fd> open_folder(const std::string& path);
// Not through a link in place of the folder itself.
[[nodiscard]] Result<Fd> open_real_folder(const std::string& path);
[[nodiscard]] Result<std::vector<std::string>> names_in(int folder);    // sorted, without . and ..
[[nodiscard]] Done make_folders(const std::string& path, mode_t mode);  // with parents; existing ones are fine
[[nodiscard]] Done sync_folder(int folder);

}  // namespace pawl
