#include "runners/pr/actions.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/file.h"
#include "base/letters.h"
#include "base/text.h"
#include "engine/effects.h"

namespace pawl {
namespace {

constexpr std::size_t kMostOfAnEvent = std::size_t{32} << 20U;  // GitHub's limit for a payload is 25 MB
constexpr std::string_view kLost = "; its comment was deleted or changed";
constexpr std::size_t kMostOfASummary = std::size_t{1} << 20U;
constexpr std::string_view kFailed = "failed";

std::string variable(const char* name) {
  const char* value = getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

Json at(const Json& object, const std::string& member) {
  if (!object.is_object()) return {};
  const auto found = object.find(member);
  return found == object.end() ? Json() : *found;
}

std::string name_in(const Json& payload) {
  const std::string named = variable("GITHUB_EVENT_NAME");
  if (!named.empty()) return named;
  if (payload.contains("comment"))
    return payload.contains("pull_request") ? "pull_request_review_comment" : "issue_comment";
  if (payload.contains("review")) return "pull_request_review";
  return payload.contains("pull_request") ? "pull_request" : "";
}

void read_number(const Json& payload, EventFile& out) {
  out.repository = string_or(at(payload, "repository"), "full_name", variable("GITHUB_REPOSITORY"));
  out.number = integer_or(at(payload, "pull_request"), "number");
  const bool is_pull = out.number > 0 || at(payload, "issue").contains("pull_request");
  if (out.number <= 0) out.number = std::max<std::int64_t>(integer_or(at(payload, "issue"), "number"), 0);
  const std::size_t slash = out.repository.find('/');
  if (is_pull && out.number > 0 && slash != std::string::npos)
    out.pull = PullRef{{out.repository.substr(0, slash), out.repository.substr(slash + 1)}, out.number};
}

Done append_to(const std::string& path, const std::string& text) {
  if (path.empty()) return done();
  const Fd file(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!file.valid()) return tl::unexpected(io_error("write", path, errno));
  return write_all(file.get(), text, path);
}

// One cell of a table, from text that anybody may have written.
std::string cell(std::string_view text) {
  constexpr std::size_t kMost = 300;
  std::string out;
  for (const char c : printable(stripped(text, kMost))) {
    if (c == '|' || c == '<' || c == '>' || c == '`' || c == '[' || c == ']' || c == '@') out += '\\';
    out += c;
  }
  return out;
}

std::string outputs_of(const PrRan& ran, std::string_view status) {
  std::string out;
  const auto value = [&](std::string_view name, std::string_view text) { out += cat(name, "=", text, "\n"); };
  value("review_status", status);
  value("issues_found", std::to_string(ran.issues()));
  value("blocking_issues", std::to_string(ran.blocking()));
  value("tasks_executed", std::to_string(ran.results.size()));
  return out;
}

std::string escaped(std::string_view text, std::string_view which) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (which.find(c) == std::string_view::npos)
      out += c;
    else
      out += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
  }
  return out;
}

}  // namespace

bool in_actions() { return variable("GITHUB_ACTIONS") == "true"; }

std::string own_workflow() {
  if (!in_actions()) return {};
  // "octo/cat/.github/workflows/pawl.yml@refs/heads/main"
  const std::string ref = variable("GITHUB_WORKFLOW_REF");
  const std::size_t folder = ref.find("/.github/");
  return folder == std::string::npos ? std::string() : ref.substr(folder + 1, ref.rfind('@') - folder - 1);
}

Result<EventFile> read_event(const std::string& typed) {
  EventFile out;
  const std::string path = typed.empty() ? variable("GITHUB_EVENT_PATH") : typed;
  if (path.empty()) return out;
  PAWL_ASSIGN(const FileImage image, read_file(path, kMostOfAnEvent));
  if (!image.exists) return fail(ErrorCode::not_found, cat("there is no event file ", printable(path)));
  const auto payload = parse_json(image.bytes);
  if (!payload || !payload->is_object()) {
    return fail(ErrorCode::invalid_argument, cat(printable(path), " is not an event: it is no JSON object"),
                "GitHub writes one to $GITHUB_EVENT_PATH");
  }
  out.event.name = name_in(*payload);
  if (!typed.empty() && out.event.name.empty()) {
    return fail(ErrorCode::invalid_argument,
                cat(printable(path), " is not an event of a pull request: it has neither pull_request nor issue"),
                "docs/pull-requests.md shows the least that is needed");
  }
  out.event.action = string_or(*payload, "action");
  const Json pull = at(*payload, "pull_request");
  out.event.head = string_or(at(pull, "head"), "sha");
  out.event.draft = at(pull, "draft") == Json(true);
  out.sender = string_or(at(*payload, "sender"), "login");
  read_number(*payload, out);
  return out;
}

bool EventFile::is_of_another_than(const PullRef& named) const {
  if (number == 0) return false;
  return number != named.number || (!repository.empty() && ascii_lower(repository) != ascii_lower(named.repo.text()));
}

bool EventFile::is_of_no_pull() const {
  if (event.name.empty() || pull) return false;
  return !event.name.starts_with("pull_request") && (event.name != "issue_comment" || number != 0);
}

std::string_view review_status(const PrRan& ran) {
  if (ran.failed() || ran.unreviewed || ran.stop_signal != 0) return kFailed;
  if (ran.gate > 0) return "has_blocking_issues";
  return ran.results.empty() ? "none" : "passed";
}

std::string command_data(std::string_view text) { return escaped(text, "%\r\n"); }
std::string command_property(std::string_view text) { return escaped(text, "%\r\n:,"); }

std::string annotations(const PrRan& ran) {
  std::string out;
  constexpr int kMost = 50;  // GitHub shows ten of a kind for each step
  int shown = 0;
  for (const OpenFinding& one : ran.open) {
    if (++shown > kMost) break;
    out += cat("::", one.blocking ? "error" : "warning");
    if (!one.path.empty()) {
      out += cat(" file=", command_property(one.path));
      if (one.line > 0) out += cat(",line=", one.line);
    }
    out += cat("::", command_data(cat(one.finding, " (", one.score, "/10)", one.lost ? kLost : "")), "\n");
  }
  for (const TaskResult& one : ran.results) {
    if (!one.success) out += cat("::error::", command_data(cat(one.id, ": ", one.error)), "\n");
  }
  // By itself it fails the step; what another run is at besides does not.
  for (const HeldTask& one : ran.held) {
    if (!one.automatic) out += cat("::warning::", command_data(cat(one.id, ": ", one.text())), "\n");
  }
  if (ran.unreviewed && !ran.failed() && ran.stop_signal == 0)
    out += cat("::error::", command_data(ran.why_unreviewed()), "\n");
  return out;
}

std::string summary_table(const PrRan& ran, const std::string& pull) {
  std::string out = cat("### pawl on ", cell(pull), "\n\n| task | result | findings | blocking |\n|---|---|---|---|\n");
  for (const TaskResult& one : ran.results) {
    out += cat("| ", cell(one.id), " | ", one.success ? cell(one.text) : cat("failed: ", cell(one.error)), " | ",
               one.issues, " | ", one.blocking, " |\n");
  }
  for (const HeldTask& one : ran.held) out += cat("| ", cell(one.id), " | ", cell(one.text()), " | | |\n");
  if (ran.results.empty() && ran.held.empty()) out += cat("| ", pr::why_no_result(to_json(ran)), " | | | |\n");
  if (!ran.open.empty()) {
    out += "\n| open finding | place | score |\n|---|---|---|\n";
    for (const OpenFinding& one : ran.open) {
      const std::string place = one.path.empty() ? "" : one.line > 0 ? cat(one.path, ":", one.line) : one.path;
      out += cat("| ", cell(one.finding), " | ", cell(place), " | ", one.score, one.blocking ? ", blocking" : "",
                 one.lost ? kLost : "", " |\n");
    }
  }
  if (out.size() > kMostOfASummary) out.resize(out.rfind('\n', kMostOfASummary - 1) + 1);
  return out;
}

Done write_nothing_to_do(std::string_view why) {
  PAWL_TRY(append_to(variable("GITHUB_OUTPUT"), outputs_of(PrRan{}, review_status(PrRan{}))));
  return append_to(variable("GITHUB_STEP_SUMMARY"), cat("### pawl\n\nnothing to do: ", cell(why), "\n"));
}

Done write_results(const PrRan& ran, const std::string& pull) {
  PAWL_TRY(append_to(variable("GITHUB_OUTPUT"), outputs_of(ran, review_status(ran))));
  return append_to(variable("GITHUB_STEP_SUMMARY"), summary_table(ran, pull));
}

void write_refusal(const Error& why) {
  static_cast<void>(append_to(variable("GITHUB_OUTPUT"), outputs_of(PrRan{}, kFailed)));
  static_cast<void>(
      append_to(variable("GITHUB_STEP_SUMMARY"), cat("### pawl\n\nnothing was done: ", cell(why.message), "\n")));
}

}  // namespace pawl
