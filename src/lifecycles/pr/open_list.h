// What keeps a pull request from being merged, listed in the block of its automatic review (`openFindings`). A finding
// lives in a comment of its own, and whoever may write in the repository can delete or change that; the list still says
// that it is there. It is made anew when a review is completed, carried along while the next one is under way, and what
// is settled meanwhile is taken out of it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "lifecycles/pr/picture.h"

namespace pawl::pr {

inline constexpr std::string_view kOpenList = "openFindings";
// In the block of an answer that settles a finding which stands in no thread: the same of that finding. Its comment may
// go, or be gone, and what was conceded or dismissed is still known on a machine that has never seen it.
inline constexpr std::string_view kAbout = "about";

// How the list tells of one.
[[nodiscard]] Json as_listed(const Finding& finding);

// The gravest first; the text of each as far as there is room, its id always.
[[nodiscard]] Json open_list(std::vector<const Finding*> blocking);
// Those of a trigger's block that have an id. None where it has no list: it is from before there was one.
[[nodiscard]] std::vector<Json> listed_in(const Json& trigger);
// The block without these; nullopt: none of them is listed.
[[nodiscard]] std::optional<Json> without_listed(const Json& trigger, const std::set<std::string>& ids);

// A finding that the list knows and no comment has.
[[nodiscard]] Finding lost_finding(const Json& listed);
// The same from the store.
[[nodiscard]] Finding lost_finding(const Record& known);

}  // namespace pawl::pr
