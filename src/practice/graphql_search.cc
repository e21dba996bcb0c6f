// GraphQL: search for issues and pull requests, as far as `gh pr status` and a bot's own query go: words of the form
// key:value are understood, all others are looked for in the title and the text.
#include <algorithm>

#include "base/text.h"
#include "practice/graphql_types.h"

namespace pawl::practice {
namespace {

using Got = Result<Value>;

bool has_review_request(const Item& item, std::string_view who) {
  return item.pull && std::any_of(item.pull->review_requests.begin(), item.pull->review_requests.end(),
                                  [&](const std::string& one) { return lower(one) == lower(who); });
}

bool has_label(const Item& item, std::string_view name) {
  return std::any_of(item.labels.begin(), item.labels.end(),
                     [&](const Label& one) { return lower(one.name) == lower(name); });
}

bool is_now(const Item& item, std::string_view state) {
  if (state == "pr" || state == "issue") return item.pull.has_value() == (state == "pr");
  if (state == "open" || state == "closed") return item.open == (state == "open");
  if (state == "merged") return item.pull && item.pull->merged_ms != 0;
  if (state == "draft") return item.pull && item.pull->draft;
  return true;
}

bool fits(const Asking& asking, const Repository& repository, const Item& item, std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos)
    return lower(item.title).find(lower(word)) != std::string::npos ||
           lower(item.body).find(lower(word)) != std::string::npos;
  const std::string_view key = word.substr(0, colon);
  std::string value(word.substr(colon + 1));
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
  if (value == "@me") value = asking.who.login;
  if (key == "repo") return lower(repository.full_name()) == lower(value);
  if (key == "is" || key == "state" || key == "type") return is_now(item, value);
  if (key == "author") return lower(item.author) == lower(value);
  if (key == "review-requested") return has_review_request(item, value);
  if (key == "label") return has_label(item, value);
  if (key == "head") return item.pull && item.pull->head_ref == value;
  if (key == "base") return item.pull && item.pull->base_ref == value;
  return true;
}

// Parted at blanks, but not inside quotes.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (c == ' ' && !quoted) {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  std::erase_if(words, [](const std::string& word) { return word.empty(); });
  return words;
}

Got search(Asking& asking, const Thing&, const Json& arguments) {
  const auto words = words_of(string_or(arguments, "query"));
  std::vector<Value> found;
  for (Repository& repository : asking.world.repositories) {
    asking.actions.refresh(repository);
    for (auto& [number, item] : repository.items) {
      const bool all = std::all_of(words.begin(), words.end(), [&, &one = item](const std::string& word) {
        return fits(asking, repository, one, word);
      });
      if (all) found.emplace_back(item_thing(repository, item));
    }
  }
  std::reverse(found.begin(), found.end());
  return page_of("SearchResultItemConnection", std::move(found), arguments);
}

}  // namespace

void add_search(Types& types) {
  types.abstract("SearchResultItem", {"Issue", "PullRequest"}, {});
  types.connection("SearchResultItem", "SearchResultItem");
  // This connection alone counts under other names.
  Type& connection = types.all.at("SearchResultItemConnection");
  connection.fields["issueCount"] = connection.fields["totalCount"];
  connection.fields.erase("totalCount");
  types.of("Query").field("search", "SearchResultItemConnection", search);
}

}  // namespace pawl::practice
