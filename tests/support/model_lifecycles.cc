#include "support/model_lifecycles.h"

namespace pawl::model {
namespace {

using enum MemberRule;
constexpr auto kText = MemberType::text;
constexpr auto kNumber = MemberType::number;
constexpr MoveKind kForward = MoveKind::forward;

constexpr std::array kIssueStatuses = {Status{"running"}, Status{"complete", true}, Status{"error", true}};
constexpr std::array kIssueMoves = {
    Move{kAbsent, "running"},
    Move{kAbsent, "complete"},
    Move{kAbsent, "error"},
    Move{"running", "running"},
    Move{"running", "complete"},
    Move{"running", "error"},
    Move{"complete", "complete"},
    Move{"error", "error"},
    Move{"complete", "running", MoveKind::reopening, "rerun"},
    Move{"error", "running", MoveKind::reopening, "rerun"},
    Move{"complete", "error", MoveKind::correction, "correct", {"reason"}},
    Move{"error", "complete", MoveKind::correction, "correct", {"reason"}},
};
constexpr Machine kIssueMachine = {"issue", "an issue", kIssueStatuses, kIssueMoves};
constexpr std::array kIssueMembers = {MemberLaw{"error_message", of_status}};
constexpr std::array kIssueKinds = {KindLaw{.kind = "issue", .machine = &kIssueMachine, .members = kIssueMembers}};

constexpr std::array kStoryMoves = {
    Move{kAbsent, "pending"},
    Move{"pending", "committed", kForward, "", {"criteria"}},
    Move{"committed", "pushed", kForward, "", {"pr"}},
    Move{"pushed", "merged", kForward, "", {"person"}},
    Move{"pending", "skipped"},
    Move{"committed", "skipped"},
    Move{"pushed", "pending", kForward, "reset", {"reason"}},
};
constexpr Machine kStoryMachine = {"story", "a story", kStoryStatuses, kStoryMoves};
constexpr std::array kStoryKinds = {KindLaw{.kind = "story",
                                            .machine = &kStoryMachine,
                                            .default_status = "pending",
                                            .members = kStoryMembers,
                                            .trusts_new = false}};

constexpr std::array kLoopStatuses = {Status{"active"}, Status{"complete", true}, Status{"cancelled", true}};
constexpr std::array kLoopMoves = {Move{kAbsent, "active"},       Move{kAbsent, "complete"},
                                   Move{kAbsent, "cancelled"},    Move{"active", "active"},
                                   Move{"active", "complete"},    Move{"active", "cancelled"},
                                   Move{"complete", "cancelled"}, Move{"cancelled", "complete"}};
constexpr Machine kLoopMachine = {"loop", "a loop", kLoopStatuses, kLoopMoves};
constexpr std::array kLoopMembers = {MemberLaw{"iteration", counter, kNumber},
                                     MemberLaw{"max_iterations", MemberRule::free, kNumber},
                                     MemberLaw{"prompt", MemberRule::free, kText, true}};
constexpr std::array kLoopKinds = {
    KindLaw{.kind = "loop", .machine = &kLoopMachine, .members = kLoopMembers, .identities = true}};

constexpr std::array kReviewStatuses = {Status{"pending"}, Status{"in-progress"}, Status{"reviewed", true},
                                        Status{"open"}};
constexpr Move kReopen = {"reviewed", "in-progress", MoveKind::reopening, "reopen", {"person"}};
constexpr std::array kReviewMoves = {Move{kAbsent, "pending"}, Move{kAbsent, "open"}, Move{"pending", "in-progress"},
                                     Move{"in-progress", "reviewed"}, kReopen};
constexpr std::array kAloneMoves = {Move{kAbsent, "pending"}, Move{kAbsent, "open"},
                                    Move{"pending", "in-progress", kForward, "", {"alone"}},
                                    Move{"in-progress", "reviewed"}, kReopen};
constexpr Machine kReviewMachine = {"item", "an item", kReviewStatuses, kReviewMoves};

constexpr KindLaw item_law(const Machine& machine) {
  return {.kind = "item", .machine = &machine, .default_status = "open", .on_missing = KindLaw::OnMissing::remove};
}
constexpr std::array kReviewKinds = {item_law(kReviewMachine)}, kAloneKinds = {item_law(kAloneMachine)};

constexpr std::string_view kIssueOrder[] = {"issue", "status", "session", "error_message", "timestamp"};
constexpr std::string_view kStories[] = {"stories"}, kProject[] = {"project"};
constexpr std::string_view kLoopOwner[] = {"session", "start"}, kLoopOrder[] = {"status"};
constexpr std::string_view kItems[] = {"items"}, kPull[] = {"pr"};

}  // namespace

constinit const std::array<Status, 5> kStoryStatuses = {Status{"pending"}, Status{"committed"}, Status{"pushed"},
                                                        Status{"merged", true}, Status{"skipped", true}};
constinit const std::array<MemberLaw, 3> kStoryMembers = {MemberLaw{"branchName", set_by_move},
                                                          MemberLaw{"prNumber", set_by_move},
                                                          MemberLaw{"priority", MemberRule::free, kNumber}};
constinit const std::array<MemberLaw, 1> kReviewMembers = {MemberLaw{"head_sha", pawls}};
constinit const Machine kAloneMachine = {"item", "an item", kReviewStatuses, kAloneMoves};

constinit const FileLaw kIssueFile = {.kinds = kIssueKinds, .on_return = FileLaw::OnReturn::adopt};
constinit const FileLaw kStoryFile = {
    .kinds = kStoryKinds, .owner_by_content = "title", .on_gone = FileLaw::OnGone::deactivate};
constinit const FileLaw kLoopFile = {.kinds = kLoopKinds, .on_gone = FileLaw::OnGone::end, .gone_status = "cancelled"};
constinit const FileLaw kReviewFile = {
    .kinds = kReviewKinds, .members = kReviewMembers, .on_damage = FileLaw::OnDamage::conflict};
constinit const FileLaw kAloneFile = {
    .kinds = kAloneKinds, .members = kReviewMembers, .on_damage = FileLaw::OnDamage::conflict};

constinit const merge::JsonShape kIssueShape = {.law = &kIssueKinds[0], .order = kIssueOrder};
constinit const merge::JsonShape kStoryShape = {.law = &kStoryKinds[0], .lists = kStories, .owner = kProject};
constinit const merge::JsonShape kLoopShape = {.law = &kLoopKinds[0],
                                               .key = merge::JsonShape::Key::owner,
                                               .owner = kLoopOwner,
                                               .order = kLoopOrder,
                                               .newline_at_end = false};
constinit const merge::JsonShape kReviewShape = {.law = &kReviewKinds[0], .lists = kItems, .owner = kPull};

constinit const std::array<Lifecycle, 4> kLifecycles = {{{"issue", &kIssueFile, &kIssueShape},
                                                         {"story", &kStoryFile, &kStoryShape},
                                                         {"loop", &kLoopFile, &kLoopShape},
                                                         {"review", &kReviewFile, &kReviewShape}}};

}  // namespace pawl::model
