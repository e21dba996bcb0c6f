// A list of stories read once, in pieces, for whoever shows the first of hundreds: neither the whole of it nor a second
// reading is needed to say which stand first, and that none of them waits for another.
#pragma once

#include <string>

namespace pawl {

struct StoryGlance {
  bool names_others = true;  // a story may name others that it waits for
  std::string front;         // its first bytes
  bool front_leads = false;  // what stands in `front` is the beginning of the list: no other list follows
};

// Of one that cannot be read nothing is known; one that is not there names nobody.
[[nodiscard]] StoryGlance glance_at_stories(const std::string& path);

}  // namespace pawl
