#include "runners/install/first_settings.h"

#include <signal.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>

#include "base/digest.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "base/toml_text.h"
#include "engine/settings.h"
#include "runners/install/exchange.h"
#include "runners/install/users_file.h"

namespace pawl::install {
namespace {

constexpr std::string_view kFile = "config.json";
constexpr std::string_view kFirstLine =
    "# What differs here from what pawl does without this file. `pawl settings` lists the rest.\n";
constexpr std::size_t kMaxSettings = std::size_t{1} << 20U;
constexpr std::size_t kLine = 100;

const SettingSpec* spec_of(std::string_view key, const Lifecycles& lifecycles) {
  for (const SettingSpec* const spec : all_specs(lifecycles)) {
    if (spec->key == key) return spec;
  }
  return nullptr;
}

// A value as TOML spells it.
std::string in_toml(const SettingSpec& spec, std::string_view value) {
  if (is_list(spec.type)) {
    std::vector<std::string> words;
    for (const std::string_view word : split(value, '\n')) {
      if (!word.empty()) words.emplace_back(word);
    }
    return toml_list(words);
  }
  const bool bare = spec.type == SettingType::number || spec.type == SettingType::boolean;
  return bare ? std::string(value) : toml_text(value);
}

std::string commented(std::string_view text) {
  std::string out, line = "#";
  for (const std::string_view word : split(text, ' ')) {
    if (word.empty()) continue;
    if (line.size() + 1 + word.size() > kLine) {
      out += cat(line, "\n");
      line = "#";
    }
    line += cat(" ", word);
  }
  return cat(out, line, "\n");
}

// A text at section.name; nothing for one that is missing, null or empty.
Result<std::string> word_at(const Json& root, const char* section, const char* name) {
  const auto group = root.find(section);
  if (group == root.end() || !group->is_object()) return std::string();
  const auto found = group->find(name);
  if (found == group->end() || found->is_null()) return std::string();
  if (!found->is_string())
    return fail(ErrorCode::invalid_argument, cat(kFile, ": ", section, ".", name, " must be a text"),
                "mend it, or leave it alone: pawl init --no-settings");
  std::string text = found->get<std::string>();
  if (has_control(text) || text.find('\n') != std::string::npos)
    return fail(ErrorCode::invalid_argument,
                cat(kFile, ": ", section, ".", name, " has characters that a setting cannot have"),
                "mend it, or leave it alone: pawl init --no-settings");
  return text;
}

// Beside the file, with what pawl wrote in its name: an exchange may put what is the user's under it, and only what is
// still as pawl wrote it is pawl's to remove.
std::string name_for(std::string_view text) { return cat(name_beside(std::string(kSettingsFile)), "-", digest(text)); }

bool is_as_written(const std::string& name, std::string_view bytes) {
  const std::size_t dash = name.rfind('-');
  return dash != std::string::npos && is_named_beside(name.substr(0, dash), kSettingsFile) &&
         (bytes.empty() || name.substr(dash + 1) == digest(bytes));
}

}  // namespace

Result<std::vector<FirstSetting>> read_bot_settings(std::string_view json, std::vector<std::string>& left) {
  PAWL_ASSIGN(const Json root, parse_json(json));
  std::vector<FirstSetting> out;
  const auto put = [&](const char* key, std::string value) {
    out.push_back({key, std::move(value), std::string(kFile)});
  };
  PAWL_ASSIGN(const std::string repo, word_at(root, "project", "targetRepoPath"));
  // The folder that the file is in is what holds anyway.
  const std::string normal = std::filesystem::path(repo).lexically_normal();
  const bool here = normal == "." || normal == "./";
  if (!repo.empty() && !here) put("story.repo", toml_text(repo));
  PAWL_ASSIGN(const std::string base, word_at(root, "project", "defaultBranch"));
  if (!base.empty()) put("story.base", toml_text(base));
  PAWL_ASSIGN(const std::string org, word_at(root, "project", "org"));
  if (!org.empty()) put("story.trusted_org", toml_text(org));
  PAWL_ASSIGN(const std::string model, word_at(root, "bot", "claudeModel"));
  PAWL_ASSIGN(const std::string program, word_at(root, "bot", "claudeBin"));
  if (!model.empty() || !program.empty()) {
    std::vector<std::string> words = {program.empty() ? "claude" : program, "-p"};
    if (!model.empty()) words.insert(words.end(), {"--model", model});
    put("agent.command", toml_list(words));
  }
  constexpr std::array<std::string_view, 5> kTaken = {"project.targetRepoPath", "project.defaultBranch", "project.org",
                                                      "bot.claudeModel", "bot.claudeBin"};
  for (const auto& [name, value] : root.items()) {
    const bool read = (name == "project" || name == "bot") && value.is_object();
    if (!read) left.push_back(cat(kFile, ": ", name));
    if (!read) continue;
    for (const auto& [member, said] : value.items()) {
      const std::string whole = cat(name, ".", member);
      if (std::find(kTaken.begin(), kTaken.end(), whole) == kTaken.end()) left.push_back(cat(kFile, ": ", whole));
    }
  }
  return out;
}

std::vector<FirstSetting> differing(std::vector<FirstSetting> all, const Lifecycles& lifecycles) {
  std::erase_if(all, [&](const FirstSetting& one) {
    const SettingSpec* const spec = spec_of(one.key, lifecycles);
    return spec != nullptr && in_toml(*spec, spec->standard) == one.value;
  });
  return all;
}

std::vector<FirstSetting> not_set(std::vector<FirstSetting> all, const Lifecycles& lifecycles, const Settings& settings,
                                  const std::string& root) {
  std::erase_if(all, [&](const FirstSetting& one) {
    const SettingSpec* const spec = spec_of(one.key, lifecycles);
    if (spec == nullptr) return false;
    if (spec->type != SettingType::folder) return in_toml(*spec, settings.text(one.key)) == one.value;
    // A folder is read as one name, however it is spelled.
    const auto spelled = parse_json(one.value);
    const auto whole = [&](const std::string& path) { return (std::filesystem::path(root) / path).lexically_normal(); };
    return spelled && spelled->is_string() && whole(spelled->get<std::string>()) == whole(settings.text(one.key));
  });
  return all;
}

std::string settings_text(const std::vector<FirstSetting>& all, const Lifecycles& lifecycles) {
  std::vector<std::string> sections;
  for (const FirstSetting& one : all) {
    std::string section = one.key.substr(0, one.key.find('.'));
    if (std::find(sections.begin(), sections.end(), section) == sections.end()) sections.push_back(std::move(section));
  }
  std::string out(kFirstLine);
  for (const std::string& section : sections) {
    out += cat("\n[", section, "]\n");
    for (const FirstSetting& one : all) {
      if (!one.key.starts_with(section + ".")) continue;
      const SettingSpec* const spec = spec_of(one.key, lifecycles);
      std::string why = spec == nullptr ? std::string() : std::string(spec->summary);
      if (!one.from.empty()) why += cat(why.empty() ? "" : " ", "(", one.from, ")");
      out += cat(commented(why), one.key.substr(section.size() + 1), " = ", one.value, "\n");
    }
  }
  return out;
}

std::vector<std::string> in_need_of_trust(const std::vector<FirstSetting>& all, const Lifecycles& lifecycles) {
  std::vector<std::string> out;
  for (const FirstSetting& one : all) {
    const SettingSpec* const spec = spec_of(one.key, lifecycles);
    if (spec != nullptr && spec->needs_trust) out.push_back(one.key);
  }
  return out;
}

Result<bool> write_first_settings(const std::string& root, std::string_view before, std::string_view text) {
  const std::string name(kSettingsFile), staged = name_for(text);
  PAWL_ASSIGN(const Fd folder, lock_users_files(root, name));
  PAWL_ASSIGN(const FileImage there, read_file_at(folder.get(), name, kMaxSettings));
  if (there.too_large || there.bytes != before || there.exists == before.empty()) return false;
  bool stands = false;
  auto put = put_if_still({folder.get(), name, staged, name, there, text}, stands);
  if (!put && stands) return tl::unexpected(changed_but(name, put.error(), there.exists));
  return put;
}

void clear_first_settings(const Engine& engine) {
  const std::string begin = cat(".", kSettingsFile, ".pawl-");
  const auto names = left_overs_of(engine, std::string(kSettingsFile));
  for (const std::string& name : names ? *names : std::vector<std::string>{}) {
    const auto maker = parse_positive(name.substr(begin.size(), name.find('-', begin.size()) - begin.size()));
    if (!maker || kill(static_cast<pid_t>(*maker), 0) == 0 || errno != ESRCH) continue;  // it may be at it
    const auto place = engine.world().roots->find(name, false);
    if (!place || !*place) continue;
    const auto image = read_file_at((*place)->folder.get(), (*place)->name, kMaxSettings);
    if (image && image->exists && !image->too_large && is_as_written(name, image->bytes))
      static_cast<void>(remove_at((*place)->folder.get(), (*place)->name));
  }
}

}  // namespace pawl::install
