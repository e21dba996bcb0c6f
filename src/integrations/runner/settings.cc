#include "integrations/runner/settings.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>

#include "base/parser_words.h"
#include "base/text.h"
#include "base/toml_text.h"

namespace pawl {
namespace {

constexpr std::string_view kFile = ".pi-runner.yaml";

auto wrong(std::string message, std::string hint = {}) {
  return fail(ErrorCode::invalid_argument, cat(kFile, ": ", message), std::move(hint));
}

Done check_word(std::string_view key, std::string_view text) {
  if (is_utf8(text) && !has_control(text) && text.find('\n') == std::string_view::npos) return done();
  return wrong(cat(key, " has characters that a setting cannot have"));
}

// An empty node where there is none: what yaml-cpp gives instead throws at every question.
YAML::Node section_in(const YAML::Node& root, const char* name) {
  const YAML::Node found = root[name];
  return found.IsDefined() ? found : YAML::Node();
}

// nullopt: it is not there, or says nothing.
Result<std::optional<std::string>> word_at(const YAML::Node& section, const char* name, std::string_view key) {
  if (!section.IsMap() || !section[name] || section[name].IsNull()) return std::optional<std::string>();
  if (!section[name].IsScalar()) return wrong(cat(key, " must be a text"));
  PAWL_TRY(check_word(key, section[name].Scalar()));
  if (section[name].Scalar().empty()) return std::optional<std::string>();
  return std::optional(section[name].Scalar());
}

// A list, or words with blanks between them.
Result<std::vector<std::string>> words_at(const YAML::Node& section, const char* name, std::string_view key) {
  std::vector<std::string> words;
  if (!section.IsMap() || !section[name] || section[name].IsNull()) return words;
  if (section[name].IsScalar()) {
    for (const std::string_view word : split(section[name].Scalar(), ' ')) {
      if (!word.empty()) words.emplace_back(word);
    }
  } else if (section[name].IsSequence()) {
    for (const YAML::Node& item : section[name]) {
      if (!item.IsScalar()) return wrong(cat(key, " must be a list of texts"));
      words.push_back(item.Scalar());
    }
  } else {
    return wrong(cat(key, " must be a list of texts"));
  }
  for (const std::string& word : words) PAWL_TRY(check_word(key, word));
  return words;
}

std::string replaced(std::string text, std::string_view from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// "npx claude" is two words; what is quoted is left to the shell that it was written for.
std::vector<std::string> words_of_command(const std::string& command) {
  if (command.find_first_of("'\"\\$`") != std::string::npos) return {"sh", "-c", cat(command, " \"$@\""), "sh"};
  std::vector<std::string> words;
  for (const std::string_view word : split(command, ' ')) {
    if (!word.empty()) words.emplace_back(word);
  }
  return words;
}

// The agent's command as words. Its own template is a line for a shell.
Result<std::vector<std::string>> agent_in(const YAML::Node& root) {
  const YAML::Node agent = section_in(root, "agent"), pi = section_in(root, "pi");
  PAWL_ASSIGN(const auto type, word_at(agent, "type", "agent.type"));
  PAWL_ASSIGN(auto command, word_at(agent, "command", "agent.command"));
  PAWL_ASSIGN(auto args, words_at(agent, "args", "agent.args"));
  PAWL_ASSIGN(const auto pattern, word_at(agent, "template", "agent.template"));
  const std::string kind = type.value_or("pi");
  if (kind == "pi") {
    PAWL_ASSIGN(const auto pi_command, word_at(pi, "command", "pi.command"));
    PAWL_ASSIGN(const auto pi_args, words_at(pi, "args", "pi.args"));
    if (!command) command = pi_command;
    if (args.empty()) args = pi_args;
  }
  if (!agent.IsMap() && !pi.IsMap()) return std::vector<std::string>{};
  if (pattern) {
    std::string line;
    for (const std::string& arg : args) {
      line += cat(line.empty() ? "" : " ", shell_quoted(arg));
    }
    std::string script = replaced(*pattern, "{{command}}", command.value_or(kind));
    script = replaced(std::move(script), "{{args}}", line);
    return std::vector<std::string>{"sh", "-c", replaced(std::move(script), "{{prompt_file}}", "$PAWL_PROMPT_FILE")};
  }
  std::vector<std::string> words = words_of_command(command.value_or(kind));
  if (kind == "opencode") words.emplace_back("run");
  words.insert(words.end(), args.begin(), args.end());
  if (kind == "pi") {
    words.emplace_back("@{prompt_file}");
  } else if (kind == "claude") {
    words.insert(words.end(), {"--print", "{prompt}"});
  } else if (kind == "opencode") {
    words.emplace_back("{prompt}");
  } else if (kind == "custom" && command) {
    words.emplace_back("{prompt_file}");
  } else {
    return wrong(cat("agent.type is “", printable(kind), "”"), "pi, claude, opencode, or custom with a command");
  }
  return words;
}

Result<RunnerSettings> take(const YAML::Node& root) {
  RunnerSettings out;
  if (root.IsNull()) return out;
  if (!root.IsMap()) return wrong("sections with settings were expected");
  const YAML::Node worktree = section_in(root, "worktree");
  const YAML::Node multiplexer = section_in(root, root["multiplexer"].IsDefined() ? "multiplexer" : "tmux");
  PAWL_ASSIGN(auto type, word_at(multiplexer, "type", "multiplexer.type"));
  if (!type && root["multiplexer"].IsDefined() && root["multiplexer"].IsScalar()) type = root["multiplexer"].Scalar();
  if (type && *type != "tmux") {
    return fail(ErrorCode::invalid_argument,
                cat(kFile, " asks for the multiplexer “", printable(*type), "”; pawl runs sessions in tmux only"),
                cat("set multiplexer.type to tmux, or leave ", kFile, " alone: pawl init --no-settings"));
  }
  const auto put = [&](const char* key, const std::optional<std::string>& value) {
    if (value) out.taken.emplace_back(key, toml_text(*value));
  };
  PAWL_ASSIGN(const auto base_dir, word_at(worktree, "base_dir", "worktree.base_dir"));
  PAWL_ASSIGN(const auto prefix, word_at(multiplexer, "session_prefix", "multiplexer.session_prefix"));
  PAWL_ASSIGN(const auto base_branch, word_at(worktree, "base_branch", "worktree.base_branch"));
  PAWL_ASSIGN(const auto files, words_at(worktree, "copy_files", "worktree.copy_files"));
  PAWL_ASSIGN(const auto limit, word_at(section_in(root, "parallel"), "max_concurrent", "parallel.max_concurrent"));
  PAWL_ASSIGN(const auto agent, agent_in(root));
  put("base_dir", base_dir);
  put("session_prefix", prefix);
  put("base_branch", base_branch);
  if (!files.empty()) out.taken.emplace_back("copy_files", toml_list(files));
  if (!agent.empty()) out.taken.emplace_back("agent", toml_list(agent));
  if (limit && *limit == "0") out.left.emplace_back("parallel.max_concurrent: 0, as there is no limit anyway");
  if (limit && *limit != "0") {
    if (!parse_positive(*limit))
      return wrong(cat("parallel.max_concurrent is “", printable(*limit), "”, not a number"));
    out.taken.emplace_back("max_concurrent", *limit);
  }
  constexpr std::array<std::string_view, 6> kKnown = {"worktree", "multiplexer", "tmux", "agent", "pi", "parallel"};
  for (const auto& item : root) {
    const std::string name = item.first.IsScalar() ? item.first.Scalar() : std::string();
    if (std::find(kKnown.begin(), kKnown.end(), name) == kKnown.end()) out.left.push_back(name);
  }
  return out;
}

}  // namespace

std::string RunnerSettings::toml() const {
  if (taken.empty()) return {};
  std::string out = "[issue]\n";
  for (const auto& [key, value] : taken) out += cat(key, " = ", value, "\n");
  return out;
}

Result<RunnerSettings> read_runner_settings(std::string_view yaml) {
  try {
    return take(YAML::Load(std::string(yaml)));
  } catch (const YAML::ParserException& error) {
    return wrong(
        cat("line ", error.mark.line + 1, ", column ", error.mark.column + 1, ": ", yaml_in_plain_words(error.msg)));
  } catch (const YAML::Exception& error) {
    return wrong(yaml_in_plain_words(error.msg));
  }
}

}  // namespace pawl
