// The comments of a pull request, kept as the pages that GitHub sent: the listing once, and behind it a page for each
// time that something had changed. Asking again costs one request, however many comments there are.
//
// GitHub tells what was written or edited since a time, but not what was deleted. So the number of comments is compared
// with GitHub's own; where they differ, everything is fetched anew.
#pragma once

#include <string>
#include <vector>

#include "integrations/forge.h"
#include "integrations/github/client.h"

namespace pawl::github {

class KnownComments {
 public:
  KnownComments(Client& client, PageMemory* memory) : client_(client), memory_(memory) {}

  // `path` is that of the listing; `count` is how many GitHub says there are.
  [[nodiscard]] Result<std::vector<Comment>> comments(const std::string& path, std::int64_t count);

 private:
  [[nodiscard]] Result<std::vector<Comment>> all_anew(const std::string& path);
  // nullopt: they are not kept, or not as many as there are.
  [[nodiscard]] Result<std::optional<std::vector<Comment>>> what_is_new(const std::string& path, std::int64_t count);
  [[nodiscard]] std::string page_name(const std::string& path, std::size_t number) const;

  Client& client_;
  PageMemory* memory_;
};

// Of two with the same id the later one counts, at the place of the first.
void merge_comments(std::vector<Comment>& comments);

}  // namespace pawl::github
