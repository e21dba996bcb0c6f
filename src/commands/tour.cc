// `pawl tour`: what pawl does, shown on a temporary repository with the binary that is running. Every line that it
// prints as a command is run, and everything below it is what that command said.
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <thread>

#include "base/text.h"
#include "base/traced_process.h"
#include "commands/context.h"
#include "commands/present.h"
#include "commands/table.h"
#include "commands/tour_guide.h"
#include "engine/settings.h"

extern char** environ;

namespace pawl {
namespace {

using tour::Guide;

constexpr int kWriters = 8;
constexpr int kWritesEach = 25;

std::string status_file(int issue) { return cat(".worktrees/.status/", issue, ".json"); }

Done keep_and_refuse(Guide& guide) {
  PAWL_TRY(guide.chapter("A status is kept"));
  PAWL_TRY(guide.pawl({"issue", "set", "42", "running"}));
  guide.say("The file that your scripts read is kept in step:");
  PAWL_TRY(guide.shell(cat("cat ", status_file(42))));

  PAWL_TRY(guide.chapter("An invented status is refused"));
  PAWL_TRY(guide.pawl({"issue", "set", "42", "completed"}));
  guide.say("An agent that writes into the file gets no further:");
  PAWL_TRY(guide.shell(cat("sed -i s/running/done/ ", status_file(42))));
  PAWL_TRY(guide.pawl({"issue", "get", "42"}));
  return done();
}

Done eight_writers(Guide& guide) {
  PAWL_TRY(guide.chapter(
      cat(kWriters, " writers at once, ", kWriters * kWritesEach, " commands on 5 issues: nothing is lost")));
  std::atomic<int> succeeded = 0;
  std::vector<std::thread> writers;
  for (int writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&guide, &succeeded, writer] {
      for (int turn = 0; turn < kWritesEach; ++turn) {
        const auto ran = guide.quietly({"issue", "set", std::to_string(1 + (writer + turn) % 5), "running", "--session",
                                        cat("writer-", writer, "-", turn)});
        if (ran && ran->exit_code == 0) ++succeeded;
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  PAWL_ASSIGN(const Ran log, guide.quietly({"log", "--limit", "1000", "--json"}));
  PAWL_ASSIGN(const Json operations, parse_json(log.out));
  int found = 0;
  for (const Json& operation : operations) {
    for (const Json& event : operation["events"])
      found += string_or(event["document"], "session").starts_with("writer-") ? 1 : 0;
  }
  guide.say(cat(succeeded.load(), " commands answered; ", found, " of their events are in the log."));
  PAWL_TRY(guide.pawl({"issue", "list"}));
  if (found != succeeded.load() || found != kWriters * kWritesEach)
    return fail(ErrorCode::internal, "the tour lost an update: please report this");
  return done();
}

Done killed_between_two_writes(Guide& guide, const Context& context) {
  PAWL_TRY(guide.chapter("A process killed between two writes"));
  TracedCommand command;
  command.arguments = guide.command({"issue", "set", "42", "error", "--message", "tests fail"});
  for (char** variable = environ; *variable != nullptr; ++variable) command.environment.emplace_back(*variable);
  CallWatch watch;
  watch.entering = [](const SystemCall& call) {
    return call.number == SYS_renameat2 ? CallVerdict::kill() : CallVerdict::proceed();
  };
  const auto ended = run_traced(command, watch);
  if (!ended) {
    guide.say(cat("This machine does not let one program trace another (", ended.error().message,
                  "), so this part is left out."));
    return done();
  }
  context.emit(Json{{"command", "pawl issue set 42 error --message 'tests fail'"},
                    {"output", "Killed by SIGKILL, after the store was written and before the file was.\n"},
                    {"exit", 137}});
  guide.say("The file is behind:");
  PAWL_TRY(guide.shell(cat("grep status ", status_file(42))));
  guide.say("The next command finds the work again, and the file follows:");
  PAWL_TRY(guide.pawl({"issue", "get", "42"}));
  return guide.shell(cat("cat ", status_file(42)));
}

Done by_hand_undo_and_log(Guide& guide) {
  PAWL_TRY(guide.chapter("An edit by hand is taken over"));
  PAWL_TRY(guide.shell(cat("sed -i s/running/complete/ ", status_file(3))));
  PAWL_TRY(guide.pawl({"issue", "get", "3"}));

  PAWL_TRY(guide.chapter("And undone"));
  PAWL_TRY(guide.pawl({"undo"}));
  PAWL_TRY(guide.shell(cat("cat ", status_file(3))));

  PAWL_TRY(guide.chapter("The log of it all"));
  PAWL_TRY(guide.pawl({"log", "--limit", "5"}));

  PAWL_TRY(guide.chapter("What is wrong, and what needs a person"));
  PAWL_TRY(guide.pawl({"doctor"}));
  return done();
}

Done all_chapters(Guide& guide, const Context& context) {
  PAWL_TRY(keep_and_refuse(guide));
  PAWL_TRY(eight_writers(guide));
  PAWL_TRY(killed_between_two_writes(guide, context));
  PAWL_TRY(tour::a_loop_goes_on(guide));
  PAWL_TRY(tour::a_story_changes_hands(guide));
  PAWL_TRY(tour::a_story_is_carried(guide));
  PAWL_TRY(tour::a_review_is_resumed(guide));
  PAWL_TRY(tour::an_issue_is_run(guide));
  PAWL_TRY(tour::a_forged_block_is_refused(guide));
  PAWL_TRY(by_hand_undo_and_log(guide));
  return guide.chapter("What to type next");
}

// Was this binary built here, and not installed? Then what installs it is beside its folder.
bool is_of_a_checkout(const std::string& self) {
  const std::size_t folder = self.rfind('/'), above = folder == 0 ? folder : self.rfind('/', folder - 1);
  if (folder == std::string::npos || above == std::string::npos) return false;
  const std::string root = self.substr(0, above);
  return access(cat(root, "/dev").c_str(), X_OK) == 0 && access(cat(root, "/CMakeLists.txt").c_str(), F_OK) == 0;
}

Result<Reply> run_tour(Context& context, const Arguments&) {
  PAWL_ASSIGN(const std::string folder, tour::begin_in_child());
  // The tour is about defaults, whatever the user has set.
  for (const SettingSpec* const spec : all_specs(context.lifecycles())) {
    unsetenv(environment_name(spec->key).c_str());
    if (!spec->projects_in.empty()) unsetenv(std::string(spec->projects_in).c_str());
  }
  for (const char* name : {"PAWL_LOG", "PAWL_SESSION"}) unsetenv(name);
  Guide guide(context, folder);
  guide.say(cat("A tour of pawl, on a temporary repository in ", folder, "."));
  const Done shown = all_chapters(guide, context);
  if (guide.ended_by_reader()) return Reply{Json()};
  PAWL_TRY(shown);
  guide.say(cat(is_of_a_checkout(context.self()) ? "./dev install       puts pawl where your shell finds it\n" : "",
                "cd your-project\npawl doctor         looks at the files you have, and changes nothing\n"
                "pawl init           guards them\npawl help           the manual"));
  return Reply{Json()};
}

std::string text_of_tour(const Json& item, const TextStyle& style) {
  if (item.is_null()) return {};
  if (item.contains("title")) return cat("\n", bold(cat("== ", string_or(item, "title")), style), "\n");
  if (item.contains("say")) return cat(string_or(item, "say"), "\n");
  std::string out = cat("  $ ", bold(string_or(item, "command"), style), "\n");
  const std::string output = string_or(item, "output");
  for (const std::string_view line : split(output, '\n')) {
    if (!line.empty()) out += cat("  ", printable(line, true), "\n");
  }
  return out;
}

constexpr std::array kTourExamples = {
    Example{"pawl tour", "under a minute, no network, nothing of yours is touched"},
    Example{"pawl tour | less -R", "to read at leisure"},
};

}  // namespace

const Verb kTour = {
    .name = "tour",
    .summary = "show what pawl does, on a temporary repository",
    .manual =
        "Every command that it prints is run with this binary, and what stands below it is what that command said. It "
        "takes a few seconds, "
        "needs no network, and removes what it made. At a terminal it pauses after each chapter: Enter goes on, q or "
        "Ctrl-D ends it.",
    .examples = kTourExamples,
    .streams = true,
    .run = run_tour,
    .text = text_of_tour,
};

}  // namespace pawl
