// GraphQL: what changes the world.
#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "practice/graphql_types.h"
#include "practice/refusal.h"
#include "practice/rest_objects.h"

namespace pawl::practice {
namespace {

using Got = Result<Value>;
using Fields = std::vector<std::pair<std::string_view, std::string_view>>;
using Change = Result<Record> (*)(Asking&, const Json& input);

void mutation(Types& types, std::string_view name, std::string_view payload, Fields fields, Change change) {
  fields.emplace_back("clientMutationId", "");
  types.record(payload, std::move(fields));
  types.of("Mutation").field(name, payload, [payload, change](Asking& asking, const Thing&, const Json& given) -> Got {
    const auto input = given.find("input");
    if (input == given.end() || !input->is_object()) return fail(ErrorCode::invalid_argument, "input is missing");
    PAWL_ASSIGN(Record record, change(asking, *input));
    const std::string id = string_or(*input, "clientMutationId");
    record["clientMutationId"] = id.empty() ? Json() : Json(id);
    return record_of(payload, std::move(record));
  });
}

Result<Thing> named(Asking& asking, const Json& input, const char* key, std::string_view type) {
  PAWL_ASSIGN(Thing found, find_node(asking, string_or(input, key)));
  if (found.type != type) {
    return not_found(cat("Could not resolve to ", type, " node with the global id of '", string_or(input, key), "'."));
  }
  return found;
}

Result<Thing> pull_named(Asking& asking, const Json& input) {
  return named(asking, input, "pullRequestId", "PullRequest");
}

Result<Record> add_comment(Asking& asking, const Json& input) {
  PAWL_ASSIGN(Thing subject, find_node(asking, string_or(input, "subjectId")));
  if (subject.type != "PullRequest" && subject.type != "Issue") return not_found("Could not resolve to a node");
  PAWL_ASSIGN(const Comment* const made,
              asking.actions.add_comment(*subject.item, asking.who.login, string_or(input, "body")));
  const Thing comment{"IssueComment", subject.repository, subject.item, made};
  return Record{{"commentEdge", record_of("IssueCommentEdge", {{"node", comment}, {"cursor", ""}})},
                {"subject", subject}};
}

Result<Record> update_comment(Asking& asking, const Json& input) {
  PAWL_ASSIGN(const Thing at, named(asking, input, "id", "IssueComment"));
  const std::string body = string_or(input, "body");
  PAWL_TRY(check_length("IssueComment", body));
  for (Comment& one : at.item->comments) {
    if (one.id != at.as<Comment>().id) continue;
    one.body = body;
    one.updated_ms = asking.world.now_ms();
  }
  return Record{{"issueComment", at}};
}

Result<Record> delete_comment(Asking& asking, const Json& input) {
  PAWL_ASSIGN(const Thing at, named(asking, input, "id", "IssueComment"));
  const std::int64_t id = at.as<Comment>().id;
  std::erase_if(at.item->comments, [&](const Comment& one) { return one.id == id; });
  return Record{};
}

Result<Record> reply(Asking& asking, const Json& input) {
  PAWL_ASSIGN(const Thing at, named(asking, input, "pullRequestReviewThreadId", "PullRequestReviewThread"));
  PAWL_ASSIGN(const ReviewComment* const made,
              asking.actions.reply_in_thread(*at.item, at.as<Thread>().id, asking.who.login, string_or(input, "body")));
  return Record{{"comment", Thing{"PullRequestReviewComment", at.repository, at.item, made}}};
}

Result<Record> set_resolved(Asking& asking, const Json& input, bool resolved) {
  PAWL_ASSIGN(const Thing at, named(asking, input, "threadId", "PullRequestReviewThread"));
  Thread* const thread = find_thread(*at.item, at.as<Thread>().id);
  thread->resolved = resolved;
  thread->resolved_by = resolved ? asking.who.login : std::string();
  asking.actions.touch(*at.item);
  return Record{{"thread", at}};
}

Result<Record> add_review(Asking& asking, const Json& input) {
  PAWL_ASSIGN(const Thing at, pull_named(asking, input));
  std::vector<NewReviewComment> wanted;
  if (const auto threads = input.find("threads"); threads != input.end() && threads->is_array()) {
    for (const Json& one : *threads) {
      NewReviewComment comment;
      comment.body = string_or(one, "body");
      comment.place.path = string_or(one, "path");
      comment.place.side = string_or(one, "side", "RIGHT");
      comment.place.start_side = string_or(one, "startSide");
      if (one.contains("line") && one["line"].is_number_integer()) comment.place.line = one["line"].get<std::int64_t>();
      if (one.contains("startLine") && one["startLine"].is_number_integer()) {
        comment.place.start_line = one["startLine"].get<std::int64_t>();
      }
      wanted.push_back(std::move(comment));
    }
  }
  PAWL_ASSIGN(const Review* const made,
              asking.actions.add_review(*at.repository, *at.item, asking.who.login, string_or(input, "event"),
                                        string_or(input, "body"), string_or(input, "commitOID"), wanted));
  return Record{{"pullRequestReview", Thing{"PullRequestReview", at.repository, at.item, made}}};
}

Result<Record> create_pull(Asking& asking, const Json& input) {
  PAWL_ASSIGN(const Thing at, named(asking, input, "repositoryId", "Repository"));
  NewPull wanted{string_or(input, "title"),       string_or(input, "body"), string_or(input, "headRefName"),
                 string_or(input, "baseRefName"), bool_or(input, "draft"),  bool_or(input, "maintainerCanModify")};
  PAWL_ASSIGN(Item* const made, asking.actions.create_pull(*at.repository, asking.who.login, wanted));
  return Record{{"pullRequest", item_thing(*at.repository, *made)}};
}

Result<Record> set_draft(Asking& asking, const Json& input, bool draft) {
  PAWL_ASSIGN(const Thing at, pull_named(asking, input));
  if (!at.item->open) return fail(ErrorCode::invalid_argument, "Pull request is closed");
  at.item->pull->draft = draft;
  asking.actions.touch(*at.item);
  return Record{{"pullRequest", at}};
}

Result<Record> set_open(Asking& asking, const Json& input, bool open) {
  PAWL_ASSIGN(const Thing at, pull_named(asking, input));
  if (at.item->pull->merged_ms != 0) return fail(ErrorCode::invalid_argument, "Pull request is merged");
  asking.actions.set_open(*at.item, open, asking.who.login);
  asking.actions.refresh(*at.repository);
  return Record{{"pullRequest", at}};
}

Result<Record> merge(Asking& asking, const Json& input) {
  PAWL_ASSIGN(const Thing at, pull_named(asking, input));
  PAWL_TRY(asking.actions.merge(*at.repository, *at.item, asking.who.login, string_or(input, "expectedHeadOid"),
                                lower(string_or(input, "mergeMethod")), string_or(input, "commitHeadline"),
                                string_or(input, "commitBody")));
  return Record{{"pullRequest", at}, {"actor", actor(asking, asking.who.login)}};
}

Result<Record> update_pull(Asking& asking, const Json& input) {
  PAWL_ASSIGN(const Thing at, pull_named(asking, input));
  PAWL_TRY(check_length("PullRequest", string_or(input, "body")));
  if (input.contains("title") && input["title"].is_string()) at.item->title = string_or(input, "title");
  if (input.contains("body") && input["body"].is_string()) at.item->body = string_or(input, "body");
  if (input.contains("baseRefName") && input["baseRefName"].is_string()) {
    at.item->pull->base_ref = string_or(input, "baseRefName");
  }
  asking.actions.touch(*at.item);
  if (const std::string state = string_or(input, "state"); !state.empty()) {
    asking.actions.set_open(*at.item, state == "OPEN", asking.who.login);
  }
  asking.actions.refresh(*at.repository);
  return Record{{"pullRequest", at}, {"actor", actor(asking, asking.who.login)}};
}

Result<Record> create_issue(Asking& asking, const Json& input) {
  PAWL_ASSIGN(const Thing at, named(asking, input, "repositoryId", "Repository"));
  PAWL_ASSIGN(Item* const made, asking.actions.create_issue(*at.repository, asking.who.login, string_or(input, "title"),
                                                            string_or(input, "body")));
  return Record{{"issue", item_thing(*at.repository, *made)}};
}

Result<Record> set_labels(Asking& asking, const Json& input, bool there) {
  PAWL_ASSIGN(const Thing at, find_node(asking, string_or(input, "labelableId")));
  if (at.item == nullptr) return not_found("Could not resolve to a node");
  const auto ids = input.find("labelIds");
  for (const Label& label : at.repository->labels) {
    const std::string id = node_id("LA", label.id);
    if (ids == input.end() || std::find(ids->begin(), ids->end(), id) == ids->end()) continue;
    std::erase_if(at.item->labels, [&](const Label& one) { return one.name == label.name; });
    if (there) at.item->labels.push_back(label);
  }
  asking.actions.touch(*at.item);
  return Record{{"labelable", at}};
}

Result<Record> set_issue_open(Asking& asking, const Json& input, bool open) {
  PAWL_ASSIGN(const Thing at, named(asking, input, "issueId", "Issue"));
  asking.actions.set_open(*at.item, open, asking.who.login);
  return Record{{"issue", at}};
}

}  // namespace

void add_mutations(Types& types) {
  const Fields pull = {{"pullRequest", "PullRequest"}};
  const Fields thread = {{"thread", "PullRequestReviewThread"}};
  const Fields issue = {{"issue", "Issue"}};
  mutation(types, "addComment", "AddCommentPayload", {{"commentEdge", "IssueCommentEdge"}, {"subject", "Node"}},
           add_comment);
  mutation(types, "updateIssueComment", "UpdateIssueCommentPayload", {{"issueComment", "IssueComment"}},
           update_comment);
  mutation(types, "deleteIssueComment", "DeleteIssueCommentPayload", {}, delete_comment);
  mutation(types, "addPullRequestReviewThreadReply", "AddPullRequestReviewThreadReplyPayload",
           {{"comment", "PullRequestReviewComment"}}, reply);
  mutation(types, "resolveReviewThread", "ResolveReviewThreadPayload", thread,
           [](Asking& asking, const Json& input) { return set_resolved(asking, input, true); });
  mutation(types, "unresolveReviewThread", "UnresolveReviewThreadPayload", thread,
           [](Asking& asking, const Json& input) { return set_resolved(asking, input, false); });
  mutation(types, "addPullRequestReview", "AddPullRequestReviewPayload", {{"pullRequestReview", "PullRequestReview"}},
           add_review);
  mutation(types, "createPullRequest", "CreatePullRequestPayload", pull, create_pull);
  mutation(types, "markPullRequestReadyForReview", "MarkPullRequestReadyForReviewPayload", pull,
           [](Asking& asking, const Json& input) { return set_draft(asking, input, false); });
  mutation(types, "convertPullRequestToDraft", "ConvertPullRequestToDraftPayload", pull,
           [](Asking& asking, const Json& input) { return set_draft(asking, input, true); });
  mutation(types, "closePullRequest", "ClosePullRequestPayload", pull,
           [](Asking& asking, const Json& input) { return set_open(asking, input, false); });
  mutation(types, "reopenPullRequest", "ReopenPullRequestPayload", pull,
           [](Asking& asking, const Json& input) { return set_open(asking, input, true); });
  const Fields by = {{"pullRequest", "PullRequest"}, {"actor", "Actor"}};
  mutation(types, "mergePullRequest", "MergePullRequestPayload", by, merge);
  mutation(types, "updatePullRequest", "UpdatePullRequestPayload", by, update_pull);
  types.abstract("Labelable", {"Issue", "PullRequest"}, {{"labels", "LabelConnection"}});
  const Fields labelable = {{"labelable", "Labelable"}};
  mutation(types, "addLabelsToLabelable", "AddLabelsToLabelablePayload", labelable,
           [](Asking& asking, const Json& input) { return set_labels(asking, input, true); });
  mutation(types, "removeLabelsFromLabelable", "RemoveLabelsFromLabelablePayload", labelable,
           [](Asking& asking, const Json& input) { return set_labels(asking, input, false); });
  mutation(types, "createIssue", "CreateIssuePayload", issue, create_issue);
  mutation(types, "closeIssue", "CloseIssuePayload", issue,
           [](Asking& asking, const Json& input) { return set_issue_open(asking, input, false); });
  mutation(types, "reopenIssue", "ReopenIssuePayload", issue,
           [](Asking& asking, const Json& input) { return set_issue_open(asking, input, true); });
}

}  // namespace pawl::practice
