// Editing: a text, the byte 0x1E (which no JSON holds), and what it is to say.
#include "base/json_edit.h"

#include <vector>

#include "base/json_same.h"
#include "targets.h"

namespace pawl {
namespace {

// Elements or members, as whatever can be edited by itself.
std::vector<JsonRef> inner_values(const JsonRef& container) {
  std::vector<JsonRef> out;
  for (const JsonRef element : container.elements()) out.push_back(element);
  for (const auto member : container.members()) out.push_back(member.value);
  return out;
}

void check_several(const JsonText& file, const Json& wanted) {
  const std::vector<JsonRef> values = inner_values(file.root());
  std::vector<JsonChange> changes;
  for (std::size_t i = 0; i < values.size(); i += 2) changes.push_back({values[i], &wanted});
  const std::string result = conform(file, changes);
  const auto again = JsonText::scan(result);
  if (!again) {
    fuzz_require(again.error().message.find("nested deeper") != std::string::npos, "several edits leave JSON");
    return;
  }
  const std::vector<JsonRef> after = inner_values(again->root());
  fuzz_require(after.size() == values.size(), "several edits leave the number of values");
  for (std::size_t i = 0; i < after.size(); ++i) {
    fuzz_require(i % 2 == 0 ? same_value(after[i], wanted) : after[i].raw() == values[i].raw(),
                 "several edits change what they name and nothing else");
  }
}

}  // namespace

void fuzz_json_edit(std::string_view bytes) {
  const std::size_t middle = bytes.find('\x1e');
  if (middle == std::string_view::npos) return;
  const std::string_view text = bytes.substr(0, middle);
  const auto file = JsonText::scan(text);
  const auto wanted = parse_json(bytes.substr(middle + 1));
  if (!file || !wanted) return;

  const Json before = file->root().value();
  fuzz_require(same_value(file->root(), before), "a text says what it says");
  fuzz_require(conform(*file, file->root(), before) == text, "nothing changed changes nothing");

  const std::string result = conform(*file, file->root(), *wanted);
  const auto again = JsonText::scan(result);
  fuzz_require(again.has_value(), "the result is JSON");
  fuzz_require(same_value(again->root(), *wanted), "the result says what was wanted");
  fuzz_require(same_value(again->root().value(), *wanted), "and so does its value");
  fuzz_require(conform(*again, again->root(), *wanted) == result, "a second time changes nothing");
  for (const auto member : again->root().members()) {
    const auto was = file->root().find(member.key.string());
    const auto is = again->root().find(member.key.string());
    if (!was || !same_value(*was, is->value())) continue;
    fuzz_require(was->raw() == is->raw(), "an equal member keeps its bytes");
  }
  fuzz_require(same_value(JsonText::scan(conform(*again, again->root(), before))->root(), before), "and back again");
  check_several(*file, *wanted);
}

}  // namespace pawl
