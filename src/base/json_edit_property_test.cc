// Properties of editing, on documents and styles that nobody would think of. rapidcheck prints the seed of every run
// ("Using configuration: seed=…"); RC_PARAMS="seed=…" runs it again.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <deque>
#include <limits>
#include <string>

#include "base/json_edit.h"
#include "base/json_same.h"
#include "base/json_style.h"
#include "base/text.h"
#include "support/wild_json.h"

namespace pawl {
namespace {

// The full range in every run: rapidcheck starts with small numbers, and small documents have no bugs.
int upto(int n) { return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, n)); }
bool one_in(int n) { return upto(n) == n - 1; }

template <class T, std::size_t N>
const T& pick(const std::array<T, N>& choices) {
  return choices[static_cast<std::size_t>(upto(static_cast<int>(N)))];
}

Json random_scalar() {
  static const std::array<Json, 24> kScalars = {nullptr,
                                                true,
                                                false,
                                                0,
                                                1,
                                                -7,
                                                42,
                                                1.5,
                                                -0.25,
                                                1e300,
                                                2.0,
                                                std::numeric_limits<std::int64_t>::min(),
                                                std::numeric_limits<std::uint64_t>::max(),
                                                9007199254740993,
                                                "",
                                                "x",
                                                "pending",
                                                "two words",
                                                "a \"quoted\" \\ word",
                                                "line\nline\ttab\x01\x7f",
                                                "a/b <c> & 'd'",
                                                "설계 é",
                                                "😀",
                                                std::string("nul\0nul", 7)};
  return pick(kScalars);
}

const std::string& random_key() {
  static const std::array<std::string, 10> kKeys = {"a", "id", "b", "status", "c", "", "설계", "x/y", "q\"\\", "d"};
  return pick(kKeys);
}

Json random_value(int depth);

Json random_object(int depth) {
  Json out = Json::object();
  for (int i = upto(6); i > 0; --i) out[random_key()] = random_value(depth - 1);
  return out;
}

Json random_value(int depth) {
  const int kind = depth > 0 ? upto(5) : 0;
  if (kind < 3) return random_scalar();
  if (kind == 4) return random_object(depth);
  Json out = Json::array();
  for (int i = upto(6); i > 0; --i) out.push_back(random_value(depth - 1));
  return out;
}

// Something near to it: some members other, gone or new.
Json random_change(const Json& value, int depth) {
  if (one_in(6)) return random_value(depth);
  if (!value.is_structured()) return value;
  Json out = value.is_object() ? Json::object() : Json::array();
  const auto add = [&](const std::string& key, Json inner) {
    if (value.is_object()) {
      out[key] = std::move(inner);
    } else {
      out.push_back(std::move(inner));
    }
  };
  for (const auto& item : value.items()) {
    if (one_in(8)) add(random_key(), random_value(depth - 1));
    if (!one_in(8)) add(item.key(), random_change(item.value(), depth - 1));
  }
  if (one_in(5)) add(random_key(), random_value(depth - 1));
  return out;
}

// Other scalars in the same places, in the same order of the same keys.
Json other_scalars(const Json& value) {
  if (!value.is_structured()) return one_in(3) ? random_scalar() : value;
  Json out = value;
  for (Json& inner : out) inner = other_scalars(inner);
  return out;
}

std::string wild(const Json& value) { return test::WildWriter(upto).write(value); }

Json parsed(std::string_view text) {
  const auto file = JsonText::scan(text);
  RC_ASSERT(file.has_value());
  return file->root().value();
}

void check(const std::string& name, const std::function<void()>& property) { EXPECT_TRUE(rc::check(name, property)); }

TEST(JsonEditProperty, WildTextIsReadAsNlohmannReadsIt) {
  check("scan agrees with nlohmann", [] {
    const std::string text = wild(random_value(4));
    RC_LOG() << text;
    RC_ASSERT(parsed(text) == Json::parse(text));
  });
}

TEST(JsonEditProperty, ResultMeansWhatWasWantedAndTheRestStays) {
  check("conform keeps its promises", [] {
    const Json before = random_value(4);
    const std::string text = wild(before);
    const Json wanted = one_in(4) ? random_value(4) : random_change(before, 4);
    RC_LOG() << text << "\nwanted " << wanted.dump();
    RC_ASSERT(conform(text, parsed(text)).value() == text);
    const std::string result = conform(text, wanted).value();
    RC_LOG() << "\nresult " << result;
    RC_ASSERT(same_value(parsed(result), wanted));
    RC_ASSERT(conform(result, wanted).value() == result);
    RC_ASSERT(result.starts_with("\xEF\xBB\xBF") == text.starts_with("\xEF\xBB\xBF"));
    if (!wanted.is_object()) return;
    const JsonText old_file = JsonText::scan(text).value(), new_file = JsonText::scan(result).value();
    for (const auto& item : wanted.items()) {
      const auto was = old_file.root().find(item.key());
      if (was && same_value(*was, item.value())) RC_ASSERT(new_file.root().find(item.key())->raw() == was->raw());
    }
  });
}

TEST(JsonEditProperty, ChangeAndChangeBackGivesTheSameBytes) {
  check("value changes can be taken back", [] {
    // Scalars in their usual spelling, as only such ones come back; blanks and order as they please.
    JsonStyle style;
    style.multi_line = one_in(2);
    style.short_arrays = one_in(2);
    style.colon = one_in(2) ? ":" : " :  ";
    style.comma = one_in(2) ? "," : "  , ";
    style.unit = one_in(2) ? "\t" : "   ";
    const Json before = random_object(4);
    std::string text;
    append_value(text, before, style, "", JsonLayout::natural);
    const Json wanted = other_scalars(before);
    RC_LOG() << text << "\nwanted " << wanted.dump();
    const std::string there = conform(text, wanted).value();
    RC_ASSERT(same_value(parsed(there), wanted));
    RC_ASSERT(conform(there, before).value() == text);
  });
}

TEST(JsonEditProperty, FileOfOneStyleStaysInThatStyle) {
  check("what is new looks like what was there", [] {
    JsonStyle style;
    static const std::array<std::string, 5> kUnits = {"  ", "    ", "\t", " ", "   "};
    style.unit = pick(kUnits);
    style.newline = one_in(2) ? "\r\n" : "\n";
    static const std::array<std::string, 3> kColons = {": ", ":", " : "};
    style.colon = pick(kColons);
    style.multi_line = !one_in(3);
    style.comma = style.colon == ":" ? "," : ", ";
    Json before = random_object(4), wanted = random_change(before, 4);
    before["kept"] = 1;
    if (!wanted.is_object()) wanted = Json::object();
    wanted["kept"] = 1;
    std::string text;
    append_value(text, before, style, "", JsonLayout::natural);
    const std::string result = conform(text, wanted).value();
    std::string expected;
    append_value(expected, parsed(result), style, "", JsonLayout::natural);
    RC_LOG() << text << "\nwanted " << wanted.dump();
    RC_ASSERT(result == expected);
  });
}

TEST(JsonEditProperty, SeveralObjectsAreEditedAsIfOneByOne) {
  check("one pass is as good as many", [] {
    Json before = Json::array(), wanted = Json::array();
    for (int i = upto(6); i >= 0; --i) {
      before.push_back(random_object(3));
      before.back()["id"] = i;
      wanted.push_back(one_in(2) ? before.back() : random_change(before.back(), 3));
    }
    const std::string text = wild(before);
    const JsonText file = JsonText::scan(text).value();
    std::vector<JsonChange> changes;
    std::size_t at = 0;
    for (const JsonRef element : file.root().elements()) changes.push_back({element, &wanted[at++]});
    if (one_in(2)) std::reverse(changes.begin(), changes.end());
    RC_LOG() << text << "\nwanted " << wanted.dump();
    RC_ASSERT(same_value(parsed(conform(file, changes)), wanted));
  });
}

TEST(JsonEditProperty, ComparedAsTextTheResultIsTheSameText) {
  check("1.0 becomes 1", [] {
    const Json before = random_value(4);
    const std::string text = wild(before);
    const Json wanted = one_in(4) ? before : random_change(before, 4);
    const JsonText file = JsonText::scan(text).value();
    RC_LOG() << text << "\nwanted " << wanted.dump();
    RC_ASSERT(conform(file, file.root(), parsed(text), JsonEqual::text) == text);
    const std::string result = conform(file, file.root(), wanted, JsonEqual::text);
    RC_LOG() << "\nresult " << result;
    RC_ASSERT(same_text(parsed(result), wanted));
  });
}

TEST(JsonEditProperty, NamedElementsComeOutAsNamed) {
  check("each element is the one that was named", [] {
    Json before = Json::array();
    for (int i = upto(5); i > 0; --i) before.push_back(random_value(3));
    const std::string text = wild(Json{{"list", before}, {"after", 1}});
    const JsonText file = JsonText::scan(text).value();
    std::vector<JsonRef> elements;
    for (const JsonRef element : file.root().find("list")->elements()) elements.push_back(element);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < elements.size(); ++i) order.push_back(i);
    for (std::size_t i = 0; i + 1 < order.size() && one_in(2); ++i)
      std::swap(order[i], order[static_cast<std::size_t>(upto(static_cast<int>(order.size())))]);
    std::deque<Json> values;
    std::deque<std::string> spellings;
    std::vector<JsonItem> items;
    const auto add_new = [&] {
      values.push_back(random_value(2));
      spellings.push_back(one_in(2) ? values.back().dump(one_in(2) ? 4 : -1) : "");
      items.push_back({kNoMember, &values.back(), spellings.back()});
    };
    for (const std::size_t i : order) {
      if (one_in(3)) add_new();
      if (one_in(3)) continue;
      const bool stays = one_in(2);
      values.push_back(stays ? elements[i].value() : random_change(elements[i].value(), 3));
      items.push_back({i, stays ? nullptr : &values.back()});
    }
    if (items.empty() || one_in(3)) add_new();
    Json wanted = Json::array();
    for (const Json& value : values) wanted.push_back(value);
    const Json none = Json::array();
    const JsonChange change{*file.root().find("list"), &none, items};
    const std::string result = conform(file, std::span(&change, 1), JsonEqual::text);
    RC_LOG() << text << "\nwanted " << wanted.dump() << "\nresult " << result;
    const JsonText after = JsonText::scan(result).value();
    RC_ASSERT(same_text(after.root().find("list")->value(), wanted));
    RC_ASSERT(after.root().find("after")->raw() == file.root().find("after")->raw());
    std::size_t at = 0;
    for (const JsonRef element : after.root().find("list")->elements()) {
      const JsonItem& item = items[at++];
      if (item.from != kNoMember && item.wanted == nullptr) RC_ASSERT(element.raw() == elements[item.from].raw());
    }
  });
}

}  // namespace
}  // namespace pawl
