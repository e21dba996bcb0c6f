#include "lifecycles/story/prd_file.h"

#include <array>
#include <map>
#include <set>

#include "base/json_number.h"
#include "base/text.h"
#include "core/machine.h"
#include "lifecycles/story/gates.h"
#include "lifecycles/story/prd_members.h"
#include "lifecycles/story/prd_text.h"
#include "lifecycles/story/story.h"

namespace pawl::story {
namespace {

constexpr std::string_view kFile = "prd.json";
constexpr std::array<std::string_view, 4> kFolders = {"", "data", ".omc", ".ralph"};
constexpr std::size_t kMaxBytes = std::size_t{64} << 20U;

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
    return written_prd(base, records, nullptr);
  }
  [[nodiscard]] Result<std::optional<std::string>> rendered(std::optional<std::string_view> base,
                                                            std::span<const Record> records,
                                                            const KnownRecords& known) const override {
    return written_prd(base, records, &known);
  }
  [[nodiscard]] bool is_another(const Content& before, const Content& now) const override;
  [[nodiscard]] bool has_own_members() const override { return true; }
  [[nodiscard]] Json dropped(std::string_view before, std::string_view now) const override {
    return dropped_members(before, now);
  }
  [[nodiscard]] Json as_written(std::string_view before, const Record& was, const Record& after) const override {
    return members_as_written(before, was, after);
  }
  [[nodiscard]] std::string tells_of(const Record& before, const Record& after) const override {
    return lost_by_edit(before, after);
  }
  [[nodiscard]] std::string with_members(std::string bytes, const Json& members) const override {
    return with_members_back(std::move(bytes), members);
  }

  [[nodiscard]] DamageWords damage_words() const override {
    return {"", "its stories are not known, and nothing is written over it"};
  }

  // What pawl keeps beside the file's members is no member of the file, whatever stands there.
  void keep_counting(const Record& before, Json& doc) const override {
    doc.erase(std::string(kOwn));
    if (const auto own = before.doc.find(std::string(kOwn)); own != before.doc.end()) doc[std::string(kOwn)] = *own;
  }
  [[nodiscard]] std::vector<std::string> written_by_moves() const override {
    return {"branchName", "prNumber", "prUrl", "lastActivityBy", "skipReason"};
  }
  [[nodiscard]] bool goes_on(const Record& aside, const Shown& now) const override {
    return !has_id_trouble(aside) && string_or(aside.doc, "title") == string_or(now.doc, "title");
  }
  // Agents write it: what one adds has to go the way of all others.
  [[nodiscard]] bool believes_newcomers() const override { return false; }
  // A story that was known by the want of an id is another one when it has got one.
  [[nodiscard]] bool is_unnamed(const Record& record) const override { return has_id_trouble(record); }
  [[nodiscard]] bool puts_back_missing(const Record& record) const override { return !has_id_trouble(record); }
  [[nodiscard]] std::string lacks(const Record& record, std::string_view gate) const override {
    return lacks_in_file(gate, record);
  }
  [[nodiscard]] std::string moved_by(const Record& record, std::string_view to) const override {
    return cat("pawl story move ", as_typed(record.id.key), " ", to);
  }
  [[nodiscard]] std::string_view taken_out_by() const override { return "pawl story drop ID --reason R"; }
  [[nodiscard]] Gone gone(const Record& record) const override {
    return has_id_trouble(record) ? Gone{std::string(kAbsent), false} : Gone{"", true};
  }
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
      if (const auto word = shown.doc.find(passes ? "passes" : "status"); word != shown.doc.end()) {
        shown.status_member = std::move(*word);
        shown.doc.erase(word);
      }
      shown.doc.erase(std::string(kOwn));
    }
    if (!named.trouble.empty()) shown.status = named.trouble;
    content.shown.push_back(std::move(shown));
  }
  return content;
}

// One whose id is a number that was spelled otherwise when it came in is still the same.
Done know_numbers_again(Content& content, const KnownRecords& known) {
  std::set<std::string> here;
  for (const Shown& shown : content.shown) here.insert(shown.id.key);
  std::optional<RespelledNames> missing;  // that the file does not show by their own spelling
  for (Shown& shown : content.shown) {
    const auto id = shown.doc.find("id");
    if (id == shown.doc.end() || !nearest_double(*id)) continue;
    PAWL_ASSIGN(const bool its_own, is_known(known, shown.id.scope, shown.id.key));
    if (its_own) continue;
    if (!missing) {
      missing.emplace();
      for (const std::string_view kind : {kKind, kPasses}) {
        PAWL_ASSIGN(const auto all, known.ranked(kind, "", ""));
        for (const Record& one : all) {
          if (!one.aside && one.id.scope == shown.id.scope && !here.contains(one.id.key)) missing->add(one.id.key);
        }
      }
    }
    if (auto name = missing->take(shown.id.key)) shown.id.key = std::move(*name);
  }
  return done();
}

// A story stays of the kind that it is known as, whatever members it is given: else whoever writes `status` beside
// `passes` would have a story without a past.
Done PrdFile::name_records(Content& content, const KnownRecords& known) const {
  PAWL_TRY(know_numbers_again(content, known));
  for (Shown& shown : content.shown) {
    const bool passes = shown.id.kind == kPasses;
    RecordId other = shown.id;
    other.kind = passes ? kKind : kPasses;
    PAWL_ASSIGN(const Record before, known.load(other));
    if (!before.present() || before.aside || has_id_trouble(before)) continue;
    const std::string_view mine = passes ? "passes" : "status", theirs = passes ? "status" : "passes";
    if (shown.status && shown.status->starts_with('(')) continue;
    const auto value = shown.doc.find(std::string(theirs));
    const bool told = value != shown.doc.end() && !value->is_null();
    // In place of its own member: then it is the word that somebody gives it. Beside that it is a member like any
    // other.
    if (!told && !passes && shown.doc.find(std::string(theirs)) == shown.doc.end() && shown.status != kPending) {
      shown.id = other;
      continue;
    }
    if (shown.status_member) shown.doc[std::string(mine)] = *std::move(shown.status_member);
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

// By what the file says of itself, where it did so before and does now; else by what its stories are called. A list
// that has most of its stories still is the same one, whatever it is called now. Where only one of the two says whose
// it is, a list that has one of them is: agents leave such members out, or put them in, with stories still to be done,
// and retitle one. (Where all of them are called otherwise, none is one of them.)
bool PrdFile::is_another(const Content& before, const Content& now) const {
  const auto was = split(before.identity, '\n'), is = split(now.identity, '\n');
  bool renamed = false, named = false;
  for (std::size_t i = 0; i < was.size() && i < is.size(); ++i) {
    const bool both = !was[i].empty() && !is[i].empty();
    named = named || both;
    renamed = renamed || (both && was[i] != is[i]);
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
  if (renamed) return (shared - other) * 2 <= titles.size();
  const bool one_says = !named && before.identity != now.identity;
  const bool none_stays = shared == other && (shared == 0 || shared == titles.size());
  if (one_says && none_stays && !titles.empty() && !now.shown.empty()) return true;
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

}  // namespace pawl::story
