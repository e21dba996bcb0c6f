#include "runners/story_glance.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

#include "base/file.h"
#include "lifecycles/story/depends.h"
#include "lifecycles/story/prd_file.h"

namespace pawl {
namespace {

// By how `dependsOn`, `blockedBy` and `dependencies` end: each of these begins with a letter that is rare in such a
// list, so that hundreds of stories are passed over quickly. What else ends so costs a look at the documents.
constexpr std::array<std::string_view, 3> kEnds = {"On\"", "cies\"", "kedBy\""};
constexpr std::size_t kLongestEnd = std::max(std::size_t{6}, story::kListEnds.size());
static_assert(kEnds.size() == story::kDependsMembers.size());
static_assert(std::all_of(kEnds.begin(), kEnds.end(), [](std::string_view end) { return end.size() <= kLongestEnd; }));
static_assert(std::all_of(story::kDependsMembers.begin(), story::kDependsMembers.end(), [](std::string_view member) {
  return std::any_of(kEnds.begin(), kEnds.end(),
                     [&](std::string_view end) { return member.ends_with(end.substr(0, end.size() - 1)); });
}));

bool names_others_in(std::string_view bytes) {
  return std::any_of(kEnds.begin(), kEnds.end(),
                     [&](std::string_view end) { return bytes.find(end) != std::string_view::npos; });
}

bool ends_a_lists_name(std::string_view bytes) {
  return memmem(bytes.data(), bytes.size(), story::kListEnds.data(), story::kListEnds.size()) != nullptr;
}

}  // namespace

StoryGlance glance_at_stories(const std::string& path) {
  StoryGlance glance;
  const Fd fd(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
  if (!fd.valid()) {
    glance.names_others = errno != ENOENT;
    return glance;
  }
  struct stat there {};
  if (fstat(fd.get(), &there) != 0 || !S_ISREG(there.st_mode)) return glance;  // a device may never end
  std::array<char, std::size_t{16} << 10U> piece;  // NOLINT(*-member-init): written before it is read
  std::size_t kept = 0;
  bool names_others = false, another_list = false;
  while (true) {
    const ssize_t got = read(fd.get(), piece.data() + kept, piece.size() - kept);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return glance;
    if (got == 0) break;
    const std::string_view bytes(piece.data(), kept + static_cast<std::size_t>(got));
    names_others = names_others || names_others_in(bytes);
    if (glance.front.empty()) {
      glance.front = bytes;
    } else {
      another_list = another_list || ends_a_lists_name(bytes);
    }
    kept = std::min(bytes.size(), kLongestEnd - 1);  // one may go over the edge
    memmove(piece.data(), bytes.data() + bytes.size() - kept, kept);
  }
  glance.names_others = names_others;
  glance.front_leads = !another_list;
  return glance;
}

}  // namespace pawl
