// What git knows of files, asked for the length of one look: a process for each sort of question, however many files
// are asked about, and none where nothing is asked. As wary as engine/asking_git.h.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/head_log.h"
#include "engine/workspace.h"

namespace pawl {

class AskedGit {
 public:
  // Costs nothing until something is asked: hardly a look asks.
  explicit AskedGit(const Workspace& workspace);
  ~AskedGit();
  AskedGit(const AskedGit&) = delete;
  AskedGit& operator=(const AskedGit&) = delete;

  // Also where that cannot be told: nobody's filter is to be run.
  [[nodiscard]] bool has_filter(const std::string& path);
  // A file as a commit has it: as a checkout would write it; or as it is in the commit, which is all that can be told
  // of one with a filter. Nothing when the commit does not have it.
  [[nodiscard]] std::optional<std::string> as_checked_out(const std::string& commit, const std::string& path);
  [[nodiscard]] std::optional<std::string> as_committed(const std::string& commit, const std::string& path);
  // Is it in the index, in whatever state?
  [[nodiscard]] bool tracks(const std::string& path);
  // Is the file as git last wrote it, or looked at it? By its index, which has the file's times.
  [[nodiscard]] bool wrote(const std::string& path, const struct stat& file);
  [[nodiscard]] HeadMoves head_moves_since(const std::string& mark);

  // git has been at work since: what was learnt, and what its processes remember, is of the time before.
  void forget();

 private:
  struct Talk;
  Talk& talk();

  const Workspace& workspace_;
  std::unique_ptr<Talk> talk_;
};

}  // namespace pawl
