#include "runners/install/hooks.h"

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/text.h"
#include "runners/install/claude_settings.h"
#include "runners/install/first_settings.h"
#include "runners/install/marked_section.h"
#include "runners/install/neighbours.h"
#include "runners/install/opencode_plugin.h"

namespace pawl::install {
namespace {

constexpr std::string_view kOpencodeFile = ".opencode/plugins/pawl.js";
constexpr std::string_view kAgentsFile = "AGENTS.md", kClaudesPage = "CLAUDE.md";
constexpr std::string_view kLeftAlone = "; it was left alone";  // how errors of places end

bool is_link(const std::string& path) {
  std::error_code none;
  return std::filesystem::is_symlink(path, none);
}

// Of a file that lies outside, behind a link: pawl does not touch it, but can say what is in it.
std::string bytes_outside(const std::string& path) {
  const std::string target = real_path(path);
  const auto image = target.empty() ? Result<FileImage>(FileImage()) : read_file(target, kMaxUsersFile);
  return image ? image->bytes : std::string();
}

bool has_left_overs(const Engine& engine, std::string_view file) {
  const auto found = left_overs_of(engine, std::string(file));
  return found && !found->empty();
}

Json row_of(std::string_view file) {
  return {{"file", file}, {"changed", false}, {"became", "kept"}, {"drives", false}, {"others", Json::array()}};
}

Result<Json> enter(const Engine& engine, std::string_view file, const Part& part, Wish wish) {
  Json out = row_of(file);
  PAWL_ASSIGN(const Edited edited, edit_users_file(engine, std::string(file), part, wish));
  out["changed"] = edited.changed();
  out["became"] = edited.became;
  out["drives"] = drives(edited.bytes.value_or(""));
  if (!edited.left_over.empty()) out["left_over"] = edited.left_over;
  if (edited.left_alone.empty()) return out;
  std::string why = edited.left_alone.substr(0, edited.left_alone.find(kLeftAlone));
  if (const std::string named = cat(file, ": "); why.starts_with(named)) why.erase(0, named.size());
  if (part.may_be_in(bytes_outside(engine.world().roots->absolute(file)))) why += kPartStays;
  out["why"] = why;
  return out;
}

}  // namespace

Result<Json> claude(const Engine& engine, Wish wish) {
  const auto others = removes(wish) ? std::vector<std::string>() : claude_drivers(engine);
  const Drive drive = wish == Wish::enter_and_drive || others.empty() ? Drive::yes : Drive::no;
  const auto named = [&](const Error& error) {
    return fail(error.code, cat(kClaudeFile, ": ", error.message),
                removes(wish) ? "" : "nothing was changed; mend the file, and try again");
  };
  Part part;
  part.with = [&](std::string_view text) -> Result<std::string> {
    auto with = with_claude_hooks(text, drive);
    if (!with) return named(with.error());
    return with;
  };
  part.without = [&](std::string_view text, const Before& before) -> Result<std::optional<std::string>> {
    auto without = without_claude_hooks(text, before);
    if (!without) return named(without.error());
    return without;
  };
  part.may_be_in = [](std::string_view text) { return text.find(kClaudeCommand) != std::string_view::npos; };
  part.comes_of = [](const std::string& before, std::string_view text) { return come_of(text, before); };
  PAWL_ASSIGN(Json out, enter(engine, kClaudeFile, part, wish));
  out["others"] = others;
  return out;
}

Result<Json> opencode(const Engine& engine, Wish wish) {
  Part part;
  const auto not_ours = [] {
    return fail(ErrorCode::already_exists, cat(kOpencodeFile, " is somebody else's"), "nothing was changed");
  };
  part.with = [&](std::string_view text) -> Result<std::string> {
    if (!text.empty() && !began_as_plugin(text)) return not_ours();
    return opencode_plugin();
  };
  part.without = [&](std::string_view text, const Before&) -> Result<std::optional<std::string>> {
    if (!text.empty() && !began_as_plugin(text)) return not_ours();
    return std::optional<std::string>();
  };
  part.may_be_in = began_as_plugin;
  part.wrote = is_unchanged_plugin;
  PAWL_ASSIGN(Json out, enter(engine, kOpencodeFile, part, wish));
  out["drives"] = !removes(wish);
  return out;
}

Result<std::vector<Json>> agents(const Engine& engine, Wish wish, std::string_view guide) {
  std::vector<Json> out;
  std::vector<std::string> pages;  // where they are: many keep one of the two as a link to the other
  for (const std::string_view file : {kAgentsFile, kClaudesPage}) {
    const std::string path = cat(engine.workspace().root, "/", file), page = real_path(path);
    const std::string other = cat(engine.workspace().root, "/", file == kAgentsFile ? kClaudesPage : kAgentsFile);
    if (is_link(path) && page == other) continue;  // that one's turn comes by itself
    // Of one that is gone something may still lie beside it, that a pawl left which was killed.
    const bool wanted = removes(wish) ? is_link(path) && file == kAgentsFile : file == kAgentsFile;
    if (page.empty() && !wanted && !(removes(wish) && has_left_overs(engine, file))) continue;
    if (!page.empty() && std::find(pages.begin(), pages.end(), page) != pages.end()) continue;
    pages.push_back(page);
    const auto place = engine.world().roots->find(file, false);
    if (!place && place.error().code == ErrorCode::untrusted && (removes(wish) || file != kAgentsFile)) {
      const bool stays = begins_section(bytes_outside(path));
      if (removes(wish) && !stays) continue;
      out.push_back(row_of(file));
      out.back()[removes(wish) ? "stays" : "why"] =
          removes(wish) ? cat("a link to ", page, ", which is not touched: pawl's section stays in it")
                        : cat("a link to ", page, ", which is outside the workspace");
      continue;
    }
    const auto named = [&](const Error& error) { return fail(error.code, cat(file, ": ", error.message), error.hint); };
    Part part;
    part.with = [&](std::string_view text) -> Result<std::string> {
      auto with = with_section(text, guide);
      if (!with) return named(with.error());
      return with;
    };
    part.without = [&](std::string_view text, const Before& before) -> Result<std::optional<std::string>> {
      auto without = without_section(text, before);
      if (!without) return named(without.error());
      return without;
    };
    part.may_be_in = begins_section;
    PAWL_ASSIGN(Json entered, enter(engine, file, part, wish));
    out.push_back(std::move(entered));
  }
  return out;
}

std::vector<std::string> entered_files(const Engine& engine) {
  std::vector<std::string> out;
  const auto add = [&](const Json& one) {
    if (one.value("changed", false)) out.push_back(string_or(one, "file"));
  };
  if (const auto one = claude(engine, Wish::would_remove)) add(*one);
  if (const auto one = opencode(engine, Wish::would_remove)) add(*one);
  if (const auto pages = agents(engine, Wish::would_remove, "")) {
    for (const Json& one : *pages) add(one);
  }
  return out;
}

std::vector<std::string> users_claude_hooks(const Engine& engine) {
  return own_hooks_that_ask(bytes_outside(engine.world().roots->absolute(std::string(kClaudeFile))));
}

std::vector<std::string> left_overs(const Engine& engine) {
  std::vector<std::string> out;
  for (const std::string_view file : {kClaudeFile, kOpencodeFile, kAgentsFile, kClaudesPage, kSettingsFile}) {
    const auto found = left_overs_of(engine, std::string(file));
    if (found) out.insert(out.end(), found->begin(), found->end());
  }
  return out;
}

}  // namespace pawl::install
