#include "commands/present.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "base/clock.h"
#include "base/columns.h"
#include "base/local_time.h"
#include "base/text.h"
#include "commands/undone_members.h"
#include "core/held_word.h"
#include "core/mirror_format.h"

namespace pawl {
namespace {

std::string state_word(const Record& record) {
  if (record.held) return cat("held ", in_quotes(*record.held));
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
  Json out{{"ref", record.id.ref()}, {"kind", called(record.id.kind)}, {"key", record.id.key}};
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
  for (const Event& event : events) {
    Json row = to_json(event);
    const bool edited = event.what == "edited outside";  // then what it says of itself is not all that it did
    if ((event.from.empty() || edited) && event.after.revision > 1) {
      PAWL_ASSIGN(const auto before, store.event_before(event.after.id, event.id));
      if (before && event.from.empty()) row["from"] = state_word(before->after);  // it was away, or held
      Json members = before && edited ? members_of(Change{before->after, event.after, {}, {}, false}) : Json::object();
      if (!members.empty()) row["members"] = std::move(members);
    }
    out["events"].push_back(std::move(row));
  }
  PAWL_ASSIGN(const auto effects, store.effects_of(operation.id));
  for (const Effect& effect : effects) out["effects"].push_back(to_json(effect));
  return out;
}

namespace {

constexpr std::size_t kTogether = 4;  // as many that went the same way are told of as one

// "running → complete"
std::string way_of(const Json& event) {
  const std::string from = string_or(event, "from"), to = string_or(event, "to");
  std::string line = from == to ? cat(printable(to), " (", printable(string_or(event, "what")), ")")
                                : cat(printable(from), " → ", printable(to));
  if (from != to && string_or(event, "what") != "set") line += cat(" (", printable(string_or(event, "what")), ")");
  if (event.contains("aside") && string_or(event, "what") != "set aside") line += " [set aside]";
  if (event.contains("unverified")) line += " [unverified]";
  return line;
}

// Of two folders' issue 1 each has its own line.
std::string in_scope(const Json& event) {
  const std::string scope = string_or(event, "scope");
  return scope.empty() ? std::string() : cat(" in ", printable(scope));
}

// "story/"
std::string kind_in(const Json& event) {
  const std::string ref = string_or(event, "ref");
  return ref.substr(0, ref.find('/') + 1);
}

// What was not known before has not changed.
bool all_adopted(const Json& events) {
  return !events.empty() && std::all_of(events.begin(), events.end(),
                                        [](const Json& event) { return string_or(event, "what") == "adopted"; });
}

// Of which things of one kind went the same way, with nothing more to tell of any: by the line they would share.
std::map<std::string, std::vector<std::size_t>> alike_in(const Json& events) {
  std::map<std::string, std::vector<std::size_t>> out;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (!events[i].contains("evidence"))
      out[cat(kind_in(events[i]), in_scope(events[i]), ": ", way_of(events[i]))].push_back(i);
  }
  std::erase_if(out, [](const auto& group) { return group.second.size() < kTogether; });
  // From the first to the last of them: of numbers that is 9 to 10.
  const auto number = [&](std::size_t at) {
    return parse_positive(string_or(events[at], "ref").substr(kind_in(events[at]).size()));
  };
  for (auto& [line, which] : out) {
    if (!std::all_of(which.begin(), which.end(), [&](std::size_t at) { return number(at).has_value(); })) continue;
    std::stable_sort(which.begin(), which.end(), [&](std::size_t a, std::size_t b) { return *number(a) < *number(b); });
  }
  return out;
}

}  // namespace

// What was done outside, in words; of another kind its name, and how far it came.
std::string effect_in_words(const Json& effect) {
  const std::string kind = string_or(effect, "kind"), state = string_or(effect, "state");
  if (kind != "session") return cat(printable(kind), " (", state, ")");
  if (state == "done") return "a terminal session was started for it";
  return state == "failed" ? "a terminal session was to be started for it, and was not"
                           : "a terminal session is being started for it, or was cut off";
}

std::string line_of_event(const Json& event) {
  return cat(printable(string_or(event, "ref")), in_scope(event), ": ", way_of(event));
}

std::string lines_of_operation(const Json& operation, const TextStyle& style) {
  const std::int64_t at = integer_or(operation, "at_ms");
  const bool outside = operation.contains("outside");
  std::string out =
      cat(bold(std::to_string(integer_or(operation, "operation")), style), "  ", ago(at, style.now_ms), "  ");
  const std::string actor = string_or(operation, "actor");
  const bool accepted = (outside && !actor.empty() && actor != "outside") || string_or(operation, "verb") == "accept";
  out += accepted  ? cat(printable(actor), "  accept of what was changed in a file outside pawl")
         : outside ? std::string(all_adopted(operation["events"]) ? "found in a file, taken over"
                                                                  : "found in a file, changed outside pawl")
                   : cat(printable(actor), "  ", printable(string_or(operation, "verb")));
  if (operation.contains("undoes")) out += cat(" of operation ", operation["undoes"].get<std::int64_t>());
  out += cat("  ", faint(cat("(", local_time(at), ")"), style), "\n");
  if (const std::string reason = string_or(operation, "reason"); !reason.empty())
    out += cat("    because: ", printable(reason), "\n");
  // A list of five hundred that was taken over is one thing that happened.
  const Json& events = operation["events"];
  std::vector<bool> told(events.size(), false);
  for (const auto& [line, which] : alike_in(events)) {
    const Json &first = events[which.front()], &last = events[which.back()];
    out += cat("    ", printable(string_or(first, "ref")), " … ",
               printable(string_or(last, "ref").substr(kind_in(last).size())), " (", which.size(), ")", in_scope(first),
               ": ", way_of(first), "\n");
    std::set<std::string> names;
    for (const std::size_t i : which) {
      told[i] = true;
      const Json members = events[i].value("members", Json::object());
      for (const auto& [name, value] : members.items()) names.insert(printable(name));
    }
    std::string changed;
    for (const std::string& name : names) changed += cat(changed.empty() ? "" : ", ", name);
    if (!changed.empty()) out += cat("      changed: ", changed, "\n");
  }
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (told[i]) continue;
    const Json& event = events[i];
    out += cat("    ", line_of_event(event), "\n");
    if (event.contains("members")) out += cat("      ", text_of_members(event["members"]), "\n");
    Json evidence = event.value("evidence", Json());
    // How members were spelled that an undo brings back is for that alone.
    for (const std::string_view name : {kAsWritten, kReplaced}) {
      if (evidence.is_object()) evidence.erase(std::string(name));
    }
    // Said already, of the whole operation.
    if (evidence.is_object() && string_or(evidence, "reason") == string_or(operation, "reason"))
      evidence.erase("reason");
    if (!evidence.is_null()) out += lines_of_evidence(evidence, "      ", style);
  }
  const Json effects = operation.value("effects", Json::array());
  for (const Json& effect : effects)
    out += cat("    ", printable(string_or(effect, "ref")), ": ", effect_in_words(effect), "\n");
  if (operation["events"].empty() && effects.empty()) out += "    changed nothing that is still kept\n";
  return out;
}

std::string time_in_words(const std::string& text, const TextStyle& style) {
  const auto at = parse_iso_time(text);
  if (!at || text.size() < 19) return text;
  return cat(ago(*at, style.now_ms), " (", local_time(*at), ")");
}

std::string counted(std::int64_t count, std::string_view noun) { return cat(count, " ", noun, count == 1 ? "" : "s"); }

std::string bold(std::string_view text, const TextStyle& style) {
  return style.color ? cat("\x1b[1m", text, "\x1b[0m") : std::string(text);
}
std::string faint(std::string_view text, const TextStyle& style) {
  return style.color ? cat("\x1b[2m", text, "\x1b[0m") : std::string(text);
}

std::string table_of(const std::vector<TableRow>& rows, const TextStyle& style) {
  constexpr std::size_t kIndent = 4, kNarrowest = 8;
  std::vector<std::size_t> widths;
  for (const TableRow& row : rows) {
    widths.resize(std::max(widths.size(), row.cells.size()));
    for (std::size_t i = 0; i < row.cells.size(); ++i) widths[i] = std::max(widths[i], columns_of(row.cells[i]));
  }
  std::size_t whole = 0;
  for (const std::size_t width : widths) whole += width + 2;
  const bool narrow = style.terminal && whole > style.width + 2;
  const std::size_t room = std::max(style.width, kIndent + kNarrowest) - kIndent;
  std::string out;
  for (const TableRow& row : rows) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const bool last = i + 1 == row.cells.size();
      // Too wide for the terminal: each cell on a line of its own, under the first.
      const std::string cell = narrow && i > 0 ? fitted(row.cells[i], room, style.unicode)
                               : narrow        ? fitted(row.cells[i], style.width, style.unicode)
                               : last          ? row.cells[i]
                                               : padded(row.cells[i], widths[i], style.unicode);
      out += cat(i == 0 ? bold(cell, style) : cell, last ? "" : narrow ? "\n    " : "  ");
    }
    while (out.ends_with(' ')) out.pop_back();
    if (!out.ends_with('\n')) out += '\n';
    if (!row.below.empty())
      out += cat(std::string(kIndent, ' '), faint(fitted(row.below, room, style.unicode), style), "\n");
  }
  return out;
}

std::string lines_below(std::string_view lines, std::string_view indent) {
  std::string out;
  if (lines.empty()) return out;
  for (const std::string_view line : split(lines, '\n')) out += cat(indent, printable(line), "\n");
  return out;
}

}  // namespace pawl
