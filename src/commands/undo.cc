// `pawl undo`: an operation is taken back, and what stays of it outside is told.
#include <unistd.h>

#include <array>

#include "base/ago.h"
#include "base/clock.h"
#include "base/text.h"
#include "commands/context.h"
#include "commands/present.h"
#include "commands/table.h"
#include "commands/undone_members.h"
#include "core/held_word.h"
#include "engine/engine.h"
#include "engine/undo.h"
#include "lifecycles/issue/issue.h"
#include "runners/issue/advice.h"
#include "runners/issue/on_board.h"
#include "runners/issue/run_book.h"
#include "runners/issue/sessions.h"

namespace pawl {
namespace {

// A status comes back by undo; a session does not. tmux is asked, not what keeps the output: that outlives its session
// by a moment. Where tmux does not answer, nothing is said.
Done note_without_session(Context& context, Engine& engine, const Undone& undone, bool dry_run) {
  Sessions sessions(engine);
  for (const Change& change : undone.changes) {
    if (change.after.id.kind != issue::kKind || change.after.status != issue::kRunning || change.after.aside ||
        change.before.status == issue::kRunning)
      continue;
    const std::int64_t number = issue::number_of(change.after);
    const bool here = change.after.id == issue::id_of(number, engine.settings());
    PAWL_ASSIGN(const auto run, here ? RunBook(engine).find(number) : Result<std::optional<issue::Run>>(std::nullopt));
    const auto session = sessions.of(change.after, run);
    if (session && carries(*session, run) && RunBook(engine).watcher(*run).pid == 0)
      context.note(cat("issue ", number, dry_run ? " would be" : " is",
                       " running again, and nobody watches it\n  pawl issue reconcile ", number,
                       "  # starts a watcher"));
    if (!session || *session || (run && !check_gone(engine, *run))) continue;
    Placed row;
    row.record = change.after;
    row.stand.advice = cat("pawl issue resume ", number, "  # goes on with it");
    PAWL_TRY(engine.read_store([&](const View& view) { return IssuesOnBoard(engine, view).advise(row); }));
    std::string advice = lines_below(issue::typed_for(row.record.id, engine.settings(), row.stand.advice), "  ");
    advice.pop_back();  // a note ends its line itself
    context.note(cat("issue ", number, dry_run ? " would be" : " is",
                     " running again by its status alone: there is no session\n", advice));
  }
  return done();
}

// A run's session, worktree and branch are nobody's status: they stay when its beginning is undone.
Done add_what_stays(Engine& engine, const Undone& undone, Json& answer) {
  if (undone.operation.verb != "issue run") return done();
  Sessions sessions(engine);
  for (const Change& change : undone.changes) {
    if (change.before.id.kind != issue::kKind) continue;
    const std::int64_t number = issue::number_of(change.before);
    PAWL_ASSIGN(const auto run, RunBook(engine).find(number));
    if (!run) continue;
    Json stays{{"issue", number}};
    const auto session = sessions.find(*run);
    if (session && *session) stays["session"] = run->session;
    // Of stores from before that was noted, whoever made the branch made the worktree.
    const bool made_branch = !run->branch.empty() && run->made_branch == run->branch;
    const bool there = access(run->worktree.c_str(), F_OK) == 0;
    if (there && (run->made_worktree || made_branch)) stays["worktree"] = run->worktree;
    if (there && made_branch) stays["branch"] = run->branch;
    if (stays.size() > 1) answer["stays"].push_back(std::move(stays));
  }
  return done();
}

std::string text_of_stays(const Json& stays) {
  const std::string number = to_line(stays["issue"]);
  std::string out;
  for (const char* const what : {"session", "worktree", "branch"}) {
    if (const std::string name = string_or(stays, what); !name.empty())
      out += cat("    the ", what, " of issue ", number, ": ", printable(name), "\n");
  }
  if (!stays.contains("worktree") && !stays.contains("branch"))
    return cat(out, "      pawl issue stop ", number, "  # ends it\n");
  return cat(out, "      pawl issue cleanup ", number, " ends and removes them, once no work in them is wanted\n");
}

// A status that comes back is of a run that was cleaned up, and that may still be known by its title.
std::string how_to_run_again(Engine& engine, const Undone& undone) {
  if (undone.changes.size() != 1) return "pawl issue run N --again starts one of them anew";
  const std::int64_t number = issue::number_of(undone.changes.front().before);
  const auto former = RunBook(engine).former(number);
  return cat(again_command(engine, number, former && *former && !(*former)->title.empty()), " starts anew");
}

Result<Reply> run_undo(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const auto answer = [whoever = context.request().actor](const Undone& undone) {
    const Operation& was = undone.operation;
    Json out{{"undone", was.id},   {"verb", was.verb},       {"actor", was.actor}, {"at", iso_time(was.at_ms, true)},
             {"at_ms", was.at_ms}, {"events", Json::array()}};
    if (was.outside) out["outside"] = true;
    if (!was.reason.empty()) out["reason"] = was.reason;
    if (was.outside || was.actor != whoever) out["of_another"] = true;
    for (const Change& change : undone.changes) {
      out["events"].push_back(to_json(change));
      Json members = change.before.status == change.after.status ? members_of(change) : Json();
      if (!members.empty()) out["events"].back()["members"] = std::move(members);
    }
    for (const FileBack& back : undone.files_back) out["files"].push_back(back.file.path);
    for (const Effect& effect : undone.effects) out["effects"].push_back(to_json(effect));
    return out;
  };
  const bool dry_run = arguments.flag("dry-run");
  PAWL_ASSIGN(Undone undone, undo(*engine, context.request(), arguments.number("operation"), answer, dry_run));
  undone.answer["operation"] = dry_run ? Json() : Json(undone.by);
  // It is undone by now, whatever else can be told of it.
  const auto note_failed = [&](const Done& told) {
    if (!told) context.note(cat("what is left of it could not be looked at: ", told.error().message));
  };
  note_failed(add_what_stays(*engine, undone, undone.answer));
  if (string_or(undone.answer, "verb") == "issue cleanup") {
    context.note(cat("only the status ", dry_run ? "would come" : "comes",
                     " back: session, worktree and branch do not; ", how_to_run_again(*engine, undone)));
  } else {
    note_failed(note_without_session(context, *engine, undone, dry_run));
  }
  return Reply{std::move(undone.answer)};
}

// The newest may be somebody else's: an agent's, a watcher's, or what a mere look found in a file.
std::string whose_it_was(const Json& data, const TextStyle& style) {
  if (!data.contains("at_ms")) return {};  // an answer that an earlier pawl kept
  const std::string actor = printable(string_or(data, "actor")), reason = string_or(data, "reason");
  const bool outside = data.contains("outside"), accepted = outside && !actor.empty() && actor != "outside";
  const std::string when = ago(integer_or(data, "at_ms"), style.now_ms);
  std::string out = accepted  ? cat("    a change to a file outside pawl, accepted by ", actor, " ", when)
                    : outside ? cat("    a change to a file outside pawl, found ", when)
                              : cat("    done by ", actor, " ", when);
  if (!reason.empty()) out += cat(", because: ", printable(reason));
  out += "\n";
  if (data.contains("of_another") && !data["operation"].is_null())
    out += cat("    pawl undo ", to_line(data["operation"]), "  # brings it back, if it was not meant\n");
  return out;
}

std::string text_of_undo(const Json& data, const TextStyle& style) {
  const bool dry_run = data["operation"].is_null();
  std::string out = cat("operation ", to_line(data["undone"]), " (", printable(string_or(data, "verb")), ") ",
                        dry_run ? std::string("would be undone; nothing was changed")
                                : cat("is undone, by operation ", to_line(data["operation"])),
                        "\n", whose_it_was(data, style));
  for (const Json& file : data.value("files", Json::array()))
    out += cat("    ", printable(file.get<std::string>()), dry_run ? " would come" : " comes",
               " back as it was: it cannot be read\n");
  for (const Json& event : data["events"]) {
    if (string_or(event, "from") == string_or(event, "to") && data.contains("files")) continue;  // it never was one
    const std::string members = text_of_members(event.value("members", Json::object()));
    out += cat("    ", line_of_event(event), members.empty() ? "" : ": ", members, "\n");
  }
  if (data.contains("effects") || data.contains("stays")) {
    out += "What it did outside stays:\n";
    for (const Json& stays : data.value("stays", Json::array())) out += text_of_stays(stays);
    for (const Json& effect : data.value("effects", Json::array()))
      out += cat("    ", printable(string_or(effect, "kind")), " for ", printable(string_or(effect, "ref")), " (",
                 string_or(effect, "state"), ")\n");
  }
  return out;
}

constexpr std::array kUndoParams = {
    Param{.name = "dry-run", .type = ParamType::flag, .summary = "say what would come back, and change nothing"},
    Param{.name = "operation",
          .type = ParamType::operation,
          .value = "OPERATION",
          .summary = "which one; otherwise the newest that stands",
          .positional = true,
          .offer = Offer::operations}};
constexpr std::array kUndoExamples = {
    Example{"pawl undo", "take back the newest operation; again goes further back"},
    Example{"pawl undo --dry-run", "what would that take back?"},
    Example{"pawl undo 17", "take back operation 17, unless a later one stands on it"},
};

}  // namespace

const Verb kUndo = {
    .name = "undo",
    .summary = "take back an operation",
    .manual =
        "A new operation brings back what was before; files follow. It is refused when something later changed the "
        "same thing. What was done "
        "outside (a comment posted, a branch pushed) cannot be taken back and is listed. Undoing an undo brings the "
        "operation back.\n\n"
        "Without a number it is the newest operation that a person would call a change: what a bot noted for itself "
        "(that it looked at a story, that its checks began) is stepped over, and stands in nobody's way. Whoever made "
        "it: that is said, with when and why. What stood in "
        "files when pawl first looked, and a file that somebody made since, is not taken away.",
    .params = kUndoParams,
    .examples = kUndoExamples,
    .read_only = false,
    .run = run_undo,
    .text = text_of_undo,
};

}  // namespace pawl
