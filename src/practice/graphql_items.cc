// GraphQL: what issues and pull requests have alike, labels and issue comments.
#include "base/text.h"
#include "practice/graphql_types.h"
#include "practice/rest_objects.h"

namespace pawl::practice {
namespace {

using Got = Result<Value>;

std::string url_of(const Thing& at) {
  return cat(kWeb, "/", at.repository->full_name(), at.item->pull ? "/pull/" : "/issues/", at.item->number);
}

void add_item(Types& types, std::string_view type) {
  types.of(type);
  const auto plain = [&](std::string_view name, auto get) {
    types.scalar(name, [get](Asking&, const Thing& at, const Json&) -> Got { return get(*at.item); });
  };
  plain("id", [](const Item& one) { return Value(one.pull ? node_id("PR", one.pull->id) : node_id("I", one.id)); });
  plain("databaseId", [](const Item& one) { return small_id(one.pull ? one.pull->id : one.id); });
  plain("fullDatabaseId", [](const Item& one) { return Value(std::to_string(one.pull ? one.pull->id : one.id)); });
  plain("number", [](const Item& one) { return Value(one.number); });
  plain("title", [](const Item& one) { return Value(one.title); });
  plain("body", [](const Item& one) { return Value(one.body); });
  plain("bodyText", [](const Item& one) { return Value(one.body); });
  plain("closed", [](const Item& one) { return Value(!one.open); });
  plain("locked", [](const Item& one) { return Value(one.locked); });
  plain("createdAt", [](const Item& one) { return time_value(one.created_ms); });
  plain("updatedAt", [](const Item& one) { return time_value(one.updated_ms); });
  plain("closedAt", [](const Item& one) { return time_value(one.closed_ms); });
  types.scalar("url", [](Asking&, const Thing& at, const Json&) -> Got { return url_of(at); })
      .scalar("authorAssociation",
              [](Asking& asking, const Thing& at, const Json&) -> Got {
                return asking.world.association(*at.repository, *at.item);
              })
      .scalar("viewerDidAuthor",
              [](Asking& asking, const Thing& at, const Json&) -> Got {
                return lower(asking.who.login) == lower(at.item->author);
              })
      .field("repository", "Repository",
             [](Asking&, const Thing& at, const Json&) -> Got {
               return Thing{"Repository", at.repository, nullptr, at.repository};
             })
      .field("author", "Actor",
             [](Asking& asking, const Thing& at, const Json&) -> Got { return actor(asking, at.item->author); })
      .field("assignees", "UserConnection",
             [](Asking& asking, const Thing& at, const Json& arguments) -> Got {
               std::vector<Value> found;
               for (const std::string& login : at.item->assignees) found.push_back(actor(asking, login));
               return page_of("UserConnection", std::move(found), arguments);
             })
      .field("labels", "LabelConnection",
             [](Asking&, const Thing& at, const Json& arguments) -> Got {
               std::vector<Value> found;
               for (const Label& one : at.item->labels)
                 found.emplace_back(Thing{"Label", at.repository, at.item, &one});
               return page_of("LabelConnection", std::move(found), arguments);
             })
      .field("comments", "IssueCommentConnection",
             [](Asking&, const Thing& at, const Json& arguments) -> Got {
               std::vector<Value> found;
               for (const Comment& one : at.item->comments) {
                 found.emplace_back(Thing{"IssueComment", at.repository, at.item, &one});
               }
               return page_of("IssueCommentConnection", std::move(found), arguments);
             })
      .field("milestone", "Milestone", [](Asking&, const Thing&, const Json&) -> Got { return Value(); })
      .field("reactionGroups", "ReactionGroup",
             [](Asking&, const Thing&, const Json&) -> Got { return reaction_groups(); })
      .field("projectCards", "ProjectCardConnection",
             [](Asking&, const Thing&, const Json& arguments) -> Got {
               return page_of("ProjectCardConnection", {}, arguments);
             })
      .field("projectItems", "ProjectV2ItemConnection", [](Asking&, const Thing&, const Json& arguments) -> Got {
        return page_of("ProjectV2ItemConnection", {}, arguments);
      });
}

}  // namespace

Value reaction_groups() {
  std::vector<Value> groups;
  for (const char* const content :
       {"THUMBS_UP", "THUMBS_DOWN", "LAUGH", "HOORAY", "CONFUSED", "HEART", "ROCKET", "EYES"}) {
    const Thing nobody = record_of("ReactingUserConnection", {{"totalCount", 0}});
    groups.emplace_back(record_of(
        "ReactionGroup",
        {{"content", content}, {"users", nobody}, {"reactors", record_of("ReactorConnection", {{"totalCount", 0}})}}));
  }
  return groups;
}

void add_item_types(Types& types) {
  types.connection("Label", "Label");
  types.connection("IssueComment", "IssueComment");
  types.connection("Milestone", "Milestone");
  types.connection("ProjectCard", "ProjectCard");
  types.connection("ProjectV2Item", "ProjectV2Item");
  types.record("Milestone", {{"id", ""}, {"number", ""}, {"title", ""}, {"description", ""}, {"dueOn", ""}});
  types.record("Project", {{"id", ""}, {"name", ""}});
  types.record("ProjectColumn", {{"name", ""}});
  types.record("ProjectCard", {{"id", ""}, {"project", "Project"}, {"column", "ProjectColumn"}});
  types.record("ProjectV2Item", {{"id", ""}, {"project", "ProjectV2"}});
  types.record("ReactingUserConnection", {{"totalCount", ""}});
  types.record("ReactorConnection", {{"totalCount", ""}});
  types.record("ReactionGroup",
               {{"content", ""}, {"users", "ReactingUserConnection"}, {"reactors", "ReactorConnection"}});
  types.abstract("IssueOrPullRequest", {"Issue", "PullRequest"}, {});

  types.of("Label");
  types.scalar("id", [](Asking&, const Thing& at, const Json&) -> Got { return node_id("LA", at.as<Label>().id); })
      .scalar("name", [](Asking&, const Thing& at, const Json&) -> Got { return at.as<Label>().name; })
      .scalar("color", [](Asking&, const Thing& at, const Json&) -> Got { return at.as<Label>().color; })
      .scalar("description", [](Asking&, const Thing& at, const Json&) -> Got { return at.as<Label>().description; });

  add_item(types, "Issue");
  types.scalar("state", [](Asking&, const Thing& at, const Json&) -> Got { return at.item->open ? "OPEN" : "CLOSED"; })
      .scalar("stateReason",
              [](Asking&, const Thing& at, const Json&) -> Got { return at.item->open ? Json() : Json("COMPLETED"); })
      .scalar("isPinned", [](Asking&, const Thing&, const Json&) -> Got { return false; });

  add_item(types, "PullRequest");

  types.of("IssueComment");
  types
      .scalar("url",
              [](Asking&, const Thing& at, const Json&) -> Got {
                return cat(url_of(at), "#issuecomment-", at.as<Comment>().id);
              })
      .field("issue", "Issue",
             [](Asking&, const Thing& at, const Json&) -> Got {
               Thing issue = item_thing(*at.repository, *at.item);
               issue.type = "Issue";
               return issue;
             })
      .field("pullRequest", "PullRequest", [](Asking&, const Thing& at, const Json&) -> Got {
        return at.item->pull ? Value(item_thing(*at.repository, *at.item)) : Value();
      });
}

}  // namespace pawl::practice
