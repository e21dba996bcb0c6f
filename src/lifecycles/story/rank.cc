#include "lifecycles/story/rank.h"

#include <algorithm>

#include "base/text.h"
#include "lifecycles/story/story.h"

namespace pawl::story {
namespace {

constexpr std::size_t kPriorityDigits = 13, kTimeDigits = 13;
constexpr std::int64_t kPriorityZero = 1'000'000'000'000;  // negative ones sort before it

std::string digits(std::int64_t number, std::size_t width) {
  const std::string text = std::to_string(number < 0 ? 0 : number);
  return text.size() >= width ? text : std::string(width - text.size(), '0') + text;
}

constexpr std::string_view kNotPicked = "y", kEnded = "z";

std::int64_t time_in(std::string_view rank) {
  if (rank.size() < 2 + kPriorityDigits) return 0;
  std::string_view digits = rank.substr(2 + kPriorityDigits);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return parse_positive(digits).value_or(0);
}

std::string prefix(char state, Tier tier) { return {state, static_cast<char>(tier)}; }

}  // namespace

Tier tier_of(const Record& record) {
  if (record.held || !record.present()) return Tier::none;
  if (record.status == kPending) return Tier::pending;
  if (record.status == kCommitted) return Tier::committed;
  if (record.status != kPushed) return Tier::none;
  return string_or(record.doc, "lastActivityBy") == "reviewer" ? Tier::reviewer : Tier::waiting;
}

std::string_view status_of(Tier tier) {
  switch (tier) {
    case Tier::reviewer:
    case Tier::waiting:
      return kPushed;
    case Tier::committed:
      return kCommitted;
    case Tier::pending:
      return kPending;
    case Tier::none:
      break;
  }
  return {};
}

std::string_view name_of(Tier tier) {
  switch (tier) {
    case Tier::reviewer:
      return "urgent";
    case Tier::waiting:
      return "high";
    case Tier::committed:
      return "medium";
    case Tier::pending:
      return "normal";
    case Tier::none:
      break;
  }
  return "skip";
}

std::string_view why(Tier tier) {
  switch (tier) {
    case Tier::reviewer:
      return "a reviewer waits for an answer";
    case Tier::waiting:
      return "its pull request may have been approved or commented on";
    case Tier::committed:
      return "it is committed and ready to be pushed";
    case Tier::pending:
      return "it is to be implemented";
    case Tier::none:
      break;
  }
  return "nothing is to be done";
}

std::array<Tier, 4> order(const Settings& settings) {
  if (settings.text("story.order") == "new-work-before-waiting")
    return {Tier::reviewer, Tier::committed, Tier::pending, Tier::waiting};
  return {Tier::reviewer, Tier::waiting, Tier::committed, Tier::pending};
}

std::string rank(const Record& record) {
  const Tier tier = tier_of(record);
  if (record.held) return std::string(kNotPicked);
  if (tier == Tier::none) return std::string(kEnded);
  const Own own = own_of(record.doc);
  if (own.stuck_for != Stuck::no) return std::string(kNotPicked);
  const std::int64_t due = due_of(record);
  return cat(prefix(due > 0 ? 'd' : 'r', tier), digits(priority_of(record.doc) + kPriorityZero, kPriorityDigits),
             digits(due > 0 ? due : own.looked_ms, kTimeDigits));
}

std::optional<Tier> tier_in(std::string_view rank) {
  if (rank.size() < 2 || (rank[0] != 'r' && rank[0] != 'd')) return std::nullopt;
  return static_cast<Tier>(rank[1]);
}

std::int64_t due_in(std::string_view rank) {
  return rank.starts_with('d') ? std::max<std::int64_t>(time_in(rank), 1) : 0;
}

std::int64_t looked_in(std::string_view rank) { return rank.starts_with('r') ? time_in(rank) : 0; }

std::string picked_as(std::string_view rank, const std::array<Tier, 4>& tiers) {
  const auto tier = tier_in(rank);
  if (!tier) return std::string(rank);
  std::string out(rank);
  out[0] = 'r';
  out[1] = static_cast<char>('a' + (std::find(tiers.begin(), tiers.end(), *tier) - tiers.begin()));
  if (rank[0] == 'd') out.resize(2 + kPriorityDigits);  // when it was due says nothing of whom it stands with
  return out;
}

std::string without_time(std::string_view rank) { return std::string(rank.substr(0, 2 + kPriorityDigits)); }

RankRange ready(Tier tier) { return {prefix('r', tier), prefix('r', static_cast<Tier>(static_cast<char>(tier) + 1))}; }

RankRange later(Tier tier) { return {prefix('d', tier), prefix('d', static_cast<Tier>(static_cast<char>(tier) + 1))}; }

RankRange not_picked() { return {std::string(kNotPicked), std::string(kEnded)}; }

std::string behind_priority(const std::string& rank) {
  std::string behind = rank.substr(0, 2 + kPriorityDigits);
  return behind + ':';  // greater than every digit
}

}  // namespace pawl::story
