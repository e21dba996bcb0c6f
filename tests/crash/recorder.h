// Watches a command and writes down what it does to the files of a workspace: each write with its bytes, each name,
// each sync.
//
// What it cannot follow (io_uring, copy_file_range, symbolic links) it says, instead of leaving a hole in the
// recording; and the recording is checked against the folder afterwards: played through, it must give the very same
// files.
#pragma once

#include <optional>
#include <utility>

#include "base/traced_process.h"
#include "crash/disk.h"

namespace pawl::crash {

class Recorder {
 public:
  // The folder holds `start` now.
  Recorder(std::string root, Tree start);

  [[nodiscard]] CallWatch watch();
  [[nodiscard]] const Recording& recording() const { return recording_; }
  [[nodiscard]] const std::vector<std::string>& not_followed() const { return not_followed_; }

 private:
  using Inode = std::pair<std::uint64_t, std::uint64_t>;  // device and number

  // A name in the workspace.
  struct Where {
    FileId folder;
    std::string name;
    std::string path;
    std::optional<FileId> file;  // what stands there
  };
  // What must be known before the kernel acts.
  struct Before {
    std::optional<Where> where;
    std::optional<Where> to;
    std::optional<FileId> file;  // named by a descriptor, or by `where`
    std::uint64_t position = 0;
  };

  void entering(const SystemCall& call);
  void left(const SystemCall& call);
  void opened(const SystemCall& call, const Where& where);
  void wrote(const SystemCall& call, const Before& before);
  void renamed(const Before& before, unsigned flags);
  void made(DiskOp::Kind kind, const Where& where);

  [[nodiscard]] std::optional<FileId> file_at(const std::string& path) const;
  [[nodiscard]] std::optional<Where> where(const SystemCall& call, std::uint64_t folder, std::uint64_t path) const;
  [[nodiscard]] static std::uint64_t position_of(const SystemCall& call);
  [[nodiscard]] static unsigned open_flags(const SystemCall& call);

  std::string root_;
  Recording recording_;
  std::map<Inode, FileId> ids_;
  std::map<FileId, bool> folders_;  // is it one?
  std::map<pid_t, Before> before_;
  std::vector<std::string> not_followed_;
  FileId next_ = kRoot;
  bool answered_ = false;
};

}  // namespace pawl::crash
