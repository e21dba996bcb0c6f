#include "lifecycle/story/prd_file.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/json_edit.h"
#include "base/json_text.h"
#include "base/text.h"
#include "core/machine.h"
#include "lifecycle/story/story.h"

namespace pawl::story {
namespace {

constexpr std::string_view kFile = "prd.json";
constexpr std::array<std::string_view, 4> kFolders = {"", "data", ".omc", ".ralph"};
constexpr std::size_t kMaxBytes = std::size_t{64} << 20U;

// The list, under whichever name it has.
std::optional<JsonRef> list_in(const JsonRef& root) {
  for (const std::string_view name : {std::string_view("userStories"), std::string_view("stories")}) {
    if (const auto list = root.find(name); list && list->is_array()) return list;
  }
  return std::nullopt;
}

std::string text_of(const JsonRef& value) { return value.is_string() ? value.string() : std::string(value.raw()); }

// The key of every story, in order. Of those that share an id the first has it; the others, and those without one,
// have a key that says so, and wait for a person.
struct Named {
  std::string key;
  std::string trouble;  // what is wrong with its id
};

std::vector<Named> names_of(const JsonRef& list) {
  std::vector<Named> names;
  std::map<std::string, int> seen;
  for (const JsonRef story : list.elements()) {
    const auto id = story.is_object() ? story.find("id") : std::nullopt;
    std::string key = id && !id->is_container() && id->kind() != JsonKind::null ? text_of(*id) : std::string();
    std::string trouble;
    if (!story.is_object()) {
      trouble = "(not a story)";
    } else if (key.empty()) {
      trouble = "(no id)";
      key = "no-id";
    }
    if (const int count = ++seen[key]; count > 1) {
      if (trouble.empty()) trouble = cat("(the id ", key, " again)");
      key = cat(key, "#", count);
    }
    names.push_back({std::move(key), std::move(trouble)});
  }
  return names;
}

bool passes_dialect(const JsonRef& story, bool siblings_pass) {
  if (story.find("status")) return false;
  return story.find("passes") ? true : siblings_pass;
}

bool some_pass(const JsonRef& list) {
  for (const JsonRef story : list.elements()) {
    if (story.is_object() && story.find("passes") && !story.find("status")) return true;
  }
  return false;
}

std::optional<std::string> status_in(const JsonRef& story, bool passes) {
  if (passes) {
    const auto value = story.find("passes");
    if (!value || value->kind() == JsonKind::null) return std::string(kPending);
    if (value->raw() == "true") return std::string(kPassed);
    return value->raw() == "false" ? std::string(kPending) : std::string(value->raw());
  }
  const auto value = story.find("status");
  if (!value || value->kind() == JsonKind::null) return std::string(kPending);
  return text_of(*value);
}

// What stands in the file for a story that is `record`.
Json object_of(const Record& record, const Json& in_file) {
  Json object = in_file.is_object() ? in_file : Json::object();
  const Json doc = shown_doc(record.doc);
  for (auto at = object.begin(); at != object.end();) {  // what was taken out of the document
    const bool own = at.key() == "status" || at.key() == "passes" || at.key() == kOwn;
    at = own || doc.contains(at.key()) ? std::next(at) : object.erase(at);
  }
  for (const auto& [key, value] : doc.items()) object[key] = value;
  if (record.held) return object;
  if (record.id.kind == kPasses) {
    const bool passes = record.status == kPassed;
    if (passes || object.contains("passes") || in_file.is_null()) object["passes"] = passes;
  } else if (record.status != kPending || object.contains("status") || in_file.is_null()) {
    object["status"] = record.status;
  }
  return object;
}

using Wanted = std::map<std::string_view, const Record*>;  // by key

class PrdFile final : public MirrorFormat {
 public:
  [[nodiscard]] std::string_view name() const override { return "prd"; }
  [[nodiscard]] std::size_t max_bytes() const override { return kMaxBytes; }
  [[nodiscard]] bool accepts(std::string_view file_name) const override { return file_name == kFile; }
  [[nodiscard]] std::vector<MirrorPlace> places(const Settings& settings) const override;
  [[nodiscard]] std::optional<std::string> path_of(const RecordId& id, const Settings& settings) const override;
  [[nodiscard]] Result<Content> parse(std::string_view path, std::string_view scope,
                                      std::string_view bytes) const override;
  [[nodiscard]] Done name_records(Content& content, const KnownRecords& known) const override;
  [[nodiscard]] std::optional<std::string> render(std::optional<std::string_view> base,
                                                  std::span<const Record> records) const override {
    return written(base, records, std::nullopt);
  }
  [[nodiscard]] Result<std::optional<std::string>> rendered(std::optional<std::string_view> base,
                                                            std::span<const Record> records,
                                                            const KnownRecords& known) const override {
    return written(base, records, known.left_there());
  }
  [[nodiscard]] bool is_another(const Content& before, const Content& now) const override;

  // What pawl keeps beside the file's members is no member of the file, whatever stands there.
  void keep_counting(const Record& before, Json& doc) const override {
    doc.erase(std::string(kOwn));
    if (const auto own = before.doc.find(std::string(kOwn)); own != before.doc.end()) doc[std::string(kOwn)] = *own;
  }
  [[nodiscard]] bool goes_on(const Record& aside, const Shown& now) const override {
    return !aside.held && string_or(aside.doc, "title") == string_or(now.doc, "title");
  }
  // A story that was known by the want of an id is another one when it has got one.
  [[nodiscard]] bool puts_back_missing(const Record& record) const override { return !has_id_trouble(record); }
  [[nodiscard]] std::string_view taken_out_by() const override { return "pawl story drop ID"; }
  [[nodiscard]] Gone gone(const Record& record) const override {
    return has_id_trouble(record) ? Gone{std::string(kAbsent), false} : Gone{"", true};
  }

 private:
  [[nodiscard]] static std::string written(std::optional<std::string_view> base, std::span<const Record> records,
                                           std::optional<std::string_view> left_there);
};

std::string path_in(std::string_view folder) { return folder.empty() ? std::string(kFile) : cat(folder, "/", kFile); }

std::string scope_of(std::string_view path) { return path == kFile ? std::string() : std::string(path); }

MirrorPlace place_of(std::string path) {
  while (path.starts_with("./")) path.erase(0, 2);
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {".", scope_of(path), path};
  return {path.substr(0, slash), scope_of(path), path.substr(slash + 1)};
}

std::vector<MirrorPlace> PrdFile::places(const Settings& settings) const {
  std::vector<MirrorPlace> places;
  if (const std::string& named = settings.text("story.file"); !named.empty()) places.push_back(place_of(named));
  for (const std::string_view folder : kFolders) {
    MirrorPlace place = place_of(path_in(folder));
    if (places.empty() || places.front().scope != place.scope) places.push_back(std::move(place));
  }
  return places;
}

std::optional<std::string> PrdFile::path_of(const RecordId& id, const Settings& settings) const {
  if (!is_story(id.kind)) return std::nullopt;
  const std::string path = id.scope.empty() ? std::string(kFile) : id.scope;
  for (const MirrorPlace& place : places(settings)) {
    if (place.scope == id.scope) return path;
  }
  return std::nullopt;
}

Result<Content> PrdFile::parse(std::string_view path, std::string_view, std::string_view bytes) const {
  PAWL_ASSIGN(const JsonText text, JsonText::scan(bytes));
  const auto list = list_in(text.root());
  if (!list) return fail(ErrorCode::corruption, "an object with a list “stories” or “userStories” was expected");
  Content content;
  for (const char* member : {"project", "branchName"}) {
    const auto value = text.root().find(member);
    std::string word = value && value->kind() != JsonKind::null ? text_of(*value) : std::string();
    for (char& c : word) c = c == '\n' ? ' ' : c;
    content.identity += cat(word, "\n");
  }
  const std::vector<Named> names = names_of(*list);
  const bool siblings_pass = some_pass(*list);
  std::size_t at = 0;
  for (const JsonRef story : list->elements()) {
    const Named& named = names[at++];
    const bool passes = story.is_object() && passes_dialect(story, siblings_pass);
    Shown shown{{std::string(passes ? kPasses : kKind), scope_of(path), named.key}, std::nullopt, Json::object()};
    if (story.is_object()) {
      shown.doc = story.value();
      shown.status = status_in(story, passes);
      shown.doc.erase(passes ? "passes" : "status");
      shown.doc.erase(std::string(kOwn));
    }
    if (!named.trouble.empty()) shown.status = named.trouble;
    content.shown.push_back(std::move(shown));
  }
  return content;
}

// A story stays of the kind that it is known as, whatever members it is given: else whoever writes `status` beside
// `passes` would have a story without a past.
Done PrdFile::name_records(Content& content, const KnownRecords& known) const {
  for (Shown& shown : content.shown) {
    const bool passes = shown.id.kind == kPasses;
    RecordId other = shown.id;
    other.kind = passes ? kKind : kPasses;
    PAWL_ASSIGN(const Record before, known.load(other));
    if (!before.present() || before.aside || has_id_trouble(before)) continue;
    const std::string_view mine = passes ? "passes" : "status", theirs = passes ? "status" : "passes";
    if (shown.status && shown.status->starts_with('(')) continue;
    const Json word = passes ? Json(*shown.status == kPassed) : Json(shown.status.value_or(""));
    shown.doc[std::string(mine)] = word;
    const auto value = shown.doc.find(std::string(theirs));
    const bool told = value != shown.doc.end() && !value->is_null();
    shown.status = !told                ? std::string(kPending)
                   : value->is_string() ? value->get<std::string>()
                   : passes             ? to_line(*value)
                   : *value == true     ? std::string(kPassed)
                   : *value == false    ? std::string(kPending)
                                        : to_line(*value);
    if (value != shown.doc.end()) shown.doc.erase(std::string(theirs));
    shown.id = other;
  }
  return done();
}

// The list with what came back or came new, each at its place: behind the story that it followed when pawl last left
// the file, new ones at the end.
Json whole_list(const JsonRef& list, const std::vector<Named>& names, const Wanted& wanted,
                std::span<const Record> records, std::optional<std::string_view> left_there) {
  const std::vector<std::string> left = left_there ? ids_in_order(*left_there) : std::vector<std::string>();
  std::set<std::string_view> there;
  for (const Named& named : names) there.insert(named.key);
  std::map<std::string_view, std::vector<const Record*>> following;  // "": at the front
  std::set<std::string_view> placed;
  std::string_view before;
  for (const std::string& key : left) {
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
    for (const Record* record : following[key]) stories.push_back(object_of(*record, Json()));
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
    const bool known = there.contains(record.id.key) || placed.contains(record.id.key);
    if (record.present() && !known && wanted.at(record.id.key) == &record)
      stories.push_back(object_of(record, Json()));
  }
  return stories;
}

std::string PrdFile::written(std::optional<std::string_view> base, std::span<const Record> records,
                             std::optional<std::string_view> left_there) {
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
  const std::vector<Named> names = names_of(*list);
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
  if (found_there < wanted.size()) {
    std::set<std::string_view> there;
    for (const Named& named : names) there.insert(named.key);
    comes_or_goes = comes_or_goes || std::any_of(wanted.begin(), wanted.end(), [&](const auto& one) {
                      return one.second->present() && !there.contains(one.first);
                    });
  }
  if (!comes_or_goes) return conform(*text, changes);
  return conform(*text, *list, whole_list(*list, names, wanted, records, left_there));
}

// By what the file says of itself, where it did so before and does now; else by what its stories are called.
bool PrdFile::is_another(const Content& before, const Content& now) const {
  const auto was = split(before.identity, '\n'), is = split(now.identity, '\n');
  for (std::size_t i = 0; i < was.size() && i < is.size(); ++i) {
    if (!was[i].empty() && !is[i].empty() && was[i] != is[i]) return true;
  }
  std::map<std::string_view, std::string> titles;
  for (const Shown& shown : before.shown) titles[shown.id.key] = string_or(shown.doc, "title");
  std::size_t shared = 0, other = 0;
  for (const Shown& shown : now.shown) {
    const auto known = titles.find(shown.id.key);
    if (known == titles.end()) continue;
    ++shared;
    other += string_or(shown.doc, "title") != known->second ? 1U : 0U;
  }
  return shared > 1 && other * 2 > shared;
}

}  // namespace

const MirrorFormat& prd_file() {
  static const PrdFile kPrdFile;
  return kPrdFile;
}

Result<ListSummary> summary_of(std::string_view bytes) {
  PAWL_ASSIGN(const Content content, prd_file().parse(kFile, {}, bytes));
  ListSummary summary;
  std::int64_t best = 0;
  for (const Shown& shown : content.shown) {
    ++summary.stories;
    const Machine& its = shown.id.kind == kPasses ? passes_machine() : machine();
    if (shown.status && its.terminal(*shown.status)) continue;
    const std::int64_t priority = priority_of(shown.doc);
    if (summary.left++ != 0 && priority >= best) continue;
    best = priority;
    summary.next_id = shown.id.key;
    summary.next_title = title_of(shown.doc);
  }
  return summary;
}

std::vector<std::string> ids_in_order(std::string_view bytes) {
  std::vector<std::string> ids;
  const auto text = JsonText::scan(bytes);
  const auto list = text ? list_in(text->root()) : std::nullopt;
  if (!list) return ids;
  for (Named& named : names_of(*list)) ids.push_back(std::move(named.key));
  return ids;
}

}  // namespace pawl::story
