#include "engine/settings_meant.h"

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace pawl {
namespace {

using Words = std::vector<std::string_view>;

// "story.gates" → "story"; "" of one that is in none.
std::string_view section_of(std::string_view key) {
  const std::size_t dot = key.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : key.substr(0, dot);
}
std::string_view name_of(std::string_view key) { return key.substr(key.rfind('.') + 1); }

Words sections_of(std::span<const std::string_view> keys) {
  Words out;
  for (const std::string_view key : keys) {
    const std::string_view section = section_of(key);
    if (!section.empty() && std::find(out.begin(), out.end(), section) == out.end()) out.push_back(section);
  }
  return out;
}

Words names_in(std::string_view section, std::span<const std::string_view> keys) {
  Words out;
  for (const std::string_view key : keys) {
    if (section_of(key) == section) out.push_back(name_of(key));
  }
  return out;
}

// As it is written in the file: `gates`, or `gates` below [story].
std::string where_it_goes(std::string_view key) {
  const std::string_view section = section_of(key);
  return section.empty() ? cat(key, ", above all sections") : cat(name_of(key), ", below [", section, "]");
}

std::string all_sections(const Words& sections) {
  std::vector<std::string> written;
  for (const std::string_view section : sections) written.push_back(cat("[", section, "]"));
  return join_or(Words(written.begin(), written.end()));
}

}  // namespace

std::string setting_meant(std::string_view key, bool as_section, std::span<const std::string_view> keys,
                          std::span<const std::string_view> tables) {
  const Words sections = sections_of(keys);
  const std::string_view section = section_of(key), name = name_of(key);
  const bool is_section = std::find(sections.begin(), sections.end(), key) != sections.end();
  if (is_section) return cat("that is a section: [", key, "], and below it ", join_or(names_in(key, keys)));
  if (as_section) {
    // [story.check] is nearer to what [story] can have than to [story] itself.
    if (const auto within = nearest(name, names_in(section, keys)); within && !section.empty()) {
      const std::string meant = cat(section, ".", *within);
      const bool is_table = std::find(tables.begin(), tables.end(), meant) != tables.end();
      return cat("did you mean ", is_table ? cat("[", meant, "]") : where_it_goes(meant), "?");
    }
    if (const auto meant = nearest(key, sections)) return cat("did you mean [", *meant, "]?");
    return cat("a section can be ", all_sections(sections));
  }
  // The right name in the wrong section; then one like it in its own.
  Words same;
  for (const std::string_view other : keys) {
    if (name_of(other) == name) same.push_back(other);
  }
  if (same.size() == 1) return cat("did you mean ", where_it_goes(same.front()), "?");
  const Words here = names_in(section, keys);
  if (const auto meant = nearest(name, here))
    return cat("did you mean ", key.substr(0, key.size() - name.size()), *meant, "?");
  if (const auto meant = nearest(key, keys)) return cat("did you mean ", *meant, "?");
  if (section.empty())
    return cat("outside of sections there are ", join_or(here), "; sections are ", all_sections(sections));
  return cat("in [", section, "] there can be ", join_or(here));
}

}  // namespace pawl
