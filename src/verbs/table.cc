#include "verbs/table.h"

#include <array>

namespace pawl {
namespace {

// In the order in which help shows them.
constexpr auto kVerbs = std::to_array<const Verb*>({
    &kInit,           &kDoctor,         &kStatus,         &kLog,           &kShow,
    &kUndo,           &kWatch,          &kIssueSet,       &kIssueGet,      &kIssueShow,
    &kIssueError,     &kIssueList,      &kIssueRemove,    &kIssueRun,      &kIssueWatch,
    &kIssuePs,        &kIssueAttach,    &kIssueStop,      &kIssueWait,     &kIssueLogs,
    &kIssueResume,    &kIssueCleanup,   &kIssueReconcile, &kIssueRecord,   &kIssueOrphans,
    &kIssueDir,       &kIssueSession,   &kRalphStart,     &kRalphShow,     &kRalphList,
    &kRalphRun,       &kRalphTick,      &kRalphComplete,  &kRalphCancel,   &kRalphClear,
    &kRalphOwn,       &kRalphWrite,     &kUltraworkStart, &kUltraworkShow, &kUltraworkCheck,
    &kUltraworkClear, &kUltraworkWrite, &kVerifyStart,    &kVerifyShow,    &kVerifyAttempt,
    &kVerifyClear,    &kVerifyWrite,    &kHookClaude,     &kHookOpencode,  &kPrView,
    &kClaimTake,      &kClaimRenew,     &kClaimRelease,   &kClaimList,     &kAccept,
    &kRestore,        &kTrust,          &kBackup,         &kCompact,       &kMachineList,
    &kMachineShow,    &kMachineCheck,   &kShellBash,      &kPractice,      &kTour,
    &kVersion,
});

}  // namespace

std::span<const Verb* const> all_verbs() { return kVerbs; }

}  // namespace pawl
