#include "runners/install/claude_settings.h"

#include <algorithm>
#include <array>

#include "base/json_edit.h"
#include "base/text.h"

namespace pawl::install {
namespace {

constexpr std::string_view kStop = "Stop";
constexpr std::string_view kEdits = "Edit|MultiEdit|Write";

struct HookRow {
  std::string_view event;
  std::string_view matcher;
};
constexpr std::array kHooks = {HookRow{"SessionStart", ""}, HookRow{"PreToolUse", kEdits},
                               HookRow{"PostToolUse", kEdits}, HookRow{kStop, ""}};

// How other drivers are known: by a word in the name of a plugin or in a Stop hook's command.
struct OtherDriver {
  std::string_view word;
  std::string_view name;
};
constexpr std::array kOthers = {
    OtherDriver{"oh-my-claudecode", "oh-my-claudecode"}, OtherDriver{"persistent-mode", "oh-my-claudecode"},
    OtherDriver{"ralph-loop", "Anthropic's ralph-loop"}, OtherDriver{"ralph-wiggum", "Anthropic's ralph-loop"}};

Result<Json> parsed(std::string_view settings) {
  if (trim(settings).empty()) return Json(Json::object());
  auto root = parse_json(settings);
  if (!root) return fail(ErrorCode::corruption, cat("it is not JSON: ", printable(root.error().message)));
  const auto hooks = root->is_object() ? root->find("hooks") : root->end();
  const bool odd = !root->is_object() || (hooks != root->end() && !hooks->is_object());
  if (odd) return fail(ErrorCode::corruption, "it is not what Claude Code writes: an object, with “hooks” an object");
  return std::move(*root);
}

// Somebody may have put something of their own before it: then pawl is asked, and need not be entered.
bool asks_pawl(const Json& hook) {
  return hook.is_object() && trim(string_or(hook, "command")).ends_with(kClaudeCommand);
}

// As pawl enters it, or with the path to a program before it; anything more is somebody's own.
bool is_ours(const Json& hook) {
  if (!asks_pawl(hook)) return false;
  const std::string command = string_or(hook, "command");
  std::string_view path = trim(command);
  path.remove_suffix(kClaudeCommand.size());
  return path.empty() ||
         (path.ends_with('/') && path.find_first_of(" \t\n;|&<>()$`\"'\\*?=") == std::string_view::npos);
}

bool has_hook(const Json& groups, bool (*is_it)(const Json&)) {
  if (!groups.is_array()) return false;
  return std::any_of(groups.begin(), groups.end(), [is_it](const Json& group) {
    const auto hooks = group.is_object() ? group.find("hooks") : group.end();
    return group.is_object() && hooks != group.end() && hooks->is_array() &&
           std::any_of(hooks->begin(), hooks->end(), is_it);
  });
}

Json group_for(const HookRow& row) {
  Json group = Json::object();
  if (!row.matcher.empty()) group["matcher"] = row.matcher;
  group["hooks"] = Json::array({Json{{"type", "command"}, {"command", kClaudeCommand}}});
  return group;
}

// Of one event; groups that only held ours go.
Json without_ours(const Json& groups) {
  if (!has_hook(groups, is_ours)) return groups;
  Json left = Json::array();
  for (const Json& group : groups) {
    if (!has_hook(Json::array({group}), is_ours)) {
      left.push_back(group);
      continue;
    }
    Json rest = group;
    rest["hooks"] = Json::array();
    for (const Json& hook : group["hooks"]) {
      if (!is_ours(hook)) rest["hooks"].push_back(hook);
    }
    if (!rest["hooks"].empty()) left.push_back(std::move(rest));
  }
  return left;
}

Result<std::string> written(std::string_view settings, const Json& wanted) {
  if (trim(settings).empty()) return to_pretty(wanted) + "\n";
  return conform(settings, wanted);
}

}  // namespace

Result<std::string> with_claude_hooks(std::string_view settings, Drive drive) {
  PAWL_ASSIGN(Json root, parsed(settings));
  bool changed = false;
  for (const HookRow& row : kHooks) {
    if (row.event == kStop && drive == Drive::no) {  // and what an earlier --drive entered goes
      const auto hooks = root.find("hooks");
      const auto stop = hooks == root.end() ? root.end() : hooks->find(std::string(kStop));
      if (hooks == root.end() || stop == hooks->end() || !has_hook(*stop, is_ours)) continue;
      Json left = without_ours(*stop);
      if (left.empty()) {
        hooks->erase(std::string(kStop));
      } else {
        *stop = std::move(left);
      }
      changed = true;
      continue;
    }
    Json& groups = root["hooks"][std::string(row.event)];
    if (groups.is_null()) groups = Json::array();
    if (!groups.is_array())
      return fail(ErrorCode::corruption, cat("what stands under hooks.", row.event, " is not a list"));
    if (has_hook(groups, asks_pawl)) continue;
    groups.push_back(group_for(row));
    changed = true;
  }
  return changed ? written(settings, root) : Result<std::string>(std::string(settings));
}

Result<std::optional<std::string>> without_claude_hooks(std::string_view settings,
                                                        const std::optional<std::string>& before) {
  PAWL_ASSIGN(Json root, parsed(settings));
  for (const Drive drive : {Drive::yes, Drive::no}) {
    if (!before && with_claude_hooks("", drive).value_or("") == settings) return std::optional<std::string>();
  }
  const auto hooks = root.find("hooks");
  if (hooks == root.end()) return std::optional(std::string(settings));
  const Json then = parsed(before.value_or("")).value_or(Json::object());
  const Json theirs = then.value("hooks", Json());
  const auto was_empty = [&](const std::string& event) { return theirs.contains(event) && theirs[event].empty(); };
  Json left = Json::object();
  for (const auto& [event, groups] : hooks->items()) {
    Json rest = without_ours(groups);
    if (!rest.empty() || groups.empty() || was_empty(event)) left[event] = std::move(rest);
  }
  if (left == *hooks) return std::optional(std::string(settings));
  if (left.empty() && !(theirs.is_object() && theirs.empty())) {
    root.erase("hooks");
  } else {
    root["hooks"] = std::move(left);
  }
  PAWL_ASSIGN(std::string bytes, written(settings, root));
  return std::optional(std::move(bytes));
}

bool come_of(std::string_view settings, const std::string& before) {
  if (without_claude_hooks(before, before).value_or(std::nullopt) != before) return false;  // pawl's are in it
  for (const Drive drive : {Drive::yes, Drive::no}) {
    const auto with = with_claude_hooks(before, drive);
    if (with && *with == settings) return true;
  }
  return false;
}

bool has_claude_hooks(std::string_view settings) {
  const auto root = parsed(settings);
  if (!root) return false;
  const auto hooks = root->find("hooks");
  return hooks != root->end() &&
         std::any_of(hooks->begin(), hooks->end(), [](const Json& groups) { return has_hook(groups, asks_pawl); });
}

std::vector<std::string> own_hooks_that_ask(std::string_view settings) {
  std::vector<std::string> found;
  const auto root = parsed(settings);
  const Json hooks = root ? root->value("hooks", Json::object()) : Json::object();
  for (const auto& [event, groups] : hooks.items()) {
    for (const Json& group : groups.is_array() ? groups : Json::array()) {
      const Json list = group.is_object() ? group.value("hooks", Json()) : Json();
      for (const Json& hook : list.is_array() ? list : Json::array()) {
        std::string command = string_or(hook, "command");
        const bool asks = command.find(kClaudeCommand) != std::string::npos && !is_ours(hook);
        if (asks && std::find(found.begin(), found.end(), command) == found.end()) found.push_back(std::move(command));
      }
    }
  }
  return found;
}

bool drives(std::string_view settings) {
  const auto root = parsed(settings);
  if (!root) return false;
  const auto hooks = root->find("hooks");
  const auto stop = hooks == root->end() ? root->end() : hooks->find(kStop);
  return hooks != root->end() && stop != hooks->end() && has_hook(*stop, asks_pawl);
}

std::vector<std::string> other_drivers(std::string_view settings) {
  std::vector<std::string> found;
  const auto root = parsed(settings);
  if (!root) return found;
  std::string words;
  if (const auto plugins = root->find("enabledPlugins"); plugins != root->end() && plugins->is_object()) {
    for (const auto& [name, on] : plugins->items()) {
      if (!on.is_boolean() || on.get<bool>()) words += cat(name, "\n");
    }
  }
  if (const auto hooks = root->find("hooks"); hooks != root->end()) {
    if (const auto stop = hooks->find(kStop); stop != hooks->end()) words += to_line(*stop);
  }
  for (const OtherDriver& other : kOthers) {
    if (words.find(other.word) == std::string::npos) continue;
    if (std::find(found.begin(), found.end(), other.name) == found.end()) found.emplace_back(other.name);
  }
  return found;
}

std::vector<std::string> unknown_stop_hooks(std::string_view settings) {
  std::vector<std::string> found;
  const auto root = parsed(settings);
  const auto hooks = root ? root->find("hooks") : Json::const_iterator();
  if (!root || hooks == root->end() || !hooks->is_object()) return found;
  const auto stop = hooks->find(kStop);
  if (stop == hooks->end() || !stop->is_array()) return found;
  for (const Json& group : *stop) {
    const Json list = group.is_object() ? group.value("hooks", Json()) : Json();
    for (const Json& hook : list.is_array() ? list : Json::array()) {
      std::string command = string_or(hook, "command");
      const bool known = command.empty() || command.find(kClaudeCommand) != std::string::npos ||
                         std::any_of(kOthers.begin(), kOthers.end(), [&](const OtherDriver& other) {
                           return command.find(other.word) != std::string::npos;
                         });
      if (!known) found.push_back(std::move(command));
    }
  }
  return found;
}

}  // namespace pawl::install
