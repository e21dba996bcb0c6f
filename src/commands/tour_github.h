// The tour's GitHub: `pawl practice`, on this machine, for as long as the object lives.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "commands/tour_guide.h"

namespace pawl::tour {

class PracticeGitHub {
 public:
  // With the world of this file, which is in the guide's folder.
  PracticeGitHub(const Guide& guide, const std::string& world);
  ~PracticeGitHub();
  PracticeGitHub(const PracticeGitHub&) = delete;
  PracticeGitHub& operator=(const PracticeGitHub&) = delete;

  [[nodiscard]] bool listens() const { return !address_.empty(); }
  // Its repositories, as folders OWNER/NAME.git.
  [[nodiscard]] const std::string& folder() const { return folder_; }
  // The guide's commands from here on talk to it, and to no other.
  void give_to(Guide& guide) const;

 private:
  pid_t pid_ = -1;
  std::string address_, folder_;
};

}  // namespace pawl::tour
