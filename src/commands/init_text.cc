#include "commands/init_text.h"

#include <algorithm>
#include <map>
#include <vector>

#include "base/columns.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "commands/found_files.h"
#include "commands/init.h"
#include "commands/init_begin.h"
#include "commands/present.h"
#include "engine/found_apart.h"
#include "lifecycles/issue/issue.h"
#include "runners/install/hooks.h"

namespace pawl {
namespace {

std::string text_of_left_overs(const Json& entered) {
  std::string out;
  for (const Json& path : entered.value("left_over", Json::array()))
    out += cat("    ", printable(path.get<std::string>()), ": ", install::kLeftOver, "\n");
  return out;
}

std::string text_of_hooks(const Json& hooks) {
  std::string out;
  for (const Json& entered : hooks) {
    const bool changed = entered["changed"].get<bool>();
    if (const std::string why = string_or(entered, "why"); !why.empty()) {
      out += cat(string_or(entered, "file"), ": left alone: ", printable(why), "\n");
      continue;
    }
    out += cat(string_or(entered, "file"), ": ", changed ? string_or(entered, "became") : "as it should be already",
               "\n", text_of_left_overs(entered));
    for (const Json& other : entered["others"]) {
      out += cat("    ", other.get<std::string>(), " drives loops here; ",
                 entered["drives"].get<bool>() ? "pawl does too, so one of the two should go\n"
                                               : "pawl leaves that to it (--drive: pawl drives too)\n");
    }
  }
  return out;
}

std::string text_of_settings(const Json& settings) {
  const std::string toml = string_or(settings, "taken");
  const std::string from = string_or(settings, "from");
  std::string out;
  if (!toml.empty()) {
    const bool written = settings["written"] == true;
    out = written ? cat("wrote ", kSettingsFile, from.empty() ? "" : cat(", from ", from),
                        ": what differs here; commit it\n")
                  : cat(kSettingsFile, " is there and was left as it is; ", from, " would give\n");
    for (const std::string_view line : split(toml, '\n')) {
      if (!line.empty() && !line.starts_with('#')) out += cat("    ", printable(line), "\n");
    }
    const Json& keys = settings["needs_trust"];
    for (std::size_t i = 0; written && i < keys.size(); ++i)
      out += cat(i == 0 ? "    " : i + 1 < keys.size() ? ", " : " and ", keys[i].get<std::string>());
    if (written && !keys.empty())
      out += cat(keys.size() == 1 ? " counts only after you have read it" : " count only after you have read them",
                 " and typed: pawl trust\n");
  } else if (!from.empty()) {
    out = cat(from, " says nothing that does not hold anyway\n");
  }
  if (const std::string folder = string_or(settings, "no_folder"); !folder.empty())
    out += cat("    there is no folder ", printable(folder), ", which story.repo names: set it right in ",
               kSettingsFile, "\n");
  for (const Json& name : settings["left"]) out += cat("    left: ", printable(name.get<std::string>()), "\n");
  return out;
}

std::string text_of_gates(const Json& gates) {
  const bool none = integer_or(gates, "criteria") == 0;
  const std::string head =
      none ? std::string("stories: none of them has acceptance criteria yet, so ")
           : cat("stories: none of ", to_line(gates["criteria"]), " acceptance criteria has a command yet, so ");
  const std::string suggest =
      cat(none ? "    # once you have written them into the stories' acceptanceCriteria:\n" : "",
          "    pawl story checks --suggest  # prints lines for pawl.toml, in which you write the commands");
  if (gates["written"] == true)
    return cat(head, "moves are made and marked unverified: wrote gates = \"record\" into pawl.toml; commit it\n",
               suggest, "; then pawl trust, and \"require\" in place of \"record\"\n");
  return cat(head, "moves that need them are refused\n", suggest,
             "; or write gates = \"record\" under [story] in pawl.toml\n");
}

std::string text_of_next(const Json& data) {
  std::vector<std::pair<std::string_view, std::string_view>> lines;
  // Leaving took them out.
  if (data["hooks"].empty() && (data["made"] == true || data.contains("came_back")))
    lines.emplace_back("pawl init --all",
                       "let Claude Code, OpenCode and AGENTS.md know of it; --remove takes that back");
  const auto is_of_issues = [](const Json& file) {
    return std::any_of(file["holds"].begin(), file["holds"].end(),
                       [](const Json& one) { return string_or(one, "noun") == issue::kKind; });
  };
  // An issue is worked on in a worktree of git's.
  if (data.value("in_git", true) && std::any_of(data["found"].begin(), data["found"].end(), is_of_issues))
    lines.emplace_back("pawl issue run N -- AGENT",
                       "an agent at work on issue N, in a worktree and a terminal of its own");
  lines.emplace_back("pawl status", "what is under way");
  // A pawl.toml alone was told of where it was written.
  const Json commit = data["hooks"].empty() ? Json::array() : data.value("commit", Json::array());
  std::string add = "git add";
  // From the root, in whatever folder it is typed.
  for (const Json& file : commit) add += cat(" ", shell_word(cat(":/", file.get<std::string>())));
  if (!commit.empty())
    lines.emplace_back(add, commit.size() == 1 ? "pawl changed it; commit it with your work"
                                               : "pawl changed them; commit them with your work");
  std::size_t widest = 0;
  for (const auto& [command, meaning] : lines) widest = std::max(widest, command.size());
  std::string out = "next\n";
  for (const auto& [command, meaning] : lines) out += cat("    ", padded(command, widest), "    ", meaning, "\n");
  return out;
}

// What a file does not show any more: a list says that it changed, and not what is missing from it.
std::string text_of_missing(const Json& adopted, const Json& for_good) {
  constexpr std::size_t kMost = 8;
  std::map<std::string, std::int64_t> gone;  // by which operation
  for (const Json& event : adopted) {
    const std::string ref = string_or(event, "ref");
    if (string_or(event, "to") == kAbsent && string_or(event, "what") != kMovedAway) {
      gone[ref] = integer_or(event, "operation");
    } else {
      gone.erase(ref);
    }
  }
  if (gone.empty()) return {};
  std::map<std::int64_t, std::vector<std::string>> together;
  for (const auto& [ref, operation] : gone) together[operation].push_back(ref);
  std::string out = "not there any more\n";
  std::size_t told = 0, listed = 0;
  for (const auto& [operation, refs] : together) {
    if (told == kMost) break;
    const std::size_t here = std::min(refs.size(), kMost - told);
    const bool one = refs.size() == 1;  // then what to type stands behind it
    for (std::size_t i = 0; i < here; ++i) out += cat("    ", printable(refs[i]), one ? "" : "\n");
    if (here < refs.size()) out += cat("    and ", refs.size() - here, " more\n");
    const bool comes_back = std::find(for_good.begin(), for_good.end(), operation) == for_good.end();
    out += comes_back ? cat("    pawl undo ", operation, one ? "  # brings it back\n" : "  # brings all of them back\n")
                      : cat("    pawl log ", shell_word(refs.front()), "  # tells what became of it\n");
    told += here;
    listed += refs.size();
  }
  if (listed < gone.size()) out += cat("    and ", gone.size() - listed, " more; pawl log tells\n");
  return out;
}

std::string text_of_paths(const Json& paths) {
  constexpr std::size_t kMost = 8;
  std::string out;
  for (std::size_t i = 0; i < paths.size() && i < kMost; ++i)
    out += cat("    ", printable(paths[i].get<std::string>()), "\n");
  return paths.size() > kMost ? cat(out, "    and ", paths.size() - kMost, " more\n") : out;
}

// What one file said meanwhile, and another that adds to it took further.
std::string text_of_taken_further(const Json& adopted) {
  std::map<std::string, std::string> said;
  std::map<std::string, std::string> lines;
  for (const Json& event : adopted) {
    const std::string ref = string_or(event, "ref"), to = string_or(event, "to");
    const auto before = said.find(ref);
    if (before != said.end() && before->second != to && before->second != kAbsent && to != kAbsent)
      lines[ref] = cat("    ", printable(ref), ": ", printable(before->second), " in one, ", printable(to),
                       " in the other    pawl undo ", integer_or(event, "operation"), "  # takes that back\n");
    said[ref] = to;
  }
  std::string out;
  for (const auto& [ref, line] : lines) out += line;
  return out.empty() ? out : cat("two files said different things, and the second went further: it counts\n", out);
}

std::string text_of_coming_back(const Json& data, const TextStyle& style) {
  const Json& back = data["came_back"];
  const auto left = parse_iso_time(string_or(back, "left_at")).value_or(0);
  const std::string when = left == 0 ? std::string("before") : ago(left, style.now_ms);
  std::string out = cat("pawl is back in ", printable(string_or(data, "workspace")), ", which was left ", when, "\n");
  if (const std::string kept = string_or(back, "kept"); !kept.empty())
    return cat(out, "what it kept cannot be read, so it begins anew with the files; the old database is\n    ",
               printable(kept), "\n");
  if (data["made"] == true) return out;
  const Json taken = back.value("taken", Json::array());
  const Json by_rules = back.value("by_rules", Json::array());
  if (taken.empty() && by_rules.empty() && data["left_alone"].empty())
    return cat(out, "no file has changed since, so it goes on with what it kept\n");
  if (taken.empty()) out += "it goes on with what it kept\n";
  if (!taken.empty())
    out += cat("files have changed since; pawl took them as they are, and goes on with what it kept\n",
               text_of_paths(taken));
  if (!by_rules.empty())
    out += cat("these add to what others show, so edits in them went by the rules\n", text_of_paths(by_rules));
  return cat(out, text_of_taken_further(data["adopted"]),
             text_of_missing(data["adopted"], back.value("for_good", Json::array())));
}

std::string text_of_hooks_gone(const Json& names) {
  if (names.empty()) return {};
  std::string command = "pawl init";
  for (const Json& name : names) command += cat(" --", name.get<std::string>());
  return cat("leaving took pawl's part out of what agents read, and it is not there now\n    ", command,
             "  # puts it back\n");
}

// By this very command, as by any other.
std::string text_of_taken_over(const Json& files, const Json& adopted) {
  constexpr std::size_t kMost = 8;
  std::string out = "not as pawl left it, and brought into step just now\n";
  for (std::size_t i = 0; i < files.size() && i < kMost; ++i)
    out += cat("    ", printable(string_or(files[i], "path")), "\n");
  if (files.size() > kMost) out += cat("    and ", files.size() - kMost, " more\n");
  std::size_t told = 0;
  for (const Json& event : adopted) {
    const std::string from = string_or(event, "from"), to = string_or(event, "to");
    if (from == to || from == kAbsent) continue;
    if (told++ == kMost) return cat(out, "    and more; pawl log tells\n");
    out += cat("    ", printable(string_or(event, "ref")), ": ", printable(from), " → ", printable(to),
               "    pawl undo ", integer_or(event, "operation"), "  # takes it back\n");
  }
  return out;
}

}  // namespace

std::string text_of_init(const Json& data, const TextStyle& style) {
  if (!data.contains("made")) return text_of_hooks(data["hooks"]);
  std::string out = data.contains("came_back") ? text_of_coming_back(data, style)
                    : data["made"].get<bool>() ? cat("pawl now guards ", printable(string_or(data, "workspace")),
                                                     "\nits store is ", printable(string_or(data, "store")), "\n")
                                               : cat(printable(string_or(data, "workspace")), " is guarded already\n");
  if (data.contains("came_back")) out += text_of_hooks_gone(data["came_back"].value("hooks_gone", Json::array()));
  // What is the matter with a file is said once, where it is left alone.
  Json found = Json::array(), done = Json::array();
  for (const Json& file : data["found"]) {
    if (!is_told_of_by_itself(file)) (file.value("done", false) ? done : found).push_back(file);
  }
  if (!done.empty()) out += text_of_taken_over(done, data["adopted"]);
  if (!found.empty() || !data["beside"].empty()) out += bold("found, and changed none of it\n", style);
  out += lines_of_files(found, data["beside"], style);
  for (const Json& one : data["held"])
    out += cat("held: ", printable(string_or(one, "ref")), ": ", printable(string_or(one, "why")), "\n    ",
               printable(string_or(one, "advice")), "\n");
  for (const Json& one : data["left_alone"]) {
    out += cat("left alone: ", printable(string_or(one, "text")), "\n");
    out += lines_below(string_or(one, "advice"), "    ");
  }
  if (data.contains("settings")) out += text_of_settings(data["settings"]);
  if (data.contains("story_gates")) out += text_of_gates(data["story_gates"]);
  if (data.contains("begin")) out += text_of_ways_to_begin(data["begin"]);
  return cat(out, text_of_hooks(data["hooks"]), text_of_next(data));
}

}  // namespace pawl
