// How records, events and operations look in JSON and in a line of text: the same in every verb that shows them.
#pragma once

#include <string>
#include <vector>

#include "base/ago.h"
#include "commands/verb.h"
#include "core/event.h"
#include "engine/view.h"

namespace pawl {

[[nodiscard]] Json to_json(const Record& record);
// The same without its document, which is not even read for it.
[[nodiscard]] Json head_of(const Record& record);
[[nodiscard]] Json to_json(const Event& event);
[[nodiscard]] Json to_json(const Effect& effect);
[[nodiscard]] Json to_json(const Change& change);
// With its events, and what it did to the world.
[[nodiscard]] Result<Json> to_json(Transaction& store, const Operation& operation);

// "issue/42: running → complete", from an event's or a change's JSON.
[[nodiscard]] std::string line_of_event(const Json& event);
// "17  3 minutes ago  ann  issue set  (2026-01-30 10:00)", and below it why, what changed and what showed it.
[[nodiscard]] std::string lines_of_operation(const Json& operation, const TextStyle& style);
// A time that a document has, as a person reads it: "3 minutes ago (2026-01-30 10:00)". Anything else as it is.
[[nodiscard]] std::string time_in_words(const std::string& text, const TextStyle& style);
// "1 operation", "2 operations"
[[nodiscard]] std::string counted(std::int64_t count, std::string_view noun);
[[nodiscard]] std::string bold(std::string_view text, const TextStyle& style);
[[nodiscard]] std::string faint(std::string_view text, const TextStyle& style);

// A line each, one column below the other, the first in bold; and under it what is too long for a column, cut where the
// line ends. Of printable text.
struct TableRow {
  std::vector<std::string> cells;
  std::string below = {};
};
[[nodiscard]] std::string table_of(const std::vector<TableRow>& rows, const TextStyle& style);

// Lines below something else, each so far in: hints and advice, of which each command has a line of its own. "" for "".
[[nodiscard]] std::string lines_below(std::string_view lines, std::string_view indent);

}  // namespace pawl
