// Properties of editing, on documents and styles that nobody would think of. rapidcheck prints the seed of every run
// ("Using configuration: seed=…"); RC_PARAMS="seed=…" runs it again.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <limits>
#include <string>

#include "base/json_edit.h"
#include "base/json_same.h"
#include "base/json_style.h"
#include "base/text.h"

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

// A text in which every choice that JSON leaves is made anew at every place.
class WildWriter {
 public:
  std::string write(const Json& value) {
    out_.clear();
    if (one_in(8)) out_ += "\xEF\xBB\xBF";
    blank();
    any(value);
    blank();
    return out_;
  }

 private:
  void blank() {
    static const std::array<std::string, 8> kBlanks = {"", "", "", " ", "\n", "\r\n  ", "\t", "\n\n    "};
    out_ += pick(kBlanks);
  }

  void any(const Json& value) {
    if (value.is_string()) return string(value.get<std::string>());
    if (value.is_number()) return number(value);
    if (!value.is_structured()) return out_ += value.dump(), void();
    out_ += value.is_object() ? '{' : '[';
    blank();
    bool first = true;
    for (const auto& item : value.items()) {
      if (!first) comma();
      first = false;
      if (value.is_object()) {
        if (one_in(12)) {  // shadowed by what follows
          key(item.key());
          any(random_scalar());
          comma();
        }
        key(item.key());
      }
      any(item.value());
      blank();
    }
    out_ += value.is_object() ? '}' : ']';
  }

  void comma() {
    blank();
    out_ += ',';
    blank();
  }

  void key(const std::string& text) {
    string(text);
    blank();
    out_ += ':';
    blank();
  }

  void number(const Json& value) {
    out_ += value.dump();
    if (value.is_number_integer() && value.get<std::int64_t>() == 42 && one_in(2)) out_ += one_in(2) ? ".0" : "e0";
    if (value.is_number_integer() && value.get<std::int64_t>() == 1 && one_in(2)) out_ += "0E-1";
  }

  void string(const std::string& text) {
    JsonStyle style;
    style.escape_non_ascii = one_in(3);
    style.upper_hex = one_in(2);
    if (one_in(4)) style.escape_ascii.set('/').set('a');
    style.short_slash = one_in(2);
    append_string(out_, text, style);
  }

  std::string out_;
};

Json parsed(std::string_view text) {
  const auto file = JsonText::scan(text);
  RC_ASSERT(file.has_value());
  return file->root().value();
}

void check(const std::string& name, const std::function<void()>& property) { EXPECT_TRUE(rc::check(name, property)); }

TEST(JsonEditProperty, WildTextIsReadAsNlohmannReadsIt) {
  check("scan agrees with nlohmann", [] {
    const std::string text = WildWriter().write(random_value(4));
    RC_LOG() << text;
    RC_ASSERT(parsed(text) == Json::parse(text));
  });
}

TEST(JsonEditProperty, ResultMeansWhatWasWantedAndTheRestStays) {
  check("conform keeps its promises", [] {
    const Json before = random_value(4);
    const std::string text = WildWriter().write(before);
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
    const std::string text = WildWriter().write(before);
    const JsonText file = JsonText::scan(text).value();
    std::vector<JsonChange> changes;
    std::size_t at = 0;
    for (const JsonRef element : file.root().elements()) changes.push_back({element, &wanted[at++]});
    if (one_in(2)) std::reverse(changes.begin(), changes.end());
    RC_LOG() << text << "\nwanted " << wanted.dump();
    RC_ASSERT(same_value(parsed(conform(file, changes)), wanted));
  });
}

}  // namespace
}  // namespace pawl
