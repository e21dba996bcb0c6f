#include "integrations/github/known_comments.h"

#include <algorithm>
#include <unordered_map>

#include "base/text.h"
#include "integrations/github/objects.h"
#include "integrations/github/read_json.h"

namespace pawl::github {
namespace {

// So many pages of changes are kept before they are made into one listing again.
constexpr std::size_t kMostChanges = 64;

std::string newest(const std::vector<Comment>& comments) {
  std::string time;
  for (const Comment& one : comments) time = std::max(time, one.updated_at);
  return time;
}

}  // namespace

void merge_comments(std::vector<Comment>& comments) {
  std::unordered_map<std::uint64_t, std::size_t> places;
  places.reserve(comments.size());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < comments.size(); ++i) {
    const auto [place, fresh] = places.try_emplace(comments[i].id, kept);
    if (fresh) ++kept;
    if (place->second != i) comments[place->second] = std::move(comments[i]);
  }
  comments.resize(kept);
}

std::string KnownComments::page_name(const std::string& path, std::size_t number) const {
  return cat("known:", path, "#", number);
}

Result<std::vector<Comment>> KnownComments::comments(const std::string& path, std::int64_t count) {
  if (memory_ != nullptr) {
    PAWL_ASSIGN(auto known, what_is_new(path, count));
    if (known) return std::move(*known);
  }
  return all_anew(path);
}

Result<std::vector<Comment>> KnownComments::all_anew(const std::string& path) {
  PAWL_ASSIGN(auto pages, client_.pages(path, Client::Remember::nothing));
  std::vector<Comment> comments;
  for (const std::string& page : pages) PAWL_TRY(read_comments(page, comments));
  merge_comments(comments);
  if (memory_ == nullptr) return comments;
  // The head says how many pages there are, of how many the listing is, and until when they tell.
  const std::string head = page_name(path, 0);
  memory_->forget(head);
  for (std::size_t i = 0; i < pages.size(); ++i) memory_->keep(page_name(path, i + 1), {"-", "", std::move(pages[i])});
  if (!comments.empty()) memory_->keep(head, {"-", newest(comments), cat(pages.size(), " ", pages.size())});
  return comments;
}

Result<std::optional<std::vector<Comment>>> KnownComments::what_is_new(const std::string& path, std::int64_t count) {
  using None = std::optional<std::vector<Comment>>;
  const auto head = memory_->find(page_name(path, 0));
  if (!head) return None();
  const auto numbers = split(head->body, ' ');
  const auto pages = numbers.size() == 2 ? parse_positive(numbers[0]) : std::nullopt;
  const auto listed = numbers.size() == 2 ? parse_positive(numbers[1]) : std::nullopt;
  if (!pages || !listed || static_cast<std::size_t>(*pages - *listed) >= kMostChanges) return None();
  std::vector<Comment> comments;
  for (std::int64_t i = 1; i <= *pages; ++i) {
    auto page = memory_->find(page_name(path, static_cast<std::size_t>(i)));
    if (!page || !read_comments(std::move(page->body), comments)) return None();
  }
  merge_comments(comments);
  const std::string since = cat(path, "?since=", encoded(head->link));
  PAWL_ASSIGN(auto changes, client_.pages(since, Client::Remember::nothing));
  std::unordered_map<std::uint64_t, const Comment*> by_id;
  by_id.reserve(comments.size());
  for (const Comment& one : comments) by_id.emplace(one.id, &one);
  bool news = false;
  std::vector<Comment> fresh;
  for (const std::string& page : changes) PAWL_TRY(read_comments(page, fresh));
  for (const Comment& one : fresh) {
    // The last second's come again and say nothing new.
    const auto known = by_id.find(one.id);
    news =
        news || known == by_id.end() || known->second->updated_at != one.updated_at || known->second->body != one.body;
  }
  if (news) comments.insert(comments.end(), fresh.begin(), fresh.end());
  merge_comments(comments);
  if (static_cast<std::int64_t>(comments.size()) != count) return None();
  if (news && changes.size() > 1) return None();  // much at once: make it one listing again
  if (news) {
    memory_->keep(page_name(path, static_cast<std::size_t>(*pages) + 1), {"-", "", std::move(changes.front())});
    memory_->keep(page_name(path, 0), {"-", newest(comments), cat(*pages + 1, " ", *listed)});
  }
  return None(std::move(comments));
}

}  // namespace pawl::github
