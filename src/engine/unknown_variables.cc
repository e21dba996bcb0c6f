#include "engine/unknown_variables.h"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "engine/settings.h"

namespace pawl {
namespace {

// In no list of settings, though their names begin as those of settings do: one is pawl's own, the other is handed to
// every check of a story.
constexpr std::array<std::string_view, 2> kOthers = {"PAWL_GITHUB_TOKEN", "PAWL_STORY_ID"};

}  // namespace

std::vector<UnknownVariable> unknown_variables(const Lifecycles& lifecycles) {
  std::vector<std::string> known, sections, tables;
  for (const SettingSpec* const spec : all_specs(lifecycles)) {
    (spec->type == SettingType::table ? tables : known).push_back(environment_name(spec->key));
    const std::size_t dot = spec->key.find('.');
    if (dot != std::string_view::npos) sections.push_back(environment_name(spec->key.substr(0, dot + 1)));
  }
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  std::vector<UnknownVariable> out;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view whole = *variable;
    const std::string_view name = whole.substr(0, whole.find('='));
    const bool is_set = name.size() + 1 < whole.size();  // an empty one sets nothing anyway
    const bool in_section = std::any_of(sections.begin(), sections.end(),
                                        [&](const std::string& section) { return name.starts_with(section); });
    const auto among = [&](const auto& names) { return std::find(names.begin(), names.end(), name) != names.end(); };
    if (!is_set || !in_section || among(known) || among(kOthers)) continue;
    if (among(tables)) {
      out.push_back({std::string(name), cat(name, " sets nothing"), "it is a table, and read from pawl.toml alone"});
      continue;
    }
    const auto meant = nearest(name, candidates);
    out.push_back({std::string(name), cat(printable(name), " sets nothing: there is no such setting"),
                   meant ? cat("did you mean ", *meant, "?") : std::string("pawl settings lists what can be set")});
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return out;
}

}  // namespace pawl
