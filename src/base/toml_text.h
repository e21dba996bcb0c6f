// Values as TOML spells them. Reading is tomlplusplus's; it has no way to write one value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pawl {

// A text without control characters.
[[nodiscard]] inline std::string toml_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

[[nodiscard]] inline std::string toml_list(const std::vector<std::string>& words) {
  std::string out = "[";
  for (const std::string& word : words) out += (out.size() > 1 ? ", " : "") + toml_text(word);
  return out + "]";
}

}  // namespace pawl
