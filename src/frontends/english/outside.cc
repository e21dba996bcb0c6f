#include "frontends/english/outside.h"

#include <algorithm>
#include <array>

#include "base/shell_word.h"
#include "base/text.h"
#include "core/merge.h"

namespace pawl::english {
namespace {

using merge::Code;

constexpr std::size_t kMostIds = 5;
constexpr std::size_t kMostBytes = 60;

std::string shortened(std::string_view text) {
  return cat(printable(stripped(text, kMostBytes)), text.size() > kMostBytes ? "…" : "");
}

std::string quoted(const Json& value) {
  return value.is_string() ? cat('"', shortened(value.get_ref<const std::string&>()), '"') : shortened(to_line(value));
}

std::string plain(const Json& value) {
  return value.is_string() ? shortened(value.get_ref<const std::string&>()) : quoted(value);
}

// The fields of a note as words.
class Fields {
 public:
  explicit Fields(const Note& note) : note_(note) {}

  [[nodiscard]] bool has(std::string_view name) const { return note_.args.contains(name); }
  [[nodiscard]] bool is(std::string_view name) const { return bool_or(note_.args, name); }
  [[nodiscard]] Json value(std::string_view name) const { return has(name) ? note_.args.at(name) : Json(); }
  [[nodiscard]] std::string word(std::string_view name) const { return plain(value(name)); }
  [[nodiscard]] std::string quote(std::string_view name) const { return quoted(value(name)); }
  // "a, b, c"; of a long list the first ones.
  [[nodiscard]] std::string list(std::string_view name) const {
    return first_few(value(name), 2 * kMostIds, [](const Json& one) { return plain(one); });
  }
  // " before, value and after", if the field is there.
  [[nodiscard]] std::string if_there(std::string_view name, std::string_view before,
                                     std::string_view after = "") const {
    return has(name) ? cat(before, word(name), after) : std::string();
  }

  [[nodiscard]] std::string path() const { return printable(note_.path); }
  [[nodiscard]] std::string records() const {
    return first_few(note_.ids, kMostIds, [](const RecordId& id) { return printable(id.ref()); });
  }
  [[nodiscard]] std::string_view them() const { return note_.ids.size() > 1 ? "them" : "it"; }
  // "priority of story/US-1": a member, or what it is a member of.
  [[nodiscard]] std::string cell() const {
    const std::string of = note_.ids.empty() ? "the file" : records();
    return has("member") ? cat(word("member"), " of ", of) : of;
  }
  [[nodiscard]] std::string image() const { return has("image") ? cat(" as image ", word("image")) : ""; }

  [[nodiscard]] std::string command(std::string_view verb) const {
    const std::string ref = has("ref")          ? string_or(note_.args, "ref")
                            : note_.ids.empty() ? note_.path
                                                : note_.ids[0].ref();
    return cat("pawl ", verb, " ", shell_word(ref));
  }
  [[nodiscard]] std::string undo(std::string_view what) const {
    return note_.operation == 0 ? std::string() : cat(what, ": pawl undo ", note_.operation);
  }

 private:
  const Note& note_;
};

// ---- notes

Said of_file(NoteCode code, const Fields& f) {
  const std::string path = f.path(), image = f.image();
  switch (code) {
    case NoteCode::open: {
      const std::string who = f.has("process") ? cat(f.word("process"), " has ", path, " open for writing")
                                               : cat(path, " is open for writing");
      return {cat(who, f.if_there("pid", " (process ", ")"), ", so pawl leaves it alone until it is closed."), ""};
    }
    case NoteCode::moved:
      return {cat(f.word("from"), " was moved to ", path, ", and its records moved with it."), f.undo("Undo")};
    case NoteCode::stale:
      return {cat("An earlier command could not write ", path, ", so pawl writes it now."), ""};
    case NoteCode::git_at_work:
      return {cat("git is running, so pawl leaves ", path, " alone until it is done."), ""};
    case NoteCode::gone: {
      const std::string became = f.word("became");
      const std::string records = f.records();
      const std::string outcome = became == "removed"    ? cat("pawl removed ", records)
                                  : became == "inactive" ? cat("these records are inactive now: ", records)
                                                         : cat("pawl set ", records, " to ", f.quote("became"));
      return {cat(path, " was removed, so ", outcome, "."), f.undo("Bring it back")};
    }
    case NoteCode::unreadable: {
      const std::string why = f.if_there("why", " (", ")");
      if (f.is("displaced"))
        return {cat("A late write of ", path, " could not be read", why, ". pawl kept its bytes", image, "."), ""};
      return {cat(path, " could not be read", why, ". pawl wrote what it knows and kept the damaged bytes", image, "."),
              ""};
    }
    case NoteCode::late:
      return {cat("A late write of ", path, " shows its previous owner", f.if_there("owner", " "),
                  ". pawl kept its bytes", image, " and took nothing from it."),
              ""};
    case NoteCode::another:
      return {cat(path, " now belongs to ", f.word("owner"), ". The records of ",
                  f.has("previous") ? f.word("previous") : "its previous owner", " are inactive: ", f.records(), "."),
              f.undo("Undo")};
    case NoteCode::old_copy:
      return {cat(path, " was saved from an older copy, so pawl took only what was changed in that copy."), ""};
    case NoteCode::not_written:
      return {cat("The change is saved, but ", path, " is not written yet: ", f.word("why"),
                  ". The next command writes it."),
              ""};
    default:
      return {};
  }
}

Said of_records(NoteCode code, const Fields& f) {
  const std::string path = f.path();
  switch (code) {
    case NoteCode::adopted:
      return {cat("pawl added ", f.records(), " from ", path, "."), f.undo("Undo")};
    case NoteCode::restored:
      return {cat(path, " no longer shows ", f.records(), ", so pawl restored ", f.them(), "."), ""};
    case NoteCode::removed:
      return {cat(path, " no longer shows ", f.records(), ", so pawl removed ", f.them(), "."),
              f.undo("Bring it back")};
    case NoteCode::counter_kept:
      return {cat(path, " lowers ", f.cell(), f.if_there("theirs", " to "), ", so pawl kept ",
                  f.has("ours") ? f.word("ours") : "the higher value", "."),
              ""};
    case NoteCode::member_removed:
      return {cat("pawl removed ", f.cell(), ", which ", path, " no longer shows."), f.undo("Bring it back")};
    case NoteCode::unverified:
      return {cat("pawl took ", f.quote("status"), " for ", f.records(), " from ", path, " as unverified",
                  f.has("needs") ? cat(". It did not check: ", f.list("needs")) : std::string(), "."),
              f.undo("Undo")};
    default:
      return {};
  }
}

// ---- conflicts

// What happened and why, behind "Not taken: ".
std::string reason_of(Code code, const Fields& f) {
  const std::string path = f.path(), cell = f.cell();
  const bool removes = !f.has("theirs");
  switch (code) {
    case Code::unknown_status: {
      const std::string valid = cat(" (valid: ", f.list("valid"), ")");
      if (f.value("theirs").is_null()) return cat(path, " gives ", f.records(), " no status", valid, ".");
      return cat(path, " gives ", f.records(), " the status ", f.quote("theirs"), ", which is not valid", valid, ".");
    }
    case Code::no_move:
      return cat(path, " moves ", f.records(), " from ", f.quote("ours"), " to ", f.quote("theirs"),
                 ", which is not allowed", f.has("valid") ? cat(" (allowed: ", f.list("valid"), ")") : std::string(),
                 ".");
    case Code::gate:
      return cat(path, " moves ", f.records(), " from ", f.quote("ours"), " to ", f.quote("theirs"),
                 ". That needs: ", f.list("needs"), ".");
    case Code::not_a_start:
      return cat(path, " adds ", f.records(), " with the status ", f.quote("theirs"), ", but new records start as ",
                 f.list("valid"), ".");
    case Code::ended:
      return cat(path, " shows ", cell, " again, but it has ended.");
    case Code::elsewhere:
      return cat(path, " shows ", cell, ", which belongs to ",
                 f.has("elsewhere") ? f.word("elsewhere") : "another file", ".");
    case Code::removed:
      return cat(path, " edits ", cell, ", which was removed.");
    case Code::pawls:
      return cat(path, " changes ", cell, ", which only pawl may change.");
    case Code::bad_value: {
      const std::string type = f.word("type");
      const std::string what = type == "percent" ? "whole number from 0 to 100"
                               : type == "path"  ? "path inside the repository"
                                                 : type;
      if (removes) return cat(path, " no longer has ", cell, ", which is required.");
      if (f.is("required") && type == "text")
        return cat(path, " sets ", cell, " to ", f.quote("theirs"), ", but it must be a text that is not empty.");
      return cat(path, " sets ", cell, " to ", f.quote("theirs"), ", but it must be a ", what, ".");
    }
    case Code::unread:
      return cat("pawl could not read a part of ", path, f.has("pieces") ? cat(": ", f.list("pieces")) : "", ".");
    case Code::git:
      return cat("git ", removes || f.value("theirs").is_null() ? "removed " : "changed ", path,
                 ", and a change by git needs your decision.");
    case Code::markers:
      return cat(path, " has conflict markers, so pawl neither reads nor writes it.");
    case Code::too_large:
      return cat(path, " is too large", f.if_there("size", " (", " bytes"), f.if_there("limit", ", at most ", ""),
                 f.has("size") ? ")" : "", ", so pawl neither reads nor writes it.");
    case Code::unreadable:
      return cat(path, " could not be read", f.if_there("why", " (", ")"), ".");
  }
  return {};
}

// What the file shows now, and what waits.
std::string state_of(Code code, const Fields& f) {
  std::string out;
  if (f.has("waits")) out += cat(" Not taken either: ", f.list("waits"), ".");
  if (f.is("blocks")) out += cat(" Until you decide, ", f.records(), " is on hold.");
  if (code == Code::unread || merge::leaves_file_alone(code) || !f.has("in_file")) return out;
  const bool unreadable = code == Code::unreadable;
  if (f.is("in_file"))
    return cat(out, unreadable ? " pawl leaves it as it is until a command changes it." : " The file still shows it.");
  return cat(out, " pawl writes back what it knows",
             unreadable ? cat(" and keeps the damaged bytes", f.image(), ".") : std::string("."));
}

struct Advice {
  std::string_view accept;  // goes before `pawl accept`, where that is possible
  std::string_view by_hand;
  std::string_view keep;  // goes before `pawl restore`
};

// By the order of Code.
constexpr std::string_view kKeep = "Keep what pawl knows";
constexpr std::string_view kRestore = "Write back what pawl knows";
constexpr std::array<Advice, 14> kAdvice = {{
    {"", "Set a valid status in the file", kKeep},                           // unknown_status
    {"", "", kKeep},                                                         // no_move
    {"Take it anyway", "", kKeep},                                           // gate
    {"Take this status", "", kKeep},                                         // not_a_start
    {"", "Start a new one", kRestore},                                       // ended
    {"", "Remove it from one of the two files", kRestore},                   // elsewhere
    {"Bring it back with the edit", "", "Keep it removed"},                  // removed
    {"", "", kKeep},                                                         // pawls
    {"", "Correct the value in the file", kKeep},                            // bad_value
    {"", "Correct it in the file", "Leave it in the file, and close this"},  // unread
    {"Take the version from git", "", kRestore},                             // git
    {"", "Resolve the merge in the file", kRestore},                         // markers
    {"", "Make the file smaller", kRestore},                                 // too_large
    {"", "Repair the file", kRestore},                                       // unreadable
}};

std::string advice_for(Code code, const Fields& f) {
  const auto& [accept, by_hand, keep] = kAdvice[static_cast<std::size_t>(code)];
  std::string out;
  if (f.is("accept")) {
    const Json gates = f.value("gates");
    const bool with_reason = std::find(gates.begin(), gates.end(), "reason") != gates.end();
    out += cat(accept, ": ", f.command("accept"), with_reason ? " --reason <why>\n" : "\n");
  }
  // The damaged file was replaced already.
  if (code == Code::unreadable && f.has("in_file") && !f.is("in_file"))
    return cat(out, "Close this: ", f.command("restore"));
  if (!by_hand.empty()) out += cat(by_hand, ".\n");
  const bool named = keep == kKeep && f.has("ours") && !f.value("ours").is_structured();
  return cat(out, named ? cat("Keep ", f.quote("ours")) : keep, ": ", f.command("restore"));
}

Said of_conflict(const Fields& f) {
  const auto found = merge::code_named(f.word("conflict"));
  if (!found) return {cat("Not taken: a change of ", f.cell(), " in ", f.path(), "."), ""};
  const Code code = *found;
  const bool says_so =
      code == Code::unread || code == Code::unreadable || code == Code::markers || code == Code::too_large;
  const std::string_view start = says_so ? "" : f.is("again") ? "Still not taken: " : "Not taken: ";
  return {cat(start, reason_of(code, f), state_of(code, f)), advice_for(code, f)};
}

}  // namespace

Said say(const Note& note) {
  const Fields fields(note);
  if (note.code == NoteCode::conflict) return of_conflict(fields);
  Said said = of_file(note.code, fields);
  return said.text.empty() ? of_records(note.code, fields) : said;
}

std::string in_lines(const Note& note) {
  const auto [text, advice] = say(note);
  std::string out = text;
  for (const std::string_view one : split(advice, '\n')) {
    if (!one.empty()) out += cat("\n  ", one);
  }
  return out;
}

Json as_json(const Note& note) {
  const auto [text, advice] = say(note);
  Json out = {{"note", text}};
  if (!advice.empty()) out["hint"] = advice;
  out.update(to_json(note));
  return out;
}

}  // namespace pawl::english
