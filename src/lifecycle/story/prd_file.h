// prd.json: a list of stories, as tools and agents write it. Two formats share the name, and a story is told apart by
// what it has: a `status`, or `passes`. docs/formats/story.md has the tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/mirror_format.h"

namespace pawl::story {

[[nodiscard]] const MirrorFormat& prd_file();

// The ids in the order of the file; nothing where it can not be read.
[[nodiscard]] std::vector<std::string> ids_in_order(std::string_view bytes);

}  // namespace pawl::story
