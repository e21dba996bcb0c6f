#include "lifecycles/issue/issue.h"

#include <array>

#include "base/clock.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "lifecycles/issue/run.h"
#include "lifecycles/issue/status_file.h"

namespace pawl::issue {
namespace {

constexpr std::string_view kUsualBase = ".worktrees";

constexpr std::array kStatuses = {
    Status{"running"},
    Status{"complete", true},
    Status{"error", true},
};

constexpr std::array kMoves = {
    Move{kAbsent, "running"},
    Move{kAbsent, "complete"},
    Move{kAbsent, "error"},
    Move{"running", "running"},  // the same again refreshes session, message and time
    Move{"running", "complete"},
    Move{"running", "error"},
    Move{"complete", "complete"},
    Move{"error", "error"},
    Move{"complete", "running", MoveKind::reopening, "rerun"},
    Move{"error", "running", MoveKind::reopening, "rerun"},
    Move{"complete", "error", MoveKind::correction, "correct", {"reason"}},
    Move{"error", "complete", MoveKind::correction, "correct", {"reason"}},
    Move{"running", kAbsent, MoveKind::removal, "remove"},
    Move{"complete", kAbsent, MoveKind::removal, "remove"},
    Move{"error", kAbsent, MoveKind::removal, "remove"},
};

constexpr Machine kMachine{"issue", "an issue", kStatuses, kMoves};
static_assert(!check(kMachine));

constexpr std::array kSettings = {
    SettingSpec{"issue.base_dir", SettingType::folder, kUsualBase,
                "folder of the worktrees; statuses are in .status/ below it"},
    SettingSpec{"issue.session_prefix", SettingType::text, "pi", "terminal sessions are called PREFIX-issue-N"},
    SettingSpec{"issue.base_branch", SettingType::text, "",
                "what a new branch begins at; otherwise what is checked out"},
    SettingSpec{"issue.copy_files", SettingType::list, ".env\n.env.local\n.envrc",
                "files that git does not keep and a new worktree gets a copy of"},
    SettingSpec{"issue.agent",
                SettingType::command,
                "pi\n@{prompt_file}",
                "the agent's command, as a list of words; {prompt}, {prompt_file}, {number}, {title}, {branch} and "
                "{worktree} are filled in",
                {},
                true},
    SettingSpec{"issue.resume_agent",
                SettingType::command,
                "",
                "the command that goes on with work that was cut off; otherwise the same again",
                {},
                true},
    SettingSpec{
        "issue.prompt", SettingType::text, "", "what the agent is told; the same words are filled in", {}, true},
    SettingSpec{"issue.max_concurrent", SettingType::number, "",
                "how many issues may run at once; otherwise any number"},
};

// By number, so that 9 comes before 10.
std::string rank(const Record& record) {
  constexpr std::size_t kDigits = 19;
  const std::string& key = record.id.key;
  return key.size() >= kDigits ? key : std::string(kDigits - key.size(), '0') + key;
}

std::string headline(const Record& record) {
  std::string line = string_or(record.doc, "session");
  if (const std::string message = string_or(record.doc, "error_message"); !message.empty()) {
    line += cat(line.empty() ? "" : ": ", message.substr(0, message.find('\n')));
  }
  return line;
}

std::string what_to_type(const Record& record) {
  switch (way_on(record)) {
    case WayOn::resume:
      return string_or(record.doc, "error_message") == kStopped
                 ? cat("pawl issue resume ", shell_word(record.id.key), "  # goes on with it\npawl issue cleanup ",
                       shell_word(record.id.key), "  # takes it away")
                 : cat("pawl issue resume ", shell_word(record.id.key));
    case WayOn::another_agent:
      return cat("pawl issue run ", shell_word(record.id.key), " --again -- AGENT");
    case WayOn::read_output:
      break;
  }
  return cat("pawl issue logs ", shell_word(record.id.key));
}

Stand stand(const Record& record) {
  const std::int64_t since = parse_iso_time(string_or(record.doc, "timestamp")).value_or(0);
  if (record.status == kRunning) return {.place = BoardPlace::running, .since_ms = since};
  if (record.status == kError) {
    const std::string message = string_or(record.doc, "error_message");
    return {.place = BoardPlace::needs_person,
            .why = message.empty() ? "failed, and did not say why" : message.substr(0, message.find('\n')),
            .advice = what_to_type(record),
            .since_ms = since};
  }
  return {.place = BoardPlace::ended, .since_ms = since};
}

std::optional<Stand> stand_by_rank(const Record& record) {
  if (record.status != kComplete) return std::nullopt;
  return Stand{.place = BoardPlace::ended};
}

}  // namespace

const Machine& machine() { return kMachine; }

const Lifecycle& lifecycle() {
  static constexpr std::array kNotes = {kUnreadable};
  static const StatusFile kFile;
  static const std::array<const MirrorFormat*, 1> kFormats = {&kFile};
  static const Lifecycle kLifecycle{
      kKind,
      &kMachine,
      kSettings,
      kFormats,
      rank,
      headline,
      false,
      stand,
      {},
      [](const Record& record) { return cat("pawl issue set ", shell_word(record.id.key), " STATUS"); },
      stand_by_rank,
      kNotes};
  return kLifecycle;
}

RecordId id_of(std::int64_t number, const Settings& settings) {
  // Statuses below another folder are other records: two tools with two folders do not mix.
  const std::string folder = base_dir(settings);
  return {std::string(kKind), folder == kUsualBase ? std::string() : folder, std::to_string(number)};
}

std::string base_dir_of(const RecordId& id) { return id.scope.empty() ? std::string(kUsualBase) : id.scope; }

std::string typed_for(const RecordId& id, const Settings& settings, std::string_view advice) {
  if (advice.empty() || id.scope == id_of(1, settings).scope) return std::string(advice);
  std::string out;
  for (const std::string_view line : split(advice, '\n')) {
    const bool of_issues = line.starts_with("pawl issue ");
    out += cat(out.empty() ? "" : "\n", of_issues ? cat("PAWL_ISSUE_BASE_DIR=", shell_word(base_dir_of(id)), " ") : "",
               line);
  }
  return out;
}

Done check_text(std::string_view name, std::string_view text, std::size_t max_bytes) {
  if (text.size() > max_bytes) {
    return fail(ErrorCode::invalid_argument,
                cat("the ", name, " has ", text.size(), " bytes; at most ", max_bytes, " are kept"),
                "--strip cuts it and takes out what cannot be kept");
  }
  if (!is_utf8(text)) {
    return fail(ErrorCode::invalid_argument, cat("the ", name, " is not valid UTF-8"),
                "--strip replaces the bytes that are not");
  }
  if (has_control(text)) {
    return fail(ErrorCode::invalid_argument, cat("the ", name, " contains control characters or terminal escapes"),
                "--strip takes them out");
  }
  return done();
}

Result<Change> decide(const Record& current, const SetStatus& command, const Now& now, const Settings& settings) {
  if (command.session) PAWL_TRY(check_text("session", *command.session, kMaxSessionBytes));
  if (command.message) PAWL_TRY(check_text("message", *command.message, kMaxMessageBytes));

  // Known members first, in the order of a fresh file; whatever else the document has stays.
  Json doc = Json::object();
  doc["issue"] = command.number;
  doc["session"] =
      command.session ? *command.session : string_or(current.doc, "session", session_name(command.number, settings));
  if (command.message && !command.message->empty()) doc["error_message"] = *command.message;
  doc["timestamp"] = iso_time(now.wall_ms);
  for (const auto& [key, value] : current.doc.items()) {
    if (key != "error_message" && !doc.contains(key)) doc[key] = value;
  }

  MoveRequest request{command.status, std::move(doc), "set", Json::object(), settings.text("gates") == "record"};
  if (!command.reason.empty()) request.evidence["reason"] = command.reason;
  auto change = decide_move(kMachine, current, request);
  if (!change && change.error().code == ErrorCode::gate_failed && command.message && command.reason.empty())
    change.error().hint = "--message says what went wrong; why an end is corrected is said with --reason TEXT";
  return change;
}

Result<Change> decide(const Record& current, const Remove& command) {
  if (!current.present()) return Change{current, current, std::string(kUnreadable), Json(), false};
  MoveRequest request{std::string(kAbsent), std::nullopt, "removed", Json(), false};
  if (!command.reason.empty()) request.evidence["reason"] = command.reason;
  return decide_move(kMachine, current, request);
}

std::int64_t number_of(const Record& record) { return parse_positive(record.id.key).value_or(0); }

WayOn way_on(const Record& record) {
  const std::string message = string_or(record.doc, "error_message");
  if (record.status == kRunning || message == kSessionGone || message == kStopped) return WayOn::resume;
  return message.starts_with(kNoProgram) ? WayOn::another_agent : WayOn::read_output;
}

std::string status_word(const Record& record) { return record.status.empty() ? std::string(kUnknown) : record.status; }

}  // namespace pawl::issue
