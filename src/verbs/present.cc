#include "verbs/present.h"

#include <algorithm>
#include <array>

#include "base/clock.h"
#include "base/local_time.h"
#include "base/text.h"

namespace pawl {
namespace {

std::string state_word(const Record& record) {
  if (record.held) return cat("held “", *record.held, "”");
  return record.status.empty() ? std::string(kAbsent) : record.status;
}

void put_state(Json& out, const Record& after) {
  out["status"] = after.status.empty() ? Json() : Json(after.status);
  if (after.held) out["held"] = *after.held;
  if (after.aside) out["aside"] = true;
}

std::string_view name_of(EffectState state) {
  switch (state) {
    case EffectState::intended:
      return "intended";
    case EffectState::done:
      return "done";
    case EffectState::failed:
      return "failed";
  }
  return "unknown";
}

// What a move needed and had, a line each.
std::string lines_of_evidence(const Json& evidence, const std::string& indent, const TextStyle& style) {
  std::string out;
  for (const auto& [name, value] : evidence.items()) {
    if (value.is_object()) {
      out += cat(indent, printable(name), ":\n", lines_of_evidence(value, indent + "  ", style));
    } else if (value.is_array() && !value.empty() && value.front().is_object()) {
      for (const Json& one : value) {
        const std::string criterion = string_or(one, "criterion");
        Json rest = one;
        rest.erase("criterion");
        out += cat(indent, criterion.empty() ? printable(name) : cat("“", printable(criterion), "”"), ":\n",
                   lines_of_evidence(rest, indent + "  ", style));
      }
    } else if (!value.is_null() && value != "") {
      const std::string text = value.is_string() ? time_in_words(value.get<std::string>(), style) : to_line(value);
      out += cat(indent, printable(name), ": ");
      bool first = true;
      const std::string shown = printable(text, true);
      for (const std::string_view part : split(shown, '\n')) {
        if (!first && part.empty()) continue;
        out += cat(first ? "" : indent + "    ", part, "\n");
        first = false;
      }
    }
  }
  return out;
}

}  // namespace

Json head_of(const Record& record) {
  Json out{{"ref", record.id.ref()}, {"kind", record.id.kind}, {"key", record.id.key}};
  if (!record.id.scope.empty()) out["scope"] = record.id.scope;
  put_state(out, record);
  out["revision"] = record.revision;
  return out;
}

Json to_json(const Record& record) {
  Json out = head_of(record);
  out["document"] = record.doc;
  return out;
}

Json to_json(const Event& event) {
  Json out{{"event", event.id}, {"operation", event.operation}, {"ref", event.after.id.ref()}, {"what", event.what}};
  if (!event.after.id.scope.empty()) out["scope"] = event.after.id.scope;
  out["from"] = event.from.empty() ? Json(kAbsent) : Json(event.from);
  out["to"] = state_word(event.after);
  if (event.after.aside) out["aside"] = true;
  out["revision"] = event.after.revision;
  if (event.unverified) out["unverified"] = true;
  if (!event.evidence.is_null()) out["evidence"] = event.evidence;
  out["document"] = event.after.doc;
  return out;
}

Json to_json(const Change& change) {
  Json out{{"ref", change.before.id.ref()}, {"what", change.what}};
  if (!change.before.id.scope.empty()) out["scope"] = change.before.id.scope;
  out["from"] = state_word(change.before);
  out["to"] = state_word(change.after);
  return out;
}

Json to_json(const Effect& effect) {
  return {{"effect", effect.id},
          {"ref", effect.record.ref()},
          {"kind", effect.kind},
          {"marker", effect.marker},
          {"state", name_of(effect.state)}};
}

Result<Json> to_json(Transaction& store, const Operation& operation) {
  Json out{{"operation", operation.id},
           {"at", iso_time(operation.at_ms, true)},
           {"at_ms", operation.at_ms},
           {"actor", operation.actor},
           {"verb", operation.verb}};
  if (!operation.reason.empty()) out["reason"] = operation.reason;
  if (operation.outside) out["outside"] = true;
  if (operation.undoes) out["undoes"] = *operation.undoes;
  if (!operation.idempotency_key.empty()) out["idempotency_key"] = operation.idempotency_key;
  out["events"] = Json::array();
  PAWL_ASSIGN(const auto events, store.events_of(operation.id));
  for (const Event& event : events) out["events"].push_back(to_json(event));
  PAWL_ASSIGN(const auto effects, store.effects_of(operation.id));
  for (const Effect& effect : effects) out["effects"].push_back(to_json(effect));
  return out;
}

std::string line_of_event(const Json& event) {
  const std::string from = string_or(event, "from"), to = string_or(event, "to");
  // Of two folders' issue 1 each has its own line.
  const std::string scope = string_or(event, "scope");
  std::string line = cat(printable(string_or(event, "ref")), scope.empty() ? "" : cat(" in ", printable(scope)), ": ");
  line += from == to ? cat(printable(to), " (", printable(string_or(event, "what")), ")")
                     : cat(printable(from), " → ", printable(to));
  if (from != to && string_or(event, "what") != "set") line += cat(" (", printable(string_or(event, "what")), ")");
  if (event.contains("aside")) line += " [set aside]";
  if (event.contains("unverified")) line += " [unverified]";
  return line;
}

std::string lines_of_operation(const Json& operation, const TextStyle& style) {
  const std::int64_t at = integer_or(operation, "at_ms");
  const bool outside = operation.contains("outside");
  std::string out =
      cat(bold(std::to_string(integer_or(operation, "operation")), style), "  ", ago(at, style.now_ms), "  ");
  out += outside ? std::string("found in a file, changed outside pawl")
                 : cat(printable(string_or(operation, "actor")), "  ", printable(string_or(operation, "verb")));
  if (operation.contains("undoes")) out += cat(" of operation ", operation["undoes"].get<std::int64_t>());
  out += cat("  ", faint(cat("(", local_time(at), ")"), style), "\n");
  if (const std::string reason = string_or(operation, "reason"); !reason.empty())
    out += cat("    because: ", printable(reason), "\n");
  for (const Json& event : operation["events"]) {
    out += cat("    ", line_of_event(event), "\n");
    Json evidence = event.value("evidence", Json());
    // Said already, of the whole operation.
    if (evidence.is_object() && string_or(evidence, "reason") == string_or(operation, "reason"))
      evidence.erase("reason");
    if (!evidence.is_null()) out += lines_of_evidence(evidence, "      ", style);
  }
  const Json effects = operation.value("effects", Json::array());
  for (const Json& effect : effects)
    out += cat("    ", printable(string_or(effect, "ref")), ": ", printable(string_or(effect, "kind")), " (",
               string_or(effect, "state"), ")\n");
  if (operation["events"].empty() && effects.empty()) out += "    changed nothing that is still kept\n";
  return out;
}

std::string time_in_words(const std::string& text, const TextStyle& style) {
  const auto at = parse_iso_time(text);
  if (!at || text.size() < 19) return text;
  return cat(ago(*at, style.now_ms), " (", local_time(*at), ")");
}

std::string ago(std::int64_t then_ms, std::int64_t now_ms) {
  struct Unit {
    std::int64_t ms;
    std::string_view name;
  };
  constexpr std::array kUnits = {Unit{86'400'000, "day"}, Unit{3'600'000, "hour"}, Unit{60'000, "minute"},
                                 Unit{1000, "second"}};
  const std::int64_t passed = now_ms - then_ms;
  for (const Unit& unit : kUnits) {
    const std::int64_t count = passed / unit.ms;
    if (count > 0) return cat(count, " ", unit.name, count == 1 ? "" : "s", " ago");
  }
  return passed < -1000 ? "in the future" : "just now";
}

std::string age_of(std::int64_t then_ms, std::int64_t now_ms) {
  const std::int64_t seconds = std::max<std::int64_t>(0, now_ms - then_ms) / 1000;
  if (seconds >= 86'400) return cat(seconds / 86'400, "d");
  if (seconds >= 3600) return cat(seconds / 3600, "h");
  return seconds >= 60 ? cat(seconds / 60, "m") : cat(seconds, "s");
}

std::string counted(std::int64_t count, std::string_view noun) { return cat(count, " ", noun, count == 1 ? "" : "s"); }

std::string bold(std::string_view text, const TextStyle& style) {
  return style.color ? cat("\x1b[1m", text, "\x1b[0m") : std::string(text);
}
std::string faint(std::string_view text, const TextStyle& style) {
  return style.color ? cat("\x1b[2m", text, "\x1b[0m") : std::string(text);
}

}  // namespace pawl
