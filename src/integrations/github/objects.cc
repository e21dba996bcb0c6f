#include "integrations/github/objects.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/text.h"

namespace pawl::github {
namespace {

Error odd_answer(std::string_view what) {
  return {ErrorCode::unavailable, cat("GitHub's answer lacks ", what), "try again later"};
}

template <class Value, std::size_t Count>
Value meaning_of(std::string_view word, const std::array<std::pair<std::string_view, Value>, Count>& words,
                 Value other) {
  for (const auto& [spelled, value] : words) {
    if (spelled == word) return value;
  }
  return other;
}

constexpr std::array<std::pair<std::string_view, PullState>, 3> kPullStates = {
    {{"OPEN", PullState::open}, {"CLOSED", PullState::closed}, {"MERGED", PullState::merged}}};
constexpr std::array<std::pair<std::string_view, MergeState>, 7> kMergeStates = {
    {{"CLEAN", MergeState::clean},
     {"UNSTABLE", MergeState::unstable},
     {"BEHIND", MergeState::behind},
     {"BLOCKED", MergeState::blocked},
     {"DIRTY", MergeState::dirty},
     {"DRAFT", MergeState::draft},
     {"HAS_HOOKS", MergeState::has_hooks}}};
constexpr std::array<std::pair<std::string_view, ReviewDecision>, 3> kDecisions = {
    {{"REVIEW_REQUIRED", ReviewDecision::review_required},
     {"CHANGES_REQUESTED", ReviewDecision::changes_requested},
     {"APPROVED", ReviewDecision::approved}}};
// A conclusion that is none of these (and none at all) is not a pass.
constexpr std::array<std::pair<std::string_view, CheckState>, 3> kConclusions = {
    {{"success", CheckState::passed}, {"neutral", CheckState::skipped}, {"skipped", CheckState::skipped}}};
constexpr std::array<std::pair<std::string_view, CheckState>, 2> kStatusStates = {
    {{"success", CheckState::passed}, {"pending", CheckState::waiting}}};

// GraphQL leaves the [bot] out by which REST tells a program's account from a person's of the same name.
std::string login_in(const Json& object, std::string_view name) {
  const auto found = object.find(name);
  if (found == object.end()) return {};
  std::string login = string_or(*found, "login");
  if (string_or(*found, "__typename") == "Bot" && !login.ends_with("[bot]")) login += "[bot]";
  return login;
}

bool flag_in(const Json& object, std::string_view name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_boolean() && found->get<bool>();
}

}  // namespace

std::string encoded(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                       c == '_' || c == '.' || c == '~';
    if (plain) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
    }
  }
  return out;
}

Result<Json> member(const Json& object, const char* name) {
  if (object.is_object()) {
    if (const auto found = object.find(name); found != object.end() && !found->is_null()) return *found;
  }
  return tl::unexpected(odd_answer(cat("“", name, "”")));
}

Result<Json> pull_in(const Json& data, const PullRef& ref) {
  const auto repository = data.find("repository");
  if (repository == data.end() || !repository->is_object())
    return fail(ErrorCode::not_found,
                cat("there is no repository ", printable(ref.repo.text()), ", or the token may not see it"));
  const auto found = repository->find("pullRequest");
  if (found == repository->end() || !found->is_object())
    return fail(ErrorCode::not_found, cat("there is no pull request ", printable(ref.text())));
  return *found;
}

namespace {

Result<Json> cursor_in(const Json& connection, const char* has_more, const char* where) {
  PAWL_ASSIGN(const Json info, member(connection, "pageInfo"));
  PAWL_ASSIGN(const Json more, member(info, has_more));
  if (!more.is_boolean()) return tl::unexpected(odd_answer("whether there is a next page"));
  if (!more.get<bool>()) return Json();
  const std::string cursor = string_or(info, where);
  if (cursor.empty()) return tl::unexpected(odd_answer("where the next page begins"));
  return Json(cursor);
}

}  // namespace

Result<Json> next_cursor(const Json& connection) { return cursor_in(connection, "hasNextPage", "endCursor"); }
Result<Json> previous_cursor(const Json& connection) { return cursor_in(connection, "hasPreviousPage", "startCursor"); }

Done must_be_new(const Json& cursor, std::set<std::string>& cursors) {
  constexpr std::size_t kMostPages = 2000;
  if (cursors.size() < kMostPages && cursors.insert(cursor.get<std::string>()).second) return done();
  return fail(ErrorCode::unavailable, "GitHub's pages have no end");
}

Result<Json> list_in(const Json& object, const char* name) {
  PAWL_ASSIGN(Json list, member(object, name));
  const bool whole =
      list.is_array() && std::all_of(list.begin(), list.end(), [](const Json& one) { return one.is_object(); });
  if (!whole) return tl::unexpected(odd_answer(cat("a list of “", name, "”")));
  return list;
}

namespace {

// Both doors of GitHub's say this much of a pull request, each in its own words.
struct PullNames {
  std::string_view node_id, url, author, draft, created_at, updated_at;
};
constexpr PullNames kGraphqlPull{"id", "url", "author", "isDraft", "createdAt", "updatedAt"};
constexpr PullNames kRestPull{"node_id", "html_url", "user", "draft", "created_at", "updated_at"};

PullRequest pull_named(const PullNames& names, const PullRef& ref, const Json& object) {
  PullRequest pull;
  pull.ref = ref;
  pull.node_id = string_or(object, names.node_id);
  pull.title = string_or(object, "title");
  pull.body = string_or(object, "body");
  pull.url = string_or(object, names.url);
  pull.author = login_in(object, names.author);
  pull.draft = flag_in(object, names.draft);
  pull.created_at = string_or(object, names.created_at);
  pull.updated_at = string_or(object, names.updated_at);
  return pull;
}

std::string name_of_repository(const Json& side) {
  const auto repo = side.find("repo");
  return repo == side.end() ? std::string() : string_or(*repo, "full_name");
}

}  // namespace

Result<PullRequest> pull_of_graphql(const PullRef& ref, const Json& object) {
  PullRequest pull = pull_named(kGraphqlPull, ref, object);
  pull.head_ref = string_or(object, "headRefName");
  pull.head_sha = string_or(object, "headRefOid");
  pull.from_fork = flag_in(object, "isCrossRepository");
  pull.base_ref = string_or(object, "baseRefName");
  pull.state = meaning_of(string_or(object, "state"), kPullStates, PullState::closed);
  pull.merge_state = meaning_of(string_or(object, "mergeStateStatus"), kMergeStates, MergeState::unknown);
  pull.decision = meaning_of(string_or(object, "reviewDecision"), kDecisions, ReviewDecision::none);
  // Without these it cannot be acted on, and a default would be taken for the truth.
  const std::string word = string_or(object, "state");
  if (pull.head_sha.empty() || (word != "OPEN" && word != "CLOSED" && word != "MERGED"))
    return tl::unexpected(odd_answer(cat("the head or the state of ", ref.text())));
  return pull;
}

Result<PullRequest> pull_of_rest(const PullRef& ref, const Json& object) {
  PullRequest pull = pull_named(kRestPull, ref, object);
  PAWL_ASSIGN(const Json head, member(object, "head"));
  PAWL_ASSIGN(const Json base, member(object, "base"));
  pull.head_ref = string_or(head, "ref");
  pull.head_sha = string_or(head, "sha");
  pull.from_fork = name_of_repository(head) != name_of_repository(base);  // null: of a fork that is gone
  pull.base_ref = string_or(base, "ref");
  pull.state = flag_in(object, "merged")              ? PullState::merged
               : string_or(object, "state") == "open" ? PullState::open
                                                      : PullState::closed;
  if (pull.head_sha.empty() || ref.number <= 0) return tl::unexpected(odd_answer("the head or the number"));
  return pull;
}

ReviewThread thread_of(const Json& node) {
  ReviewThread thread;
  thread.node_id = string_or(node, "id");
  thread.resolved = flag_in(node, "isResolved");
  thread.outdated = flag_in(node, "isOutdated");
  thread.path = string_or(node, "path");
  thread.line = integer_or(node, "line");
  return thread;
}

namespace {

// A BigInt, and so a text: its 64 bits do not fit a JSON number everywhere.
Result<std::uint64_t> full_id(const Json& node) {
  const std::string text = string_or(node, "fullDatabaseId");
  std::uint64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc() || end != text.data() + text.size())
    return tl::unexpected(odd_answer("the number of a comment"));
  return id;
}

}  // namespace

Done add_reviews(const Json& connection, std::vector<Review>& out) {
  PAWL_ASSIGN(const Json nodes, list_in(connection, "nodes"));
  for (const Json& node : nodes) {
    Review review;
    PAWL_ASSIGN(review.id, full_id(node));
    review.author = login_in(node, "author");
    review.association = string_or(node, "authorAssociation");
    review.state = string_or(node, "state");
    review.body = string_or(node, "body");
    review.submitted_at = string_or(node, "submittedAt");
    review.updated_at = string_or(node, "updatedAt");
    if (review.state != "PENDING") out.push_back(std::move(review));
  }
  return done();
}

Done add_thread_comments(const Json& connection, ReviewThread& thread) {
  PAWL_ASSIGN(const Json nodes, list_in(connection, "nodes"));
  for (const Json& node : nodes) {
    Comment comment;
    PAWL_ASSIGN(comment.id, full_id(node));
    comment.author = login_in(node, "author");
    comment.association = string_or(node, "authorAssociation");
    comment.body = string_or(node, "body");
    comment.created_at = string_or(node, "createdAt");
    comment.updated_at = string_or(node, "updatedAt");
    comment.url = string_or(node, "url");
    thread.comments.push_back(std::move(comment));
  }
  return done();
}

Done add_check_runs(const Json& object, std::vector<Check>& out) {
  PAWL_ASSIGN(const Json runs, list_in(object, "check_runs"));
  for (const Json& run : runs) {
    Check check;
    check.name = string_or(run, "name");
    check.url = string_or(run, "html_url");
    const std::string status = string_or(run, "status");
    check.detail = status == "completed" ? string_or(run, "conclusion") : status;
    check.state =
        status == "completed" ? meaning_of(check.detail, kConclusions, CheckState::failed) : CheckState::waiting;
    out.push_back(std::move(check));
  }
  return done();
}

Done add_statuses(const Json& object, std::vector<Check>& out) {
  PAWL_ASSIGN(const Json statuses, list_in(object, "statuses"));
  for (const Json& status : statuses) {
    Check check;
    check.name = string_or(status, "context");
    check.detail = string_or(status, "state");
    check.url = string_or(status, "target_url");
    check.state = meaning_of(check.detail, kStatusStates, CheckState::failed);
    out.push_back(std::move(check));
  }
  return done();
}

Json json_of(const ReviewDraft& draft) {
  Json comments = Json::array();
  for (const LineComment& comment : draft.comments) {
    Json one = {{"path", comment.path}, {"body", comment.body}, {"line", comment.line}, {"side", comment.side}};
    if (comment.start_line > 0 && comment.start_line < comment.line) {
      one["start_line"] = comment.start_line;
      one["start_side"] = comment.side;
    }
    comments.push_back(std::move(one));
  }
  Json out = {{"commit_id", draft.commit}, {"event", draft.event}};
  if (!draft.body.empty()) out["body"] = draft.body;
  if (!comments.empty()) out["comments"] = std::move(comments);
  return out;
}

}  // namespace pawl::github
