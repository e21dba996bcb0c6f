// How records, events and operations look in JSON and in a line of text: the same in every verb that shows them.
#pragma once

#include <string>

#include "core/event.h"
#include "engine/view.h"
#include "verbs/verb.h"

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
// "3 minutes ago"
[[nodiscard]] std::string ago(std::int64_t then_ms, std::int64_t now_ms);
// The same where there is little room: "3m"
[[nodiscard]] std::string age_of(std::int64_t then_ms, std::int64_t now_ms);
// "1 operation", "2 operations"
[[nodiscard]] std::string counted(std::int64_t count, std::string_view noun);
[[nodiscard]] std::string bold(std::string_view text, const TextStyle& style);
[[nodiscard]] std::string faint(std::string_view text, const TextStyle& style);

}  // namespace pawl
