#include "lifecycles/pr/open_list.h"

#include <algorithm>

#include "base/text.h"
#include "lifecycles/pr/block.h"

namespace pawl::pr {
namespace {

constexpr std::size_t kMostListed = 300;
constexpr std::size_t kRoomForTexts = 20'000;  // characters of the comment, of which GitHub takes 65,536
constexpr std::size_t kMostOfASentence = 200;
constexpr std::string_view kByHand = "manual";  // the origin of what only a review that was asked for has found

Json entry(const Finding& one, bool with_text) {
  Json out = {{"id", one.id}, {"score", integer_or(one.data, "score")}};
  if (one.status != kPending) out["status"] = one.status;
  if (one.after != 0) out["after"] = std::to_string(one.after);
  if (string_or(one.data, "origin") == kByHand) out["origin"] = kByHand;
  if (!with_text) return out;
  out["path"] = one.path();
  out["line"] = one.line();
  out["finding"] = std::string(first_characters(string_or(one.data, "finding"), kMostOfASentence));
  if (one.data.contains("code")) out["code"] = string_or(one.data, "code");
  return out;
}

}  // namespace

Json as_listed(const Finding& finding) { return entry(finding, true); }

Json open_list(std::vector<const Finding*> blocking) {
  std::stable_sort(blocking.begin(), blocking.end(), [](const Finding* a, const Finding* b) {
    return integer_or(a->data, "score") > integer_or(b->data, "score");
  });
  Json list = Json::array();
  std::size_t used = 0;
  for (const Finding* one : blocking) {
    if (list.size() == kMostListed) break;
    Json whole = entry(*one, true);
    const std::size_t takes = to_pretty(whole).size();
    const bool fits = used + takes <= kRoomForTexts;
    if (fits) used += takes;
    list.push_back(fits ? std::move(whole) : entry(*one, false));
  }
  return list;
}

std::vector<Json> listed_in(const Json& trigger) {
  std::vector<Json> out;
  const auto list = trigger.find(std::string(kOpenList));
  if (list == trigger.end() || !list->is_array()) return out;
  for (const Json& one : *list) {
    if (one.is_object() && !string_or(one, "id").empty()) out.push_back(one);
  }
  return out;
}

std::optional<Json> without_listed(const Json& trigger, const std::set<std::string>& ids) {
  const std::vector<Json> before = listed_in(trigger);
  Json after = Json::array();
  for (const Json& one : before) {
    if (!ids.contains(string_or(one, "id"))) after.push_back(one);
  }
  if (after.size() == before.size()) return std::nullopt;
  Json out = trigger;
  out[std::string(kOpenList)] = std::move(after);
  return out;
}

Finding lost_finding(const Json& listed) {
  Finding one;
  one.id = string_or(listed, "id");
  one.data = listed;
  if (string_or(listed, "origin") != kByHand) one.data["origin"] = "auto";
  one.after = id_in(listed, "after");
  const std::string status = string_or(listed, "status");
  one.status = finding_machine().status(status) != nullptr ? status : std::string(kPending);
  return one;
}

Finding lost_finding(const Record& known) {
  Finding one = lost_finding(known.doc.json());
  one.id = known.id.key;
  one.status = known.status;
  one.outcome = string_or(known.doc, "outcome");
  one.updated_ms = parse_iso_time(string_or(known.doc, "updatedAt")).value_or(0);
  one.disputes = integer_or(known.doc, "disputes");
  return one;
}

}  // namespace pawl::pr
