// Settings as the rest of pawl sees them: a key, a text, and where it came from. Reading files is the engine's.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace pawl {

enum class SettingSource { standard, file, trusted_file, environment, flag };  // later wins

// A command is a list of words too: a program and its arguments. A table has names of the user's own, each with a
// command; its text is JSON.
enum class SettingType { text, number, boolean, duration, list, choice, folder, command, table };

[[nodiscard]] inline bool is_list(SettingType type) {
  return type == SettingType::list || type == SettingType::command;
}

// Each folder that has settings lists them once; from this list pawl.toml is checked and explained.
struct SettingSpec {
  std::string_view key;  // "issue.base_dir"; the environment's name is PAWL_ISSUE_BASE_DIR
  SettingType type = SettingType::text;
  std::string_view standard;  // the value without a setting
  std::string_view summary;
  std::span<const std::string_view> choices = {};
  bool needs_trust = false;  // runs a command or opens a place outside the workspace
  // A variable of another tool's: the folder in which it keeps one for each project. Where nothing else is said, this
  // project's counts.
  std::string_view projects_in = {};
  std::int64_t most = 0;  // of a number; 0: any
};

class Settings {
 public:
  struct Value {
    std::string text;  // a list is joined by newlines
    SettingSource source = SettingSource::standard;
  };

  [[nodiscard]] const std::string& text(std::string_view key) const {
    static const std::string kNone;
    const auto found = values_.find(key);
    return found == values_.end() ? kNone : found->second.text;
  }
  [[nodiscard]] SettingSource source(std::string_view key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? SettingSource::standard : found->second.source;
  }
  // May this value reach outside the workspace or be run? A file from a fresh clone may not say so.
  [[nodiscard]] bool trusted(std::string_view key) const { return source(key) != SettingSource::file; }

  void set(std::string_view key, std::string text, SettingSource source) {
    values_.insert_or_assign(std::string(key), Value{std::move(text), source});
  }

 private:
  std::map<std::string, Value, std::less<>> values_;
};

}  // namespace pawl
