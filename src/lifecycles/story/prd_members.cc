#include "lifecycles/story/prd_members.h"

#include <algorithm>
#include <map>
#include <vector>

#include "base/json_edit.h"
#include "base/json_same.h"
#include "base/text.h"
#include "core/held_word.h"
#include "lifecycles/story/prd_text.h"
#include "lifecycles/story/story.h"

namespace pawl::story {
namespace {

constexpr std::string_view kCriteriaMember = "acceptanceCriteria";

bool is_the_list(std::string_view name) { return name == "stories" || name == "userStories"; }

// What is emptied is as good as gone.
bool says_nothing(const JsonRef& value) {
  return value.kind() == JsonKind::null || (value.is_container() && value.empty()) || value.raw() == "\"\"";
}
bool says_nothing(const Json& value) {
  return value.is_null() || value == "" || (value.is_structured() && value.empty());
}

std::optional<JsonRef> story_in(const JsonRef& root, std::string_view key) {
  const auto list = list_in(root);
  if (!list) return std::nullopt;
  const std::vector<Named> names = names_of(*list);
  std::size_t at = 0;
  std::optional<JsonRef> respelled;
  for (const JsonRef story : list->elements()) {
    const Named& named = names[at++];
    if (named.key == key) return story.is_object() ? std::optional(story) : std::nullopt;
    if (named.number && !respelled && same_number(named.key, key)) respelled = story;
  }
  return respelled;
}

// `text` in the place of the object's member, where that says the same in other words.
void respell(std::string& bytes, const Json& one) {
  const auto text = JsonText::scan(bytes);
  const std::string spelled = string_or(one, "text"), name = string_or(one, "name");
  const auto wanted = JsonText::scan(spelled);
  if (!text || !wanted) return;
  const auto object =
      one.contains("of") ? story_in(text->root(), string_or(one, "of")) : std::optional<JsonRef>(text->root());
  const auto value = object ? object->find(name) : std::nullopt;
  if (!value || value->raw() == spelled || !same_value(*value, wanted->root().value())) return;
  bytes.replace(value->begin(), value->end() - value->begin(), spelled);
}

struct Spelling {
  std::size_t begin, end;  // of what is written now
  std::string_view text;
};

// What says the same at the same place of both, and is written otherwise.
void spelled_otherwise(const JsonRef& now, const JsonRef& then, std::vector<Spelling>& out) {
  if (now.kind() != then.kind()) return;
  if (now.is_object()) {
    std::map<std::string, JsonRef> was;
    for (const auto& [key, value] : then.members()) was.insert_or_assign(key.string(), value);
    for (const auto& [key, value] : now.members()) {
      if (const auto found = was.find(key.string()); found != was.end()) spelled_otherwise(value, found->second, out);
    }
  } else if (now.is_array()) {
    auto was = then.elements().begin();
    for (const JsonRef one : now.elements()) {
      if (was == then.elements().end()) return;
      spelled_otherwise(one, *was, out);
      ++was;
    }
  } else if (now.raw() != then.raw() && same_value(now, then.value())) {
    out.push_back({now.begin(), now.end(), then.raw()});
  }
}

}  // namespace

std::string as_spelled_before(std::string bytes, std::string_view before, const std::set<std::string_view>& others) {
  const auto text = JsonText::scan(bytes), then = JsonText::scan(before);
  const auto list = text ? list_in(text->root()) : std::nullopt, was = then ? list_in(then->root()) : std::nullopt;
  if (!list || !was) return bytes;
  const std::vector<Named> names = names_of(*list), then_names = names_of(*was);
  std::map<std::string_view, JsonRef> stood;
  std::size_t at = 0;
  for (const JsonRef story : was->elements()) stood.emplace(then_names[at++].key, story);
  std::vector<Spelling> spellings;
  at = 0;
  for (const JsonRef story : list->elements()) {
    const std::string& key = names[at++].key;
    const auto found = stood.find(key);
    if (found != stood.end() && !others.contains(key)) spelled_otherwise(story, found->second, spellings);
  }
  std::string out;
  std::size_t from = 0;
  for (const Spelling& one : spellings) {
    out += cat(std::string_view(bytes).substr(from, one.begin - from), one.text);
    from = one.end;
  }
  return out + bytes.substr(from);
}

Json dropped_members(std::string_view before, std::string_view now) {
  Json out = Json::array();
  const auto then = JsonText::scan(before), text = JsonText::scan(now);
  if (!then || !text || !then->root().is_object() || !text->root().is_object()) return out;
  std::string after;
  for (const auto& [key, value] : then->root().members()) {
    const std::string name = key.string();
    // The list has two names; it is not left out by having the other one.
    const bool last = then->root().find(name)->begin() == value.begin();  // of a repeated key
    const auto is = text->root().find(name);
    if (!is_the_list(name) && last && (!is || (says_nothing(*is) && !says_nothing(value)))) {
      Json one{{"name", name}, {"text", value.raw()}};
      if (!after.empty()) one["after"] = after;
      out.push_back(std::move(one));
    }
    after = name;
  }
  return out;
}

Json members_as_written(std::string_view before, const Record& was, const Record& after) {
  Json out = Json::array();
  const auto text = JsonText::scan(before);
  const auto story = text ? story_in(text->root(), was.id.key) : std::nullopt;
  if (!story) return out;
  const Json &then = was.doc, &now = after.doc;
  for (const auto& [name, value] : then.items()) {
    const auto left = now.find(name);
    if (name == kOwn || (left != now.end() && *left == value)) continue;
    const auto written = story->find(name);
    if (written && written->raw() != to_line(value)) out.push_back({{"name", name}, {"text", written->raw()}});
  }
  return out;
}

std::string with_members_back(std::string bytes, const Json& members) {
  const auto text = JsonText::scan(bytes);
  if (!text || !text->root().is_object() || !members.is_array()) return bytes;
  const Json is = text->root().value();
  Json wanted = is;
  for (const Json& one : members) {
    const std::string name = string_or(one, "name"), after = string_or(one, "after");
    const auto value = parse_json(string_or(one, "text"));
    if (one.contains("of") || !value) continue;
    if (const auto there = wanted.find(name); there != wanted.end()) {
      if (says_nothing(*there)) *there = *value;
      continue;
    }
    Json ordered = Json::object();
    const bool first = !wanted.contains(after);
    if (first) ordered[name] = *value;
    for (auto& member : wanted.items()) {
      ordered[member.key()] = std::move(member.value());
      if (!first && member.key() == after) ordered[name] = *value;
    }
    wanted = std::move(ordered);
  }
  std::string out = wanted == is ? bytes : conform(*text, text->root(), wanted);
  for (const Json& one : members) respell(out, one);
  return out;
}

std::string lost_by_edit(const Record& before, const Record& after) {
  if (!before.present() || !after.present()) return {};
  const Json &then = before.doc, &now = after.doc;
  std::string names, out;
  for (const auto& [name, value] : then.items()) {
    const auto left = now.find(name);
    if (name != kOwn && !value.is_null() && (left == now.end() || left->is_null()))
      names += cat(names.empty() ? "" : ", ", in_quotes(name));
  }
  if (!names.empty()) out = cat("without ", names, " now");
  const auto was = then.find(std::string(kCriteriaMember)), is = now.find(std::string(kCriteriaMember));
  if (was != then.end() && is != now.end() && !was->empty() && !same_value(*was, *is))
    out += cat(out.empty() ? "" : "; ", "its acceptance criteria were changed");
  return out;
}

}  // namespace pawl::story
