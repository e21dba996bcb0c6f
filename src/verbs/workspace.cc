// The workspace as a whole: `pawl init`, `doctor`, `accept`, `restore`, `trust`, `watch`, `backup`, `compact`.
#include <array>

#include "base/file.h"
#include "base/place.h"
#include "base/text.h"
#include "engine/doctor.h"
#include "engine/engine.h"
#include "engine/watcher.h"
#include "verbs/context.h"
#include "verbs/present.h"
#include "verbs/table.h"

namespace pawl {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20U;

Result<Decision> nothing_more(const View&, const Now&) { return Decision{}; }

// --- init ---

Result<Reply> run_init(Context& context, const Arguments&) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const bool made = !engine->has_store();
  Look look;
  look.all = true;
  PAWL_ASSIGN(const Outcome outcome, engine->change(context.request(), look, nothing_more));
  Json out{{"workspace", engine->workspace().root},
           {"store", engine->workspace().store},
           {"made", made},
           {"adopted", Json::array()}};
  if (outcome.outside_operation != 0) {
    PAWL_TRY(engine->read_store([&](const View& view) -> Done {
      PAWL_ASSIGN(const auto events, view.store().events_of(outcome.outside_operation));
      for (const Event& event : events) out["adopted"].push_back(to_json(event));
      return done();
    }));
  }
  return Reply{std::move(out)};
}

std::string text_of_init(const Json& data, const TextStyle&) {
  std::string out = data["made"].get<bool>() ? cat("pawl now guards ", printable(string_or(data, "workspace")),
                                                   "\nits store is ", printable(string_or(data, "store")), "\n")
                                             : cat(printable(string_or(data, "workspace")), " is guarded already\n");
  for (const Json& event : data["adopted"]) out += cat("    ", line_of_event(event), "\n");
  return cat(out, "next: pawl status\n");
}

// --- doctor ---

Json finding_json(const Finding& finding) {
  return {{"problem", finding.problem}, {"text", finding.text}, {"advice", finding.advice}};
}

Result<Reply> run_doctor(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(Checkup checkup, check_up(*engine));
  Json out{{"workspace", engine->workspace().root},
           {"store", checkup.has_store ? Json(engine->workspace().store) : Json()}};
  if (arguments.flag("fix")) {
    PAWL_ASSIGN(const auto did, mend(*engine, context.request(), checkup));
    out["mended"] = did;
    PAWL_ASSIGN(checkup, check_up(*engine));
  }
  out["healthy"] = checkup.healthy();
  out["records"] = checkup.store.records;
  out["operations"] = checkup.store.operations;
  out["events"] = checkup.store.events;
  if (!checkup.store.mode.empty()) out["journal_mode"] = checkup.store.mode;
  out["files"] = Json::array();
  for (const Checkup::File& file : checkup.files) out["files"].push_back({{"path", file.path}, {"state", file.state}});
  out["findings"] = Json::array();
  for (const Finding& finding : checkup.findings) out["findings"].push_back(finding_json(finding));
  return Reply{std::move(out), checkup.healthy() ? 0 : 1};
}

std::string text_of_doctor(const Json& data, const TextStyle& style) {
  std::string out;
  if (data.contains("mended")) {
    for (const Json& line : data["mended"]) out += cat("mended: ", printable(line.get<std::string>()), "\n");
  }
  const bool has_store = data["store"].is_string();
  out += has_store ? cat("store: ", to_line(data["records"]), " records, ", to_line(data["operations"]),
                         " operations, ", to_line(data["events"]), " events\n")
                   : "store: none yet; pawl init makes one\n";
  std::size_t in_step = 0;
  for (const Json& file : data["files"]) {
    if (string_or(file, "state") == "in step") {
      ++in_step;
    } else {
      out += cat(printable(string_or(file, "path")), ": ", string_or(file, "state"), "\n");
    }
  }
  if (in_step > 0) out += cat(in_step, in_step == 1 ? " file is" : " files are", " in step\n");
  for (const Json& finding : data["findings"]) {
    out += cat(finding["problem"].get<bool>() ? bold("problem: ", style) : "note: ", string_or(finding, "text"), "\n");
    if (const std::string advice = string_or(finding, "advice"); !advice.empty()) out += cat("    ", advice, "\n");
  }
  return cat(out, data["healthy"].get<bool>() ? "all is well\n" : "something needs you, see above\n");
}

// --- accept, restore ---

// What a user typed, as the store knows the file: relative to the workspace, or a copy that was kept aside.
Result<std::string> path_in_workspace(const Engine& engine, const std::string& typed) {
  const std::string whole = typed.starts_with('/') ? typed : cat(engine.workspace().here, "/", typed);
  const std::size_t slash = whole.rfind('/');
  char* folder = realpath(whole.substr(0, slash == 0 ? 1 : slash).c_str(), nullptr);
  if (folder == nullptr) return tl::unexpected(io_error("open", typed, errno));
  const std::string real = cat(folder, whole.substr(slash));
  free(folder);
  return engine.world().roots->shortened(real);
}

tl::unexpected<Error> not_kept(const std::string& typed) {
  return fail(ErrorCode::not_found, cat(printable(typed), " is not a file that pawl keeps in step"),
              "pawl doctor lists those that are");
}

// "42.json.20240130T090000Z" in refused/ → the file that it is a copy of.
std::optional<MirrorFile> original_of(const Engine& engine, Transaction& store, const std::string& copy) {
  const std::string name = copy.substr(copy.rfind('/') + 1);
  for (const Lifecycle& row : engine.lifecycles().rows()) {
    for (const MirrorFormat* format : row.formats) {
      const auto rows = store.mirrors(format->name(), MirrorPart::without_bytes);
      for (const MirrorRow& known : rows ? *rows : std::vector<MirrorRow>{}) {
        if (name.starts_with(known.path.substr(known.path.rfind('/') + 1) + "."))
          return MirrorFile{known.path, known.scope, format};
      }
    }
  }
  return std::nullopt;
}

Result<Reply> settle_file(Context& context, const Arguments& arguments, bool accept) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const std::string typed = arguments.text_or("file", "");
  PAWL_ASSIGN(const std::string path, path_in_workspace(*engine, typed));
  Request request = context.request();
  const MirrorWorld world = engine->world();
  std::optional<MirrorFile> file = file_at(world, path);
  const std::string refused = world.roots->shortened(engine->workspace().store + "/refused/");
  if (!file && accept && path.starts_with(refused)) {
    PAWL_TRY(engine->read_store([&](const View& view) -> Done {
      file = original_of(*engine, view.store(), path);
      return done();
    }));
    if (!file) return not_kept(typed);
    PAWL_ASSIGN(FileImage image, read_file(world.roots->absolute(path), kMaxFileBytes));
    if (!image.exists) return fail(ErrorCode::not_found, cat("there is no file ", printable(typed)));
    if (const auto content = file->format->parse(file->path, file->scope, image.bytes); !content)
      return tl::unexpected(content.error());
    request.substitute.emplace(file->path, std::move(image.bytes));
  }
  if (!file) return not_kept(typed);
  if (accept) {
    request.accept = request.actor;
  } else {
    request.restore = file->path;
  }
  Look look;
  look.files.push_back(*file);
  PAWL_ASSIGN(const Outcome outcome, engine->change(request, look, nothing_more));
  return Reply{
      Json{{"file", file->path}, {accept ? "accepted" : "restored", true}, {"operation", outcome.outside_operation}}};
}

Result<Reply> run_accept(Context& context, const Arguments& arguments) { return settle_file(context, arguments, true); }
Result<Reply> run_restore(Context& context, const Arguments& arguments) {
  return settle_file(context, arguments, false);
}

std::string text_of_settled(const Json& data, const TextStyle&) {
  const std::string file = printable(string_or(data, "file"));
  if (data.contains("restored")) return cat(file, " shows what pawl knows\n");
  const std::int64_t operation = data.value("operation", std::int64_t{0});
  return operation == 0 ? cat(file, " says nothing new\n")
                        : cat(file, " was taken over by operation ", operation, "\n");
}

// --- trust ---

Result<Reply> run_trust(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const std::string path = engine->workspace().root + "/pawl.toml";
  PAWL_ASSIGN(const FileImage image, read_file(path, kMaxFileBytes));
  if (!image.exists) return fail(ErrorCode::not_found, cat("there is no ", printable(path)));
  if (arguments.flag("remove")) {
    PAWL_TRY(distrust(path));
  } else {
    PAWL_TRY(trust(path, image.bytes));
  }
  return Reply{Json{{"file", path}, {"trusted", !arguments.flag("remove")}, {"bytes", image.bytes.size()}}};
}

std::string text_of_trust(const Json& data, const TextStyle&) {
  return cat(printable(string_or(data, "file")), data["trusted"].get<bool>()
                                                     ? " is trusted as it is now; a change of it is not\n"
                                                     : " is not trusted any more\n");
}

// --- watch ---

Result<Reply> run_watch(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  std::int64_t left = arguments.number("limit").value_or(0);
  std::int64_t since = 0;
  PAWL_TRY(engine->read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(since, view.store().newest_event());
    return done();
  }));
  if (arguments.flag("all")) since = 0;
  PAWL_TRY(follow(*engine, since, [&](const Event& event, const Operation& operation) {
    Json line = to_json(event);
    line["at"] = iso_time(operation.at_ms, true);
    line["at_ms"] = operation.at_ms;
    line["actor"] = operation.actor;
    line["verb"] = operation.verb;
    if (operation.outside) line["outside"] = true;
    if (!operation.reason.empty()) line["reason"] = operation.reason;
    return context.emit(line) && !(left > 0 && --left == 0);
  }));
  return Reply{Json()};
}

std::string text_of_watch(const Json& event, const TextStyle& style) {
  if (event.is_null()) return {};
  std::string out = cat(faint(iso_time(event.value("at_ms", std::int64_t{0})), style), "  ", line_of_event(event));
  return cat(out, "  ",
             event.contains("outside")
                 ? std::string("(changed outside pawl)")
                 : cat("(", printable(string_or(event, "actor")), ", ", printable(string_or(event, "verb")), ")"),
             "\n");
}

// --- backup, compact ---

Result<Reply> run_backup(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(Store* const store, engine->store());
  const std::string file = arguments.text_or("file", "");
  PAWL_TRY(store->backup(file));
  return Reply{Json{{"file", file}}};
}

std::string text_of_backup(const Json& data, const TextStyle&) {
  return cat(printable(string_or(data, "file")), " is a copy of the store as it stood\n");
}

Result<Reply> run_compact(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(Store* const store, engine->store());
  const std::int64_t keep_ms = arguments.duration_ms("keep").value_or(0);
  std::int64_t gone = 0;
  {
    PAWL_ASSIGN(const auto gate, store->gate());
    PAWL_ASSIGN(const auto tx, store->begin(Access::write));
    PAWL_ASSIGN(gone, tx->compact(context.clock->now().wall_ms - keep_ms));
    PAWL_TRY(tx->commit({}));
  }
  PAWL_TRY(store->shrink());
  return Reply{Json{{"events_removed", gone}}};
}

std::string text_of_compact(const Json& data, const TextStyle&) {
  return cat(to_line(data["events_removed"]),
             " old events removed; what stands now, and the newest event of each thing, is kept\n");
}

constexpr Param kFile{.name = "file",
                      .value = "FILE",
                      .summary = "a file that pawl keeps in step, or a copy of one in .pawl/refused/",
                      .positional = true,
                      .required = true};
constexpr std::array kDoctorParams = {
    Param{.name = "fix", .type = ParamType::flag, .summary = "mend what can be mended; nothing is deleted"}};
constexpr std::array kFileOnly = {kFile};
constexpr std::array kTrustParams = {Param{.name = "remove", .type = ParamType::flag, .summary = "trust it no longer"}};
constexpr std::array kWatchParams = {
    Param{.name = "limit", .type = ParamType::positive, .value = "N", .summary = "end after N events"},
    Param{.name = "all", .type = ParamType::flag, .summary = "begin with the oldest event instead of the next one"},
};
constexpr std::array kBackupParams = {Param{
    .name = "file", .value = "FILE", .summary = "where to; it must not exist", .positional = true, .required = true}};
constexpr std::array kCompactParams = {Param{.name = "keep",
                                             .type = ParamType::duration,
                                             .value = "TIME",
                                             .summary = "how much history stays: 90d, 12h",
                                             .required = true}};

constexpr std::array kInitExamples = {Example{"pawl init", "make the store, and adopt the files that are here"},
                                      Example{"pawl -C ~/project init --json", "elsewhere, for a program"}};
constexpr std::array kDoctorExamples = {
    Example{"pawl doctor", "look, and change nothing; exit 1 when something is wrong"},
    Example{"pawl doctor --fix", "mend what can be mended"}};
constexpr std::array kAcceptExamples = {
    Example{"pawl accept .worktrees/.status/42.json", "take the file as it is, after git changed it"},
    Example{"pawl accept .pawl/refused/42.json.20240130T090000Z", "take over what was refused"},
};
constexpr std::array kRestoreExamples = {
    Example{"pawl restore .worktrees/.status/42.json", "write what pawl knows; what stood there is kept aside"},
    Example{"pawl restore .worktrees/.status/42.json --json", "the same for a program"},
};
constexpr std::array kTrustExamples = {Example{"pawl trust", "after you have read pawl.toml"},
                                       Example{"pawl trust --remove", "take it back"}};
constexpr std::array kWatchExamples = {Example{"pawl watch", "a line for each event, until Ctrl-C"},
                                       Example{"pawl watch --json | while read -r e; do …; done", "for a program"}};
constexpr std::array kBackupExamples = {
    Example{"pawl backup ~/pawl-$(date +%F).db", "a copy, also while others write"},
    Example{"sqlite3 copy.db 'select * from operation'", "it is an ordinary SQLite file"}};
constexpr std::array kCompactExamples = {Example{"pawl compact --keep 90d", "forget history older than 90 days"},
                                         Example{"pawl compact --keep 0s", "keep only what stands now"}};

}  // namespace

const Verb kInit = {
    .name = "init",
    .summary = "make the store, and adopt the files that are here",
    .manual =
        "Nothing is changed in the files. In a git repository the store is the folder .pawl, which git ignores; "
        "elsewhere it is kept under "
        "XDG_STATE_HOME/pawl. Run twice it changes nothing. Other verbs make the store when they first need it.",
    .examples = kInitExamples,
    .read_only = false,
    .run = run_init,
    .text = text_of_init,
};

const Verb kDoctor = {
    .name = "doctor",
    .summary = "check the store, the log and the files; change nothing",
    .manual =
        "Works before pawl init too. With --fix it mends: files and store are brought together, damaged files "
        "restored, and a database beyond "
        "reading is set aside and begun anew from the files. Nothing is deleted.",
    .params = kDoctorParams,
    .examples = kDoctorExamples,
    .read_only = false,
    .run = run_doctor,
    .text = text_of_doctor,
};

const Verb kAccept = {
    .name = "accept",
    .summary = "take over a file as it is",
    .manual =
        "For a file that git changed, and for what pawl refused and kept in .pawl/refused/. Your word stands for the "
        "conditions that a move "
        "would have needed; a word that is no status is refused all the same.",
    .params = kFileOnly,
    .examples = kAcceptExamples,
    .read_only = false,
    .run = run_accept,
    .text = text_of_settled,
};

const Verb kRestore = {
    .name = "restore",
    .summary = "write what pawl knows into a file again",
    .manual = "What stands in the file now is kept in .pawl/refused/ first.",
    .params = kFileOnly,
    .examples = kRestoreExamples,
    .read_only = false,
    .run = run_restore,
    .text = text_of_settled,
};

const Verb kTrust = {
    .name = "trust",
    .summary = "let pawl.toml name commands and folders outside the workspace",
    .manual =
        "A file that came with a clone could make pawl run something. So such settings are used only after you have "
        "read the file and said so; "
        "the content is remembered outside of the workspace, and any change needs your word again.",
    .params = kTrustParams,
    .examples = kTrustExamples,
    .read_only = false,
    .run = run_trust,
    .text = text_of_trust,
};

const Verb kWatch = {
    .name = "watch",
    .summary = "follow what happens, as it happens",
    .manual = "Prints each event of any process, and takes over changes in files as they come. At rest it sleeps.",
    .params = kWatchParams,
    .examples = kWatchExamples,
    .read_only = false,
    .streams = true,
    .run = run_watch,
    .text = text_of_watch,
};

const Verb kBackup = {
    .name = "backup",
    .summary = "copy the store to a file, also while others write",
    .manual = "The copy is of one moment, synced, and an ordinary SQLite database.",
    .params = kBackupParams,
    .examples = kBackupExamples,
    .read_only = false,
    .run = run_backup,
    .text = text_of_backup,
};

const Verb kCompact = {
    .name = "compact",
    .summary = "forget old history",
    .manual =
        "Operations older than the time are removed from the log; where things stand never is. What is removed can not "
        "be undone or shown with --at.",
    .params = kCompactParams,
    .examples = kCompactExamples,
    .read_only = false,
    .run = run_compact,
    .text = text_of_compact,
};

}  // namespace pawl
