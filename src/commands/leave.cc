// `pawl leave`: everything that only pawl has is written where others can read it, and pawl goes from the files that
// it was entered into. The files that it guarded are up to date and stay; so does the store, for whoever comes back.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <set>

#include "base/file.h"
#include "base/text.h"
#include "commands/context.h"
#include "commands/guide.h"
#include "commands/leave_export.h"
#include "commands/leave_text.h"
#include "commands/leave_work.h"
#include "commands/present.h"
#include "commands/table.h"
#include "engine/behind.h"
#include "engine/engine.h"
#include "engine/left.h"
#include "engine/only_copies.h"
#include "engine/put_back.h"
#include "integrations/git_command.h"
#include "lifecycles/issue/issue.h"
#include "runners/install/first_settings.h"
#include "runners/install/hooks.h"
#include "runners/left_in_git.h"

namespace pawl {
namespace {

namespace fs = std::filesystem;

// The name of a folder that is not there yet; made, unless this is a dry run.
Result<std::string> new_folder(const std::string& root, bool dry_run) {
  for (int i = 1; i < kMostLeftFolders; ++i) {
    std::string name = left_folder_name(i);
    std::error_code why;
    if (dry_run && fs::symlink_status(cat(root, "/", name), why).type() == fs::file_type::not_found) return name;
    if (!dry_run && fs::create_directory(cat(root, "/", name), why)) return name;
    if (why == std::errc::file_exists || why == std::errc::not_a_directory) continue;  // a file is called so
    if (why) return fail(ErrorCode::io, cat("cannot make ", printable(name), ": ", why.message()));
  }
  return fail(ErrorCode::already_exists, "there are a thousand folders pawl-left already",
              "move away those that nobody needs");
}

// Stands in the folder until all of it is there: whoever finds one that was cut off is not to rely on it.
constexpr std::string_view kUnfinished = "unfinished";

Done mark_unfinished(const std::string& folder) {
  PAWL_ASSIGN(const Fd place, open_folder(folder));
  return write_synced_at(place.get(), std::string(kUnfinished),
                         "pawl leave was cut off while it wrote this. All of it is still with pawl: pawl leave again "
                         "writes another.\n");
}

Done mark_finished(const std::string& folder) {
  PAWL_ASSIGN(const Fd place, open_folder(folder));
  PAWL_TRY(remove_at(place.get(), std::string(kUnfinished)));
  return sync_folder(place.get());
}

// What was written by somebody who then could not leave is of no use: it goes, and the next attempt begins with none.
// Only what is called as pawl calls it, in the folder that pawl made, wherever that is by now: somebody may have put
// something of their own there, or a folder in its place.
class NewFolder {
 public:
  explicit NewFolder(const std::string& path) : path_(path) {
    if (auto opened = path.empty() ? Result<Fd>(Fd()) : open_folder(path)) made_ = *std::move(opened);
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;
  ~NewFolder() {
    if (!made_.valid()) return;
    std::error_code ignored;
    const fs::path inside = cat("/proc/self/fd/", made_.get());
    fs::remove(inside / kUnfinished, ignored);
    for (const std::string_view name : kExportNames) fs::remove_all(inside / name, ignored);
    for (const std::string_view name : folders_of_copies()) fs::remove_all(inside / name, ignored);
    rmdir(path_.c_str());  // where nothing else is in it
  }
  void keep() { made_ = Fd(); }

 private:
  std::string path_;
  Fd made_;
};

Json behind_json(const Export& content, const std::string& folder) {
  Json out = Json::array();
  // A folder that cannot be opened: what is in it nobody knows.
  for (const Error& error : content.left_out)
    out.push_back({{"path", ""}, {"why", error.message}, {"advice", error.hint}});
  for (const Behind& one : content.behind) {
    out.push_back({{"path", one.path}, {"why", one.why}, {"advice", one.advice}});
    if (one.known) out.back()["known"] = cat(folder, "/", kKnown, "/", one.copy);
  }
  return out;
}

// Which files pawl's part is taken out of, in which something stays, and in which pawl's part could not be undone.
struct TakenOut {
  Json files = Json::array(), left = Json::array();
  std::vector<std::string> of = {};  // as `pawl init` calls them
  std::vector<Error> failed;
};

// `guide`: what its section says by now, by which one that a killed pawl left is known.
TakenOut take_out_hooks(const Engine& engine, install::Wish wish, const std::string& guide) {
  TakenOut out;
  const auto leave = [&](const Json& path, std::string what) {
    out.left.push_back({{"path", path}, {"what", std::move(what)}});
  };
  const auto add = [&](const Json& entered) {
    if (entered["changed"] == true) out.files.push_back(entered["file"]);
    if (const std::string why = string_or(entered, "why"); !why.empty())
      leave(entered["file"], cat("left alone: ", why));
    if (const std::string stays = string_or(entered, "stays"); !stays.empty()) leave(entered["file"], stays);
    for (const Json& path : entered.value("left_over", Json::array())) leave(path, std::string(install::kLeftOver));
  };
  // Each by itself: what can be taken out of the others is.
  const auto add_or_fail = [&](const Result<Json>& entered) {
    entered ? add(*entered) : out.failed.push_back(entered.error());
  };
  std::size_t before = 0;
  const auto note_kind = [&](std::string_view name) {
    if (out.files.size() > before) out.of.emplace_back(name);
    before = out.files.size();
  };
  add_or_fail(install::claude(engine, wish));
  note_kind(kHookNames[0]);
  for (const std::string& command : install::users_claude_hooks(engine))
    leave(install::kClaudeFile, cat("a hook of your own asks pawl: ", command));
  add_or_fail(install::opencode(engine, wish));
  note_kind(kHookNames[1]);
  const auto pages = install::agents(engine, wish, guide);
  if (!pages) out.failed.push_back(pages.error());
  for (const Json& page : pages ? *pages : std::vector<Json>{}) add(page);
  note_kind(kHookNames[2]);
  if (!install::only_tells(wish)) install::clear_first_settings(engine);
  const auto beside = install::left_overs_of(engine, std::string(install::kSettingsFile));
  for (const std::string& path : beside ? *beside : std::vector<std::string>{})
    leave(path, std::string(install::kLeftOver));
  return out;
}

// Whoever has left has no hooks of pawl's any more.
Done must_be_out(const TakenOut& taken) {
  if (taken.failed.empty()) return done();
  const Error& first = taken.failed.front();
  std::string why = first.message;
  for (std::size_t i = 1; i < taken.failed.size(); ++i) why += cat("; ", taken.failed[i].message);
  std::string hint =
      "pawl's part is in it, or may be, and pawl was not left; mend that, then\npawl leave  # goes on from here";
  if (first.code == ErrorCode::corruption && !first.hint.empty()) hint = cat(first.hint, "\n", hint);
  return fail(first.code, std::move(why), std::move(hint));
}

// What is pawl's, or was made for it, and is not taken away: somebody may have written into it, or come back to it.
Json remains(const Engine& engine, const std::vector<OnlyCopies>& copies, const std::string& folder) {
  Json out = Json::array();
  const std::string& root = engine.workspace().root;
  std::error_code none;
  const auto add = [&](const std::string& path, std::string_view what) {
    out.push_back({{"path", path}, {"what", what}});
  };
  add(engine.workspace().store, "the store, in case you come back");
  for (const OnlyCopies& one : copies) {
    if (one.too_much)
      add(cat(engine.workspace().store, "/", one.folder),
          cat(counted(static_cast<std::int64_t>(one.files), "file"), " ", one.what, ", ", one.bytes >> 20U,
              " MiB: too much to copy, and gone with the store"));
    for (const std::string& path : one.passed_over)
      add(path, "no file but a pipe or the like: there is nothing to copy, and it goes with the store");
  }
  for (const std::string& path : databases_set_aside(engine.workspace()))
    add(path, "an older database, set aside; there is no other copy");
  if (fs::exists(cat(root, "/pawl.toml"), none)) add("pawl.toml", "pawl's settings; nothing else reads them");
  for (const auto& entry : fs::directory_iterator(root, none)) {
    const std::string name = entry.path().filename();
    if (is_left_folder_name(name) && name != folder && entry.symlink_status(none).type() == fs::file_type::directory)
      add(name, access(cat(root, "/", name, "/", kUnfinished).c_str(), F_OK) == 0
                    ? "of a pawl leave that was cut off: not all is in it, and nothing that pawl does not have"
                    : "written by an earlier pawl leave");
  }
  // git itself is asked: it keeps names in files of their own, or packed into one.
  const auto kept = engine.workspace().git_dir.empty()
                        ? Result<Ran>(Ran())
                        : run_git(root, {"for-each-ref", "--format=%(refname)", "refs/pawl/"});
  const auto names = split(kept && kept->exit_code == 0 ? std::string_view(kept->out) : std::string_view(), '\n');
  // (What a fetch that was cut off left there is no work of anybody's.)
  if (std::any_of(names.begin(), names.end(), [](std::string_view name) {
        return name.starts_with("refs/pawl/") && !name.starts_with("refs/pawl/fetched/");
      }))
    add("refs/pawl/", "names in git of commits that cleanups have put aside");
  if (const std::string shared = state_home(); fs::exists(shared, none))
    add(engine.world().roots->shortened(shared),
        "what all your projects share (which settings you trust, the seal of runs, stores of projects outside git): "
        "until none of them has pawl");
  return out;
}

// Leaving puts back first what is not allowed, and keeps a copy of each such file.
void add_to_come(const std::vector<PutBack>& put_back, std::vector<OnlyCopies>& copies) {
  std::set<std::pair<std::string_view, std::string_view>> files;
  for (const PutBack& one : put_back) {
    if (files.insert({one.kept, one.path}).second) add_copy(copies, one.kept);
  }
}

// Leaving looks at all files: what is left standing by that is told already.
Done add_to_stand(const Engine& engine, const View& view, const std::vector<MirrorFile>& files,
                  std::vector<Behind>& behind) {
  for (const MirrorFile& file : files) {
    if (std::any_of(behind.begin(), behind.end(), [&](const Behind& one) { return one.path == file.path; })) continue;
    PAWL_ASSIGN(Behind one, behind_when_seen(engine, view, file));
    behind.push_back(std::move(one));
  }
  return done();
}

// Once they were to be put back: without those that still are to be, as where no copy could be kept of what stands
// there.
Done leave_only_done(const Engine& engine, const View& view, std::vector<PutBack>& put_back) {
  PAWL_ASSIGN(const auto still, would_put_back(engine, view));
  std::erase_if(put_back, [&](const PutBack& one) {
    return std::any_of(still.begin(), still.end(), [&](const PutBack& other) { return other.path == one.path; });
  });
  return done();
}

Result<Reply> run_leave(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const bool dry_run = arguments.flag("dry-run");
  const auto already = [&](const LeftMark& left) {
    const auto entered = install::entered_files(*engine);  // by a branch that has them still, or by hand
    return fail(ErrorCode::not_found, cat(left_in_words(left, context.clock->now().wall_ms), " already"),
                entered.empty() ? std::string("there is nothing to leave; `pawl init` comes back")
                                : cat("pawl init --all --remove  # takes its part out of ", first_few(entered, 3)));
  };
  if (const auto& left = engine->left()) return already(*left);
  if (!engine->has_store())
    return fail(ErrorCode::not_found, cat("pawl keeps nothing in ", printable(engine->workspace().root)),
                "there is nothing to leave");
  Look everywhere;
  everywhere.all = true;
  std::vector<PutBack> put_back;
  std::vector<MirrorFile> left_standing;
  PAWL_TRY(engine->read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(put_back, would_put_back(*engine, view, &left_standing));
    return done();
  }));
  if (!dry_run) {
    Request request = context.request();
    request.tells_behind = true;
    PAWL_ASSIGN([[maybe_unused]] const Outcome brought, engine->change(request, everywhere, decide_nothing));
  }
  // From here on nobody writes: what is told of is all there is. Whoever waits meanwhile is told that pawl was left.
  PAWL_ASSIGN(Store* const store, engine->store());
  std::unique_ptr<Gate> gate;
  std::string section;
  if (!dry_run) {
    // What cannot be mended stops it before it begins.
    PAWL_TRY(engine->read_store([&](const View& view) -> Done {
      PAWL_ASSIGN(const Json page, guide_by(context, view));
      section = string_or(page, "guide");
      return done();
    }));
    PAWL_TRY(must_be_out(take_out_hooks(*engine, install::Wish::would_remove, section)));
    PAWL_ASSIGN(gate, store->gate());
    if (const auto left = read_left(engine->workspace().store)) return already(*left);  // by another, in this moment
    PAWL_TRY(can_mark_left(*engine));
  }
  PAWL_ASSIGN(const std::string folder, new_folder(engine->workspace().root, dry_run));
  const std::string place = cat(engine->workspace().root, "/", folder);
  NewFolder unfinished(dry_run ? std::string() : place);
  if (!dry_run) PAWL_TRY(mark_unfinished(place));
  Export content;
  std::int64_t operations = 0;
  bool has_issues = false;
  std::vector<LeftInGit> in_git;
  WorkGoingOn work;
  PAWL_TRY(engine->read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(operations, write_log(view.store(), dry_run ? std::string() : place));
    PAWL_ASSIGN(content, what_only_pawl_has(view, context.lifecycles()));
    PAWL_ASSIGN(FilesBehind behind, files_behind(*engine, view, {.brought = !dry_run, .read_all = true}));
    content.behind = std::move(behind.files);
    content.left_out = std::move(behind.folders_not_opened);
    PAWL_TRY(dry_run ? add_to_stand(*engine, view, left_standing, content.behind)
                     : leave_only_done(*engine, view, put_back));
    PAWL_ASSIGN(in_git, left_in_git(*engine, view));
    Query query;
    query.kind = issue::kKind;
    query.include_aside = true;
    query.limit = 1;
    PAWL_ASSIGN(const auto any, view.list(query));
    has_issues = !any.empty();
    PAWL_ASSIGN(work, work_going_on(*engine, view, context.clock->now()));
    return done();
  }));
  Json out{{"workspace", engine->workspace().root},
           {"store", engine->workspace().store},
           {"dry_run", dry_run},
           {"operations", operations},
           {"issues", has_issues},
           {"reviews", Json::array()},
           {"running", std::move(work.running)}};
  for (const auto& [name, bytes] : content.reviews) out["reviews"].push_back(name);
  out["set_aside"] = std::count(content.set_aside.begin(), content.set_aside.end(), '\n');
  out["watched"] = std::move(work.watched);
  out["idle"] = std::move(work.idle);
  out["stop"] = std::move(work.stop);
  out["workers"] = std::move(work.workers);
  out["loops"] = std::move(work.loops);
  PAWL_ASSIGN(auto copies, only_copies(engine->workspace()));
  if (dry_run) add_to_come(put_back, copies);
  out["folder"] = folder;
  out["behind"] = behind_json(content, folder);
  out["put_back"] = Json::array();
  for (const PutBack& one : put_back) out["put_back"].push_back({{"path", one.path}, {"why", one.why}});
  out["copied"] = Json::array();
  for (const OnlyCopies& one : copies)
    if (!one.too_much && one.files > 0)
      out["copied"].push_back({{"path", cat(folder, "/", one.folder)},
                               {"files", one.files},
                               {"what", one.what},
                               {"git_ignores", one.hidden}});
  if (!dry_run) {
    PAWL_TRY(write_out(place, content));
    PAWL_TRY(copy_out(engine->workspace(), copies, place));
  }
  TakenOut taken = take_out_hooks(*engine, dry_run ? install::Wish::would_remove : install::Wish::remove, section);
  PAWL_TRY(must_be_out(taken));
  // Pages keep nothing going. Where there are no hooks of pawl's, another's do, or nobody's.
  if (taken.of.empty() || taken.of.front() == kHookNames[2]) out["loops"] = Json::array();
  out["removed_from"] = std::move(taken.files);
  out["remains"] = remains(*engine, copies, folder);
  for (const LeftInGit& one : in_git) out["remains"].push_back({{"path", one.path}, {"what", one.what}});
  for (Json& one : taken.left) out["remains"].push_back(std::move(one));
  if (!dry_run) PAWL_TRY(mark_finished(place));
  // Last: whoever is cut off before it has not left, and leaves again. The mark may stand though its sync failed, and
  // says that all of it is there.
  unfinished.keep();
  if (!dry_run) PAWL_TRY(mark_left(*engine, folder, taken.of));
  return Reply{std::move(out)};
}

constexpr std::array kParams = {
    Param{.name = "dry-run", .type = ParamType::flag, .summary = "say what would be done, and change nothing"}};
constexpr std::array kLeaveExamples = {
    Example{"pawl leave --dry-run", "what would it do?"},
    Example{"pawl leave", "bring files up to date, write out what only pawl has, take its hooks out"},
};

}  // namespace

const Verb kLeave = {
    .name = "leave",
    .summary = "stop using pawl here, with nothing lost",
    .manual =
        "Files are brought up to date; those that cannot be (git changed them, or they cannot be read) are named, "
        "and what pawl would have there is written into pawl-left/known; --dry-run says what can be done before, and "
        "which values that are not allowed would be put back. The "
        "log, what is set aside (reviews, as the files they were), and copies of "
        "the files that only the store has (kept by cleanups, damaged, refused, and what agents, checks and sessions "
        "printed) are written into the folder pawl-left (pawl-left-2, where something is called so already); pawl's "
        "hooks and marked sections are taken out of the files of agents. Output of more than 256 MiB is not copied, "
        "and "
        "a file that is a link to one outside the workspace is not changed: what remains is said, with the worktrees "
        "and branches that pawl made. Where pawl's part cannot be taken out of a file that it is in, that is said, "
        "and pawl is not left.\n\n"
        "From then on verbs that write say that pawl was left, and those that read show what the files say. The store "
        "stays until you remove it. `pawl init` comes back and goes on with it; files that have changed since are "
        "taken "
        "as they are. Only where the database cannot be read is it begun anew from the files, with the old one kept "
        "beside it.",
    .params = kParams,
    .examples = kLeaveExamples,
    .read_only = false,
    .run = run_leave,
    .text = text_of_leave,
};

}  // namespace pawl
