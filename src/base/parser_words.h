// What a library's parser says of a settings file, in the words of somebody who writes such files. What it said itself
// is kept behind that, for those who know the format.
#pragma once

#include <string>
#include <string_view>

namespace pawl {

[[nodiscard]] std::string toml_in_plain_words(std::string_view said);  // toml++
[[nodiscard]] std::string yaml_in_plain_words(std::string_view said);  // yaml-cpp

}  // namespace pawl
