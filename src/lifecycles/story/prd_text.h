// A list of stories as it stands in its file: finding them in the bytes, and writing them back so that everything else
// stays.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/json_text.h"
#include "core/mirror_format.h"
#include "core/record.h"

namespace pawl::story {

// The list, under whichever name it has.
[[nodiscard]] std::optional<JsonRef> list_in(const JsonRef& root);
[[nodiscard]] std::string text_of(const JsonRef& value);  // also of a number, as it is spelled

// The key of every story, in order. Of those that share an id the first has it; the others, and those without one,
// have a key that says so, and wait for a person.
struct Named {
  std::string key;
  std::string trouble;  // what is wrong with its id
  bool number = false;  // its id is one, and may be spelled in other ways
};
[[nodiscard]] std::vector<Named> names_of(const JsonRef& list);

// Are both numbers, and the same one? 1 and 1.0 are. A key is an id as it was spelled when its story came in, and a
// tool that writes the list again may spell numbers otherwise; “1” and “1.0” in one list are two stories all the same.
[[nodiscard]] bool same_number(std::string_view a, std::string_view b);

// Names of stories that are not there by their own spelling, to be known again by the number that they are.
class RespelledNames {
 public:
  void add(const std::string& name);  // what is no number is no matter
  [[nodiscard]] bool has(std::string_view spelled) const;
  // The first that was added of those that are the same number. Each is taken once.
  [[nodiscard]] std::optional<std::string> take(std::string_view spelled);

 private:
  std::unordered_map<std::string, std::deque<std::string>> names_;  // by their number in one spelling
};

// Is there a story, not set aside, that is known by this very spelling?
[[nodiscard]] Result<bool> is_known(const KnownRecords& known, const std::string& scope, const std::string& key);

// The file after it shows `records` as they are. What comes back stands behind the story that it followed when pawl
// last left the file, or before that; new ones at the end.
[[nodiscard]] std::string written_prd(std::optional<std::string_view> base, std::span<const Record> records,
                                      const KnownRecords* known);

}  // namespace pawl::story
