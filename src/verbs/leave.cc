// `pawl leave`: everything that only pawl has is written where others can read it, and pawl goes from the files that
// it was entered into. The files that it guarded are up to date and stay; so does the store, for whoever comes back.
#include <array>
#include <filesystem>
#include <map>

#include "base/file.h"
#include "base/text.h"
#include "drive/install/hooks.h"
#include "engine/engine.h"
#include "lifecycle/review/review.h"
#include "lifecycle/review/state_file.h"
#include "verbs/context.h"
#include "verbs/present.h"
#include "verbs/table.h"

namespace pawl {
namespace {

constexpr std::int64_t kBatch = 500;

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

// A folder that was not there before.
Result<std::string> new_folder(const std::string& root) {
  for (int i = 1; i < 1000; ++i) {
    std::string name = i == 1 ? std::string("pawl-left") : cat("pawl-left-", i);
    std::error_code why;
    if (std::filesystem::create_directory(cat(root, "/", name), why)) return name;
    if (why) return fail(ErrorCode::io, cat("can not make ", printable(name), ": ", why.message()));
  }
  return fail(ErrorCode::already_exists, "there are a thousand folders pawl-left already");
}

Done write_out(const std::string& folder, const Export& content) {
  PAWL_ASSIGN(const Fd top, open_folder(folder));
  PAWL_TRY(write_synced_at(top.get(), "log.jsonl", content.log));
  if (!content.set_aside.empty()) PAWL_TRY(write_synced_at(top.get(), "set-aside.jsonl", content.set_aside));
  if (content.reviews.empty()) return done();
  std::error_code why;
  std::filesystem::create_directory(folder + "/reviews", why);
  PAWL_ASSIGN(const Fd reviews, open_folder(folder + "/reviews"));
  for (const auto& [name, bytes] : content.reviews) PAWL_TRY(write_synced_at(reviews.get(), name, bytes));
  return done();
}

Result<Json> take_out_hooks(const Engine& engine, install::Wish wish) {
  Json files = Json::array();
  const auto add = [&](const Json& entered) {
    if (entered["changed"] == true) files.push_back(entered["file"]);
  };
  PAWL_ASSIGN(const Json claude, install::claude(engine, wish));
  add(claude);
  PAWL_ASSIGN(const Json opencode, install::opencode(engine, wish));
  add(opencode);
  PAWL_ASSIGN(const auto pages, install::agents(engine, wish, ""));
  for (const Json& page : pages) add(page);
  return files;
}

// What is pawl's, or was made for it, and is not taken away: somebody may have written into it, or come back to it.
Json remains(const Engine& engine, const std::string& folder) {
  Json out = Json::array();
  const std::string& root = engine.workspace().root;
  std::error_code none;
  const auto add = [&](const std::string& path, std::string_view what) {
    out.push_back({{"path", path}, {"what", what}});
  };
  add(engine.workspace().store, "the store, in case you come back");
  if (std::filesystem::exists(cat(root, "/pawl.toml"), none))
    add("pawl.toml", "pawl's settings; nothing else reads them");
  for (const auto& entry : std::filesystem::directory_iterator(root, none)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("pawl-left") && name != folder) add(name, "written when pawl was left before");
  }
  const std::string& git = engine.workspace().git_dir;
  if (!git.empty() && std::filesystem::exists(cat(git, "/refs/pawl"), none))
    add("refs/pawl/", "names in git of commits that cleanups have put aside");
  return out;
}

Result<Reply> run_leave(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const bool dry_run = arguments.flag("dry-run");
  if (!engine->has_store())
    return fail(ErrorCode::not_found, cat("pawl keeps nothing in ", printable(engine->workspace().root)),
                "there is nothing to leave");
  Look everywhere;
  everywhere.all = true;
  if (!dry_run) {
    PAWL_ASSIGN([[maybe_unused]] const Outcome brought, engine->change(context.request(), everywhere, decide_nothing));
  }
  Export content;
  Json running = Json::array();
  PAWL_TRY(engine->read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(content.log, log_lines(view.store(), content.operations));
    PAWL_TRY(add_set_aside(view, context.lifecycles(), content));
    Query query;
    query.kind = "issue";
    query.status = "running";
    PAWL_ASSIGN(const auto records, view.list(query));
    for (const Record& record : records) running.push_back(record.id.ref());
    return done();
  }));
  Json out{
      {"workspace", engine->workspace().root}, {"store", engine->workspace().store}, {"dry_run", dry_run},
      {"operations", content.operations},      {"reviews", Json::array()},           {"running", std::move(running)}};
  for (const auto& [name, bytes] : content.reviews) out["reviews"].push_back(name);
  std::string folder;
  if (!dry_run) {
    PAWL_ASSIGN(folder, new_folder(engine->workspace().root));
    out["folder"] = folder;
    PAWL_TRY(write_out(cat(engine->workspace().root, "/", folder), content));
  }
  PAWL_ASSIGN(out["removed_from"],
              take_out_hooks(*engine, dry_run ? install::Wish::would_remove : install::Wish::remove));
  out["remains"] = remains(*engine, folder);
  return Reply{std::move(out)};
}

std::string text_of_leave(const Json& data, const TextStyle&) {
  const bool dry_run = data["dry_run"] == true;
  std::string out = dry_run ? "pawl leave would:\n" : "pawl has left:\n";
  out += "  your files are up to date, and stay as they are\n";
  const std::string folder = dry_run ? std::string("pawl-left") : string_or(data, "folder");
  out +=
      cat("  ", folder, "/log.jsonl: all that happened, ", counted(integer_or(data, "operations"), "operation"), "\n");
  for (const Json& name : data["reviews"])
    out += cat("  ", folder, "/reviews/", printable(name.get<std::string>()), ": a review that was set aside\n");
  for (const Json& file : data["removed_from"])
    out += cat("  ", dry_run ? "pawl's part would be taken out of " : "taken out of ", file.get<std::string>(), "\n");
  for (const Json& ref : data["running"])
    out += cat("  ", printable(ref.get<std::string>()), " is running, and goes on; its watcher with it\n");
  out += "What remains, and is yours to remove:\n";
  for (const Json& one : data["remains"])
    out += cat("  ", printable(string_or(one, "path")), ": ", printable(string_or(one, "what")), "\n");
  return cat(out, "To remove the store too",
             data["running"].empty() ? "" : ", once nothing runs any more, as watchers need it", ": rm -r ",
             printable(string_or(data, "store")), "\n");
}

constexpr std::array kParams = {
    Param{.name = "dry-run", .type = ParamType::flag, .summary = "say what would be done, and change nothing"}};
constexpr std::array kExamples = {
    Example{"pawl leave --dry-run", "what would it do?"},
    Example{"pawl leave", "bring files up to date, write out what only pawl has, take its hooks out"},
};

}  // namespace

const Verb kLeave = {
    .name = "leave",
    .summary = "stop using pawl here, with nothing lost",
    .manual =
        "Files are brought up to date; the log and what is set aside (reviews, as the files they were) are written "
        "into the folder pawl-left (pawl-left-2, where that is there from an earlier time); pawl's hooks and marked "
        "sections are taken out of the files of agents. The store "
        "stays until you remove it, and `pawl init` goes on with it.",
    .params = kParams,
    .examples = kExamples,
    .read_only = false,
    .run = run_leave,
    .text = text_of_leave,
};

}  // namespace pawl
