#include "crash/scenario.h"

#include <stdlib.h>
#include <unistd.h>

#include <cerrno>

#include "base/file.h"
#include "base/text.h"
#include "crash/calls.h"

namespace pawl::crash {
namespace {

using Words = std::vector<std::string>;

// A command that is killed at the first call that fits, to leave work for the next one.
struct Interrupted {
  Words command;
  bool (*at)(const SystemCall&) = nullptr;
};

struct Plan {
  std::string_view name;
  std::vector<Words> history;  // each is acknowledged
  std::string outside_issue;   // whose file another tool rewrites, and the members that it sets there
  Json outside;
  Interrupted interrupted;
  Words command;
  std::vector<std::string> issues;
  std::string before;  // what `issue get` must answer, issue by issue
  std::string after;
  bool makes_store = false;  // the store is made on the way, and may be there with nothing in it
};

const std::vector<Words> kHistory = {
    {"issue", "set", "41", "running", "--session", "pi-issue-41"},
    {"issue", "set", "41", "complete", "--session", "pi-issue-41"},
    {"issue", "set", "42", "running", "--session", "pi-issue-42"},
};

std::vector<Words> history_and(const std::vector<Words>& more) {
  std::vector<Words> all = kHistory;
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

const Words kSet = {"issue", "set", "42", "error", "--session", "second-try", "--message", "the disk is on fire"};

// The pages of the transaction are in the file, the journal still stands: half done.
bool syncs_database(const SystemCall& call) {
  return (call.number == SYS_fdatasync || call.number == SYS_fsync) && describe(call).ends_with(" pawl.db)");
}

// Committed, and the new file is about to take its place.
bool renames(const SystemCall& call) {
  if (call.number == SYS_rename) return true;
  return call.number == SYS_renameat2 || call.number == SYS_renameat;
}

std::vector<Plan> plans() {
  return {
      {"set", kHistory, {}, {}, {}, kSet, {"41", "42"}, "complete running", "complete error"},
      {"undo",
       history_and({{"issue", "set", "42", "error", "--session", "second-try", "--message", "no network"}}),
       {},
       {},
       {},
       {"undo"},
       {"41", "42"},
       "complete error",
       "complete running"},
      {"outside",
       kHistory,
       "42",
       {{"status", "complete"}, {"session", "another-tool"}},
       {},
       {"issue", "set", "42", "running", "--session", "third-try"},
       {"41", "42"},
       "complete complete",
       "complete running"},
      {"merge",
       kHistory,
       "42",
       {{"note", "another-tool"}},
       {},
       {"issue", "set", "42", "error", "--message", "tests failed"},
       {"41", "42"},
       "complete running",
       "complete error"},
      {"first",
       {},
       "42",
       {{"issue", 42}, {"status", "running"}, {"session", "another-tool"}},
       {},
       kSet,
       {"42"},
       "running",
       "error",
       true},
      {"list", kHistory, {}, {}, {}, {"issue", "list"}, {"41", "42"}, "complete running", "complete running"},
      {"rollback",
       kHistory,
       {},
       {},
       {kSet, syncs_database},
       {"issue", "get", "42"},
       {"41", "42"},
       "complete running",
       "complete running"},
      {"repair",
       kHistory,
       {},
       {},
       {kSet, renames},
       {"issue", "get", "42"},
       {"41", "42"},
       "complete error",
       "complete error"},
  };
}

// As much of a repository as git itself needs to see one.
Tree fresh_disk() {
  const Node folder{true, 0755, {}};
  return {{"home", folder},
          {"workspace", folder},
          {"workspace/.git", folder},
          {"workspace/.git/HEAD", {false, 0644, "ref: refs/heads/main\n"}},
          {"workspace/.git/config", {false, 0644, "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"}},
          {"workspace/.git/objects", folder},
          {"workspace/.git/refs", folder},
          {"workspace/.git/refs/heads", folder}};
}

// As a script with jq does it.
Done change_outside(Tree& tree, const std::string& issue, const Json& members) {
  for (const char* folder : {"workspace/.worktrees", "workspace/.worktrees/.status"}) {
    tree.try_emplace(folder, Node{true, 0755, {}});
  }
  Node& file =
      tree.try_emplace(cat("workspace/.worktrees/.status/", issue, ".json"), Node{false, 0644, "{}"}).first->second;
  PAWL_ASSIGN(Json content, parse_json(file.bytes));
  for (const auto& [key, value] : members.items()) content[key] = value;
  file.bytes = to_pretty(content) + "\n";
  return done();
}

Done interrupt(const Bench& bench, const Interrupted& how) {
  const CallWatch watch{
      [&](const SystemCall& call) { return how.at(call) ? CallVerdict::kill() : CallVerdict::proceed(); }, {}};
  PAWL_ASSIGN(const TracedExit end, run_traced(bench.pawl(how.command), watch));
  if (end.code) return fail(ErrorCode::internal, "the command to interrupt was not interrupted");
  return done();
}

Result<Tree> workspace_of(const Bench& bench, const Plan& plan) {
  PAWL_TRY(write_tree(fresh_disk(), bench.disk()));
  for (const Words& command : plan.history) {
    PAWL_ASSIGN(const TracedExit end, run_traced(bench.pawl(command), {}));
    if (end.code != 0) return fail(ErrorCode::internal, cat("the history could not be made: ", end.out, end.err));
  }
  if (plan.interrupted.at != nullptr) PAWL_TRY(interrupt(bench, plan.interrupted));
  PAWL_ASSIGN(Tree tree, read_tree(bench.disk()));
  if (!plan.outside_issue.empty()) PAWL_TRY(change_outside(tree, plan.outside_issue, plan.outside));
  return tree;
}

Done expect(const Observation& seen, const Plan& plan, const std::string& words, std::string_view when) {
  if (!seen.problems.empty()) return fail(ErrorCode::internal, cat(when, " the command: ", seen.problems.front()));
  const bool lost = !plan.outside_issue.empty() && seen.told.find("another-tool") == std::string::npos;
  if (lost) return fail(ErrorCode::internal, cat(when, " the command the change from outside is not in the log"));
  if (seen.words == words) return done();
  return fail(ErrorCode::internal,
              cat(when, " the command pawl tells \"", seen.words, "\" instead of \"", words, "\""));
}

}  // namespace

Result<std::unique_ptr<Bench>> Bench::make(const std::string& binary) {
  const char* wanted = getenv("TMPDIR");
  std::string folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : wanted != nullptr ? wanted : "/tmp";
  folder += "/pawl-crash-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) return tl::unexpected<Error>(io_error("make", folder, errno));
  return std::unique_ptr<Bench>(new Bench(binary, folder));
}

Bench::~Bench() {
  if (keep_) return;
  (void)remove_tree(folder_);  // a scratch folder that stays is a nuisance, not a failure
}

TracedCommand Bench::pawl(const std::vector<std::string>& arguments) const {
  constexpr std::chrono::minutes kPatience{1};
  // The last: a sanitizer looks for leaks by tracing itself, which a traced program cannot.
  TracedCommand command{{binary_, "-C", workspace()},
                        {cat("HOME=", disk(), "/home"), "PATH=/usr/bin:/bin", "TZ=UTC", "USER=crash", "LOGNAME=crash",
                         "ASAN_OPTIONS=detect_leaks=0"},
                        {},
                        kPatience};
  command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
  return command;
}

std::vector<std::string> scenario_names() {
  std::vector<std::string> names;
  for (const Plan& plan : plans()) names.emplace_back(plan.name);
  return names;
}

Result<Scenario> prepare(const Bench& bench, std::string_view name) {
  for (const Plan& plan : plans()) {
    if (plan.name != name) continue;
    Scenario scenario{std::string(name), {}, bench.pawl(plan.command), {plan.issues, {}, {}, {}, {}, {}}};
    PAWL_ASSIGN(scenario.prepared, workspace_of(bench, plan));

    // Every whole form that an issue's file can have: as prepared, as a look leaves it, as the command leaves it.
    scenario.known.files.resize(plan.issues.size());
    const auto note_files = [&]() -> Done {
      PAWL_ASSIGN(const std::vector<std::string> files, files_of(bench, plan.issues));
      for (std::size_t i = 0; i < files.size(); ++i) scenario.known.files[i].insert(files[i]);
      return done();
    };
    PAWL_TRY(write_tree(scenario.prepared, bench.disk()));
    PAWL_TRY(note_files());
    PAWL_ASSIGN(scenario.known.before, observe(bench, plan.issues));
    PAWL_TRY(note_files());
    PAWL_TRY(expect(scenario.known.before, plan, plan.before, "before"));

    if (plan.makes_store) {
      Plan with_store = plan;
      with_store.history = {{"init"}};
      PAWL_ASSIGN(const Tree disk, workspace_of(bench, with_store));
      PAWL_TRY(write_tree(disk, bench.disk()));
      PAWL_ASSIGN(scenario.known.also_before, observe(bench, plan.issues));
      PAWL_TRY(expect(*scenario.known.also_before, plan, plan.before, "before"));
    }

    PAWL_TRY(write_tree(scenario.prepared, bench.disk()));
    PAWL_ASSIGN(const TracedExit end, run_traced(scenario.command, {}));
    if (end.code != 0) return fail(ErrorCode::internal, cat("untouched, the command fails: ", end.out, end.err));
    scenario.known.answer = end.out;
    PAWL_TRY(note_files());
    PAWL_ASSIGN(scenario.known.after, observe(bench, plan.issues));
    PAWL_TRY(expect(scenario.known.after, plan, plan.after, "after"));
    return scenario;
  }
  return fail(ErrorCode::not_found, cat("no scenario ", name));
}

}  // namespace pawl::crash
