// Steps that the three kinds of loops share.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "core/decide.h"
#include "core/lifecycle.h"

namespace pawl::loop {

[[nodiscard]] Result<Change> moved(const Machine& machine, const Record& current, std::string_view to,
                                   std::optional<Json> doc, std::string_view what);
// Ends it and takes its file away. One that is not there is no error: nullopt.
[[nodiscard]] Result<std::optional<Change>> cleared(const Machine& machine, const Record& current);

// One whose file says something that is no status is not driven; it can be ended.
[[nodiscard]] Done must_not_be_held(const Machine& machine, const Record& current);

// Is it under way? One that is held may be: nobody else's is put in its place.
[[nodiscard]] bool is_live(const Machine& machine, const Record& record);

// Of loops that say `active`: that word where it is true, the value itself where it is neither true, false nor missing.
inline constexpr std::string_view kActive = "active";
[[nodiscard]] std::optional<std::string> says_active(const Json& object);
// When it began, as a part of its key; "" where the object does not say.
[[nodiscard]] std::string started_at(const Json& object);
[[nodiscard]] bool has_no_start(const Json& doc);

// One that its session goes on with, or that has ended; `end_it` is what to type where nobody does.
[[nodiscard]] Stand stand_of_session(const Record& record, std::string_view end_it);

// The member and one more; 1 where it is no number.
[[nodiscard]] std::int64_t one_more(const Json& doc, std::string_view member);
[[nodiscard]] bool says_something(const Json& object, std::string_view member);  // there, not null, not ""
// The first of these members that is a text, or its first line.
enum class Lines { first, all };
[[nodiscard]] std::string first_text(const Json& doc, std::initializer_list<std::string_view> members,
                                     Lines lines = Lines::first);

}  // namespace pawl::loop
