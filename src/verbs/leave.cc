// `pawl leave`: everything that only pawl has is written where others can read it, and pawl goes from the files that
// it was entered into. The files that it guarded are up to date and stay; so does the store, for whoever comes back.
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>

#include "base/file.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "drive/install/hooks.h"
#include "drive/issue/on_board.h"
#include "engine/behind.h"
#include "engine/claims.h"
#include "engine/engine.h"
#include "engine/left.h"
#include "engine/only_copies.h"
#include "lifecycle/review/review.h"
#include "lifecycle/review/state_file.h"
#include "verbs/context.h"
#include "verbs/present.h"
#include "verbs/table.h"
#include "world/git_command.h"

namespace pawl {
namespace {

constexpr std::int64_t kBatch = 500;
constexpr std::string_view kKnown = "known";  // the folder for what no file says

// Oldest first, a line each.
Result<std::string> log_lines(Transaction& store, std::int64_t& count) {
  std::vector<std::string> lines;
  OperationQuery query;
  query.limit = kBatch;
  for (;;) {
    PAWL_ASSIGN(const auto operations, store.operations(query));
    for (const Operation& operation : operations) {
      PAWL_ASSIGN(const Json row, to_json(store, operation));
      lines.push_back(to_line(row));
      query.before = operation.id;
    }
    if (static_cast<std::int64_t>(operations.size()) < kBatch) break;
  }
  count = static_cast<std::int64_t>(lines.size());
  std::string out;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) out += cat(*line, "\n");
  return out;
}

std::string file_name_of(std::string_view key) {
  std::string name;
  for (const char c : key) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_';
    name += plain ? c : '-';
  }
  while (name.starts_with('.')) name.erase(0, 1);
  return name;
}

struct Export {
  std::string log;
  std::int64_t operations = 0;
  std::string set_aside;                                     // a line a record
  std::vector<std::pair<std::string, std::string>> reviews;  // name and bytes
  std::vector<Behind> behind;                                // with what pawl knows of them
};

// What is set aside shows in no file: all of it as JSON, and reviews as the file that they were.
Done add_set_aside(const View& view, const Lifecycles& lifecycles, Export& out) {
  std::map<std::string, std::vector<Record>> reviews;
  for (const Lifecycle& row : lifecycles.rows()) {
    Query query;
    query.kind = row.kind;
    query.include_aside = true;
    PAWL_ASSIGN(const auto records, view.list(query));
    for (Record record : records) {
      if (!record.aside) continue;
      out.set_aside += cat(to_line(to_json(record)), "\n");
      if (!review::is_of_review(record.id.kind)) continue;
      const std::string pr(review::pr_of(record.id.key));
      record.aside = false;
      reviews[pr].push_back(std::move(record));
    }
  }
  for (const auto& [pr, records] : reviews) {
    if (auto bytes = review::state_file().render(std::nullopt, records))
      out.reviews.emplace_back(cat(file_name_of(pr), ".md"), *std::move(bytes));
  }
  return done();
}

// The name of a folder that is not there yet; made, unless this is a dry run.
Result<std::string> new_folder(const std::string& root, bool dry_run) {
  for (int i = 1; i < 1000; ++i) {
    std::string name = i == 1 ? std::string("pawl-left") : cat("pawl-left-", i);
    std::error_code why;
    if (dry_run &&
        std::filesystem::symlink_status(cat(root, "/", name), why).type() == std::filesystem::file_type::not_found)
      return name;
    if (!dry_run && std::filesystem::create_directory(cat(root, "/", name), why)) return name;
    if (why == std::errc::file_exists || why == std::errc::not_a_directory) continue;  // a file is called so
    if (why) return fail(ErrorCode::io, cat("can not make ", printable(name), ": ", why.message()));
  }
  return fail(ErrorCode::already_exists, "there are a thousand folders pawl-left already");
}

Done write_out(const std::string& folder, const Export& content) {
  PAWL_ASSIGN(const Fd top, open_folder(folder));
  PAWL_TRY(write_synced_at(top.get(), "log.jsonl", content.log));
  if (!content.set_aside.empty()) PAWL_TRY(write_synced_at(top.get(), "set-aside.jsonl", content.set_aside));
  std::error_code why;
  if (!content.reviews.empty()) {
    std::filesystem::create_directory(folder + "/reviews", why);
    PAWL_ASSIGN(const Fd reviews, open_folder(folder + "/reviews"));
    for (const auto& [name, bytes] : content.reviews) PAWL_TRY(write_synced_at(reviews.get(), name, bytes));
  }
  for (const Behind& one : content.behind) {
    if (!one.known) continue;
    std::filesystem::create_directory(cat(folder, "/", kKnown), why);
    PAWL_ASSIGN(const Fd known, open_folder(cat(folder, "/", kKnown)));
    PAWL_TRY(write_synced_at(known.get(), one.copy, *one.known));
  }
  return done();
}

Json behind_json(const std::vector<Behind>& behind, const std::string& folder) {
  Json out = Json::array();
  for (const Behind& one : behind) {
    out.push_back({{"path", one.path}, {"why", one.why}, {"advice", one.advice}});
    if (one.known) out.back()["known"] = cat(folder, "/", kKnown, "/", one.copy);
  }
  return out;
}

// Which files pawl's part is taken out of, and in which something stays.
struct TakenOut {
  Json files = Json::array(), left = Json::array();
};

Result<TakenOut> take_out_hooks(const Engine& engine, install::Wish wish) {
  TakenOut out;
  const auto add = [&](const Json& entered) {
    if (entered["changed"] == true) out.files.push_back(entered["file"]);
    if (const std::string why = string_or(entered, "why"); !why.empty())
      out.left.push_back({{"path", entered["file"]}, {"what", cat("left alone: ", why)}});
    for (const Json& path : entered.value("left_over", Json::array()))
      out.left.push_back({{"path", path}, {"what", install::kLeftOver}});
  };
  PAWL_ASSIGN(const Json claude, install::claude(engine, wish));
  add(claude);
  PAWL_ASSIGN(const Json opencode, install::opencode(engine, wish));
  add(opencode);
  PAWL_ASSIGN(const auto pages, install::agents(engine, wish, ""));
  for (const Json& page : pages) add(page);
  return out;
}

// What is pawl's, or was made for it, and is not taken away: somebody may have written into it, or come back to it.
Result<Json> remains(const Engine& engine, const std::vector<OnlyCopies>& copies, const std::string& folder) {
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
  }
  PAWL_ASSIGN(const auto linked, install::linked_pages(engine));
  for (const auto& [file, target] : linked)
    add(file, cat("a link to ", target, ", which is not touched: pawl's section stays in it"));
  for (const std::string& path : databases_set_aside(engine.workspace()))
    add(path, "an older database, set aside; there is no other copy");
  if (std::filesystem::exists(cat(root, "/pawl.toml"), none))
    add("pawl.toml", "pawl's settings; nothing else reads them");
  for (const auto& entry : std::filesystem::directory_iterator(root, none)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("pawl-left") && name != folder) add(name, "written when pawl was left before");
  }
  // git itself is asked: it keeps names in files of their own, or packed into one.
  const auto kept = engine.workspace().git_dir.empty()
                        ? Result<Ran>(Ran())
                        : run_git(root, {"for-each-ref", "--count=1", "--format=x", "refs/pawl/"});
  if (kept && kept->exit_code == 0 && !trim(kept->out).empty())
    add("refs/pawl/", "names in git of commits that cleanups have put aside");
  return out;
}

Result<Reply> run_leave(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const bool dry_run = arguments.flag("dry-run");
  const auto already = [&](const LeftMark& left) {
    return fail(ErrorCode::not_found, cat(left_in_words(left, context.clock->now().wall_ms), " already"),
                "there is nothing to leave; `pawl init` comes back");
  };
  if (const auto& left = engine->left()) return already(*left);
  if (!engine->has_store())
    return fail(ErrorCode::not_found, cat("pawl keeps nothing in ", printable(engine->workspace().root)),
                "there is nothing to leave");
  Look everywhere;
  everywhere.all = true;
  if (!dry_run) {
    Request request = context.request();
    request.tells_behind = true;
    PAWL_ASSIGN([[maybe_unused]] const Outcome brought, engine->change(request, everywhere, decide_nothing));
  }
  // From here on nobody writes: what is told of is all there is. Whoever waits meanwhile is told that pawl was left.
  PAWL_ASSIGN(Store* const store, engine->store());
  std::unique_ptr<Gate> gate;
  if (!dry_run) {
    PAWL_TRY(take_out_hooks(*engine, install::Wish::would_remove));  // what can not be mended stops it before it begins
    PAWL_ASSIGN(gate, store->gate());
    if (const auto left = read_left(engine->workspace().store)) return already(*left);  // by another, in this moment
  }
  Export content;
  Json running = Json::array(), watched = Json::array(), idle = Json::array(), workers = Json::array();
  PAWL_TRY(engine->read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(content.log, log_lines(view.store(), content.operations));
    PAWL_TRY(add_set_aside(view, context.lifecycles(), content));
    PAWL_ASSIGN(content.behind, files_behind(*engine, view, !dry_run));
    Query query;
    query.kind = "issue";
    query.status = "running";
    PAWL_ASSIGN(const auto records, view.list(query));
    const IssuesOnBoard issues(*engine, view);
    for (const Record& record : records) {
      PAWL_ASSIGN(const AtWork there, issues.at_work(record));
      (there.session || there.watched ? running : idle).push_back(record.id.ref());
      if (there.watched) watched.push_back(record.id.ref());
    }
    PAWL_ASSIGN(const auto claims, view.store().claims());
    for (const Claim& claim : claims) {
      if (claim.pid != 0 && claim_lives(claim, context.clock->now()))
        workers.push_back({{"worker", claim.worker}, {"ref", claim.record.ref()}});
    }
    return done();
  }));
  Json out{
      {"workspace", engine->workspace().root}, {"store", engine->workspace().store}, {"dry_run", dry_run},
      {"operations", content.operations},      {"reviews", Json::array()},           {"running", std::move(running)}};
  for (const auto& [name, bytes] : content.reviews) out["reviews"].push_back(name);
  out["watched"] = std::move(watched);
  out["idle"] = std::move(idle);
  out["workers"] = std::move(workers);
  PAWL_ASSIGN(const auto copies, only_copies(engine->workspace()));
  PAWL_ASSIGN(const std::string folder, new_folder(engine->workspace().root, dry_run));
  out["folder"] = folder;
  out["behind"] = behind_json(content.behind, folder);
  out["copied"] = Json::array();
  for (const OnlyCopies& one : copies)
    if (!one.too_much)
      out["copied"].push_back({{"path", cat(folder, "/", one.folder)}, {"files", one.files}, {"what", one.what}});
  if (!dry_run) {
    const std::string place = cat(engine->workspace().root, "/", folder);
    PAWL_TRY(write_out(place, content));
    PAWL_TRY(copy_out(engine->workspace(), copies, place));
  }
  PAWL_ASSIGN(TakenOut taken, take_out_hooks(*engine, dry_run ? install::Wish::would_remove : install::Wish::remove));
  out["removed_from"] = std::move(taken.files);
  PAWL_ASSIGN(out["remains"], remains(*engine, copies, folder));
  for (Json& one : taken.left) out["remains"].push_back(std::move(one));
  // Last: whoever is cut off before it has not left, and leaves again.
  if (!dry_run) PAWL_TRY(mark_left(*engine, folder));
  return Reply{std::move(out)};
}

std::string text_of_behind(const Json& behind, bool dry_run) {
  if (behind.empty()) return "  your files are up to date, and stay as they are\n";
  std::string out = "  your files stay as they are, and are up to date but for\n";
  bool any_known = false;
  for (const Json& one : behind) {
    out += cat("    ", printable(string_or(one, "path")), ": ", printable(string_or(one, "why")), "\n");
    const std::string known = string_or(one, "known");
    any_known |= !known.empty();
    if (!known.empty())
      out += cat("      what pawl ", dry_run ? "knows would be in " : "knew is in ", printable(known), "\n");
    if (const std::string advice = string_or(one, "advice"); dry_run && !advice.empty())
      out += cat("      before you leave: ", printable(advice), "\n");
  }
  if (any_known && !dry_run)
    out += "    to go on with what pawl knew, copy it over the file: pawl init takes files as they are\n";
  return out;
}

std::string text_of_leave(const Json& data, const TextStyle&) {
  const bool dry_run = data["dry_run"] == true;
  std::string out = dry_run ? "pawl leave would:\n" : "pawl has left:\n";
  out += text_of_behind(data["behind"], dry_run);
  const std::string folder = string_or(data, "folder");
  out +=
      cat("  ", folder, "/log.jsonl: all that happened, ", counted(integer_or(data, "operations"), "operation"), "\n");
  for (const Json& name : data["reviews"])
    out += cat("  ", folder, "/reviews/", printable(name.get<std::string>()), ": a review that was set aside\n");
  for (const Json& one : data["copied"])
    out += cat("  ", string_or(one, "path"), "/: ", counted(integer_or(one, "files"), "file"), " ",
               string_or(one, "what"), "\n");
  for (const Json& file : data["removed_from"])
    out += cat("  ", dry_run ? "pawl's part would be taken out of " : "taken out of ", file.get<std::string>(), "\n");
  for (const Json& ref : data["running"]) {
    const bool watched = std::find(data["watched"].begin(), data["watched"].end(), ref) != data["watched"].end();
    out += cat("  ", printable(ref.get<std::string>()), " is running, and goes on; ",
               watched ? "its watcher with it" : "nobody watches it", "\n");
  }
  for (const Json& ref : data["idle"])
    out += cat("  ", printable(ref.get<std::string>()), " says running, and pawl knows of nobody at work on it\n");
  for (const Json& one : data["workers"])
    out += cat("  ", printable(string_or(one, "worker")), " is at work on ", printable(string_or(one, "ref")),
               ", and goes on until it ends or is stopped\n");
  out += "What remains, and is yours to remove:\n";
  for (const Json& one : data["remains"])
    out += cat("  ", printable(string_or(one, "path")), ": ", printable(string_or(one, "what")), "\n");
  return cat(out, "To remove the store too",
             data["running"].empty() && data["workers"].empty() ? "" : ", once nothing runs any more, as that needs it",
             ": rm -r ", shell_word(string_or(data, "store")), "\n", dry_run ? "" : "To come back: pawl init\n");
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
        "Files are brought up to date; those that can not be (git changed them, or they can not be read) are named, "
        "and what pawl would have there is written into pawl-left/known; --dry-run says what can be done before. The "
        "log, what is set aside (reviews, as the files they were), and copies of "
        "the files that only the store has (kept by cleanups, damaged, refused, and what agents, checks and sessions "
        "printed) are written into the folder pawl-left (pawl-left-2, where something is called so already); pawl's "
        "hooks and marked sections are taken out of the files of agents. Output of more than 256 MiB is not copied, "
        "and "
        "an AGENTS.md that is a link to a file elsewhere is not changed: what remains is said.\n\n"
        "From then on verbs that write say that pawl was left, and those that read show what the files say. The store "
        "stays until you remove it. `pawl init` comes back and goes on with it; files that have changed since are "
        "taken "
        "as they are. Only where the database can not be read is it begun anew from the files, with the old one kept "
        "beside it.",
    .params = kParams,
    .examples = kLeaveExamples,
    .read_only = false,
    .run = run_leave,
    .text = text_of_leave,
};

}  // namespace pawl
