#include "crash/judge.h"

#include <signal.h>

#include <algorithm>

#include "base/file.h"
#include "base/text.h"
#include "crash/scenario.h"
#include "crash/tree.h"

namespace pawl::crash {
namespace {

constexpr std::size_t kLargestAnswer = std::size_t{1} << 20U;

bool digit(char c) { return c >= '0' && c <= '9'; }

// "2024-01-30T09:00:00Z", milliseconds or not; its length, or 0.
std::size_t time_length(std::string_view text) {
  constexpr std::string_view kShape = "dddd-dd-ddTdd:dd:dd";
  if (text.size() < kShape.size()) return 0;
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    if (kShape[i] == 'd' ? !digit(text[i]) : text[i] != kShape[i]) return 0;
  }
  std::size_t end = kShape.size();
  while (end < text.size() && (digit(text[end]) || text[end] == '.' || text[end] == 'Z')) ++end;
  return end;
}

// "just now" or "3 seconds ago"; its length, or 0.
std::size_t ago_length(std::string_view text) {
  constexpr std::string_view kNow = "just now";
  if (text.starts_with(kNow)) return kNow.size();
  const std::size_t number = std::min(text.find_first_not_of("0123456789"), text.size());
  if (number == 0) return 0;
  for (const std::string_view unit : {" second ago", " seconds ago"}) {
    if (text.substr(number).starts_with(unit)) return number + unit.size();
  }
  return 0;
}

// Two runs are never at the same time; everything else must be the same to the letter.
std::string without_times(std::string_view text) {
  constexpr std::size_t kMilliseconds = 12;  // digits; no other number here is so long
  std::string out;
  while (!text.empty()) {
    std::size_t length = time_length(text);
    if (length == 0) length = ago_length(text);
    if (length != 0) {
      out += "<time>";
    } else if (digit(text.front())) {
      length = std::min(text.find_first_not_of("0123456789"), text.size());
      out += length >= kMilliseconds ? "<time>" : text.substr(0, length);
    } else {
      length = 1;
      out += text.front();
    }
    text.remove_prefix(length);
  }
  return out;
}

std::string spelled(const std::vector<std::string>& arguments) {
  std::string out = "pawl";
  for (const std::string& argument : arguments) out += " " + argument;
  return out;
}

// Runs a command that must succeed, and returns what it says.
Result<std::string> ask(const Bench& bench, const std::vector<std::string>& arguments, Observation& seen) {
  PAWL_ASSIGN(const TracedExit end, run_traced(bench.pawl(arguments), {}));
  if (end.code != 0) {
    const std::string how = end.code ? cat("exit ", *end.code) : cat("signal ", end.signal);
    seen.problems.push_back(cat("`", spelled(arguments), "`: ", how, ": ", end.out, end.err));
  }
  return end.out;
}

std::string one_line(std::string_view text) {
  constexpr std::size_t kWide = 400;
  std::string line;
  for (const char c : text.substr(0, kWide)) line += c == '\n' ? ' ' : c;
  return text.size() > kWide ? line + "…" : line;
}

std::string first_difference(std::string_view wanted, std::string_view found) {
  const std::vector<std::string_view> a = split(wanted, '\n'), b = split(found, '\n');
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const std::string_view want = i < a.size() ? a[i] : "nothing", got = i < b.size() ? b[i] : "nothing";
    if (want != got) return cat("line ", i + 1, ": wanted ", want, ", found ", got);
  }
  return "none";
}

}  // namespace

Result<std::vector<std::string>> files_of(const Bench& bench, const std::vector<std::string>& issues) {
  std::vector<std::string> files;
  for (const std::string& issue : issues) {
    PAWL_ASSIGN(const FileImage file,
                read_file(cat(bench.workspace(), "/.worktrees/.status/", issue, ".json"), kLargestAnswer));
    files.push_back(file.exists ? without_times(file.bytes) : "none");
  }
  return files;
}

Result<Observation> observe(const Bench& bench, const std::vector<std::string>& issues) {
  Observation seen;
  PAWL_ASSIGN(seen.files, files_of(bench, issues));
  // A command that may write comes first: files follow with the next command, not by themselves.
  for (const std::string& issue : issues) {
    PAWL_ASSIGN(const std::string word, ask(bench, {"issue", "get", issue}, seen));
    seen.words += cat(seen.words.empty() ? "" : " ", word.substr(0, word.find('\n')));
  }
  PAWL_TRY(ask(bench, {"doctor"}, seen));
  for (const std::string& issue : issues) {
    PAWL_ASSIGN(const std::string shown, ask(bench, {"show", cat("issue/", issue), "--json"}, seen));
    seen.told += without_times(cat("issue ", issue, ": ", shown, "\n"));
  }
  PAWL_ASSIGN(const std::vector<std::string> files, files_of(bench, issues));
  for (const std::string& file : files) seen.told += cat("its file: ", file, "\n");
  PAWL_ASSIGN(const std::string log, ask(bench, {"log", "--json"}, seen));
  seen.told += without_times(log);

  // Work goes on, and what the victim left lying about is gone.
  PAWL_TRY(ask(bench, {"issue", "set", "99", "running"}, seen));
  PAWL_TRY(ask(bench, {"doctor"}, seen));
  PAWL_ASSIGN(const Tree tree, read_tree(bench.disk()));
  for (const auto& [path, node] : tree) seen.names.insert(path);
  return seen;
}

Result<Finding> Judge::look() {
  PAWL_ASSIGN(const Tree tree, read_tree(bench_.disk()));
  const std::uint64_t sum = digest(tree);
  if (const auto known = seen_.find(sum); known != seen_.end()) return known->second;
  PAWL_ASSIGN(Finding finding, examine());
  return seen_.emplace(sum, std::move(finding)).first->second;
}

Result<Finding> Judge::look_at(const Tree& tree) {
  const std::uint64_t sum = digest(tree);
  if (const auto known = seen_.find(sum); known != seen_.end()) return known->second;
  PAWL_TRY(write_tree(tree, bench_.disk()));
  PAWL_ASSIGN(Finding finding, examine());
  return seen_.emplace(sum, std::move(finding)).first->second;
}

Result<Finding> Judge::examine() {
  const References& known = scenario_.known;
  PAWL_ASSIGN(const Observation seen, observe(bench_, known.issues));
  Finding finding{State::neither, seen.problems};
  if (seen.told == known.after.told && seen.words == known.after.words) {
    finding.state = State::after;
  } else if (seen.told == known.before.told && seen.words == known.before.words) {
    finding.state = State::before;
  } else if (known.also_before && seen.told == known.also_before->told && seen.words == known.also_before->words) {
    finding.state = State::before;
  } else {
    finding.problems.push_back(cat("neither before nor after: it tells \"", seen.words, "\"; against before, ",
                                   first_difference(known.before.told, seen.told), "; against after, ",
                                   first_difference(known.after.told, seen.told)));
  }
  for (std::size_t i = 0; i < seen.files.size(); ++i) {
    if (!known.files[i].contains(seen.files[i])) {
      finding.problems.push_back(cat("the file of issue ", known.issues[i], " is torn: ", seen.files[i]));
    }
  }
  for (const std::string& name : seen.names) {
    if (!knows_name(known, name)) finding.problems.push_back(cat("left behind: ", name));
  }
  return finding;
}

bool knows_name(const References& known, const std::string& name) {
  return known.before.names.contains(name) || known.after.names.contains(name) ||
         (known.also_before && known.also_before->names.contains(name));
}

void count(Tally& tally, const Finding& found, const std::string& point, const std::string& where) {
  constexpr std::size_t kEnough = 3;  // one mistake shows in many ways
  ++tally.points;
  tally.before += found.state == State::before ? 1 : 0;
  tally.after += found.state == State::after ? 1 : 0;
  if (found.problems.empty()) return;
  std::string what = where;
  for (std::size_t i = 0; i < found.problems.size() && i < kEnough; ++i)
    what += cat("\n      ", one_line(found.problems[i]));
  if (found.problems.size() > kEnough) what += cat("\n      … and ", found.problems.size() - kEnough, " more problems");
  tally.breaches.push_back({cat(tally.scenario, "/", tally.fault, "/", point), what});
}

std::vector<std::string> problems_of_end(const TracedExit& end, bool killed, const std::string& answer) {
  constexpr int kLastExitCode = 5;
  if (killed && end.signal == SIGKILL) return {};
  if (!end.code) return {cat("ended by signal ", end.signal, ": ", end.err)};
  if (*end.code > kLastExitCode) return {cat("exit ", *end.code, ": ", end.err)};
  if (*end.code == 0 && without_times(end.out) != without_times(answer))
    return {cat("exit 0, and the answer is ", end.out, end.err)};
  return {};
}

void weigh_end(Finding& found, const TracedExit& end, bool killed, const References& known) {
  for (std::string& problem : problems_of_end(end, killed, known.answer)) found.problems.push_back(std::move(problem));
  if (end.code == 0 && found.state == State::before)
    found.problems.emplace_back("acknowledged (exit 0), and not there");
}

}  // namespace pawl::crash
