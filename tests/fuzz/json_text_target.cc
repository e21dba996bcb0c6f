// The scanner against nlohmann's parser: they accept the same texts and read the same values from them, but for numbers
// that nlohmann has no room for.
#include "base/json_text.h"

#include <algorithm>

#include "base/json_number.h"
#include "targets.h"

namespace pawl {
namespace {

// Every node lies within the one around it and after its elder sibling; returns where the subtree ends.
std::uint32_t check_node(const JsonText& file, std::uint32_t index) {
  const JsonNode& node = file.nodes()[index];
  fuzz_require(node.begin < node.end && node.end <= file.text().size(), "a value has bytes");
  std::uint32_t child = index + 1, at = node.begin + 1;
  if (node.kind != JsonKind::object && node.kind != JsonKind::array) {
    fuzz_require(node.next == child, "a scalar has no children");
  }
  while (child < node.next) {
    fuzz_require(file.nodes()[child].begin >= at, "children come in order");
    at = file.nodes()[child].end;
    fuzz_require(at < node.end, "a child lies within its container");
    child = check_node(file, child);
  }
  fuzz_require(child == node.next, "the last child ends the container");
  return child;
}

bool keeps_a_number_as_written(const Json& value) {
  if (!value.is_structured()) return is_as_written(value);
  return std::any_of(value.begin(), value.end(), keeps_a_number_as_written);
}

}  // namespace

void fuzz_json_text(std::string_view bytes) {
  const auto file = JsonText::scan(bytes);
  const bool theirs = Json::accept(bytes);
  if (!file) {
    const std::string& message = file.error().message;
    fuzz_require(message.starts_with("line "), "an error says where");
    const bool known_difference =
        message.find("nested deeper") != std::string::npos || bytes.find('\0') != std::string_view::npos;
    fuzz_require(!theirs || known_difference, "what nlohmann accepts is accepted");
    return;
  }
  fuzz_require(check_node(*file, 0) == file->nodes().size(), "the root holds everything");
  const Json ours = file->root().value();
  const auto again = parse_json(to_line(ours));
  fuzz_require(again && *again == ours, "what was read is read again from what is written");
  if (keeps_a_number_as_written(ours)) return;
  fuzz_require(theirs, "what nlohmann refuses is refused");
  const Json parsed = Json::parse(bytes);
  fuzz_require(ours == parsed && ours.dump() == parsed.dump(), "values are read as nlohmann reads them");
}

}  // namespace pawl
