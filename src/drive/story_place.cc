#include "drive/story_place.h"

#include "base/text.h"
#include "lifecycle/story/story.h"
#include "world/git.h"
#include "world/git_command.h"

namespace pawl {
namespace {

std::string some_of(const std::vector<std::string>& files) {
  constexpr std::size_t kNamed = 5;
  std::string out;
  for (std::size_t i = 0; i < files.size() && i < kNamed; ++i) out += cat(i == 0 ? "" : ", ", printable(files[i]));
  return files.size() > kNamed ? cat(out, " and ", files.size() - kNamed, " more") : out;
}

}  // namespace

Result<Record> read_story(Engine& engine, const std::string& id) {
  std::vector<Record> found;
  Look look;
  look.kinds = {std::string(story::kKind), std::string(story::kPasses)};
  PAWL_TRY(engine.read(look, std::nullopt, [&](const View& view) -> Done {
    PAWL_ASSIGN(const auto named, view.store().find_key(id));
    for (const RecordId& one : named) {
      if (!story::is_story(one.kind)) continue;
      PAWL_ASSIGN(Record record, view.load(one));
      if (record.present() && !record.aside) found.push_back(std::move(record));
    }
    for (const auto& [one, record] : view.overlay()) {  // where nothing could be written down
      if (!story::is_story(one.kind) || one.key != id || !record.present() || record.aside) continue;
      std::erase_if(found, [&](const Record& other) { return other.id == one; });
      found.push_back(record);
    }
    return done();
  }));
  if (found.size() == 1) return found.front();
  if (found.size() > 1)
    return fail(ErrorCode::conflict, cat("more than one file has a story ", printable(id)),
                "story.file in pawl.toml says which one counts");
  return fail(ErrorCode::not_found, cat("there is no story ", printable(id)), "pawl story list shows them");
}

Result<std::string> story_repository(const Engine& engine) {
  const std::string& named = engine.settings().text("story.repo");
  if (named.empty()) return engine.workspace().root;
  if (!engine.settings().trusted("story.repo"))
    return fail(ErrorCode::untrusted, cat("pawl.toml says that the code is in ", printable(named), ", and nobody has trusted it"),
                "read pawl.toml, then: pawl trust");
  if (named.starts_with('/')) return named;
  if (named.starts_with("~/")) return cat(engine.workspace().home, named.substr(1));
  return cat(engine.workspace().root, "/", named);
}

Result<std::vector<std::string>> files_kept_in_step(Engine& engine) {
  std::vector<std::string> paths;
  if (!engine.has_store()) return paths;
  PAWL_TRY(engine.read_store([&](const View& view) -> Done {
    for (const MirrorFormat* format : engine.lifecycles().formats()) {
      PAWL_ASSIGN(const auto rows, view.store().mirrors(format->name(), MirrorPart::without_bytes));
      for (const MirrorRow& row : rows) {
        if (!row.path.starts_with('/') && !row.path.starts_with('~')) paths.push_back(row.path);
      }
    }
    return done();
  }));
  return paths;
}

Result<std::string> branch_for(const Engine& engine, const Record& story, const std::optional<std::string>& wanted) {
  if (wanted && !wanted->empty()) return *wanted;
  if (const std::string named = string_or(story.doc, "branchName"); !named.empty()) return named;
  auto here = git_branch(engine.workspace().here);
  if (here) return here;
  if (here.error().code != ErrorCode::not_found) return here;
  return fail(ErrorCode::not_found,
              cat("story ", printable(story.id.key), " names no branch, and none is checked out here (the head is detached)"),
              "name the one that has the work with --branch");
}

Result<CheckedOut> clean_checkout(Engine& engine, const Record& story, const std::optional<std::string>& branch) {
  PAWL_ASSIGN(const std::string repository, story_repository(engine));
  {
    PAWL_ASSIGN(const Ran ran, run_git(repository, {"rev-parse", "--git-dir"}));
    if (ran.exit_code != 0)
      return fail(ErrorCode::not_found, cat(printable(repository), " is no git repository, so there is no commit to check"));
  }
  PAWL_ASSIGN(const std::string name, branch_for(engine, story, branch));
  PAWL_ASSIGN(const auto ours, files_kept_in_step(engine));
  PAWL_ASSIGN(CheckedOut at, git_checked_out(repository, name, ours));
  if (at.dirty.empty()) return at;
  return fail(ErrorCode::gate_failed,
              cat("something in ", printable(at.folder), " is not committed: ", some_of(at.dirty)),
              "commit it, or let .gitignore name it: what is checked is a commit");
}

}  // namespace pawl
