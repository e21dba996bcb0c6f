#include "lifecycles/story/settings.h"

#include <array>

namespace pawl::story {
namespace {

constexpr std::array<std::string_view, 2> kOrders = {"seed", "new-work-before-waiting"};
constexpr std::array<std::string_view, 2> kGates = {"require", "record"};
constexpr std::array<std::string_view, 3> kMethods = {"merge", "squash", "rebase"};

constexpr std::array kSettings = {
    SettingSpec{"story.file", SettingType::text, "", "where the stories are, if not at one of the known places"},
    SettingSpec{"story.order", SettingType::choice, "seed",
                "what comes first: reviewers, waiting, committed, pending (seed), or waiting at last "
                "(new-work-before-waiting)",
                kOrders},
    SettingSpec{"story.gates", SettingType::choice, "", "the same as gates, for stories alone", kGates},
    SettingSpec{"story.recheck", SettingType::duration, "10m", "how long a story that waits is left alone"},

    // checks
    SettingSpec{"story.checks", SettingType::table, "{}", "a command for each acceptance criterion", {}, true},
    SettingSpec{"story.shell", SettingType::boolean, "false", "checks are a shell's commands", {}, true},
    SettingSpec{"story.check_timeout", SettingType::duration, "30m", "a check that takes longer is ended"},

    // where the code is
    SettingSpec{
        "story.repo", SettingType::folder, "", "the repository that their code is in, if it is not this one", {}, true},
    SettingSpec{"story.remote", SettingType::text, "origin", "where branches are pushed to"},
    SettingSpec{"story.base", SettingType::text, "", "what branches begin at and go into; the remote's main branch"},
    SettingSpec{"story.branch_prefix", SettingType::text, "story/", "what the names of new branches begin with"},
    SettingSpec{"story.worktrees", SettingType::text, ".worktrees", "the folder in which stories are worked on"},

    // whom the bot believes, and what it may do
    SettingSpec{"story.trusted", SettingType::list, "", "who is believed beside owners and members", {}, true},
    SettingSpec{"story.trusted_org", SettingType::text, "", "an organisation whose members are believed", {}, true},
    SettingSpec{"story.approvals", SettingType::number, "1", "so many reviewers must have approved the newest commit"},
    SettingSpec{"story.merge", SettingType::boolean, "true", "merge what is ready, instead of only saying so"},
    SettingSpec{"story.merge_method", SettingType::choice, "merge", "how", kMethods},
    SettingSpec{"story.ready", SettingType::boolean, "true", "mark a draft as ready when its checks are green"},
    SettingSpec{"story.max_failures", SettingType::number, "5", "a story that failed so often is held"},
    SettingSpec{"story.pause", SettingType::duration, "1m", "the wait after a failure, doubled each time"},
    SettingSpec{"story.poll", SettingType::duration, "1m", "how long the bot waits when there is nothing to do"},

    SettingSpec{"agent.command", SettingType::command, "", "the agent and its arguments", {}, true},
    SettingSpec{"agent.timeout", SettingType::duration, "2h", "an agent that takes longer is ended"},
};

}  // namespace

std::span<const SettingSpec> settings() { return kSettings; }

}  // namespace pawl::story
