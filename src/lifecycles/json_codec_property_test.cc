// The promises of a codec, on random files of the model's four lifecycles, and the comparison with the model.
// rapidcheck prints the seed of every run ("Using configuration: seed=…"); RC_PARAMS="seed=…" runs it again. A case is
// made from a seed of its own, which is printed with a failure. PAWL_MODEL_CASES says how many cases are compared with
// the model, PAWL_MODEL_SEED where they begin.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <random>
#include <unordered_map>

#include "base/json_same.h"
#include "base/json_text.h"
#include "base/text.h"
#include "support/codec_shapes.h"
#include "support/merge_stage.h"
#include "support/model.h"
#include "support/model_lifecycles.h"
#include "support/wild_json.h"

namespace pawl::merge {
namespace {

constexpr std::string_view kPath = "some/42.json";

struct CodecCase {
  const model::Lifecycle* life = nullptr;
  std::string bytes;
  std::vector<std::string> earlier;  // newest first
  std::vector<OurRecord> known;
  Content shown, wanted;
  std::map<std::string, std::set<std::string>, std::less<>> left;

  [[nodiscard]] JsonCodec codec() const { return JsonCodec(*life->shape); }
  [[nodiscard]] Content read(std::string_view text) const { return codec().parse(kPath, text, {known}).value(); }
  [[nodiscard]] std::string patched() const {
    const std::vector<std::string_view> views(earlier.begin(), earlier.end());
    return codec().patch(kPath, bytes, {wanted, left, views, {known}});
  }
};

const model::Lifecycle kOthers[] = {{"two forms", &model::kStoryFile, &test::kTwoFormsShape},
                                    {"a flag", &model::kLoopFile, &test::kFlagShape}};

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : engine_(seed) {}

  // `wild`: texts of every spelling, else as jq writes them. `twins`: elements with equal ids.
  CodecCase make(bool wild, bool twins, std::span<const model::Lifecycle> lives = model::kLifecycles) {
    wild_ = wild;
    twins_ = twins;
    one_.life = &pick(lives);
    Json root = random_root();
    for (int i = below(3); i > 0; --i) {
      one_.earlier.insert(one_.earlier.begin(), text_of(root));
      root = edited(root);
    }
    one_.bytes = text_of(root);
    know();
    one_.shown = one_.read(one_.bytes);
    want();
    leave();
    return std::move(one_);
  }

 private:
  int below(int n) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(n)); }
  bool one_in(int n) { return below(n) == 0; }
  template <class List>
  const typename List::value_type& pick(const List& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(std::size(list))))];
  }
  [[nodiscard]] bool is_list() const { return !one_.life->shape->lists.empty(); }
  [[nodiscard]] std::string list_name() const { return std::string(one_.life->shape->lists.front()); }

  Json value() {
    static const std::vector<Json> kValues = {nullptr,
                                              true,
                                              0,
                                              1,
                                              1.0,
                                              42,
                                              -7,
                                              1.5,
                                              "",
                                              "x",
                                              "é/\"\\",
                                              "pending",
                                              9007199254740993,
                                              Json::array(),
                                              Json::array({1, "x", {{"id", 1}}}),
                                              Json::object(),
                                              {{"a", 1}, {"b", {{"c", 2}}}},
                                              {{"b", 2}, {"a", 1}}};
    return pick(kValues);
  }
  std::string name() {
    static const std::vector<std::string> kNames = {"title", "priority", "x", "", "é", "prompt"};
    return pick(kNames);
  }
  std::string_view any_status() {
    const auto& statuses = one_.life->shape->law->machine->statuses;
    return statuses[static_cast<std::size_t>(below(static_cast<int>(statuses.size())))].name;
  }
  Json status() {
    if (one_in(5)) return one_in(2) ? Json() : value();
    return any_status();
  }
  void edit_members(Json& object) {
    const std::string member = name();
    if (one_in(3)) {
      object.erase(member);
    } else {
      object[member] = value();
    }
  }
  Json record() {
    Json object = Json::object();
    for (int i = below(4); i > 0; --i) object[name()] = value();
    if (!one_in(4)) object["status"] = status();
    if (one_.life->shape->forms.data() != kStatusForm) say_otherwise(object);
    return object;
  }
  // Says the status in the other forms, too or instead.
  void say_otherwise(Json& object) {
    const std::string other(one_.life->shape->forms.back().members.front());
    if (one_in(3)) return;
    if (!one_in(3)) object.erase("status");
    object[other] = one_in(4) ? value() : Json(one_in(2));
  }
  Json element() {
    static const std::vector<Json> kIds = {"A", "B", "C", "D", 7, "E", "F", "G"};
    static const std::vector<Json> kNoIds = {"", "/", true, nullptr, Json::array({"A"})};
    if (one_in(12)) return value();
    Json object = record();
    if (one_in(12)) {
      object["id"] = pick(kNoIds);
    } else if (!one_in(14)) {
      object["id"] = twins_ ? pick(kIds) : Json(cat("US-", next_id_++));
      if (twins_ && object["id"] == 7 && one_in(2)) object["id"] = "7";
    }
    return object;
  }
  Json random_root() {
    static const std::vector<Json> kOwners = {"s1", "", 7, nullptr};
    Json root = is_list() ? Json::object() : record();
    for (const std::string_view member : one_.life->shape->owner) {
      if (!one_in(4)) root[std::string(member)] = pick(kOwners);
    }
    if (!is_list()) return root;
    for (int i = below(3); i > 0; --i) root[name()] = value();
    root[list_name()] = Json::array();
    for (int i = below(8); i > 0; --i) root[list_name()].push_back(element());
    if (one_in(2)) root[name()] = value();
    return root;
  }
  // As somebody edits a file.
  Json edited(Json root) {
    for (int i = below(4); i > 0; --i) {
      if (!is_list() || one_in(5)) {
        edit_members(root);
        if (!is_list() && one_in(3)) root["status"] = status();
        continue;
      }
      Json& list = root[list_name()];
      if (list.empty() || one_in(4)) {
        list.insert(list.begin() + below(static_cast<int>(list.size()) + 1), element());
      } else if (one_in(3)) {
        list.erase(list.begin() + below(static_cast<int>(list.size())));
      } else if (Json& one = list[static_cast<std::size_t>(below(static_cast<int>(list.size())))]; one.is_object()) {
        edit_members(one);
      }
    }
    return root;
  }
  std::string text_of(const Json& root) {
    if (!wild_) return to_pretty(root) + (one_in(2) ? "\n" : "");
    std::string text = test::WildWriter([this](int n) { return below(n); }).write(root);
    return text.starts_with("\xEF\xBB\xBF") && one_in(2) ? text.substr(3) : text;
  }
  void know() {
    if (!one_in(2)) return;
    for (Entry& entry : one_.read(one_in(2) && !one_.earlier.empty() ? one_.earlier.back() : one_.bytes).entries) {
      if (one_in(3)) edit_members(entry.members);
      if (one_in(4)) entry.status = status();
      if (!one_in(4)) one_.known.push_back({std::move(entry), one_in(4) ? State::removed : State::active});
    }
  }
  void want() {
    Content& wanted = one_.wanted = one_.shown;
    if (is_list()) {
      std::erase_if(wanted.entries, [&](const Entry&) { return one_in(5); });
      for (const std::string& text : one_.earlier) {
        for (Entry& entry : one_.read(text).entries) {
          const bool is_there = std::any_of(wanted.entries.begin(), wanted.entries.end(),
                                            [&](const Entry& other) { return other.key == entry.key; });
          if (!is_there && one_in(2)) insert(std::move(entry));
        }
      }
      if (one_in(3)) {
        Json members = record();
        for (const char* said : {"status", "passes"}) members.erase(said);
        members["id"] = "new";
        insert({"new", std::string(one_.life->shape->law->kind), one_.life->shape->law->start(), members});
      }
      if (one_in(4)) std::shuffle(wanted.entries.begin(), wanted.entries.end(), engine_);
      if (one_in(3)) edit_members(wanted.file);
    }
    for (Entry& entry : wanted.entries) {
      if (one_in(2)) continue;
      if (one_in(2)) edit_members(entry.members);
      if (one_in(2)) entry.status = status_meant(*one_.life->shape->law, nullptr);
      if (one_in(2)) entry.status = any_status();
    }
    if (wanted.entries.empty() && !is_list()) wanted.entries = one_.shown.entries;
  }
  void insert(Entry entry) {
    auto& entries = one_.wanted.entries;
    entries.insert(entries.begin() + below(static_cast<int>(entries.size()) + 1), std::move(entry));
  }
  void leave() {
    while (one_in(3)) {
      if (one_in(6) && is_list()) {
        one_.left[std::string(kFileKey)].insert(name());
      } else if (!one_.shown.entries.empty()) {
        const int what = below(6);
        const auto& entries = one_in(4) && !one_.wanted.entries.empty() ? one_.wanted.entries : one_.shown.entries;
        one_.left[pick(entries).key].insert(what == 0   ? std::string(kPresence)
                                            : what <= 2 ? std::string(kStatus)
                                                        : name());
      }
    }
    // An empty name is that of the presence cell, so a member cannot be left under it.
    for (auto& [key, members] : one_.left) {
      if (key == kFileKey) members.erase("");
    }
  }

  std::mt19937_64 engine_;
  CodecCase one_;
  bool wild_ = false, twins_ = false;
  int next_id_ = 1;
};

const Entry* find(const Content& content, std::string_view key) {
  for (const Entry& entry : content.entries) {
    if (entry.key == key) return &entry;
  }
  return nullptr;
}

bool is_left(const CodecCase& one, std::string_view key, const std::string& member) {
  const auto found = one.left.find(key);
  return found != one.left.end() && found->second.contains(member);
}

// The members that a file is to show.
Json expected_members(const CodecCase& one, std::string_view key, const Json& wanted, const Json* in_file) {
  Json out = Json::object();
  for (const auto& [name, value] : wanted.items()) {
    if (in_file == nullptr || !is_left(one, key, name)) out[name] = value;
  }
  if (in_file == nullptr) return out;
  for (const auto& [name, value] : in_file->items()) {
    if (is_left(one, key, name)) out[name] = value;
  }
  return out;
}

Content expected_content(const CodecCase& one) {
  Content out = one.wanted;
  out.file = expected_members(one, kFileKey, one.wanted.file, &one.shown.file);
  for (Entry& entry : out.entries) {
    const Entry* in_file = find(one.shown, entry.key);
    if (in_file != nullptr && is_left(one, entry.key, std::string(kPresence))) {
      entry = *in_file;
      continue;
    }
    entry.members = expected_members(one, entry.key, entry.members, in_file == nullptr ? nullptr : &in_file->members);
    if (in_file != nullptr && is_left(one, entry.key, std::string(kStatus))) entry.status = in_file->status;
  }
  return out;
}

std::string text_of(const Content& content) {
  std::string out;
  for (const std::string& line : lines_of(content)) out += line + "\n";
  return out;
}

// How each element of a file, or its one object, is spelled, by key.
std::unordered_map<std::string, JsonRef> spellings(const CodecCase& one, const JsonText& text, const Content& content) {
  std::unordered_map<std::string, JsonRef> out;
  if (one.life->shape->lists.empty()) {
    out.emplace(content.entries.front().key, text.root());
    return out;
  }
  std::size_t next = 0;
  for (const JsonRef element : text.root().find(one.life->shape->lists.front())->elements()) {
    // The records come in the order of the file, and each has the members of its own element.
    if (next == content.entries.size()) break;
    Json value = element.value();
    if (!value.is_object()) continue;
    const Json* said = value.contains("status") ? &value["status"] : nullptr;
    const Json status = status_meant(*one.life->shape->law, said);
    value.erase("status");
    const Entry& entry = content.entries[next];
    if (!same_text(value, entry.members) || !same_text(status, entry.status)) continue;
    out.emplace(entry.key, element);
    ++next;
  }
  EXPECT_EQ(next, content.entries.size());
  return out;
}

// The text of every id of a list.
std::vector<std::string> ids_in(const CodecCase& one, std::string_view bytes) {
  std::vector<std::string> out;
  const JsonText text = JsonText::scan(bytes).value();
  if (one.life->shape->lists.empty()) return out;
  for (const JsonRef element : text.root().find(one.life->shape->lists.front())->elements()) {
    if (const auto id = element.find("id")) out.push_back(id->is_string() ? id->string() : std::string(id->raw()));
  }
  return out;
}

using Property = void (*)(const CodecCase& one);

void check(const std::string& name, bool twins, Property property,
           std::span<const model::Lifecycle> lives = model::kLifecycles) {
  EXPECT_TRUE(rc::check(name, [&] {
    const auto seed =
        *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint64_t>(0, 1'000'000'000)).as("seed of the case");
    const CodecCase one = Maker(seed).make(*rc::gen::arbitrary<bool>(), twins, lives);
    RC_LOG() << one.life->name << "\n"
             << one.bytes << "\nshown  " << text_of(one.shown) << "wanted " << text_of(one.wanted) << "after  "
             << one.patched() << "\n";
    property(one);
  }));
}

void identity(const CodecCase& one) {
  RC_ASSERT(one.codec().patch(kPath, one.bytes, {one.shown, {}, {}, {one.known}}) == one.bytes);
  RC_ASSERT(one.codec().patch(kPath, one.bytes, {one.shown, one.left, {}, {one.known}}) == one.bytes);
}

TEST(JsonCodecProperty, WhatAFileShowsIsPatchedWithoutAChange) {
  check("patch of parse is the file", true, identity);
  check("patch of parse is the file, with other status forms", true, identity, kOthers);
}

void round_trip(const CodecCase& one) {
  if (one.life->shape->lists.empty() && is_left(one, one.shown.entries.front().key, std::string(kPresence))) {
    RC_ASSERT(one.patched() == one.bytes);
    return;
  }
  const Content expected = expected_content(one);
  CodecCase after = one;
  after.known.clear();
  for (const Entry& entry : expected.entries) after.known.push_back({entry});
  for (const OurRecord& record : one.known) after.known.push_back(record);
  const Content shown = after.read(one.patched());
  // An element with the same id may be as near to what is known, or nearer if cells of the record are left.
  const std::vector<std::string> ids = ids_in(one, one.bytes);
  const auto is_twin = [&](const std::string& key) { return std::count(ids.begin(), ids.end(), key) > 1; };
  RC_ASSERT(same_text(shown.file, expected.file));
  Order order, expected_order = order_of(expected);
  std::erase_if(expected_order, is_twin);
  for (const Entry& entry : shown.entries) {
    if (is_twin(entry.key) && one.left.contains(entry.key)) continue;
    const Entry* asked = find(expected, entry.key);
    if (asked == nullptr) {  // a record that is left
      RC_ASSERT(is_left(one, entry.key, std::string(kPresence)));
      continue;
    }
    if (!is_twin(entry.key)) order.push_back(entry.key);
    // What says a status that is left cannot be a member of the record as well.
    if (is_left(one, entry.key, std::string(kStatus)) && asked->members.contains("passes")) continue;
    RC_ASSERT(same_text(entry.status, asked->status));
    RC_ASSERT(same_text(entry.members, asked->members));
  }
  RC_ASSERT(order == expected_order);
}

TEST(JsonCodecProperty, AFileShowsWhatWasWanted) { check("round trip", true, round_trip); }
TEST(JsonCodecProperty, AFileWithOtherStatusFormsShowsWhatWasWanted) {
  check("round trip of other status forms", true, round_trip, kOthers);
}

TEST(JsonCodecProperty, AgainChangesNothing) {
  check("patched twice is patched once", false, [](const CodecCase& one) {
    CodecCase after = one;
    after.bytes = one.patched();
    after.known.clear();
    for (const Entry& entry : expected_content(one).entries) after.known.push_back({entry});
    RC_ASSERT(after.patched() == after.bytes);
  });
}

TEST(JsonCodecProperty, OnlyWhatDiffersIsSpelledAnew) {
  check("minimal bytes", false, [](const CodecCase& one) {
    const std::string bytes = one.patched();
    const Content after = one.read(bytes);
    const JsonText text = JsonText::scan(one.bytes).value(), text_after = JsonText::scan(bytes).value();
    const auto was = spellings(one, text, one.shown), is = spellings(one, text_after, after);
    const auto same_members = [&](const JsonRef& before, const JsonRef& now) {
      for (const auto& [key, value] : now.members()) {
        const auto old = before.find(key.string());
        const bool is_last = now.find(key.string())->begin() == value.begin();
        if (old && is_last && same_text(old->value(), value.value())) RC_ASSERT(old->raw() == value.raw());
      }
    };
    for (const auto& [key, now] : is) {
      const auto before = was.find(key);
      if (before == was.end()) continue;
      same_members(before->second, now);
      const Entry *entry = find(one.shown, key), *entry_after = find(after, key);
      const bool same =
          same_text(entry->members, entry_after->members) && same_text(entry->status, entry_after->status);
      if (same) RC_ASSERT(now.raw() == before->second.raw());
      const auto left = one.left.find(key);  // to the byte, missing ones too
      for (const std::string& name : left == one.left.end() ? std::set<std::string>() : left->second) {
        const auto old = before->second.find(name), kept = now.find(name);
        if (name != kPresence) RC_ASSERT((old ? kept && old->raw() == kept->raw() : !kept));
      }
    }
    if (one.life->shape->lists.empty()) return;
    const std::string list(one.life->shape->lists.front());
    for (const auto& [key, value] : text_after.root().members()) {
      const auto old = text.root().find(key.string());
      const bool is_last = text_after.root().find(key.string())->begin() == value.begin();
      if (key.string() != list && old && is_last && same_text(old->value(), value.value()))
        RC_ASSERT(old->raw() == value.raw());
    }
  });
}

TEST(JsonCodecProperty, UnreadElementsStayAsTheyAreSpelled) {
  check("unread", true, [](const CodecCase& one) {
    if (one.life->shape->lists.empty()) return;
    const std::string bytes = one.patched();
    const JsonText text = JsonText::scan(one.bytes).value(), text_after = JsonText::scan(bytes).value();
    // Elements without a usable id; those with one are in the comparison with the model.
    const auto without_id = [&](const JsonText& file) {
      std::vector<std::string> out;
      for (const JsonRef element : file.root().find(one.life->shape->lists.front())->elements()) {
        const auto id = element.find("id");
        const bool usable =
            id && (id->kind() == JsonKind::number || (id->is_string() && !id->says("") && !id->says("/")));
        if (!usable) out.emplace_back(element.raw());
      }
      std::sort(out.begin(), out.end());
      return out;
    };
    RC_ASSERT(without_id(text) == without_id(text_after));
  });
}

TEST(JsonCodecProperty, RecordsThatComeBackAreAsTheyWere) {
  check("removed and restored is the same file", false, [](const CodecCase& one) {
    if (one.life->shape->lists.empty() || one.bytes != to_pretty(parse_json(one.bytes).value_or(Json()))) return;
    Content less = one.shown;
    std::erase_if(less.entries, [&](const Entry& entry) { return find(one.wanted, entry.key) == nullptr; });
    const std::string without = one.codec().patch(kPath, one.bytes, {less, {}, {}, {one.known}});
    const std::string_view earlier[] = {without, one.bytes};
    const std::string again = one.codec().patch(kPath, without, {one.shown, {}, earlier, {one.known}});
    RC_LOG() << "without\n" << without << "\nagain\n" << again;
    // An element that is no record may have lost the neighbour that it followed.
    if (one.shown.unread.empty()) RC_ASSERT(again == one.bytes);
    RC_ASSERT(lines_of(one.read(again)) == lines_of(one.shown) || !one.shown.unread.empty());
  });
}

TEST(JsonCodecProperty, AFreshFileShowsWhatWasWanted) {
  check("fresh", true, [](const CodecCase& one) {
    const std::vector<std::string_view> earlier(one.earlier.begin(), one.earlier.end());
    const std::string bytes = one.codec().fresh(kPath, {one.wanted, {}, earlier});
    const Content shown = one.codec().parse(kPath, bytes, {}).value();
    RC_LOG() << "fresh\n" << bytes;
    RC_ASSERT(same_text(shown.file, one.wanted.file));
    RC_ASSERT(order_of(shown) == order_of(one.wanted) || one.life->shape->lists.empty());
    for (std::size_t i = 0; i < shown.entries.size(); ++i) {
      RC_ASSERT(same_text(shown.entries[i].members, one.wanted.entries[i].members));
      RC_ASSERT(same_text(shown.entries[i].status, one.wanted.entries[i].status));
    }
    RC_ASSERT(shown.unread.empty());
    RC_ASSERT(one.codec().fresh(kPath, {shown, {}, std::vector<std::string_view>{bytes}}) == bytes);
  });
}

// ---- the model

class JsonCodecModel : public test::ModelTest {};

CodecCase model_case(std::uint64_t seed) {
  CodecCase one = Maker(seed).make(seed % 2 == 0, true);
  // The model is given text, and Python's JSON takes no byte order mark.
  for (std::string* text : {&one.bytes}) *text = text->substr(text->starts_with("\xEF\xBB\xBF") ? 3 : 0);
  for (std::string& text : one.earlier) text = text.substr(text.starts_with("\xEF\xBB\xBF") ? 3 : 0);
  return one;
}

Json entries_of(const std::vector<Entry>& entries) {
  Json out = Json::array();
  for (const Entry& entry : entries)
    out.push_back({{"key", entry.key}, {"status", entry.status}, {"members", entry.members}});
  return out;
}

Json as_json(const CodecCase& one) {
  std::vector<Entry> known;
  for (const OurRecord& record : one.known) known.push_back(record.entry);
  Json left = Json::array();
  for (const auto& [key, members] : one.left) {
    for (const std::string& member : members) left.push_back({key, member});
  }
  return {{"life", one.life->name},     {"path", "42"},
          {"text", one.bytes},          {"earlier", one.earlier},
          {"known", entries_of(known)}, {"wanted", entries_of(one.wanted.entries)},
          {"file", one.wanted.file},    {"left", left}};
}

// A fresh record says the default status, which the model leaves out.
Json with_meant_statuses(const CodecCase& one, std::string_view text) {
  Json root = JsonText::scan(text).value().root().value();
  if (one.life->shape->lists.empty()) return root;
  for (Json& element : root[std::string(one.life->shape->lists.front())]) {
    if (!element.is_object()) continue;
    const Json* said = element.contains("status") ? &element["status"] : nullptr;
    element["status"] = status_meant(*one.life->shape->law, said);
  }
  return root;
}

TEST_F(JsonCodecModel, RandomFilesComeOutTheSame) {
  const std::uint64_t seed = test::number_from("PAWL_MODEL_SEED", 1),
                      count = test::number_from("PAWL_MODEL_CASES", 3000);
  std::vector<Json> cases;
  for (std::uint64_t i = 0; i < count; ++i) cases.push_back(as_json(model_case(seed + i)));
  const std::vector<Json> answers = ask("codec_model.py", cases);
  ASSERT_EQ(answers.size(), cases.size());
  int different = 0;
  for (std::uint64_t i = 0; i < count && different < 3; ++i) {
    const CodecCase one = model_case(seed + i);
    const Json shown = {{"owner", one.shown.owner},
                        {"entries", entries_of(one.shown.entries)},
                        {"file", one.shown.file},
                        {"unread", one.shown.unread.size()}};
    const std::string mine = one.patched(), models = string_or(answers[i], "patched");
    const bool same_value_of_file = same_text(with_meant_statuses(one, mine), with_meant_statuses(one, models));
    if (same_text(shown, answers[i]["shown"]) && same_value_of_file) continue;
    ++different;
    ADD_FAILURE() << "seed " << seed + i << "\ncase   " << to_line(cases[i]) << "\nshown  " << to_line(shown)
                  << "\nmodel  " << to_line(answers[i]["shown"]) << "\nmine   " << mine << "\nmodel  " << models;
  }
}

}  // namespace
}  // namespace pawl::merge
