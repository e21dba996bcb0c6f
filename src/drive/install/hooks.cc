#include "drive/install/hooks.h"

#include <array>
#include <filesystem>

#include "base/file.h"
#include "base/text.h"
#include "drive/install/claude_settings.h"
#include "drive/install/marked_section.h"
#include "drive/install/neighbours.h"
#include "drive/install/opencode_plugin.h"

namespace pawl::install {
namespace {

constexpr std::string_view kClaudeFile = ".claude/settings.json";
constexpr std::string_view kOpencodeFile = ".opencode/plugins/pawl.js";
constexpr std::string_view kAgentsFile = "AGENTS.md", kClaudesPage = "CLAUDE.md";

bool is_link(const std::string& path) {
  std::error_code none;
  return std::filesystem::is_symlink(path, none);
}

Result<Json> enter(const Engine& engine, std::string_view file, const Part& part, Wish wish) {
  Json out{{"file", file}, {"changed", false}, {"became", "kept"}, {"drives", false}, {"others", Json::array()}};
  const auto edited = edit_users_file(engine, std::string(file), part, wish);
  // A folder, a pipe, one that may not be read or written, somebody else's: it stays as it is, which is told, and
  // nobody is kept from leaving by it.
  if (!edited && removes(wish) &&
      (edited.error().code == ErrorCode::io || edited.error().code == ErrorCode::already_exists)) {
    out["why"] = edited.error().message;
    return out;
  }
  if (!edited) return tl::unexpected(edited.error());
  out["changed"] = edited->changed();
  out["became"] = edited->became;
  out["drives"] = drives(edited->bytes.value_or(""));
  if (!edited->left_over.empty()) out["left_over"] = edited->left_over;
  return out;
}

}  // namespace

Result<Json> claude(const Engine& engine, Wish wish) {
  const auto others = removes(wish) ? std::vector<std::string>() : claude_drivers(engine);
  const Drive drive = wish == Wish::enter_and_drive || others.empty() ? Drive::yes : Drive::no;
  const auto named = [](const Error& error) {
    return fail(error.code, cat(kClaudeFile, ": ", error.message), "nothing was changed; mend the file, and try again");
  };
  Part part;
  part.with = [&](std::string_view text) -> Result<std::string> {
    auto with = with_claude_hooks(text, drive);
    if (!with) return named(with.error());
    return with;
  };
  part.without = [&](std::string_view text) -> Result<std::optional<std::string>> {
    auto without = without_claude_hooks(text);
    if (!without) return named(without.error());
    return without;
  };
  part.nothing = "{}\n";
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
  part.without = [&](std::string_view text) -> Result<std::optional<std::string>> {
    if (!text.empty() && !began_as_plugin(text)) return not_ours();
    return std::optional<std::string>();
  };
  part.wrote = is_unchanged_plugin;
  PAWL_ASSIGN(Json out, enter(engine, kOpencodeFile, part, wish));
  out["drives"] = !removes(wish);
  return out;
}

Result<std::vector<Json>> agents(const Engine& engine, Wish wish, std::string_view guide) {
  std::vector<Json> out;
  for (const std::string_view file : {kAgentsFile, kClaudesPage}) {
    const std::string path = cat(engine.workspace().root, "/", file);
    if (is_link(path)) continue;  // many keep one of the two as a link to the other
    std::error_code none;
    if ((removes(wish) || file != kAgentsFile) && !std::filesystem::exists(path, none)) continue;
    const auto named = [&](const Error& error) { return fail(error.code, cat(file, ": ", error.message), error.hint); };
    Part part;
    part.with = [&](std::string_view text) -> Result<std::string> {
      auto with = with_section(text, guide);
      if (!with) return named(with.error());
      return with;
    };
    part.without = [&](std::string_view text) -> Result<std::optional<std::string>> {
      auto without = without_section(text);
      if (!without) return named(without.error());
      return without;
    };
    PAWL_ASSIGN(Json entered, enter(engine, file, part, wish));
    out.push_back(std::move(entered));
  }
  return out;
}

std::vector<std::string> left_overs(const Engine& engine) {
  std::vector<std::string> out;
  for (const std::string_view file : {kClaudeFile, kOpencodeFile, kAgentsFile, kClaudesPage}) {
    const auto found = left_overs_of(engine, std::string(file));
    if (found) out.insert(out.end(), found->begin(), found->end());
  }
  return out;
}

Result<std::vector<std::pair<std::string, std::string>>> linked_pages(const Engine& engine) {
  constexpr std::size_t kMaxPageBytes = std::size_t{4} << 20U;
  std::vector<std::pair<std::string, std::string>> out;
  const std::string& root = engine.workspace().root;
  for (const std::string_view file : {kAgentsFile, kClaudesPage}) {
    const std::string path = cat(root, "/", file),
                      other = cat(root, "/", file == kAgentsFile ? kClaudesPage : kAgentsFile);
    std::error_code none;
    if (!is_link(path) || (!is_link(other) && std::filesystem::equivalent(path, other, none))) continue;
    const std::filesystem::path target = std::filesystem::canonical(path, none);
    const auto page = none ? Result<FileImage>(FileImage()) : read_file(target, kMaxPageBytes);
    if (!page || !page->exists) continue;
    const auto without = without_section(page->bytes);
    if (without && without->value_or("") == page->bytes) continue;
    out.emplace_back(file, target.string());
  }
  return out;
}

}  // namespace pawl::install
