#include "lifecycles/story/bot_note.h"

#include <algorithm>

#include "base/output_tail.h"
#include "base/text.h"
#include "core/decide.h"
#include "lifecycles/story/gates.h"
#include "lifecycles/story/story.h"

namespace pawl::story {
namespace {

constexpr std::size_t kShownOutput = 200;
constexpr std::size_t kKeptOutput = 4'000;
constexpr std::size_t kMostDescription = 20'000;

std::vector<std::string> texts_in(const Json& value, std::string_view name) {
  std::vector<std::string> out;
  const auto found = value.find(name);
  if (found == value.end() || !found->is_array()) return out;
  for (const Json& one : *found) {
    if (one.is_string()) out.push_back(one.get<std::string>());
  }
  return out;
}

Json said_json(const Said& said) {
  Json out{{"author", said.author}, {"association", said.association}, {"at", said.at}, {"body", said.body}};
  if (!said.state.empty()) out["review"] = said.state;
  if (!said.path.empty()) {
    out["path"] = said.path;
    out["line"] = said.line;
  }
  if (!said.url.empty()) out["url"] = said.url;
  return out;
}

}  // namespace

Json BotNote::json() const {
  Json out = Json::object();
  if (!task.empty()) out["task"] = task;
  if (worked) out["worked"] = true;
  if (!from.empty()) out["from"] = from;
  if (!checking.empty()) out["checking"] = checking;
  if (!handed.empty()) out["handed"] = handed;
  if (!answered.empty()) out["answered"] = answered;
  if (!branch.empty()) out["branch"] = branch;
  if (!base.empty()) out["base"] = base;
  if (!pushed.empty()) out["pushed"] = pushed;
  if (ready) out["ready"] = true;
  if (!failed.empty()) out["failed"] = failed;
  return out;
}

BotNote BotNote::from_json(const Json& value) {
  BotNote note;
  if (!value.is_object()) return note;
  note.task = string_or(value, "task");
  note.worked = value.contains("worked") && value["worked"] == true;
  note.ready = value.contains("ready") && value["ready"] == true;
  note.from = string_or(value, "from");
  note.checking = string_or(value, "checking");
  note.handed = texts_in(value, "handed");
  note.answered = texts_in(value, "answered");
  note.branch = string_or(value, "branch");
  note.base = string_or(value, "base");
  note.pushed = string_or(value, "pushed");
  if (const auto failed = value.find("failed"); failed != value.end()) note.failed = *failed;
  return note;
}

BotNote note_of(const Json& doc) { return BotNote::from_json(own_of(doc).bot); }

void set_note(Json& doc, const BotNote& note) {
  Own own = own_of(doc);
  own.bot = note.json();
  set_own(doc, own);
}

// What stands in the file anybody can write; what pawl made for it counts first.
std::string not_of_story(const PullFacts& facts, const Json& doc) {
  if (facts.from_fork) return cat("pull request ", facts.number, " is of a branch of another repository");
  const std::string made = note_of(doc).branch;
  const std::string branch = made.empty() ? string_or(doc, "branchName") : made;
  if (branch.empty() || branch == facts.head_ref) return {};
  return cat("pull request ", facts.number, " is of the branch ", facts.head_ref, ", not of ", branch);
}

void finish_task(BotNote& note) {
  for (const std::string& id : note.handed) {
    if (std::find(note.answered.begin(), note.answered.end(), id) == note.answered.end()) note.answered.push_back(id);
  }
  note.handed.clear();
  note.task.clear();
  note.from.clear();
  note.checking.clear();
  note.worked = false;
  note.failed = Json();
}

Result<Change> decide(const Record& current, const WriteNote& command) {
  PAWL_TRY(must_be_there(current));
  Change change{current, current, command.what, command.evidence, false};
  Json doc = current.doc;
  set_note(doc, command.note);
  change.after.doc = std::move(doc);
  return change;
}

Result<Change> decide(const Record& current, const BotFailed& command, const Now& now) {
  PAWL_TRY(must_be_there(current));
  const std::string output =
      command.output.size() <= kKeptOutput
          ? command.output
          : stripped(command.output.substr(command.output.size() - kKeptOutput), 2 * kKeptOutput);
  Change change{current, current, std::string(kPutOff), Json{{"why", command.why}}, false};
  if (command.counts) {
    change = decide(current, FailStory{output, command.pause_ms, command.at_once != Stuck::no ? 1 : command.most}, now);
    change.evidence["why"] = command.why;
  }
  const bool at_once = command.at_once != Stuck::no;
  if (!command.counts && at_once) change.what = "held";
  Json doc = change.after.doc;
  Own own = own_of(doc);
  if (!command.counts) put_off(own, current, now.wall_ms + command.pause_ms);
  if (at_once || own.stuck_for != Stuck::no) {
    set_stuck(own, at_once ? command.at_once : own.stuck_for,
              at_once ? command.why : cat(own.stuck, ": ", command.why));
    own.attest = command.attest;
    const std::string last = last_line_of(output, kShownOutput);
    if (own.stuck.find(last) == std::string::npos) own.printed = last;
  }
  own.bot = command.note.json();
  set_own(doc, own);
  change.after.doc = std::move(doc);
  return change;
}

Json task_json(const Record& story, const Task& task) {
  Json out{{"pawl", 1}, {"task", task.kind}, {"story", shown_doc(story.doc)}};
  out["story"]["id"] = story.id.key;
  out["story"]["status"] = story.status;
  out["branch"] = task.branch;
  out["base"] = task.base;
  out["worktree"] = task.worktree;
  out["checks"] = task.checks.is_array() ? task.checks : Json::array();
  if (task.pull > 0) out["pull_request"] = {{"number", task.pull}, {"url", task.pull_url}};
  if (task.kind == kAnswer) {
    out["feedback"] = Json::array();
    for (const Said& said : task.turn.news) out["feedback"].push_back(said_json(said));
    out["left_out"] = task.turn.left_out;
  }
  const BotNote note = note_of(story.doc);
  if (note.failed.is_array() && !note.failed.empty()) out["failed_checks"] = note.failed;
  out["attempt"] = task.attempt;
  out["resumed"] = task.resumed;
  out["reply_file"] = task.reply_file;
  return out;
}

std::string pull_body(const Record& story) {
  std::string out = stripped(string_or(story.doc, "description"), kMostDescription);
  const Own own = own_of(story.doc);
  for (const std::string& criterion : criteria_of(story.doc)) {
    if (out.empty() || !out.ends_with('\n')) out += out.empty() ? "" : "\n\n";
    const auto check = own.checks.is_object() ? own.checks.find(criterion) : own.checks.end();
    const bool ok = check != own.checks.end() && check->is_object() && check->value("ok", false);
    std::string line = stripped(criterion, 500);
    std::replace(line.begin(), line.end(), '\n', ' ');
    out += cat("- [", ok ? "x" : " ", "] ", line, "\n");
  }
  if (const std::int64_t issue = integer_or(story.doc, "issueNumber"); issue > 0) out += cat("\nCloses #", issue, "\n");
  return out;
}

}  // namespace pawl::story
