#include "runners/pr/posts.h"

#include <utility>

#include "base/text.h"
#include "lifecycles/pr/mention.h"

namespace pawl {
namespace {

// By the bot, with the marker behind all else, where only the bot puts it: anybody can write a marker, and make an
// agent write one into its answer.
template <class Element>
std::optional<Json> ours(const std::vector<Element>& all, const std::string& marker, const std::string& bot) {
  const std::string mark = marked("", marker);
  std::optional<Json> first;
  for (const Element& one : all) {
    if (!same_login(one.author, bot) || !trim(one.body).ends_with(mark)) continue;
    if (!first || one.id < (*first)["id"].template get<std::uint64_t>())
      first = Json{{"id", one.id}, {"found", true}, {"body", one.body}};
  }
  return first;
}

}  // namespace

Result<std::optional<Json>> Posts::find(const Effect& effect) const {
  if (effect.kind == "comment") {
    PAWL_ASSIGN(const auto all, forge_.comments_since(pull_, since_));
    return ours(all, effect.marker, bot_);
  }
  if (effect.kind == "reply") {
    PAWL_ASSIGN(const auto all, forge_.review_comments_since(pull_, since_));
    return ours(all, effect.marker, bot_);
  }
  if (effect.kind == "review") {
    PAWL_ASSIGN(const auto all, forge_.reviews(pull_));
    return ours(all, effect.marker, bot_);
  }
  return std::optional<Json>();
}

Done Posts::take_back_if_second(const Effect& effect, Json& posted) const {
  if (!posted.is_object() || posted.contains("found") || !posted.contains("id")) return done();
  PAWL_ASSIGN(const auto first, find(effect));
  if (!first || (*first)["id"] == posted["id"]) return done();
  const auto id = posted["id"].get<std::uint64_t>();
  posted = *first;
  if (effect.kind == "comment") return forge_.remove_comment(pull_.repo, id);
  if (effect.kind == "reply") return forge_.remove_review_comment(pull_.repo, id);
  // A review itself cannot be taken back, its comments can.
  PAWL_ASSIGN(const auto all, forge_.review_comments_since(pull_, since_));
  for (const ReviewComment& one : all) {
    if (one.review == id) PAWL_TRY(forge_.remove_review_comment(pull_.repo, one.id));
  }
  return done();
}

// A post may have arrived of which only the answer was lost: before it is called failed it is looked for.
std::function<Result<Json>(const Effect&)> Posts::looking_after(const EffectHandler& known) const {
  return [this, known](const Effect& effect) -> Result<Json> {
    Result<Json> acted = known.act(effect);
    if (acted || acted.error().code != ErrorCode::unavailable) return acted;
    const auto found = effect.kind == kResolveAct ? known.find(effect) : find(effect);
    return found && *found ? Result<Json>(**found) : acted;
  };
}

EffectHandler Posts::handler_for(const Effect& effect, bool act) const {
  EffectHandler handler;
  handler.find = [this](const Effect& one) { return find(one); };
  if (act) {
    const ForgeActs acts(forge_);
    if (const EffectHandler* known = acts.handler(effect)) handler.act = looking_after(*known);
  } else {
    // Surely not done: what it was for is found anew.
    handler.act = [](const Effect&) -> Result<Json> {
      return fail(ErrorCode::gate_failed, "left undone by an earlier run");
    };
  }
  return handler;
}

std::string Posts::marker_of(std::string_view kind, std::string_view identity) const {
  const std::string said = cat(pen_.scope, "\n", kind, "\n", identity);
  // With a key nobody else can tell beforehand what it will be.
  return cat("pawl-", pr::text_hash(pen_.mac ? pen_.mac(said) : said).substr(0, 24));
}

Done Posts::change_comment(std::uint64_t id, const std::string& body, std::string_view identity) {
  PAWL_TRY(forge_.update_comment(pull_.repo, id, marked(body, marker_of("comment", identity))));
  return done();
}

Result<Json> Posts::carry(Result<Effect> intent, std::string_view identity) {
  if (!intent) return tl::unexpected(intent.error());
  Effect effect = std::move(*intent);
  effect.marker = marker_of(effect.kind, identity);
  PAWL_ASSIGN(const Outcome outcome, engine_.change(request_, {}, [&](const View&, const Now&) -> Result<Decision> {
    Decision decision;
    decision.effects.push_back(effect);
    return decision;
  }));
  if (outcome.effects.empty()) return fail(ErrorCode::internal, "the intent to post was not kept");
  const EffectHandler handler = handler_for(effect, true);
  const auto is_it = [&](const Effect& one) { return one.id == outcome.effects.front() ? &handler : nullptr; };
  PAWL_ASSIGN(const auto settled, settle(engine_, is_it, Unsettled::returned));
  if (settled.empty()) return fail(ErrorCode::busy, "another process is posting the same", "try again later");
  Json posted = settled.front().result;
  // It is posted, and counts once however often it stands there.
  static_cast<void>(take_back_if_second(effect, posted));
  return posted;
}

Result<Json> Posts::comment(const RecordId& record, const std::string& body, std::string_view identity) {
  return carry(intend_comment(record, pull_, body), identity);
}

Result<Json> Posts::reply(const RecordId& record, std::uint64_t to, const std::string& body,
                          std::string_view identity) {
  return carry(intend_reply(record, pull_, to, body), identity);
}

Result<Json> Posts::review(const RecordId& record, const ReviewDraft& draft, std::string_view identity) {
  return carry(intend_review(record, pull_, draft), identity);
}

Done Posts::resolve(const RecordId& record, const std::string& thread) {
  PAWL_TRY(carry(intend_resolve(record, pull_, thread), cat("resolve ", thread)));
  return done();
}

Done Posts::close_left_over(const RecordId& record) {
  const std::string until = std::exchange(since_, "1970-01-01T00:00:00Z");  // it may have been posted long ago
  Done closed = close_effects(
      engine_, [&](const Effect& one) { return one.record == record; }, [&](const Effect& one) { return find(one); });
  since_ = until;
  return closed;
}

Done Posts::settle_left_over() {
  const std::string until = std::exchange(since_, "1970-01-01T00:00:00Z");  // it may have been posted long ago
  const EffectHandler handler = handler_for({}, false);
  const auto settled = settle(engine_, [&](const Effect& one) {
    return one.record.scope == pen_.scope && pr::machine_of(one.record.kind) != nullptr ? &handler : nullptr;
  });
  since_ = until;
  // That they were given up is not an error of this run.
  if (!settled && settled.error().code != ErrorCode::gate_failed) return tl::unexpected(settled.error());
  return done();
}

}  // namespace pawl
