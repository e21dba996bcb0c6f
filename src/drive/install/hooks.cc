#include "drive/install/hooks.h"

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
constexpr std::size_t kMaxBytes = std::size_t{4} << 20U;

Result<FileImage> read_in(const Roots& roots, std::string_view path) {
  PAWL_ASSIGN(const auto place, roots.find(path, false));
  if (!place) return FileImage{};
  PAWL_ASSIGN(FileImage image, read_file_at(place->folder.get(), place->name, kMaxBytes));
  if (image.too_large) return fail(ErrorCode::invalid_argument, cat(path, " is larger than 4 MiB"));
  return image;
}

// Beside it first, and then exchanged with it: whoever reads it sees one or the other, and what somebody else wrote in
// between is seen, and put back.
Done write_in(const Roots& roots, std::string_view path, const FileImage& before, std::string_view bytes) {
  PAWL_ASSIGN(const auto place, roots.find(path, true));
  if (!place) return fail(ErrorCode::io, cat("can not make the folder of ", path));
  const int folder = place->folder.get();
  const std::string staged = cat(".", place->name, ".pawl");
  FileLooks looks;
  if (before.exists) looks.mode = before.mode;
  PAWL_TRY(write_synced_at(folder, staged, bytes, looks));
  if (!before.exists) {
    const Done moved = move_new_at(folder, staged, folder, place->name);
    if (!moved) PAWL_TRY(remove_at(folder, staged));
    return moved;
  }
  PAWL_TRY(exchange_at(folder, staged, folder, place->name));
  const auto displaced = read_file_at(folder, staged, kMaxBytes);
  if (!displaced || displaced->bytes != before.bytes) {
    PAWL_TRY(exchange_at(folder, staged, folder, place->name));
    PAWL_TRY(remove_at(folder, staged));
    return fail(ErrorCode::conflict, cat(path, " was changed by somebody else in this moment"), "try again");
  }
  return remove_at(folder, staged);
}

Done remove_in(const Roots& roots, std::string_view path) {
  PAWL_ASSIGN(const auto place, roots.find(path, false));
  return place ? remove_at(place->folder.get(), place->name) : done();
}

bool removes(Wish wish) { return wish == Wish::remove || wish == Wish::would_remove; }

bool is_link(const std::string& path) {
  std::error_code none;
  return std::filesystem::is_symlink(path, none);
}

}  // namespace

Result<Json> claude(const Engine& engine, Wish wish) {
  const Roots& roots = *engine.world().roots;
  PAWL_ASSIGN(const FileImage image, read_in(roots, kClaudeFile));
  const auto others = removes(wish) ? std::vector<std::string>() : claude_drivers(engine);
  const Drive drive = wish == Wish::enter_and_drive || others.empty() ? Drive::yes : Drive::no;
  const auto wanted = [&]() -> Result<std::optional<std::string>> {
    if (removes(wish)) return without_claude_hooks(image.bytes);
    PAWL_ASSIGN(std::string with, with_claude_hooks(image.bytes, drive));
    return std::optional(std::move(with));
  }();
  if (!wanted)
    return fail(wanted.error().code, cat(kClaudeFile, ": ", wanted.error().message),
                "nothing was changed; mend the file, and try again");
  const bool changed = wanted->value_or("") != image.bytes;
  if (changed && wish != Wish::would_remove)
    PAWL_TRY(*wanted ? write_in(roots, kClaudeFile, image, **wanted) : remove_in(roots, kClaudeFile));
  return Json{
      {"file", kClaudeFile}, {"changed", changed}, {"drives", drives(wanted->value_or(""))}, {"others", others}};
}

Result<Json> opencode(const Engine& engine, Wish wish) {
  const Roots& roots = *engine.world().roots;
  PAWL_ASSIGN(const FileImage image, read_in(roots, kOpencodeFile));
  if (image.exists && !is_opencode_plugin(image.bytes))
    return fail(ErrorCode::already_exists, cat(kOpencodeFile, " is somebody else's"), "nothing was changed");
  const bool remove = removes(wish);
  const bool changed = remove ? image.exists : image.bytes != opencode_plugin();
  if (changed && wish != Wish::would_remove)
    PAWL_TRY(remove ? remove_in(roots, kOpencodeFile) : write_in(roots, kOpencodeFile, image, opencode_plugin()));
  return Json{{"file", kOpencodeFile}, {"changed", changed}, {"drives", !remove}, {"others", Json::array()}};
}

Result<std::vector<Json>> agents(const Engine& engine, Wish wish, std::string_view guide) {
  const Roots& roots = *engine.world().roots;
  const bool remove = removes(wish);
  std::vector<Json> out;
  for (const std::string_view file : {kAgentsFile, kClaudesPage}) {
    // Many keep one of the two as a link to the other.
    if (is_link(cat(engine.workspace().root, "/", file))) continue;
    PAWL_ASSIGN(const FileImage image, read_in(roots, file));
    if (!image.exists && (remove || file != kAgentsFile)) continue;
    const auto wanted = [&]() -> Result<std::optional<std::string>> {
      if (remove) return without_section(image.bytes);
      PAWL_ASSIGN(std::string with, with_section(image.bytes, guide));
      return std::optional(std::move(with));
    }();
    if (!wanted) return fail(wanted.error().code, cat(file, ": ", wanted.error().message), wanted.error().hint);
    const bool changed = wanted->value_or("") != image.bytes;
    if (changed && wish != Wish::would_remove)
      PAWL_TRY(*wanted ? write_in(roots, file, image, **wanted) : remove_in(roots, file));
    out.push_back(Json{{"file", file}, {"changed", changed}, {"drives", false}, {"others", Json::array()}});
  }
  return out;
}

}  // namespace pawl::install
