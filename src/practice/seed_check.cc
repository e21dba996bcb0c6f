// The members that a seed and the control requests may have. One that is spelled otherwise would be passed over, and
// the bot be tried on something else than what was meant.
#include <algorithm>
#include <array>
#include <span>

#include "base/text.h"
#include "practice/refusal.h"
#include "practice/seed.h"

namespace pawl::practice {
namespace {

struct Shape;

// What stands under a member: anything, one object or a list of these, or an object whose names are free.
enum class Under { anything, list, named };

struct Member {
  std::string_view name;
  Under under = Under::anything;
  const Shape* shape = nullptr;
};

struct Shape {
  std::string_view called;
  std::span<const Member> members;
};

constexpr std::array kCommentMembers = {Member{"id"},          Member{"author"},     Member{"body"},
                                        Member{"association"}, Member{"created_at"}, Member{"updated_at"},
                                        Member{"count"}};
constexpr Shape kComment{"a comment", kCommentMembers};

constexpr std::array kThreadMembers = {
    Member{"path"},       Member{"line"},       Member{"side"},
    Member{"start_line"}, Member{"start_side"}, Member{"diff_hunk"},
    Member{"resolved"},   Member{"outdated"},   Member{"id"},
    Member{"author"},     Member{"body"},       Member{"association"},
    Member{"created_at"}, Member{"updated_at"}, Member{"comments", Under::list, &kComment}};
constexpr Shape kThread{"a thread", kThreadMembers};

constexpr std::array kReviewMembers = {Member{"id"},         Member{"author"},       Member{"state"},
                                       Member{"body"},       Member{"submitted_at"}, Member{"commit_id"},
                                       Member{"updated_at"}, Member{"association"}};
constexpr Shape kReview{"a review", kReviewMembers};

constexpr std::array kCheckMembers = {
    Member{"id"},    Member{"sha"},     Member{"name"},        Member{"status"},     Member{"conclusion"},
    Member{"title"}, Member{"summary"}, Member{"details_url"}, Member{"started_at"}, Member{"completed_at"}};
constexpr Shape kCheck{"a check", kCheckMembers};

constexpr std::array kStatusMembers = {Member{"sha"},         Member{"context"},    Member{"state"},
                                       Member{"description"}, Member{"target_url"}, Member{"creator"}};
constexpr Shape kStatus{"a status", kStatusMembers};

constexpr std::array kChecksMembers = {Member{"checks", Under::list, &kCheck},
                                       Member{"statuses", Under::list, &kStatus}};
constexpr Shape kChecks{"an order of checks", kChecksMembers};

constexpr std::array kLabelMembers = {Member{"name"}, Member{"color"}, Member{"description"}};
constexpr Shape kLabel{"a label", kLabelMembers};

constexpr std::array kUserMembers = {Member{"login"}, Member{"name"}, Member{"id"}, Member{"type"}};
constexpr Shape kUser{"a user", kUserMembers};

constexpr std::array kOrganizationMembers = {Member{"login"}, Member{"members", Under::list, &kUser}};
constexpr Shape kOrganization{"an organization", kOrganizationMembers};

constexpr std::array kTokenMembers = {Member{"login"}, Member{"can"}};
constexpr Shape kToken{"a token", kTokenMembers};

constexpr std::array kIssueMembers = {Member{"number"},
                                      Member{"title"},
                                      Member{"body"},
                                      Member{"author"},
                                      Member{"association"},
                                      Member{"state"},
                                      Member{"labels", Under::list, &kLabel},
                                      Member{"assignees", Under::list, &kUser},
                                      Member{"created_at"},
                                      Member{"updated_at"},
                                      Member{"closed_at"},
                                      Member{"locked"},
                                      Member{"comments", Under::list, &kComment}};
constexpr Shape kIssue{"an issue", kIssueMembers};

constexpr std::array kSidesMembers = {Member{"before"}, Member{"after"}};
constexpr Shape kSides{"a changed file", kSidesMembers};

constexpr std::array kCommitMembers = {Member{"message"}, Member{"author"}, Member{"files"}};
constexpr Shape kCommit{"a commit", kCommitMembers};

// Beside those of an issue.
constexpr std::array kOnlyPullMembers = {Member{"draft"},
                                         Member{"head"},
                                         Member{"head_owner"},
                                         Member{"base"},
                                         Member{"pushed_at"},
                                         Member{"files", Under::named, &kSides},
                                         Member{"commits", Under::list, &kCommit},
                                         Member{"merge_state"},
                                         Member{"merged"},
                                         Member{"review_requests", Under::list, &kUser},
                                         Member{"reviews", Under::list, &kReview},
                                         Member{"threads", Under::list, &kThread},
                                         Member{"checks", Under::list, &kCheck},
                                         Member{"statuses", Under::list, &kStatus}};
constexpr auto kPullMembers = [] {
  std::array<Member, kIssueMembers.size() + kOnlyPullMembers.size()> out{};
  std::copy(kIssueMembers.begin(), kIssueMembers.end(), out.begin());
  std::copy(kOnlyPullMembers.begin(), kOnlyPullMembers.end(), out.begin() + kIssueMembers.size());
  return out;
}();
constexpr Shape kPull{"a pull request", kPullMembers};

constexpr std::array kRepositoryMembers = {Member{"owner"},
                                           Member{"name"},
                                           Member{"description"},
                                           Member{"private"},
                                           Member{"default_branch"},
                                           Member{"files"},
                                           Member{"branches"},
                                           Member{"collaborators"},
                                           Member{"labels", Under::list, &kLabel},
                                           Member{"issues", Under::list, &kIssue},
                                           Member{"pulls", Under::list, &kPull}};
constexpr Shape kRepository{"a repository", kRepositoryMembers};

constexpr std::array kWorldMembers = {Member{"token"},
                                      Member{"login"},
                                      Member{"tokens", Under::named, &kToken},
                                      Member{"ids_from"},
                                      Member{"users", Under::list, &kUser},
                                      Member{"organizations", Under::list, &kOrganization},
                                      Member{"repositories", Under::list, &kRepository}};
constexpr Shape kWorld{"a world", kWorldMembers};

constexpr std::array kPushMembers = {Member{"author"}, Member{"message"}, Member{"files"}, Member{"sha"}};
constexpr Shape kPush{"a push", kPushMembers};
constexpr std::array kReplyMembers = {Member{"to"}, Member{"author"}, Member{"body"}};
constexpr Shape kReply{"a reply", kReplyMembers};
constexpr std::array kRunMembers = {Member{"path"}, Member{"event"}, Member{"conclusion"}};
constexpr Shape kRun{"a run", kRunMembers};
constexpr std::array kAuthorMembers = {Member{"author"}};
constexpr Shape kByWhom{"this", kAuthorMembers};

struct Order {
  std::string_view what;
  const Shape* shape;
};
constexpr std::array kOrders = {Order{"comments", &kComment}, Order{"threads", &kThread}, Order{"reviews", &kReview},
                                Order{"replies", &kReply},    Order{"push", &kPush},      Order{"force-push", &kPush},
                                Order{"checks", &kChecks},    Order{"runs", &kRun},       Order{"ready", &kByWhom},
                                Order{"draft", &kByWhom}};

// As GitHub's answers call them, which is where people look.
struct Other {
  std::string_view theirs, ours;
};
constexpr std::array kOthers = {
    Other{"user", "author"},         Other{"text", "body"},     Other{"description", "body"},
    Other{"pull_requests", "pulls"}, Other{"prs", "pulls"},     Other{"repos", "repositories"},
    Other{"head_ref", "head"},       Other{"base_ref", "base"}, Other{"branch", "head"},
    Other{"in_reply_to", "to"},      Other{"event", "state"},   Other{"path", "files"}};

std::string meant(const Shape& shape, std::string_view name) {
  std::vector<std::string_view> known;
  for (const Member& one : shape.members) known.push_back(one.name);
  for (const Other& other : kOthers) {
    if (other.theirs == name && std::find(known.begin(), known.end(), other.ours) != known.end())
      return cat("did you mean “", other.ours, "”?");
  }
  if (const auto near = nearest(name, known)) return cat("did you mean “", *near, "”?");
  return cat("it has ", join_or(known));
}

Done check_value(const Shape& shape, const Json& value, const std::string& at);

Done check_under(const Member& member, const Json& value, const std::string& at) {
  if (member.shape == nullptr) return done();
  if (member.under == Under::list) {
    if (!value.is_array())
      return fail(ErrorCode::invalid_argument, cat(at, " must be a list"), cat("each of ", member.shape->called));
    for (std::size_t i = 0; i < value.size(); ++i) PAWL_TRY(check_value(*member.shape, value[i], cat(at, "[", i, "]")));
    return done();
  }
  if (!value.is_object()) return fail(ErrorCode::invalid_argument, cat(at, " must be an object"));
  for (const auto& [name, one] : value.items())
    PAWL_TRY(check_value(*member.shape, one, cat(at, ".", printable(name))));
  return done();
}

// A name may stand for an object with only that name.
Done check_value(const Shape& shape, const Json& value, const std::string& at) {
  if (!value.is_object()) return done();
  for (const auto& [name, one] : value.items()) {
    const std::string key = name;
    const auto found = std::find_if(shape.members.begin(), shape.members.end(),
                                    [&](const Member& known) { return known.name == key; });
    if (found == shape.members.end())
      return fail(
          ErrorCode::invalid_argument,
          cat(at.empty() ? std::string() : cat(at, ": "), shape.called, " has no “", printable(key.substr(0, 80)), "”"),
          meant(shape, key));
    PAWL_TRY(check_under(*found, one, cat(at, at.empty() ? "" : ".", key)));
  }
  return done();
}

}  // namespace

Done check_seed(const Json& seed) {
  PAWL_TRY(check_value(kWorld, seed, ""));
  const auto users = seed.is_object() ? seed.find("users") : seed.end();
  if (!seed.is_object() || users == seed.end()) return done();
  // GitHub's bots have no other names, and who reads them from GraphQL, which leaves it out, puts it back.
  for (std::size_t i = 0; i < users->size(); ++i) {
    const Json& one = (*users)[i];
    const std::string login = string_or(one, "login");
    if (string_or(one, "type") == "Bot" && !login.ends_with("[bot]"))
      return fail(
          ErrorCode::invalid_argument,
          cat("users[", i, "]: the login of a Bot ends in [bot], and “", printable(login.substr(0, 80)), "” does not"),
          cat("write “", printable(login.substr(0, 80)), "[bot]”, here and where it is named; or leave out type"));
  }
  return done();
}

Done check_order(std::string_view what, const Json& wanted) {
  for (const Order& order : kOrders) {
    if (order.what != what) continue;
    const Done good = check_value(*order.shape, wanted, "");
    if (!good) return invalid("Order", what, "custom", cat(good.error().message, "; ", good.error().hint));
  }
  return done();
}

}  // namespace pawl::practice
