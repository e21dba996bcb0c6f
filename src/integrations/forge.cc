#include "integrations/forge.h"

#include <algorithm>

#include "base/letters.h"

namespace pawl {
std::string_view word_of(MergeState state) {
  switch (state) {
    case MergeState::clean:
      return "clean";
    case MergeState::unstable:
      return "unstable";
    case MergeState::behind:
      return "behind";
    case MergeState::blocked:
      return "blocked";
    case MergeState::dirty:
      return "dirty";
    case MergeState::draft:
      return "draft";
    case MergeState::has_hooks:
      return "has_hooks";
    case MergeState::unknown:
      break;
  }
  return "unknown";
}

std::string_view word_of(ReviewDecision decision) {
  switch (decision) {
    case ReviewDecision::approved:
      return "approved";
    case ReviewDecision::changes_requested:
      return "changes_requested";
    case ReviewDecision::review_required:
      return "review_required";
    case ReviewDecision::none:
      break;
  }
  return "none";
}

bool same_login(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return ascii_lower(x) == ascii_lower(y); });
}

bool same_account(std::string_view a, std::string_view b) {
  const auto bare = [](std::string_view login) {
    constexpr std::string_view kBot = "[bot]";
    return login.ends_with(kBot) ? login.substr(0, login.size() - kBot.size()) : login;
  };
  return !bare(a).empty() && same_login(bare(a), bare(b));
}

std::string_view word_of(MergeMethod method) {
  switch (method) {
    case MergeMethod::squash:
      return "squash";
    case MergeMethod::rebase:
      return "rebase";
    case MergeMethod::merge:
      break;
  }
  return "merge";
}

std::optional<MergeMethod> merge_method(std::string_view word) {
  for (const MergeMethod method : {MergeMethod::merge, MergeMethod::squash, MergeMethod::rebase}) {
    if (word_of(method) == word) return method;
  }
  return std::nullopt;
}

}  // namespace pawl
