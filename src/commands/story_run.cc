// `pawl story run`: the bot that carries stories. What it does is in the second executable
// (commands/world/story_run.cc).
#include <array>

#include "base/clock.h"
#include "base/local_time.h"
#include "base/text.h"
#include "commands/table.h"

namespace pawl {
namespace {

// By the clock alone where it is today's.
std::string clock_time(const Json& until, const TextStyle& style) {
  const auto due = parse_iso_time(string_or(until, "due_at"));
  if (!due) return {};
  const std::string then = local_time(*due), now = local_time(style.now_ms);
  const std::size_t day = then.find(' ') + 1;
  return then.substr(0, day) == now.substr(0, day) ? then.substr(day) : then;
}

// What is left, and when it is looked at again: "; 3 failed, tried again from 12:53; 1 needs you (pawl status)".
std::string left_in(const Json& left, const TextStyle& style) {
  std::string out;
  const auto add = [&](std::string_view name, std::string_view one, std::string_view many, std::string_view again,
                       std::string_view how) {
    const auto found = left.find(name);
    if (found == left.end()) return;
    const std::int64_t count = integer_or(*found, "count");
    const std::string at = clock_time(*found, style);
    out += cat("; ", count, count == 1 ? one : many, at.empty() ? ", due now" : cat(", ", again, at), how);
  };
  add("failed", " failed", " failed", "tried again from ", "");
  add("put_off", " put off", " put off", "tried again from ", "");
  if (const std::int64_t count = integer_or(left, "need_you"); count > 0)
    out += cat("; ", count, count == 1 ? " needs" : " need", " you (pawl status)");
  if (const std::int64_t count = integer_or(left, "paused"); count > 0)
    out += cat("; ", count, count == 1 ? " is" : " are", " paused");
  add("waiting", " waits for its reviewer", " wait for their reviewers", "looked at again at ",
      " (pawl story retry ID looks now)");
  if (const std::int64_t count = integer_or(left, "blocked"); count > 0)
    out += cat("; ", count, count == 1 ? " waits" : " wait", " for others (pawl story list)");
  return out;
}

std::string text_of_run(const Json& data, const TextStyle& style) {
  if (data.contains("steps")) {
    std::string out;
    for (const Json& line : data["steps"]) out += cat(line.get<std::string>(), "\n");
    return out.empty() ? "there is nothing to do\n" : out;
  }
  const std::string why = string_or(data, "ended");
  const std::int64_t count = integer_or(data, "iterations");
  const std::string left = left_in(data.value("left", Json::object()), style);
  return cat(count, count == 1 ? " iteration" : " iterations",
             why == "idle"      ? (left.empty() ? "; nothing is left to do" : "")
             : why == "stopped" ? "; stopped, pawl story run goes on"
             : why == "time"    ? "; the time is over"
                                : "",
             left, "\n");
}

constexpr std::array kRunParams = {
    Param{.name = "command",
          .value = "COMMAND",
          .summary = "the agent and its arguments, behind --; otherwise agent.command of pawl.toml",
          .positional = true,
          .many = true},
    Param{.name = "once", .type = ParamType::flag, .summary = "one iteration"},
    Param{.name = "max", .type = ParamType::positive, .value = "N", .summary = "so many iterations at most"},
    Param{.name = "until-idle", .type = ParamType::flag, .summary = "end when nothing can be done now"},
    Param{.name = "for", .type = ParamType::duration, .value = "TIME", .summary = "end after this time: 2h"},
    Param{.name = "dry-run", .type = ParamType::flag, .summary = "print every step, and do none"},
};
constexpr std::array kRunExamples = {
    Example{"pawl story run --dry-run", "what it would do now"},
    Example{"pawl story run --until-idle", "carry every story as far as it goes without somebody else"},
    Example{"pawl story run --until-idle -- claude -p --permission-mode acceptEdits", "with this agent"},
    Example{"pawl story run --for 2h", "and wait for reviewers meanwhile"},
};

}  // namespace

const Verb kStoryRun = {
    .noun = "story",
    .name = "run",
    .summary = "carry stories from pending to merged with an agent",
    .manual =
        "Each iteration takes over what changed in the file, looks at the pull requests of pushed stories (merging "
        "what "
        "is ready first, whoever went last), takes the most urgent story and does what it needs: answer a reviewer; "
        "push "
        "and open a draft pull request; or implement a new story on a branch and in a worktree of its own. The agent "
        "is "
        "what stands behind --, or agent.command of pawl.toml, which is run only after pawl trust; it gets its task as "
        "JSON on stdin and in the file PAWL_TASK_FILE (docs/stories.md "
        "has the schema). Only what passed all checks is pushed; with "
        "story.gates = record, what was not shown is noted, and the rest goes on.\n\n"
        "A story that fails is tried again later, with growing pauses; after story.max_failures it is held until pawl "
        "story retry. Killed at any point, the next run goes on where it was. Several runs share the work.\n\n"
        "Reviewers are believed whom GitHub calls owner, member or collaborator, and those of story.trusted and "
        "story.trusted_org; what others say is left out. With story.merge = false nothing is merged.",
    .params = kRunParams,
    .examples = kRunExamples,
    .read_only = false,
    .world = true,
    .text = text_of_run,
};

}  // namespace pawl
