// `pawl doctor`: what is here, what is wrong with it, what pawl would do; and, if asked, mending it.
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "commands/context.h"
#include "commands/doctor.h"
#include "commands/found_files.h"
#include "commands/init.h"
#include "commands/others_settings.h"
#include "commands/present.h"
#include "commands/table.h"
#include "engine/claims.h"
#include "engine/doctor.h"
#include "engine/engine.h"
#include "engine/left.h"
#include "engine/store_links.h"
#include "engine/unguarded.h"
#include "engine/unknown_variables.h"
#include "lifecycles/loop/advice.h"
#include "lifecycles/loop/foreign_loop.h"
#include "lifecycles/loop/identity.h"
#include "lifecycles/loop/ralph.h"
#include "runners/install/first_settings.h"
#include "runners/install/hooks.h"
#include "runners/install/neighbours.h"
#include "runners/install/story_gates.h"
#include "runners/issue/health.h"
#include "runners/loops.h"
#include "runners/story_choice.h"

namespace pawl {
namespace {

Json finding_json(const Finding& finding) {
  return {{"problem", finding.problem}, {"text", finding.text}, {"advice", finding.advice}};
}

void look_at_neighbours(const Engine& engine, const std::vector<install::Neighbour>& found,
                        std::vector<Finding>& findings) {
  const bool entered = install::pawl_is_entered(engine), drives = install::pawl_drives(engine);
  std::vector<std::string> told;
  for (const install::Neighbour& one : found) {
    if (one.stale)
      findings.push_back({true,
                          cat(printable(one.path), " is a loop of ", printable(one.name),
                              " that is active, and was begun more than a day ago"),
                          std::string(loop::kHowToEndForeign)});
    if (!one.drives || !one.in_hooks || !entered || std::find(told.begin(), told.end(), one.name) != told.end())
      continue;
    told.push_back(one.name);
    if (drives) {
      findings.push_back({true, cat(one.name, " drives loops here, and so does pawl (", one.path, ")"),
                          "pawl init --claude  # takes pawl's Stop hook out, and leaves driving to the other"});
    } else {
      findings.push_back({false, cat(one.name, " drives loops here; pawl leaves that to it (", one.path, ")"),
                          "pawl init --claude --drive  # pawl drives too"});
    }
  }
  if (entered && !drives && told.empty())
    findings.push_back({false, "pawl's hooks are in .claude/settings.json but for Stop: its loops hold no session",
                        "pawl init --claude  # enters that one too"});
}

// Of a session's loop that a hook is to hold the session for, and there is none.
Done look_at_drivers(const Engine& engine, const View& view, const std::vector<install::Neighbour>& beside,
                     const Now& now, std::vector<Finding>& findings) {
  if (!engine.has_store() || install::pawl_is_entered(engine) || install::anything_drives(engine, beside))
    return done();
  PAWL_ASSIGN(const auto loops, loop::all_loops(view, loop::ralph_shape()));
  for (const Record& one : loops) {
    if (!loop::is_active(one) || !loop::owner_of(one.doc)) continue;
    PAWL_ASSIGN(const auto claim, view.store().claim(one.id));
    if (claim && claim_lives(*claim, now)) continue;
    const std::string go_on = loop::to_go_on(one);
    const install::UnknownStop stop = install::unknown_stop(engine);
    constexpr std::size_t kMost = 120;
    findings.push_back(
        {false,
         cat(printable(one.id.ref()),
             stop.command.empty()
                 ? std::string(" is active, and nothing here drives it: no hook, and no runner")
                 : cat(" is active, and nothing that pawl knows drives it: there is a Stop hook in ", stop.path,
                       " that pawl does not know (", stripped(printable(stop.command), kMost), "), and no runner")),
         cat(loop::to_type("pawl init --claude", "lets Claude Code's hooks hold its session"),
             go_on.empty() ? "" : "\n", go_on)});
    break;  // of one it is enough to know
  }
  return done();
}

// Whoever stands in a linked worktree is told which files are meant, and which are not.
Done look_at_worktree(const Engine& engine, std::vector<Finding>& findings) {
  const Workspace& workspace = engine.workspace();
  if (workspace.linked.empty()) return done();
  PAWL_ASSIGN(const auto files, unguarded_here(engine));
  const std::string named = cat("files are named from the main checkout, ", printable(workspace.root));
  if (files.empty()) {
    findings.push_back({false, cat("this is a linked worktree: ", named), {}});
    return done();
  }
  findings.push_back(
      {false,
       cat("this is a linked worktree, and nothing guards ",
           first_few(files, 3, [](const std::string& path) { return printable(path); }),
           " in it: a loop begun by pawl has its file in the main checkout, ", printable(workspace.root)),
       cat("# have the tool that wrote it keep its state there, or end it with that tool\n",
           loop::to_type("pawl ralph start --session NAME --prompt P", "begins one that is guarded"))});
  return done();
}

void look_at_left_overs(const Engine& engine, std::vector<Finding>& findings) {
  for (const std::string& path : install::left_overs(engine))
    findings.push_back({true, cat(printable(path), " is left of a change to the file beside it that was cut off"),
                        cat("# it ", install::kLeftOver)});
}

// The store and the files, what is running, and what other tools have here.
Result<Checkup> check_project(Engine& engine, const std::vector<install::Neighbour>& beside) {
  PAWL_ASSIGN(Checkup checkup, check_up(engine, [&](const View& view, std::vector<Finding>& findings) -> Done {
                PAWL_TRY(look_at_dependencies(view, findings));
                PAWL_TRY(look_at_drivers(engine, view, beside, engine.clock().now(), findings));
                return look_at_runs(engine, view, findings);
              }));
  look_at_neighbours(engine, beside, checkup.findings);
  look_at_left_overs(engine, checkup.findings);
  if (is_in_git(engine.workspace())) checkup.findings.push_back({true, std::string(kInGit), std::string(kOutOfGit)});
  if (engine.left()) {
    // Leaving took it out; git may have brought it back.
    if (const auto entered = install::entered_files(engine); !entered.empty())
      checkup.findings.push_back({true, cat("agents are told to ask pawl, which was left, in ", first_few(entered, 3)),
                                  "pawl init --all --remove  # takes that out; pawl init comes back"});
  }
  PAWL_TRY(look_at_worktree(engine, checkup.findings));
  return checkup;
}

// What all projects share has a store of its own; without a home folder there is none. One that cannot be looked at is
// something that is wrong here, and hides nothing else.
Checkup check_shared(Context& context) {
  if (!users_workspace()) return {};
  Checkup broken;
  const auto users = context.users_engine();
  auto checkup = users ? check_up(**users) : Result<Checkup>(tl::unexpected(users.error()));
  if (checkup) return *std::move(checkup);
  broken.findings.push_back({true, checkup.error().message, checkup.error().hint});
  return broken;
}

// What to do by hand: pawl's own commands are refused where it was left.
std::string without_commands(const std::string& advice) {
  std::string out;
  for (const std::string_view line : split(advice, '\n')) {
    if (!line.starts_with("pawl ") || line.starts_with("pawl init")) out += cat(out.empty() ? "" : "\n", line);
  }
  return out;
}

// Both, and what was done about them.
Result<std::vector<std::string>> mend_all(Context& context, Engine& engine, const Checkup& project,
                                          const Checkup& shared) {
  PAWL_ASSIGN(auto did, mend(engine, context.request(), project));
  if (!shared.has_store) return did;  // there is nothing to mend, and none is made for it
  PAWL_ASSIGN(Engine* const users, context.users_engine());
  PAWL_ASSIGN(const auto too, mend(*users, context.request(), shared));
  for (const std::string& line : too) did.push_back(cat("shared by all projects: ", line));
  return did;
}

// Where an issue runner keeps its files elsewhere pawl init will look there, and so does this; its settings are read by
// the second executable. Without that one they are looked at where they usually are.
Result<Reply> run_doctor(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const Workspace workspace, find_workspace(context.flags.dir));
  const auto is_there = [&](std::string_view name) {
    return access(cat(workspace.root, "/", name).c_str(), F_OK) == 0;
  };
  const bool adopted = access(cat(workspace.store, "/pawl.db").c_str(), F_OK) == 0;
  if (!adopted && !arguments.flag("fix") && is_there(install::kRunnerSettings) && !is_there(kSettingsFile))
    (void)context.hand_over();
  return look_at_workspace(context, arguments, OthersSettings{});
}

// What `pawl init` would do about settings: write a pawl.toml, or refuse another tool's.
Result<bool> would_write_settings(Engine& engine, const Result<OthersSettings>& others,
                                  std::vector<Finding>& findings) {
  const Workspace& workspace = engine.workspace();
  if (engine.has_store() || engine.left()) return false;
  const auto taken = others ? with_bot_settings(workspace, engine.lifecycles(), *others) : others;
  if (!taken)
    findings.push_back({true, cat("pawl init would refuse this: ", taken.error().message), taken.error().hint});
  if (access(cat(workspace.root, "/", kSettingsFile).c_str(), F_OK) == 0) return false;
  if (taken && !taken->taken.empty()) return true;
  PAWL_ASSIGN(const auto unchecked, install::stories_nobody_can_check(engine));
  return unchecked.has_value();
}

// What `pawl init` would come to, before it was run.
std::string text_of_would(const Json& data) {
  std::int64_t files = 0, take = 0, hold = 0;
  for (const Json& file : data["files"]) {
    if (!is_new(file) || !file.contains("would")) continue;
    ++files;  // also one that adds to what another shows, and brings nothing in by itself
    take += integer_or(file["would"], "take");
    hold += integer_or(file["would"], "hold");
  }
  const std::string new_file = data.contains("would_write")
                                   ? cat("it would write ", string_or(data, "would_write"),
                                         ", with what differs here from what pawl does anyway\n")
                                   : std::string();
  if (take == 0) return cat("pawl init would make a store, and find nothing to take over\n", new_file);
  std::string out = cat("pawl init would take over ", take, take == 1 ? " thing" : " things", " from ", files,
                        files == 1 ? " file" : " files");
  if (hold > 0) out += cat(", ", hold, " of them held until somebody has put ", hold == 1 ? "it" : "them", " right");
  return cat(out, "; no file is changed by it\n", new_file);
}

std::string text_of_doctor(const Json& data, const TextStyle& style) {
  std::string out;
  if (data.contains("mended")) {
    for (const Json& line : data["mended"]) out += cat("mended: ", printable(line.get<std::string>()), "\n");
  }
  const bool has_store = data["store"].is_string();
  out += has_store && data["records"].is_null() ? std::string("store: it cannot be read; see below\n")
         : has_store                            ? cat("store: ", counted(integer_or(data, "records"), "record"), ", ",
                                                      counted(integer_or(data, "operations"), "operation"), ", ",
                                                      counted(integer_or(data, "events"), "event"), "\n")
         : data.contains("left")
             ? cat(string_or(data, "left"), ", and guards nothing; pawl init comes back\n")
             : cat("store: none yet", data.contains("no_store") ? "" : "; pawl init makes one", "\n");
  std::size_t in_step = 0;
  for (const Json& file : data["files"]) {
    if (string_or(file, "case") == kCaseInStep) {
      ++in_step;
    } else if (has_store && !is_told_of_by_itself(file)) {
      out += cat(printable(string_or(file, "path")), ": ", string_or(file, "state"), "\n");
    }
  }
  if (in_step > 0) out += cat(in_step, in_step == 1 ? " file is" : " files are", " in step\n");
  const Json listed = has_store ? Json(Json::array()) : data["files"];
  if (!listed.empty() || !data["beside"].empty()) out += bold(has_store ? "other tools here\n" : "here\n", style);
  out += lines_of_files(listed, data["beside"], style);
  std::int64_t notes = 0;
  for (const bool problems : {true, false}) {
    for (const Json& finding : data["findings"]) {
      if (finding["problem"] != problems) continue;
      notes += problems ? 0 : 1;
      out += cat(problems ? bold("problem: ", style) : "note: ", string_or(finding, "text"), "\n");
      out += lines_below(string_or(finding, "advice"), "    ");
    }
  }
  if (!has_store && !data.contains("left") && !data.contains("no_store") && !data.contains("mistake"))
    out += text_of_would(data);
  if (data["healthy"] == false) return cat(out, "something needs you, see above\n");
  return cat(out,
             notes == 0 ? std::string("all is well\n") : cat("nothing is wrong; ", counted(notes, "note"), " above\n"));
}

constexpr std::array kDoctorParams = {
    Param{.name = "fix", .type = ParamType::flag, .summary = "mend what can be mended; nothing is deleted"}};
constexpr std::array kDoctorExamples = {
    Example{"pawl doctor", "look, and change nothing; exit 1 when something is wrong"},
    Example{"pawl doctor --fix", "mend what can be mended"}};

}  // namespace

Result<Reply> look_at_workspace(Context& context, const Arguments& arguments, const Result<OthersSettings>& others) {
  // A mistake in what is set is one thing that is wrong here, and hides nothing else. Whatever else there is stops it
  // without those settings too.
  std::optional<Error> mistake;
  if (const auto opened = context.engine(); !opened) {
    mistake = opened.error();
    context.plain_settings = true;
  }
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const auto beside = install::neighbours(*engine);
  PAWL_ASSIGN(Checkup checkup, check_project(*engine, beside));
  Checkup shared = check_shared(context);
  if (mistake)
    checkup.findings.insert(
        checkup.findings.begin(),
        {true,
         cat(mistake->message, "; until that is mended pawl refuses every command about this project, but for doctor"),
         mistake->hint});
  Json out{{"workspace", engine->workspace().root}, {"store", Json()}};
  if (const auto& left = engine->left()) out["left"] = left_in_words(*left, context.clock->now().wall_ms);
  if (arguments.flag("fix") && mistake) return tl::unexpected(*mistake);
  if (arguments.flag("fix")) {
    PAWL_ASSIGN(const auto did, mend_all(context, *engine, checkup, shared));
    out["mended"] = did;
    PAWL_ASSIGN(checkup, check_project(*engine, beside));
    shared = check_shared(context);
  }
  // What was mended may have made one.
  if (checkup.has_store) out["store"] = engine->workspace().store;
  for (const Checkup::File& file : shared.files) checkup.files.push_back(as_shared(file));
  checkup.findings.insert(checkup.findings.end(), shared.findings.begin(), shared.findings.end());
  for (Finding& finding : checkup.findings) {
    if (engine->left() && finding.about != Finding::About::place) finding.advice = without_commands(finding.advice);
  }
  if (const Done made = checkup.has_store || engine->left() ? done() : store_can_be_made(engine->workspace()); !made) {
    out["no_store"] = made.error().message;
    checkup.findings.push_back(
        {true, cat("pawl init would find no place for its store: ", made.error().message), made.error().hint});
  }
  for (const UnknownVariable& one : unknown_variables(context.lifecycles()))
    checkup.findings.push_back({false, one.text, cat("# ", one.hint)});
  PAWL_ASSIGN(const bool writes, would_write_settings(*engine, others, checkup.findings));
  if (mistake) out["mistake"] = mistake->message;
  if (writes && !mistake) out["would_write"] = kSettingsFile;
  out["healthy"] = checkup.healthy();
  const bool unknown = checkup.has_store && !checkup.counted;  // it cannot be opened: that is no empty one
  out["records"] = unknown ? Json() : Json(checkup.store.records);
  out["operations"] = unknown ? Json() : Json(checkup.store.operations);
  out["events"] = unknown ? Json() : Json(checkup.store.events);
  if (!checkup.store.mode.empty()) out["journal_mode"] = checkup.store.mode;
  out["files"] = Json::array();
  for (const Checkup::File& file : checkup.files) out["files"].push_back(to_json(file));
  out["beside"] = Json::array();
  for (const install::Neighbour& one : beside)
    out["beside"].push_back({{"path", one.path}, {"what", one.what}, {"would", one.would}});
  out["findings"] = Json::array();
  for (const Finding& finding : checkup.findings) out["findings"].push_back(finding_json(finding));
  return Reply{std::move(out), checkup.healthy() ? 0 : 1};
}

const Verb kDoctor = {
    .name = "doctor",
    .summary = "tell what is here, what is wrong with it and what pawl would do; change nothing",
    .manual =
        "Works before pawl init too, in any repository, and then writes nothing at all: the files and folders of "
        "reviews, loops, stories and issue runs, what is in them, words that are no status, files that cannot be "
        "read, two files that disagree, loops that nobody has been in for a day, statuses without a worktree, and "
        "other tools' hooks that drive loops. With --fix it mends: files and store are brought together, damaged "
        "files restored, and a database beyond reading is set aside and begun anew from the files; also the one of "
        "what "
        "all projects share. Nothing is "
        "deleted.\n\n"
        "The exit code is 1 when something is wrong.",
    .params = kDoctorParams,
    .examples = kDoctorExamples,
    .read_only = false,
    .run = run_doctor,
    .text = text_of_doctor,
};

}  // namespace pawl
