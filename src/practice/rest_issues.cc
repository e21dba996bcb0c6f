// Routes below /repos/OWNER/NAME/issues.
#include <array>

#include "practice/refusal.h"
#include "practice/rest.h"

namespace pawl::practice {
namespace {

bool has_labels(const Item& item, const std::string& wanted) {
  std::size_t at = 0;
  while (at <= wanted.size() && !wanted.empty()) {
    const std::size_t end = std::min(wanted.find(',', at), wanted.size());
    const std::string name = wanted.substr(at, end - at);
    bool found = false;
    for (const Label& label : item.labels) found = found || lower(label.name) == lower(name);
    if (!found) return false;
    at = end + 1;
  }
  return true;
}

Result<Told> list(Call& call) {
  const std::string state = call.http.parameter("state", "open"), labels = call.http.parameter("labels"),
                    creator = call.http.parameter("creator"), since = call.http.parameter("since");
  Json out = Json::array();
  for (const auto& [number, item] : call.repository->items) {
    if (state != "all" && (state == "open") != item.open) continue;
    if (!has_labels(item, labels) || (!creator.empty() && lower(creator) != lower(item.author))) continue;
    Json shown = call.show.issue(*call.repository, item);
    if (!since.empty() && shown["updated_at"].get<std::string>() < since) continue;
    out.insert(out.begin(), std::move(shown));
  }
  return Told{std::move(out), 200, true};
}

Result<Told> get(Call& call) {
  PAWL_ASSIGN(const Item* const item, call.item());
  return Told{call.show.issue(*call.repository, *item)};
}

Result<Told> change(Call& call) {
  PAWL_ASSIGN(Item* const item, call.item());
  PAWL_TRY(check_length("Issue", call.text("body")));
  const std::string state = call.text("state");
  if (!state.empty() && state != "open" && state != "closed") return invalid("Issue", "state", "invalid");
  if (call.body.contains("title")) item->title = call.text("title");
  if (call.body.contains("body")) item->body = call.text("body");
  call.actions.touch(*item);
  if (!state.empty()) call.actions.set_open(*item, state == "open", call.who.login);
  return get(call);
}

Result<Told> create(Call& call) {
  PAWL_ASSIGN(const Item* const made,
              call.actions.create_issue(*call.repository, call.who.login, call.text("title"), call.text("body")));
  return Told{call.show.issue(*call.repository, *made), 201};
}

Result<Told> comments(Call& call) {
  PAWL_ASSIGN(const Item* const item, call.item());
  const std::string since = call.http.parameter("since");
  Json out = Json::array();
  for (const Comment& one : item->comments) {
    if (since.empty() && !call.asks_for(out.size())) {
      out.emplace_back();
      continue;
    }
    Json shown = call.show.comment(*call.repository, *item, one);
    if (since.empty() || shown["updated_at"].get<std::string>() >= since) out.push_back(std::move(shown));
  }
  return Told{std::move(out), 200, true};
}

Result<Told> add_comment(Call& call) {
  PAWL_ASSIGN(Item* const item, call.item());
  PAWL_ASSIGN(const Comment* const made, call.actions.add_comment(*item, call.who.login, call.text("body")));
  return Told{call.show.comment(*call.repository, *item, *made), 201};
}

struct Found {
  Item* item = nullptr;
  Comment* comment = nullptr;
};

Result<Found> comment_named(Call& call) {
  for (auto& [number, item] : call.repository->items) {
    for (Comment& one : item.comments) {
      if (one.id == call.number(0)) return Found{&item, &one};
    }
  }
  return not_found();
}

Result<Told> get_comment(Call& call) {
  PAWL_ASSIGN(const Found found, comment_named(call));
  return Told{call.show.comment(*call.repository, *found.item, *found.comment)};
}

Result<Told> change_comment(Call& call) {
  PAWL_ASSIGN(const Found found, comment_named(call));
  PAWL_TRY(check_length("IssueComment", call.text("body")));
  if (call.text("body").empty()) return invalid("IssueComment", "body", "missing_field");
  found.comment->body = call.text("body");
  found.comment->updated_ms = call.world.now_ms();
  return get_comment(call);
}

Result<Told> remove_comment(Call& call) {
  PAWL_ASSIGN(const Found found, comment_named(call));
  const std::int64_t id = found.comment->id;
  std::erase_if(found.item->comments, [&](const Comment& one) { return one.id == id; });
  return Told{Json(), 204};
}

constexpr std::array kIssueRoutes = {
    Route{"GET", "/repos/:owner/:name/issues", list},
    Route{"POST", "/repos/:owner/:name/issues", create},
    Route{"GET", "/repos/:owner/:name/issues/comments/:id", get_comment},
    Route{"PATCH", "/repos/:owner/:name/issues/comments/:id", change_comment},
    Route{"DELETE", "/repos/:owner/:name/issues/comments/:id", remove_comment},
    Route{"GET", "/repos/:owner/:name/issues/:number", get},
    Route{"PATCH", "/repos/:owner/:name/issues/:number", change},
    Route{"GET", "/repos/:owner/:name/issues/:number/comments", comments},
    Route{"POST", "/repos/:owner/:name/issues/:number/comments", add_comment},
};

}  // namespace

std::span<const Route> issue_routes() { return kIssueRoutes; }

}  // namespace pawl::practice
