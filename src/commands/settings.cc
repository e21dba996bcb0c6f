// `pawl settings`: everything that can be set, what it is here and where that comes from.
#include <array>

#include "base/text.h"
#include "commands/context.h"
#include "commands/present.h"
#include "commands/table.h"
#include "engine/engine.h"
#include "engine/unknown_variables.h"

namespace pawl {
namespace {

std::string_view words_for(SettingSource source) {
  switch (source) {
    case SettingSource::standard:
      return "standard";
    case SettingSource::environment:
    case SettingSource::flag:
      return "environment";
    case SettingSource::trusted_file:
    case SettingSource::file:
      return "pawl.toml";
  }
  return "standard";
}

Result<Reply> run_settings(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const std::string wanted = arguments.text_or("name", "");
  Json list = Json::array();
  for (const SettingSpec* const spec : all_specs(context.lifecycles())) {
    if (!wanted.empty() && spec->key != wanted && !spec->key.starts_with(cat(wanted, "."))) continue;
    const Settings& settings = engine->settings();
    Json row{{"name", spec->key},
             {"value", settings.text(spec->key)},
             {"from", words_for(settings.source(spec->key))},
             {"standard", spec->standard},
             {"variable", environment_name(spec->key)},
             {"what", spec->summary}};
    if (!spec->choices.empty()) row["choices"] = spec->choices;
    if (spec->needs_trust) {
      row["needs_trust"] = true;
      row["used"] = settings.trusted(spec->key);
    }
    list.push_back(std::move(row));
  }
  if (list.empty())
    return fail(ErrorCode::not_found, cat("“", printable(wanted), "” is no setting"), "pawl settings lists them all");
  for (const UnknownVariable& one : unknown_variables(context.lifecycles()))
    context.note(cat(one.text, "; ", one.hint));
  return Reply{std::move(list)};
}

std::string text_of_settings(const Json& list, const TextStyle& style) {
  std::string out;
  for (const Json& row : list) {
    std::string value = string_or(row, "value");
    for (char& c : value) c = c == '\n' ? ' ' : c;
    out += cat(bold(string_or(row, "name"), style), " = ", value.empty() ? "(nothing)" : printable(value));
    if (string_or(row, "from") != "standard") out += cat("  (", string_or(row, "from"), ")");
    if (row.contains("used") && row["used"] == false) out += "  not used until pawl trust";
    out += cat("\n    ", string_or(row, "what"), "\n");
  }
  return cat(out,
             "In pawl.toml, where story.gates is `gates` under [story]; or as PAWL_STORY_GATES in the environment.\n");
}

constexpr std::array kSettingsParams = {
    Param{.name = "name", .value = "NAME", .summary = "one setting, or all of a section: story", .positional = true}};
constexpr std::array kSettingsExamples = {
    Example{"pawl settings", "all that can be set, and what it is here"},
    Example{"pawl settings story", "those of stories"},
    Example{"pawl settings story.gates --json", "one, for a program"},
};

}  // namespace

const Verb kSettings = {
    .name = "settings",
    .summary = "list what can be set, what it is here and where that comes from",
    .manual =
        "A value in the environment counts before one in pawl.toml, and that before the standard one. What runs a "
        "command or opens a folder outside the workspace is used from pawl.toml only after `pawl trust`.",
    .params = kSettingsParams,
    .examples = kSettingsExamples,
    .run = run_settings,
    .text = text_of_settings,
};

}  // namespace pawl
