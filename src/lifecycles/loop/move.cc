#include "lifecycles/loop/move.h"

#include <algorithm>
#include <limits>

#include "base/clock.h"
#include "base/text.h"
#include "core/held_word.h"
#include "lifecycles/loop/identity.h"

namespace pawl::loop {

Result<Change> moved(const Machine& machine, const Record& current, std::string_view to, std::optional<Json> doc,
                     std::string_view what) {
  MoveRequest request;
  request.to = to;
  if (doc) request.doc = std::move(*doc);
  request.what = what;
  return decide_move(machine, current, std::move(request));
}

Result<std::optional<Change>> cleared(const Machine& machine, const Record& current) {
  if (!current.present()) return std::optional<Change>();
  PAWL_ASSIGN(Change change, moved(machine, current, kAbsent, std::nullopt, "cleared"));
  return std::optional(std::move(change));
}

Done must_not_be_held(const Machine& machine, const Record& current) {
  if (!current.held) return done();
  return fail(ErrorCode::illegal_move,
              cat("the file of ", machine.name, " ", printable(current.id.key), " says ", in_quotes(*current.held),
                  ", which does not tell whether it is under way"),
              "mend the file, or clear it");
}

bool is_live(const Machine& machine, const Record& record) {
  return record.held || (record.present() && !machine.terminal(record.status));
}

std::optional<std::string> says_active(const Json& object) {
  const auto active = object.find(kActive);
  if (active == object.end() || active->is_null()) return std::nullopt;
  if (!active->is_boolean()) return to_line(*active);
  return active->get<bool>() ? std::optional(std::string(kActive)) : std::nullopt;
}

std::string started_at(const Json& object) {
  const auto found = object.find("started_at");
  return found == object.end() ? std::string() : start_part(*found);
}

bool has_no_start(const Json& doc) { return started_at(doc).empty(); }

Stand stand_of_session(const Record& record, std::string_view end_it) {
  const auto time = [&](const char* member) { return parse_iso_time(string_or(record.doc, member)).value_or(0); };
  return {.place = record.status == kActive ? BoardPlace::running : BoardPlace::ended,
          .advice = std::string(end_it),
          .since_ms = std::max({time("started_at"), time("last_activity_at"), time("last_checked_at")})};
}

std::int64_t one_more(const Json& doc, std::string_view member) {
  const std::int64_t now = std::max<std::int64_t>(integer_or(doc, member), 0);
  return now == std::numeric_limits<std::int64_t>::max() ? now : now + 1;
}

bool says_something(const Json& object, std::string_view member) {
  const auto found = object.find(std::string(member));
  return found != object.end() && !found->is_null() && *found != "" && *found != false;
}

std::string first_text(const Json& doc, std::initializer_list<std::string_view> members, Lines lines) {
  for (const std::string_view member : members) {
    const std::string text = string_or(doc, member);
    if (!text.empty()) return lines == Lines::all ? text : text.substr(0, text.find('\n'));
  }
  return {};
}

}  // namespace pawl::loop
