#include "verbs/table.h"

#include <array>

namespace pawl {
namespace {

// In the order in which help shows them.
constexpr std::array<const Verb*, 33> kVerbs = {
    &kInit,         &kDoctor,       &kStatus,    &kLog,        &kShow,       &kUndo,         &kWatch,
    &kIssueSet,     &kIssueGet,     &kIssueShow, &kIssueError, &kIssueList,  &kIssueRemove,  &kIssueOrphans,
    &kIssueDir,     &kIssueSession, &kPrView,    &kClaimTake,  &kClaimRenew, &kClaimRelease, &kClaimList,
    &kAccept,       &kRestore,      &kTrust,     &kBackup,     &kCompact,    &kMachineList,  &kMachineShow,
    &kMachineCheck, &kShellBash,    &kPractice,  &kTour,       &kVersion,
};

}  // namespace

std::span<const Verb* const> all_verbs() { return kVerbs; }

}  // namespace pawl
