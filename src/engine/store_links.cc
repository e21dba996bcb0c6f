#include "engine/store_links.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "engine/asking_git.h"

namespace pawl {

std::vector<std::string> links_in_store(const Workspace& workspace) {
  std::vector<std::string> links;
  const auto folder = open_real_folder(workspace.store);
  const auto names = folder ? names_in(folder->get()) : Result<std::vector<std::string>>(std::vector<std::string>());
  for (const std::string& name : names ? *names : std::vector<std::string>()) {
    struct stat info {};
    if (fstatat(folder->get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(info.st_mode))
      links.push_back(cat(workspace.store, "/", name));
  }
  return links;
}

Done must_have_no_links(const Workspace& workspace) {
  const auto links = links_in_store(workspace);
  if (links.empty()) return done();
  return fail(ErrorCode::untrusted,
              cat(printable(links.front()), " is a symbolic link; nothing in pawl's store is kept behind one"),
              std::string(kLinkInStore));
}

bool is_in_git(const Workspace& workspace) {
  if (workspace.git_dir.empty()) return false;
  const auto ran = ask_git_warily(workspace.root, {"ls-files", "-z", "--", ".pawl"});
  return ran && ran->exit_code == 0 && !ran->out.empty();
}

}  // namespace pawl
