#include "integrations/posting.h"

#include <algorithm>
#include <map>

#include "base/text.h"

namespace pawl {
namespace {

Result<PullRef> pull_in(const Effect& effect) {
  const PullRef ref{{string_or(effect.request, "owner"), string_or(effect.request, "repo")},
                    integer_or(effect.request, "pull")};
  if (ref.repo.owner.empty() || ref.repo.name.empty() || ref.number <= 0)
    return fail(ErrorCode::corruption, cat("effect ", effect.id, " does not say which pull request it is about"));
  return ref;
}

Json request_for(const PullRef& pull) {
  return {{"owner", pull.repo.owner}, {"repo", pull.repo.name}, {"pull", pull.number}};
}

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

Done must_fit(const std::string& body) {
  constexpr std::size_t kMarker = 64;
  if (characters(body) + kMarker <= kMaxBodyCharacters) return done();
  return fail(ErrorCode::invalid_argument, cat("a text of ", characters(body),
                                               " characters is longer than GitHub takes (", kMaxBodyCharacters, ")"));
}

bool carries(std::string_view body, const Effect& effect) {
  return !effect.marker.empty() && body.find(effect.marker) != std::string_view::npos;
}

Json posted(std::uint64_t id, const std::string& url) { return {{"id", id}, {"url", url}}; }

// The first whose body carries the marker.
template <class Element>
std::optional<Json> marked_one(const std::vector<Element>& all, const Effect& effect) {
  for (const Element& one : all) {
    if (!carries(one.body, effect)) continue;
    return posted(one.id, one.url);
  }
  return std::nullopt;
}

EffectHandler comment_acts(Forge& forge) {
  return {[&forge](const Effect& effect) -> Result<Json> {
            PAWL_ASSIGN(const PullRef pull, pull_in(effect));
            PAWL_ASSIGN(const Comment made,
                        forge.create_comment(pull, marked(string_or(effect.request, "body"), effect.marker)));
            return posted(made.id, made.url);
          },
          [&forge](const Effect& effect) -> Result<std::optional<Json>> {
            PAWL_ASSIGN(const PullRef pull, pull_in(effect));
            PAWL_ASSIGN(const auto all, forge.comments(pull));
            return marked_one(all, effect);
          }};
}

EffectHandler reply_acts(Forge& forge) {
  return {[&forge](const Effect& effect) -> Result<Json> {
            PAWL_ASSIGN(const PullRef pull, pull_in(effect));
            const auto to = effect.request.find("in_reply_to");
            if (to == effect.request.end() || !to->is_number_unsigned())
              return fail(ErrorCode::corruption, cat("effect ", effect.id, " does not say what it replies to"));
            PAWL_ASSIGN(
                const ReviewComment made,
                forge.reply(pull, to->get<std::uint64_t>(), marked(string_or(effect.request, "body"), effect.marker)));
            return posted(made.id, made.url);
          },
          [&forge](const Effect& effect) -> Result<std::optional<Json>> {
            PAWL_ASSIGN(const PullRef pull, pull_in(effect));
            PAWL_ASSIGN(const auto all, forge.review_comments(pull));
            return marked_one(all, effect);
          }};
}

ReviewDraft draft_in(const Effect& effect) {
  ReviewDraft draft{string_or(effect.request, "commit"),
                    string_or(effect.request, "event"),
                    marked(string_or(effect.request, "body"), effect.marker),
                    {}};
  for (const Json& comment : effect.request.contains("comments") ? effect.request["comments"] : Json::array()) {
    draft.comments.push_back({string_or(comment, "path"), integer_or(comment, "line"),
                              string_or(comment, "side", "RIGHT"), integer_or(comment, "start_line"),
                              string_or(comment, "body")});
  }
  return draft;
}

EffectHandler review_acts(Forge& forge) {
  return {[&forge](const Effect& effect) -> Result<Json> {
            PAWL_ASSIGN(const PullRef pull, pull_in(effect));
            PAWL_ASSIGN(const Review made, forge.submit_review(pull, draft_in(effect)));
            return posted(made.id, made.url);
          },
          [&forge](const Effect& effect) -> Result<std::optional<Json>> {
            PAWL_ASSIGN(const PullRef pull, pull_in(effect));
            PAWL_ASSIGN(const auto all, forge.reviews(pull));
            return marked_one(all, effect);
          }};
}

EffectHandler draft_acts(Forge& forge) {
  const auto repo_in = [](const Effect& effect) {
    return RepoRef{string_or(effect.request, "owner"), string_or(effect.request, "repo")};
  };
  return {[&forge, repo_in](const Effect& effect) -> Result<Json> {
            const PullDraft draft{string_or(effect.request, "title"),
                                  marked(string_or(effect.request, "body"), effect.marker),
                                  string_or(effect.request, "head"), string_or(effect.request, "base")};
            PAWL_ASSIGN(const PullRequest made, forge.create_draft(repo_in(effect), draft));
            return Json{{"number", made.ref.number}, {"url", made.url}};
          },
          [&forge, repo_in](const Effect& effect) -> Result<std::optional<Json>> {
            PAWL_ASSIGN(const auto found, forge.pull_of_branch(repo_in(effect), string_or(effect.request, "head")));
            if (!found) return std::nullopt;
            PAWL_ASSIGN(const PullRequest pull, forge.pull(*found));
            if (!carries(pull.body, effect)) return std::nullopt;
            return Json{{"number", pull.ref.number}, {"url", pull.url}};
          }};
}

// These three leave a state behind and no text: the state is the marker.
EffectHandler ready_acts(Forge& forge) {
  return {[&forge](const Effect& effect) -> Result<Json> {
            PAWL_ASSIGN(const PullRef pull, pull_in(effect));
            PAWL_TRY(forge.mark_ready(pull));
            return Json{{"ready", true}};
          },
          [&forge](const Effect& effect) -> Result<std::optional<Json>> {
            PAWL_ASSIGN(const PullRef ref, pull_in(effect));
            PAWL_ASSIGN(const PullRequest pull, forge.pull(ref));
            return pull.draft ? std::nullopt : std::optional<Json>(Json{{"ready", true}});
          }};
}

EffectHandler resolve_acts(Forge& forge) {
  return {[&forge](const Effect& effect) -> Result<Json> {
            PAWL_TRY(forge.resolve(string_or(effect.request, "thread")));
            return Json{{"resolved", true}};
          },
          [&forge](const Effect& effect) -> Result<std::optional<Json>> {
            PAWL_ASSIGN(const PullRef ref, pull_in(effect));
            PAWL_ASSIGN(const auto threads, forge.threads(ref));
            for (const ReviewThread& thread : threads) {
              if (thread.node_id == string_or(effect.request, "thread") && thread.resolved)
                return Json{{"resolved", true}};
            }
            return std::nullopt;
          }};
}

EffectHandler merge_acts(Forge& forge) {
  return {[&forge](const Effect& effect) -> Result<Json> {
            PAWL_ASSIGN(const PullRef pull, pull_in(effect));
            const auto method = merge_method(string_or(effect.request, "method"));
            if (!method) return fail(ErrorCode::corruption, cat("effect ", effect.id, " does not say how to merge"));
            auto sha = forge.merge(pull, string_or(effect.request, "head"), *method);
            // The head moved: it was surely not merged, and will not be with this one.
            if (!sha && sha.error().code == ErrorCode::conflict)
              return fail(ErrorCode::illegal_move, sha.error().message, sha.error().hint);
            if (!sha) return tl::unexpected(sha.error());
            return Json{{"merged", true}, {"sha", *sha}};
          },
          [&forge](const Effect& effect) -> Result<std::optional<Json>> {
            PAWL_ASSIGN(const PullRef ref, pull_in(effect));
            PAWL_ASSIGN(const PullRequest pull, forge.pull(ref));
            if (pull.state != PullState::merged || pull.head_sha != string_or(effect.request, "head"))
              return std::nullopt;
            return Json{{"merged", true}};
          }};
}

}  // namespace

std::string marked(const std::string& body, const std::string& marker) {
  return cat(body, body.empty() ? "" : "\n\n", "<!-- ", marker, " -->");
}

Result<Effect> intend_comment(const RecordId& record, const PullRef& pull, const std::string& body) {
  PAWL_TRY(must_fit(body));
  Json request = request_for(pull);
  request["body"] = body;
  return new_effect(kCommentAct, record, std::move(request));
}

Result<Effect> intend_reply(const RecordId& record, const PullRef& pull, std::uint64_t in_reply_to,
                            const std::string& body) {
  PAWL_TRY(must_fit(body));
  Json request = request_for(pull);
  request["in_reply_to"] = in_reply_to;
  request["body"] = body;
  return new_effect(kReplyAct, record, std::move(request));
}

Result<Effect> intend_review(const RecordId& record, const PullRef& pull, const ReviewDraft& draft) {
  PAWL_TRY(must_fit(draft.body));
  Json request = request_for(pull);
  request["commit"] = draft.commit;
  request["event"] = draft.event;
  request["body"] = draft.body;
  request["comments"] = Json::array();
  for (const LineComment& comment : draft.comments) {
    PAWL_TRY(must_fit(comment.body));
    request["comments"].push_back({{"path", comment.path},
                                   {"line", comment.line},
                                   {"side", comment.side},
                                   {"start_line", comment.start_line},
                                   {"body", comment.body}});
  }
  return new_effect(kReviewAct, record, std::move(request));
}

Result<Effect> intend_draft(const RecordId& record, const RepoRef& repo, const PullDraft& draft) {
  PAWL_TRY(must_fit(draft.body));
  return new_effect(kPullAct, record,
                    {{"owner", repo.owner},
                     {"repo", repo.name},
                     {"title", draft.title},
                     {"body", draft.body},
                     {"head", draft.head},
                     {"base", draft.base}});
}

Result<Effect> intend_ready(const RecordId& record, const PullRef& pull) {
  return new_effect(kReadyAct, record, request_for(pull));
}

Result<Effect> intend_resolve(const RecordId& record, const PullRef& pull, const std::string& thread) {
  Json request = request_for(pull);
  request["thread"] = thread;
  return new_effect(kResolveAct, record, std::move(request));
}

Result<Effect> intend_merge(const RecordId& record, const PullRef& pull, const std::string& head_sha,
                            MergeMethod method) {
  Json request = request_for(pull);
  request["head"] = head_sha;
  request["method"] = word_of(method);
  return new_effect(kMergeAct, record, std::move(request));
}

ForgeActs::ForgeActs(Forge& forge)
    : handlers_{{std::string(kCommentAct), comment_acts(forge)}, {std::string(kReplyAct), reply_acts(forge)},
                {std::string(kReviewAct), review_acts(forge)},   {std::string(kPullAct), draft_acts(forge)},
                {std::string(kReadyAct), ready_acts(forge)},     {std::string(kResolveAct), resolve_acts(forge)},
                {std::string(kMergeAct), merge_acts(forge)}} {}

const EffectHandler* ForgeActs::handler(const Effect& effect) const {
  const auto found = handlers_.find(effect.kind);
  return found == handlers_.end() ? nullptr : &found->second;
}

}  // namespace pawl
