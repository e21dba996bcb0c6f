#include <array>

#include "commands/table.h"
#include "commands/world.h"
#include "commands/world/handlers.h"

namespace pawl {
namespace {

constexpr std::array kWorldVerbs = {
    WorldVerb{&kPrView, run_pr_view},
    WorldVerb{&kInit, run_init_with_settings},
    WorldVerb{&kDoctor, run_doctor_with_settings},
    WorldVerb{&kIssueRun, run_issue_run},
    WorldVerb{&kReviewStart, run_review_start},
    WorldVerb{&kReviewValidate, run_review_validate},
    WorldVerb{&kReviewComments, run_review_comments},
    WorldVerb{&kReviewPost, run_review_post},
    WorldVerb{&kPrRun, run_pr_run},
    WorldVerb{&kPrDetect, run_pr_detect},
    WorldVerb{&kPrState, run_pr_state},
    WorldVerb{&kPrBegin, run_pr_begin},
    WorldVerb{&kPrFinish, run_pr_finish},
    WorldVerb{&kPrFail, run_pr_fail},
    WorldVerb{&kPrDismiss, run_pr_dismiss},
    WorldVerb{&kPrReopen, run_pr_reopen},
    WorldVerb{&kStoryMove, run_story_move},
    WorldVerb{&kStoryRun, run_story_run},
    WorldVerb{&kPractice, run_practice},
};

}  // namespace

std::span<const WorldVerb> world_verbs() { return kWorldVerbs; }

}  // namespace pawl
