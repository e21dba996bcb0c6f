// Every verb has a file named after its noun; here they are declared once, and table.cc lists them once.
#pragma once

#include "commands/verb.h"

namespace pawl {

// "1.2.3"
[[nodiscard]] std::string_view version();

// What a shell is given to complete pawl's commands; empty for a shell that is not known.
[[nodiscard]] std::string_view completion_script(std::string_view shell);

extern const Verb kInit;
extern const Verb kDoctor;
extern const Verb kStatus;
extern const Verb kLog;
extern const Verb kShow;
extern const Verb kUndo;
extern const Verb kWatch;
extern const Verb kIssueSet;
extern const Verb kIssueGet;
extern const Verb kIssueShow;
extern const Verb kIssueError;
extern const Verb kIssueList;
extern const Verb kIssueRemove;
extern const Verb kIssueOrphans;
extern const Verb kIssueRun;
extern const Verb kIssueWatch;
extern const Verb kIssuePs;
extern const Verb kIssueAttach;
extern const Verb kIssueStop;
extern const Verb kIssueWait;
extern const Verb kIssueLogs;
extern const Verb kIssueResume;
extern const Verb kIssueCleanup;
extern const Verb kIssueReconcile;
extern const Verb kIssueRecord;
extern const Verb kIssueDir;
extern const Verb kIssueSession;
extern const Verb kRalphStart;
extern const Verb kRalphShow;
extern const Verb kRalphList;
extern const Verb kRalphRun;
extern const Verb kRalphTick;
extern const Verb kRalphComplete;
extern const Verb kRalphCancel;
extern const Verb kRalphClear;
extern const Verb kRalphOwn;
extern const Verb kRalphWrite;
extern const Verb kUltraworkStart;
extern const Verb kUltraworkShow;
extern const Verb kUltraworkCheck;
extern const Verb kUltraworkClear;
extern const Verb kUltraworkWrite;
extern const Verb kHookClaude;
extern const Verb kHookOpencode;
extern const Verb kVerifyStart;
extern const Verb kVerifyShow;
extern const Verb kVerifyAttempt;
extern const Verb kVerifyClear;
extern const Verb kVerifyWrite;
extern const Verb kPrView;
extern const Verb kPrRun;
extern const Verb kPrDetect;
extern const Verb kPrState;
extern const Verb kPrBegin;
extern const Verb kPrFinish;
extern const Verb kPrFail;
extern const Verb kPrDismiss;
extern const Verb kPrReopen;
extern const Verb kPrBlock;
extern const Verb kPrKey;
extern const Verb kReviewStart;
extern const Verb kReviewStatus;
extern const Verb kReviewShow;
extern const Verb kReviewPlan;
extern const Verb kReviewList;
extern const Verb kReviewContinue;
extern const Verb kReviewMark;
extern const Verb kReviewFindingAdd;
extern const Verb kReviewFindingList;
extern const Verb kReviewFindingShow;
extern const Verb kReviewFindingEdit;
extern const Verb kReviewFindingDrop;
extern const Verb kReviewFindingRestore;
extern const Verb kReviewToggle;
extern const Verb kReviewValidate;
extern const Verb kReviewComments;
extern const Verb kReviewExport;
extern const Verb kReviewPost;
extern const Verb kReviewClean;
extern const Verb kStoryList;
extern const Verb kStoryShow;
extern const Verb kStoryNext;
extern const Verb kStoryMove;
extern const Verb kStoryActivity;
extern const Verb kStoryAdd;
extern const Verb kStoryPause;
extern const Verb kStoryRetry;
extern const Verb kStoryReset;
extern const Verb kStoryFix;
extern const Verb kStoryDrop;
extern const Verb kStoryLog;
extern const Verb kStoryCheck;
extern const Verb kStoryChecks;
extern const Verb kStoryAttest;
extern const Verb kStoryRun;
extern const Verb kStoryCleanup;
extern const Verb kClaimTake;
extern const Verb kClaimRenew;
extern const Verb kClaimRelease;
extern const Verb kClaimList;
extern const Verb kAccept;
extern const Verb kRestore;
extern const Verb kDismiss;
extern const Verb kTrust;
extern const Verb kSettings;
extern const Verb kBackup;
extern const Verb kCompact;
extern const Verb kMachineList;
extern const Verb kMachineShow;
extern const Verb kMachineCheck;
extern const Verb kShellBash;
extern const Verb kGuide;
extern const Verb kLeave;
extern const Verb kCompletion;
extern const Verb kPractice;
extern const Verb kTour;
extern const Verb kVersion;

}  // namespace pawl
