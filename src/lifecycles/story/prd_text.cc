#include "lifecycles/story/prd_text.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "base/json_edit.h"
#include "base/json_number.h"
#include "base/text.h"
#include "lifecycles/story/prd_file.h"
#include "lifecycles/story/prd_members.h"
#include "lifecycles/story/story.h"

namespace pawl::story {
namespace {

using Wanted = std::map<std::string_view, const Record*>;  // by key

// The word that a held story came with, as it stood in the file: what is no text was kept as JSON, and so is a text
// where true or false belongs.
Json held_value(const Record& record) {
  const bool passes = record.id.kind == kPasses;
  if (passes && *record.held == kPassed) return true;
  const auto value = parse_json(*record.held);
  return value && (passes || !value->is_string()) ? *value : Json(*record.held);
}

// Which member of `object` says the word of a held story, as prd_file reads it: its own, also by not being there, or
// `status` in the place of `passes`. "": none does.
std::string_view said_by(const Record& record, const Json& object) {
  const bool passes = record.id.kind == kPasses;
  const std::string_view own = passes ? "passes" : "status";
  const auto value = object.find(std::string(own)), status = object.find("status");
  if (value != object.end() && !value->is_null()) {
    const bool same = *value == *record.held || *value == held_value(record);
    return same || (passes && *value == false && *record.held == kPending) ? own : "";
  }
  if (value == object.end() && status != object.end() && !status->is_null() && *status != kPending) {
    const auto other = parse_json(*record.held);
    return *status == *record.held || (other && *status == *other) ? "status" : "";
  }
  return *record.held == kPending ? own : "";
}

// Members that the object lacks come before those that they precede in the document, which has the order of the file
// that they came from; what is new comes last.
void put_in_place(Json& object, const Json& doc) {
  for (auto member = doc.begin(); member != doc.end(); ++member) {
    if (const auto there = object.find(member.key()); there != object.end()) {
      there.value() = member.value();
      continue;
    }
    auto next = std::next(member);
    while (next != doc.end() && !object.contains(next.key())) ++next;
    if (next == doc.end()) {
      object[member.key()] = member.value();
      continue;
    }
    Json ordered = Json::object();
    for (auto one = object.begin(); one != object.end(); ++one) {
      if (one.key() == next.key()) ordered[member.key()] = member.value();
      ordered[one.key()] = std::move(one.value());
    }
    object = std::move(ordered);
  }
}

// What stands in the file for a story that is `record`.
Json object_of(const Record& record, const Json& in_file) {
  Json object = in_file.is_object() ? in_file : Json::object();
  const Json doc = shown_doc(record.doc);
  const std::string_view told_by = record.id.kind == kPasses ? "passes" : "status";
  const std::string_view stands = record.held && in_file.is_object() ? said_by(record, object) : std::string_view();
  const bool told_otherwise = !object.contains(told_by) && object.contains("status") && !doc.contains("status");
  for (auto at = object.begin(); at != object.end();) {  // what was taken out of the document
    const bool own = at.key() == told_by || at.key() == stands || at.key() == kOwn;
    at = own || doc.contains(at.key()) ? std::next(at) : object.erase(at);
  }
  put_in_place(object, doc);
  if (record.held) {  // the word that it came with stays, whatever was written over it
    if (stands.empty() && !has_id_trouble(record)) object[std::string(told_by)] = held_value(record);
    return object;
  }
  const auto word = object.find(std::string(told_by));
  const bool says_nothing = word != object.end() && word->is_null();  // as good as pending
  if (record.status == kPending && says_nothing) return object;
  if (record.id.kind == kPasses) {
    const bool passes = record.status == kPassed;
    if (passes || object.contains("passes") || in_file.is_null() || told_otherwise) object["passes"] = passes;
  } else if (record.status != kPending || object.contains("status") || in_file.is_null()) {
    object["status"] = record.status;
  }
  return object;
}

// Those that are missing now as they stood when pawl last left the file, or before that.
struct StoodThere {
  std::vector<std::string> keys;  // in order
  std::map<std::string, Json, std::less<>> objects;
};
StoodThere stood_there(const KnownRecords* known) {
  StoodThere out;
  const auto left_there = known == nullptr ? std::nullopt : known->left_there();
  const auto text = left_there ? JsonText::scan(*left_there) : Result<JsonText>(fail(ErrorCode::not_found, ""));
  const auto list = text ? list_in(text->root()) : std::nullopt;
  if (!list) return out;
  std::vector<Named> names = names_of(*list);
  std::size_t at = 0;
  for (const JsonRef story : list->elements()) {
    std::string& key = names[at++].key;
    if (story.is_object()) out.objects.emplace(key, story.value());
    out.keys.push_back(std::move(key));
  }
  return out;
}

// What comes into a list none of whose stories says how it stands need not do so either.
bool nobody_tells(const JsonRef& list) {
  std::size_t stories = 0;
  for (const JsonRef story : list.elements()) {
    if (!story.is_object()) continue;
    if (story.find("status") || story.find("passes")) return false;
    ++stories;
  }
  return stories > 0;
}

// The names by which the records are known that are to be shown. One that has a story of its own by its spelling is
// nobody else's.
void know_again(std::vector<Named>& names, const Wanted& wanted, const KnownRecords* known) {
  std::set<std::string_view> there;
  for (const Named& named : names) there.insert(named.key);
  RespelledNames missing;
  std::string scope;
  for (const auto& [key, record] : wanted) {
    if (there.contains(key)) continue;
    missing.add(record->id.key);
    scope = record->id.scope;  // they are of one file
  }
  for (Named& named : names) {
    if (!named.number || wanted.contains(named.key) || !missing.has(named.key)) continue;
    if (known != nullptr && is_known(*known, scope, named.key).value_or(true)) continue;
    if (auto name = missing.take(named.key)) named.key = std::move(*name);
  }
}

// All of it, where something comes or goes.
Json whole_list(const JsonRef& list, const std::vector<Named>& names, const Wanted& wanted,
                std::span<const Record> records, const KnownRecords* known) {
  std::set<std::string_view> there;
  for (const Named& named : names) there.insert(named.key);
  const StoodThere left = stood_there(known);
  const bool untold = nobody_tells(list);
  // One that comes back is spelled as it was.
  const auto coming = [&](const Record& record) {
    const auto stood = left.objects.find(record.id.key);
    if (stood != left.objects.end()) return object_of(record, stood->second);
    return object_of(record, untold && record.id.kind == kKind ? Json::object() : Json());
  };
  std::map<std::string_view, std::vector<const Record*>> following;  // "": at the front
  std::set<std::string_view> placed;
  std::string_view before;
  for (const std::string& key : left.keys) {
    const auto found = wanted.find(key);
    if (there.contains(key)) {
      before = key;
    } else if (found != wanted.end() && found->second->present()) {
      following[before].push_back(found->second);
      placed.insert(key);
    }
  }
  Json stories = Json::array();
  const auto follow = [&](std::string_view key) {
    for (const Record* record : following[key]) stories.push_back(coming(*record));
  };
  follow("");
  std::size_t at = 0;
  for (const JsonRef story : list.elements()) {
    const std::string& key = names[at++].key;
    const auto found = wanted.find(key);
    if (found == wanted.end()) {
      stories.push_back(story.value());
    } else if (found->second->present()) {
      stories.push_back(story.is_object() ? object_of(*found->second, story.value()) : story.value());
    }
    follow(key);
  }
  for (const Record& record : records) {
    const bool is_there = there.contains(record.id.key) || placed.contains(record.id.key);
    if (record.present() && !is_there && wanted.at(record.id.key) == &record) stories.push_back(coming(record));
  }
  return stories;
}

}  // namespace

std::optional<JsonRef> list_in(const JsonRef& root) {
  for (const std::string_view name : {std::string_view("userStories"), std::string_view("stories")}) {
    if (const auto list = root.find(name); list && list->is_array()) return list;
  }
  return std::nullopt;
}

std::string text_of(const JsonRef& value) { return value.is_string() ? value.string() : std::string(value.raw()); }

std::string key_of_double(std::string_view id, int number) { return cat(id, " (again ", number, ")"); }

std::optional<std::string> number_in(std::string_view key) {
  if (key.empty() || key.find_first_not_of("+-.0123456789eE") != std::string_view::npos) return std::nullopt;
  const auto text = JsonText::scan(key);
  if (!text || text->root().kind() != JsonKind::number) return std::nullopt;
  return one_spelling(key);
}

bool same_number(std::string_view a, std::string_view b) {
  const auto x = number_in(a);
  return x && x == number_in(b);
}

void RespelledNames::add(const std::string& name) {
  if (const auto number = number_in(name)) names_[*number].push_back(name);
}

bool RespelledNames::has(std::string_view spelled) const {
  const auto number = names_.empty() ? std::nullopt : number_in(spelled);
  return number && names_.contains(*number);
}

std::optional<std::string> RespelledNames::take(std::string_view spelled) {
  const auto number = names_.empty() ? std::nullopt : number_in(spelled);
  const auto found = number ? names_.find(*number) : names_.end();
  if (found == names_.end()) return std::nullopt;
  std::string name = std::move(found->second.front());
  found->second.pop_front();
  if (found->second.empty()) names_.erase(found);
  return name;
}

Result<bool> is_known(const KnownRecords& known, const std::string& scope, const std::string& key) {
  for (const std::string_view kind : {kKind, kPasses}) {
    PAWL_ASSIGN(const Record its, known.load({std::string(kind), scope, key}));
    if (its.present() && !its.aside) return true;
  }
  return false;
}

// Names that are given here are no ids that a file can give: an id that looks like one is told apart by another
// “again”. So a name does not depend on which other stories are there, and comes back to the same one after an undo.
std::vector<Named> names_of(const JsonRef& list) {
  std::vector<Named> names;
  std::map<std::string, int> seen;
  for (const JsonRef story : list.elements()) {
    const auto id = story.is_object() ? story.find("id") : std::nullopt;
    const std::string written =
        id && !id->is_container() && id->kind() != JsonKind::null ? text_of(*id) : std::string();
    const int count = ++seen[written];
    Named named;
    if (written.empty()) {
      named = {cat("(without id ", count, ")"), story.is_object() ? "(no id)" : "(not a story)"};
    } else if (count > 1) {
      named = {key_of_double(written, count), cat("(the id ", written, " again)")};
    } else {
      const bool like_ours = written.ends_with(')') &&
                             (written.find(" (again ") != std::string::npos || written.starts_with("(without id "));
      named.key = like_ours ? key_of_double(written, 1) : written;
      named.number = id->kind() == JsonKind::number;
    }
    names.push_back(std::move(named));
  }
  return names;
}

namespace {

std::vector<std::string> ids_of(const Result<JsonText>& text) {
  std::vector<std::string> ids;
  const auto list = text ? list_in(text->root()) : std::nullopt;
  if (!list) return ids;
  for (Named& named : names_of(*list)) ids.push_back(std::move(named.key));
  return ids;
}

}  // namespace

std::vector<std::string> ids_in_order(std::string_view bytes) { return ids_of(JsonText::scan(bytes)); }

std::vector<std::string> ids_at_front(std::string_view beginning) { return ids_of(JsonText::scan_front(beginning)); }

std::optional<std::vector<std::string>> ids_in_front(std::string_view bytes, std::size_t front) {
  if (front >= bytes.size()) return ids_in_order(bytes);
  const std::string_view rest = bytes.substr(front - std::min(front, kListEnds.size()));
  if (memmem(rest.data(), rest.size(), kListEnds.data(), kListEnds.size()) != nullptr) return std::nullopt;
  return ids_at_front(bytes.substr(0, front));
}

std::string written_prd(std::optional<std::string_view> base, std::span<const Record> records,
                        const KnownRecords* known) {
  Wanted wanted;
  for (const Record& record : records) {
    const Record*& there = wanted[record.id.key];
    if (there == nullptr || record.present()) there = &record;
  }
  const auto text = base ? JsonText::scan(*base) : Result<JsonText>(fail(ErrorCode::not_found, ""));
  const auto list = text ? list_in(text->root()) : std::nullopt;
  if (!list) {
    Json stories = Json::array();
    for (const Record& record : records) {
      if (record.present()) stories.push_back(object_of(record, Json()));
    }
    return to_pretty(Json{{"stories", std::move(stories)}}) + "\n";
  }
  std::vector<Named> names = names_of(*list);
  know_again(names, wanted, known);
  std::vector<Json> values;  // of those that change in place; changes point to them
  values.reserve(names.size());
  std::vector<JsonChange> changes;
  std::size_t at = 0, found_there = 0;
  bool comes_or_goes = false;
  for (const JsonRef story : list->elements()) {
    const auto found = wanted.find(names[at++].key);
    if (found == wanted.end()) continue;
    ++found_there;
    comes_or_goes = comes_or_goes || !found->second->present();
    values.push_back(story.is_object() ? object_of(*found->second, story.value()) : story.value());
    changes.push_back({story, &values.back()});
  }
  std::set<std::string_view> there;
  if (found_there < wanted.size()) {
    for (const Named& named : names) there.insert(named.key);
    comes_or_goes = comes_or_goes || std::any_of(wanted.begin(), wanted.end(), [&](const auto& one) {
                      return one.second->present() && !there.contains(one.first);
                    });
  }
  if (!comes_or_goes) return conform(*text, changes);
  std::string out = conform(*text, *list, whole_list(*list, names, wanted, records, known));
  const auto left = known == nullptr || found_there == wanted.size() ? std::nullopt : known->left_there();
  return left ? as_spelled_before(std::move(out), *left, there) : out;
}

}  // namespace pawl::story
