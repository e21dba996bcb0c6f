// Routes below /repos/OWNER/NAME/pulls.
#include <array>

#include "base/json.h"
#include "base/text.h"
#include "practice/refusal.h"
#include "practice/rest.h"

namespace pawl::practice {
namespace {

std::int64_t integer_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

NewReviewComment comment_in(const Json& one) {
  NewReviewComment wanted;
  wanted.body = string_or(one, "body");
  wanted.place.path = string_or(one, "path");
  wanted.place.line = integer_in(one, "line");
  wanted.place.side = string_or(one, "side", "RIGHT");
  wanted.place.start_line = integer_in(one, "start_line");
  wanted.place.start_side = string_or(one, "start_side");
  return wanted;
}

Result<Told> list(Call& call) {
  const std::string state = call.http.parameter("state", "open"), head = call.http.parameter("head"),
                    base = call.http.parameter("base");
  const bool oldest_first = call.http.parameter("direction") == "asc";
  Json out = Json::array();
  for (auto& [number, item] : call.repository->items) {
    if (!item.pull || (state != "all" && (state == "open") != item.open)) continue;
    if (!head.empty() && lower(head) != lower(cat(item.pull->head_owner, ":", item.pull->head_ref))) continue;
    if (!base.empty() && base != item.pull->base_ref) continue;
    PAWL_ASSIGN(Json shown, call.show.pull(*call.repository, item, false));
    out.insert(oldest_first ? out.end() : out.begin(), std::move(shown));
  }
  return Told{std::move(out), 200, true};
}

Result<Told> get(Call& call) {
  PAWL_ASSIGN(Item* const item, call.pull());
  if (call.http.accept.find(".diff") != std::string::npos) {
    PAWL_ASSIGN(const PullView* const seen, call.actions.view(*call.repository, *item));
    Told told{seen->diff};
    told.is_text = true;
    return told;
  }
  PAWL_ASSIGN(Json shown, call.show.pull(*call.repository, *item, true));
  return Told{std::move(shown)};
}

Result<Told> create(Call& call) {
  if (!call.body.is_object()) return bad_request("Body should be a JSON object");
  const NewPull wanted{call.text("title"),          call.text("body"),
                       call.text("head"),           call.text("base"),
                       bool_or(call.body, "draft"), bool_or(call.body, "maintainer_can_modify", true)};
  PAWL_ASSIGN(Item* const made, call.actions.create_pull(*call.repository, call.who.login, wanted));
  PAWL_ASSIGN(Json shown, call.show.pull(*call.repository, *made, true));
  return Told{std::move(shown), 201};
}

Result<Told> change(Call& call) {
  PAWL_ASSIGN(Item* const item, call.pull());
  PAWL_TRY(check_length("PullRequest", call.text("body")));
  const std::string state = call.text("state"), base = call.text("base");
  if (state == "open" && item->pull->merged_ms != 0) {
    return invalid("PullRequest", "state", "custom", "state cannot be changed. The pull request was merged.");
  }
  if (!state.empty() && state != "open" && state != "closed") return invalid("PullRequest", "state", "invalid");
  if (!base.empty() && !call.repository->git.branches().contains(base))
    return invalid("PullRequest", "base", "invalid");
  if (!base.empty()) item->pull->base_ref = base;
  if (call.body.contains("title")) item->title = call.text("title");
  if (call.body.contains("body")) item->body = call.text("body");
  call.actions.touch(*item);
  if (!state.empty()) call.actions.set_open(*item, state == "open", call.who.login);
  call.actions.refresh(*call.repository);
  return get(call);
}

Result<Told> files(Call& call) {
  PAWL_ASSIGN(Item* const item, call.pull());
  PAWL_ASSIGN(const PullView* const seen, call.actions.view(*call.repository, *item));
  Json out = Json::array();
  for (const ChangedFile& file : seen->files) out.push_back(call.show.file(*call.repository, *item, file));
  return Told{std::move(out), 200, true};
}

Result<Told> commits(Call& call) {
  PAWL_ASSIGN(Item* const item, call.pull());
  PAWL_ASSIGN(const PullView* const seen, call.actions.view(*call.repository, *item));
  Json out = Json::array();
  for (const Commit& commit : seen->commits) out.push_back(call.show.commit(*call.repository, commit));
  return Told{std::move(out), 200, true};
}

Result<Told> comments(Call& call) {
  PAWL_ASSIGN(Item* const item, call.pull());
  const std::string since = call.http.parameter("since");
  Json out = Json::array();
  for (const ReviewComment& one : item->pull->comments) {
    if (since.empty() && !call.asks_for(out.size())) {
      out.emplace_back();
      continue;
    }
    Json shown = call.show.review_comment(*call.repository, *item, one);
    if (since.empty() || shown["updated_at"].get<std::string>() >= since) out.push_back(std::move(shown));
  }
  return Told{std::move(out), 200, true};
}

Result<Told> reviews(Call& call) {
  PAWL_ASSIGN(Item* const item, call.pull());
  Json out = Json::array();
  for (const Review& one : item->pull->reviews) out.push_back(call.show.review(*call.repository, *item, one));
  return Told{std::move(out), 200, true};
}

// The text of a review; only whoever wrote it may change it.
Result<Told> change_review(Call& call) {
  PAWL_ASSIGN(Item* const item, call.pull());
  for (Review& one : item->pull->reviews) {
    if (std::to_string(one.id) != call.parts[1]) continue;
    if (lower(one.author) != lower(call.who.login)) return forbidden("Must be the author of the review");
    PAWL_TRY(check_length("PullRequestReview", call.text("body")));
    one.body = call.text("body");
    one.updated_ms = call.world.now_ms();
    return Told{call.show.review(*call.repository, *item, one)};
  }
  return not_found();
}

Result<Told> reply_to(Call& call, Item& item, std::int64_t to) {
  PAWL_ASSIGN(const ReviewComment* const made, call.actions.reply(item, to, call.who.login, call.text("body")));
  return Told{call.show.review_comment(*call.repository, item, *made), 201};
}

Result<Told> add_comment(Call& call) {
  PAWL_ASSIGN(Item* const item, call.pull());
  if (!call.body.is_object()) return bad_request("Body should be a JSON object");
  if (const std::int64_t to = integer_in(call.body, "in_reply_to"); to != 0) return reply_to(call, *item, to);
  NewReviewComment wanted = comment_in(call.body);
  if (wanted.place.line == 0 && call.text("subject_type") != "file") {
    return invalid("PullRequestReviewComment", "line", "missing_field", "line is missing");
  }
  if (call.text("commit_id").empty()) {
    return invalid("PullRequestReviewComment", "commit_id", "missing_field", "commit_id is missing");
  }
  PAWL_TRY(call.actions.add_review(*call.repository, *item, call.who.login, "COMMENT", "", call.text("commit_id"),
                                   {std::move(wanted)}));
  return Told{call.show.review_comment(*call.repository, *item, item->pull->comments.back()), 201};
}

Result<Told> add_reply(Call& call) {
  PAWL_ASSIGN(Item* const item, call.pull());
  return reply_to(call, *item, call.number(1));
}

// Of a refused review GitHub lists plain sentences, where it lists fields elsewhere.
Error in_sentences(Error error) {
  if (error.code != ErrorCode::invalid_argument) return error;
  const auto errors = parse_json(error.hint);
  const std::string sentence =
      errors && errors->is_array() ? string_or(errors->front(), "message", error.message) : error.message;
  return {error.code, "Unprocessable Entity", to_line(Json::array({sentence}))};
}

Result<Told> add_review(Call& call) {
  PAWL_ASSIGN(Item* const item, call.pull());
  if (!call.body.is_object()) return bad_request("Body should be a JSON object");
  std::vector<NewReviewComment> wanted;
  if (const auto found = call.body.find("comments"); found != call.body.end() && found->is_array()) {
    for (const Json& one : *found) {
      wanted.push_back(comment_in(one.is_object() ? one : Json::object()));
      if (wanted.back().place.line == 0) {
        return tl::unexpected(
            in_sentences(invalid("PullRequestReviewComment", "line", "missing_field", "line is missing").value()));
      }
    }
  }
  const auto made = call.actions.add_review(*call.repository, *item, call.who.login, call.text("event"),
                                            call.text("body"), call.text("commit_id"), wanted);
  if (!made) return tl::unexpected(in_sentences(made.error()));
  return Told{call.show.review(*call.repository, *item, **made)};
}

Result<Told> merge(Call& call) {
  PAWL_ASSIGN(Item* const item, call.pull());
  PAWL_ASSIGN(const std::string sha,
              call.actions.merge(*call.repository, *item, call.who.login, call.text("sha"), call.text("merge_method"),
                                 call.text("commit_title"), call.text("commit_message")));
  return Told{{{"sha", sha}, {"merged", true}, {"message", "Pull Request successfully merged"}}};
}

Result<Told> is_merged(Call& call) {
  PAWL_ASSIGN(Item* const item, call.pull());
  if (item->pull->merged_ms == 0) return not_found();
  return Told{Json(), 204};
}

struct Found {
  Item* item = nullptr;
  ReviewComment* comment = nullptr;
};

Result<Found> comment_named(Call& call) {
  for (auto& [number, item] : call.repository->items) {
    if (ReviewComment* const found = find_review_comment(item, call.number(0)); found != nullptr) {
      return Found{&item, found};
    }
  }
  return not_found();
}

Result<Told> get_comment(Call& call) {
  PAWL_ASSIGN(const Found found, comment_named(call));
  return Told{call.show.review_comment(*call.repository, *found.item, *found.comment)};
}

Result<Told> change_comment(Call& call) {
  PAWL_ASSIGN(const Found found, comment_named(call));
  PAWL_TRY(check_length("PullRequestReviewComment", call.text("body")));
  if (call.text("body").empty()) return invalid("PullRequestReviewComment", "body", "missing_field");
  found.comment->body = call.text("body");
  found.comment->updated_ms = call.world.now_ms();
  return get_comment(call);
}

Result<Told> remove_comment(Call& call) {
  PAWL_ASSIGN(const Found found, comment_named(call));
  Pull& pull = *found.item->pull;
  const std::int64_t id = found.comment->id, thread = found.comment->thread;
  std::erase_if(pull.comments, [&](const ReviewComment& one) { return one.id == id; });
  bool left = false;
  for (const ReviewComment& one : pull.comments) left = left || one.thread == thread;
  if (!left) std::erase_if(pull.threads, [&](const Thread& one) { return one.id == thread; });
  return Told{Json(), 204};
}

constexpr std::array kPullRoutes = {
    Route{"GET", "/repos/:owner/:name/pulls", list},
    Route{"POST", "/repos/:owner/:name/pulls", create},
    Route{"GET", "/repos/:owner/:name/pulls/comments/:id", get_comment},
    Route{"PATCH", "/repos/:owner/:name/pulls/comments/:id", change_comment},
    Route{"DELETE", "/repos/:owner/:name/pulls/comments/:id", remove_comment},
    Route{"GET", "/repos/:owner/:name/pulls/:number", get},
    Route{"PATCH", "/repos/:owner/:name/pulls/:number", change},
    Route{"GET", "/repos/:owner/:name/pulls/:number/files", files},
    Route{"GET", "/repos/:owner/:name/pulls/:number/commits", commits},
    Route{"GET", "/repos/:owner/:name/pulls/:number/comments", comments},
    Route{"POST", "/repos/:owner/:name/pulls/:number/comments", add_comment},
    Route{"POST", "/repos/:owner/:name/pulls/:number/comments/:id/replies", add_reply},
    Route{"GET", "/repos/:owner/:name/pulls/:number/reviews", reviews},
    Route{"POST", "/repos/:owner/:name/pulls/:number/reviews", add_review},
    Route{"PUT", "/repos/:owner/:name/pulls/:number/reviews/:id", change_review},
    Route{"GET", "/repos/:owner/:name/pulls/:number/merge", is_merged},
    Route{"PUT", "/repos/:owner/:name/pulls/:number/merge", merge},
};

}  // namespace

std::span<const Route> pull_routes() { return kPullRoutes; }

}  // namespace pawl::practice
