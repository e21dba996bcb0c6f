// The bytes of a state file after something changed in it: only the values that differ are written.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/record.h"
#include "lifecycles/review/state_text.h"

namespace pawl::review {

// A finding that a file is to show: that of a record, or one that stands there to the byte.
struct MeantFinding {
  std::string_view block;
  const Record* shows = nullptr;  // where it is not left as it is
};
// A file after an edit, and what it must show to whoever reads it.
struct EditedState {
  std::optional<std::string> text;             // nullopt: the review is not there any more, and no file is left
  std::map<std::int64_t, std::string> chunks;  // their statuses
  std::vector<MeantFinding> findings;          // in order; of the records and the bytes that it was made of
};
// `before`: findings as they were, by which those without an id are found in the file. `others`: where one comes back,
// those that it stands among; none where it goes behind them all.
[[nodiscard]] EditedState edit_state(const StateText& base, std::span<const Record> records,
                                     std::span<const Record> before, std::span<const Record> others = {});

// A whole file in the seed's form.
[[nodiscard]] std::optional<std::string> new_state(std::span<const Record> records);
[[nodiscard]] EditedState new_file(std::span<const Record> records);

// Is it read as it was meant? Whatever the writer does, no file is left that says something else.
[[nodiscard]] bool reads_back(const EditedState& made);

// Is there a line in the file that pawl, which would write `own` for the same review, has not written?
[[nodiscard]] bool has_others_words(std::string_view text, std::string_view own);

}  // namespace pawl::review
