#include "verbs/world/review_sent.h"

#include <algorithm>

#include "base/text.h"
#include "lifecycle/review/outward.h"
#include "world/signing/hmac.h"

namespace pawl::review {
namespace {

std::string name_of(const std::string& pr) { return cat("review.posted:", pr); }

bool is_review_of(const Effect& effect, const std::string& pr) {
  return effect.kind == "review" && effect.record == review_id(pr);
}

Json list_in(const Json& object, const char* member) {
  const auto found = object.find(member);
  return found != object.end() && found->is_array() ? *found : Json::array();
}

Json to_json(const Post& post) {
  return {{"marker", post.marker}, {"event", post.event},   {"commit", post.commit},
          {"said", post.said},     {"result", post.result}, {"operation", post.operation}};
}

}  // namespace

std::string said_by(const Json& finding) {
  const Json seen = outward(finding);
  std::string text;
  for (const char* member : {"severity", "file", "title", "body"}) {
    const std::string value = string_or(seen, member);
    text += cat(value.size(), ":", value, "\n");
  }
  return hmac_sha256("finding", text);
}

Json said_entry(std::string_view id, const Json& finding) { return {{"id", id}, {"said", said_by(finding)}}; }

void SaidList::add(const Json& entries) {
  for (const Json& one : entries) entries_.push_back(one);
}

std::optional<Json> SaidList::take(std::string_view id, const std::string& said) {
  auto found = entries_.end();
  for (auto one = entries_.begin(); one != entries_.end(); ++one) {
    if (string_or(*one, "said") != said) continue;
    const bool named = !id.empty() && string_or(*one, "id") == id;
    if (named || found == entries_.end()) found = one;
    if (named) break;
  }
  if (found == entries_.end()) return std::nullopt;
  Json out = std::move(*found);
  entries_.erase(found);
  return out;
}

Result<std::vector<Post>> posts_to(const View& view, const std::string& pr) {
  std::vector<Post> out;
  PAWL_ASSIGN(const auto kept, view.store().kept(name_of(pr)));
  const auto known = kept ? parse_json(*kept) : Result<Json>(Json::array());
  if (!known || !known->is_array())
    return fail(ErrorCode::corruption, cat("what was posted to ", printable(pr), " can not be read in pawl's store"),
                "pawl doctor looks at it");
  for (const Json& one : *known)
    out.push_back({string_or(one, "marker"), string_or(one, "event"), string_or(one, "commit"), list_in(one, "said"),
                   one.contains("result") ? one["result"] : Json(), integer_or(one, "operation")});
  // Those that arrived when nobody was there to write them down.
  PAWL_ASSIGN(const auto effects, view.store().effects_in(EffectState::done));
  for (const Effect& effect : effects) {
    const auto is_same = [&](const Post& post) { return post.marker == effect.marker; };
    if (!is_review_of(effect, pr) || std::any_of(out.begin(), out.end(), is_same)) continue;
    out.push_back({effect.marker, string_or(effect.request, "event"), string_or(effect.request, "commit"),
                   list_in(effect.request, "said"), effect.result, effect.operation});
  }
  return out;
}

Result<std::pair<std::string, std::string>> posts_kept(const View& view, const std::string& pr) {
  PAWL_ASSIGN(const auto posts, posts_to(view, pr));
  Json list = Json::array();
  for (const Post& post : posts) list.push_back(to_json(post));
  return std::pair(name_of(pr), list.empty() ? std::string() : to_line(list));
}

Result<std::vector<Effect>> under_way(const View& view, const std::string& pr) {
  PAWL_ASSIGN(auto effects, view.store().effects_in(EffectState::intended));
  std::erase_if(effects, [&](const Effect& one) { return !is_review_of(one, pr); });
  return effects;
}

}  // namespace pawl::review
