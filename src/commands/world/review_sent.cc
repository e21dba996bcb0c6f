#include "commands/world/review_sent.h"

#include <algorithm>

#include "base/text.h"
#include "integrations/signing/hmac.h"
#include "lifecycles/review/follow.h"
#include "lifecycles/review/outward.h"

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

// "<!-- pawl-said 3f… 9a… -->": the first digits of each.
constexpr std::string_view kSaidMark = "<!-- pawl-said", kMarkEnd = " -->", kMarker = "<!-- pawl-";
constexpr std::size_t kSaidDigits = 32;

bool is_name(const std::string& said, const std::string& name) {
  return said == name || (said.size() == kSaidDigits && name.starts_with(said));
}

// The mark that a review ends with, before its marker: what stands in its text besides is somebody's words.
std::optional<Post> post_in(const Review& review) {
  const std::string_view body = trim(review.body);
  const std::size_t mark = body.rfind(kSaidMark), marker = body.rfind(kMarker);
  if (mark == std::string_view::npos || marker <= mark) return std::nullopt;
  const std::size_t end = body.find(kMarkEnd, mark);
  if (end == std::string_view::npos || end > marker) return std::nullopt;
  const std::size_t behind = end + kMarkEnd.size();
  if (!trim(body.substr(behind, marker - behind)).empty()) return std::nullopt;
  if (body.find(kMarkEnd, marker) + kMarkEnd.size() != body.size()) return std::nullopt;
  Post out;
  out.marker = body.substr(marker + 5, body.find(kMarkEnd, marker) - marker - 5);
  out.event = review.state == "APPROVED"            ? "APPROVE"
              : review.state == "CHANGES_REQUESTED" ? "REQUEST_CHANGES"
              : review.state == "COMMENTED"         ? "COMMENT"
                                                    : review.state;
  out.commit = review.commit;
  out.result = {{"id", review.id}};
  const std::size_t from = mark + kSaidMark.size();
  for (const std::string_view said : split(body.substr(from, end - from), ' ')) {
    if (said.size() == kSaidDigits) out.said.push_back({{"id", ""}, {"said", said}});
  }
  return out;
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

std::vector<std::string> names_of(const Json& finding) {
  std::vector<std::string> out = {said_by(finding)};
  const Json before = list_in(finding, kWasAt);
  for (const Json& file : before) {
    Json then = finding;
    then["file"] = file;
    out.push_back(said_by(then));
  }
  return out;
}

Json said_entry(std::string_view id, const Json& finding) { return {{"id", id}, {"said", said_by(finding)}}; }

void SaidList::add(const Json& entries) {
  for (const Json& one : entries) entries_.push_back(one);
}

std::optional<Json> SaidList::take(std::string_view id, const std::vector<std::string>& names) {
  auto found = entries_.end();
  for (auto one = entries_.begin(); one != entries_.end(); ++one) {
    const std::string said = string_or(*one, "said");
    if (std::none_of(names.begin(), names.end(), [&](const auto& name) { return is_name(said, name); })) continue;
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
    return fail(ErrorCode::corruption, cat("what was posted to ", printable(pr), " cannot be read in pawl's store"),
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

std::string said_mark(std::span<const Json> findings) {
  std::string out(kSaidMark);
  for (const Json& finding : findings) out += cat(" ", said_by(finding).substr(0, kSaidDigits));
  return cat(out, kMarkEnd);
}

std::vector<Post> with_those_from_elsewhere(std::vector<Post> ours, const std::vector<Review>& there,
                                            std::string_view me) {
  std::vector<Post> seen;
  for (const Review& review : there) {
    auto post = same_account(review.author, me) ? post_in(review) : std::nullopt;
    if (!post) continue;
    const auto known =
        std::find_if(ours.begin(), ours.end(), [&](const Post& one) { return one.marker == post->marker; });
    if (known != ours.end()) {
      *post = std::move(*known);
      ours.erase(known);
    }
    seen.push_back(std::move(*post));
  }
  ours.insert(ours.end(), std::make_move_iterator(seen.begin()), std::make_move_iterator(seen.end()));
  return ours;
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
