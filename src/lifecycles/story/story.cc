#include "lifecycles/story/story.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "base/json_number.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "core/held_word.h"
#include "lifecycles/story/bot_note.h"
#include "lifecycles/story/checks.h"
#include "lifecycles/story/gates.h"
#include "lifecycles/story/prd_file.h"
#include "lifecycles/story/rank.h"
#include "lifecycles/story/settings.h"

namespace pawl::story {
namespace {

constexpr std::int64_t kNoPriority = 999'000;
constexpr std::array<std::string_view, 7> kStuckWords = {"",       "paused", "attest", "criteria",
                                                         "person", "failed", "trust"};

// An earlier pawl wrote down only the words.
Stuck stuck_in(std::string_view word) {
  const auto found = std::find(kStuckWords.begin() + 1, kStuckWords.end(), word);
  return found == kStuckWords.end() ? Stuck::person : static_cast<Stuck>(found - kStuckWords.begin());
}

constexpr std::array kGateWords = {
    GateWords{kCriteria, "all acceptance criteria pass at its branch's commit"},
    GateWords{kDuplicate, "another pull request addresses its issue"},
    GateWords{kPublished, "its branch is on the remote and has a pull request"},
    GateWords{kMergedGate, "its pull request is merged"},
    GateWords{kClosed, "its pull request was closed unmerged, or it is done elsewhere"},
};

constexpr std::array kStatuses = {Status{kPending},      Status{kCommitted},     Status{kPushed},
                                  Status{kMerged, true}, Status{kSkipped, true}, Status{kInvalid, true}};

// The seed's six, and a person's way back.
constexpr std::array kMoves = {
    Move{kAbsent, kPending},
    Move{kPending, kCommitted, MoveKind::forward, "", {kCriteria}},
    Move{kPending, kSkipped, MoveKind::forward, "", {kDuplicate}},
    Move{kCommitted, kPushed, MoveKind::forward, "", {kPublished}},
    Move{kPushed, kPushed, MoveKind::forward, "", {kCriteria}},
    Move{kPushed, kMerged, MoveKind::forward, "", {kMergedGate}},
    Move{kPushed, kInvalid, MoveKind::forward, "", {kClosed}},
    Move{kCommitted, kPending, MoveKind::forward, "reset", {kPersonGate, "reason"}},
    Move{kPushed, kPending, MoveKind::forward, "reset", {kPersonGate, "reason"}},
    Move{kMerged, kPending, MoveKind::reopening, "reset", {kPersonGate, "reason"}},
    Move{kSkipped, kPending, MoveKind::reopening, "reset", {kPersonGate, "reason"}},
    Move{kInvalid, kPending, MoveKind::reopening, "reset", {kPersonGate, "reason"}},
    Move{kPending, kAbsent, MoveKind::removal, "drop", {"reason"}},
    Move{kCommitted, kAbsent, MoveKind::removal, "drop", {"reason"}},
    Move{kPushed, kAbsent, MoveKind::removal, "drop", {"reason"}},
    Move{kMerged, kAbsent, MoveKind::removal, "drop", {"reason"}},
    Move{kSkipped, kAbsent, MoveKind::removal, "drop", {"reason"}},
    Move{kInvalid, kAbsent, MoveKind::removal, "drop", {"reason"}},
};
constexpr Machine kMachine{"story", "a story", kStatuses, kMoves, {kPersonGate, "reason"}, {}, kGateWords};
static_assert(!check(kMachine));

constexpr std::array kTwo = {Status{kPending}, Status{kPassed, true}};
constexpr std::array kTwoMoves = {
    Move{kAbsent, kPending},
    Move{kPending, kPassed, MoveKind::forward, "", {kCriteria}},
    Move{kPassed, kPending, MoveKind::reopening, "reset", {kPersonGate, "reason"}},
    Move{kPending, kAbsent, MoveKind::removal, "drop", {"reason"}},
    Move{kPassed, kAbsent, MoveKind::removal, "drop", {"reason"}},
};
constexpr Machine kPassesMachine{
    "passes", "a story that passes or does not", kTwo, kTwoMoves, {kPersonGate, "reason"}, "story", kGateWords,
    kPasses};
static_assert(!check(kPassesMachine));

std::string headline(const Record& record) {
  std::string line = title_of(record.doc);
  const Own own = own_of(record.doc);
  // Why nobody picks it is said beside it (stand).
  if (own.stuck_for != Stuck::no) return own.printed.empty() ? line : cat(line, " (it printed “", own.printed, "”)");
  if (own.failures > 0) line += cat(" (failed ", own.failures, "×)");
  if (record.status != kPushed) return line;
  const std::int64_t pull = integer_or(record.doc, "prNumber");
  const std::string named = pull > 0 ? cat("pull request ", pull) : std::string("its pull request");
  if (note_of(record.doc).ready) return cat(line, " (", pull > 0 ? cat(named, ", ") : std::string(), "ready to merge)");
  return cat(line, " (", named,
             tier_of(record) == Tier::reviewer ? ": a reviewer waits for an answer)" : " waits for a reviewer)");
}

std::string how_to_give_status(const Record& record) {
  return cat("pawl story fix ", as_typed(record.id.key), " STATUS --reason R");
}

std::string file_of(const Record& record) { return record.id.scope.empty() ? "prd.json" : record.id.scope; }

// Behind the id, of each command that is about this story: "pawl story fix US-1 --file plans/prd.json STATUS …".
std::string in_its_file(std::string_view advice, const RecordId& id) {
  const std::string typed = as_typed(id.key), file = id.scope.empty() ? "prd.json" : id.scope;
  std::string out;
  for (const std::string_view line : split(advice, '\n')) {
    constexpr std::string_view kCommand = "pawl story ";
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());  // some stand indented
    const bool command = line.substr(begin).starts_with(kCommand);
    const std::size_t at = command ? line.find(' ', begin + kCommand.size()) : std::string_view::npos;
    const bool about = at != std::string_view::npos && line.substr(at + 1).starts_with(typed);
    const std::size_t end = about ? at + 1 + typed.size() : line.size();
    const bool whole = about && (end == line.size() || line[end] == ' ');
    out += cat(out.empty() ? "" : "\n", line.substr(0, end), whole ? cat(" --file ", shell_word(file)) : std::string(),
               line.substr(end));
  }
  return out;
}

// What nobody picks waits for what it lacks, and only then for being tried again.
std::string how_to_go_on(const Record& record, const Own& own) {
  const std::string id = as_typed(record.id.key);
  if (own.stuck_for == Stuck::attest) return how_to_attest(record.id.key, own.attest);
  if (own.stuck_for == Stuck::criteria && criteria_of(record.doc).empty())
    return cat("pawl story retry ", id, "  # once its acceptanceCriteria are in ", file_of(record));
  // Whoever wrote that status into its file named no branch with it.
  if (own.stuck_for == Stuck::person && record.status == kCommitted && string_or(record.doc, "branchName").empty())
    return cat("pawl story retry ", id, "  # once the branch that has its work is its branchName in ", file_of(record));
  const std::string again = cat("pawl story retry ", id, "  # lets it be picked again");
  if (own.stuck_for != Stuck::trust) return again;
  const bool its_own = !own_check_lines(record.id.key, record.doc).empty();  // those are trusted by themselves
  return cat(its_own ? "pawl trust --stories  # once you have read what is run for it (pawl story checks)\n"
                     : "pawl trust  # once you have read pawl.toml\n",
             again);
}

// Of one that was moved without what the move needs: what shows it after all.
std::string how_to_verify(const Record& record) {
  const std::string id = as_typed(record.id.key);
  if (record.status != kCommitted && record.status != kPassed)  // GitHub is asked, and not only the commit
    return cat("pawl story move ", id, " ", record.status,
               "  # looks again; the mark goes once what it lacked is shown");
  if (record.status == kCommitted && string_or(record.doc, "branchName").empty())
    return cat("pawl story move ", id, " ", record.status,
               " --branch B  # names the branch that has its work: the mark goes when its criteria hold there");
  if (criteria_of(record.doc).empty())  // nothing can be shown before there is something to show
    return cat("pawl story check ", id, "  # once its acceptanceCriteria are in ", file_of(record),
               ": the mark goes when they hold");
  return cat("pawl story check ", id, "  # shows what the move lacked, and the mark goes");
}

// To be picked, now or when its time has come: whether it has is for whoever has a clock (runners/story_waits.h).
Stand place_by_time(std::int64_t due_ms) {
  return {.place = due_ms != 0 ? BoardPlace::waiting : BoardPlace::next, .until_ms = due_ms};
}

// To be picked, or waiting for somebody else.
Stand stand(const Record& record) {
  if (has_id_trouble(record))
    return {.place = BoardPlace::needs_person,
            .why = trouble_of(record),
            .advice = record.held == kNoStory ? cat("# take it out of ", file_of(record))
                                              : cat("# give it an id of its own in ", file_of(record))};
  if (record.held)
    return {.place = BoardPlace::needs_person,
            .why = machine_of(record).status(*record.held) != nullptr || !machine_of(record).flag.empty()
                       ? why_held(machine_of(record), *record.held)
                       : cat(in_quotes(*record.held), " is not a status"),
            .advice = how_to_give_status(record)};
  if (machine_of(record).terminal(record.status)) return {.place = BoardPlace::ended};
  const Own own = own_of(record.doc);
  // Whoever paused it knows of it.
  if (own.stuck_for == Stuck::paused) return {.place = BoardPlace::waiting, .why = own.stuck};
  if (own.stuck_for != Stuck::no)
    return {.place = BoardPlace::needs_person, .why = own.stuck, .advice = how_to_go_on(record, own)};
  return place_by_time(due_of(record));
}

// The rank has it all but for why nobody picks one.
std::optional<Stand> stand_by_rank(const Record& record) {
  if (machine_of(record).terminal(record.status)) return Stand{.place = BoardPlace::ended};
  if (!tier_in(record.rank)) return std::nullopt;
  return place_by_time(due_in(record.rank));
}

// A number, or a text that is one.
std::optional<double> number_in(const Json& value) {
  if (const auto number = nearest_double(value)) return number;
  if (!value.is_string()) return std::nullopt;
  const std::string& text = value.get_ref<const std::string&>();
  if (text.empty() || text.find_first_not_of("+-.0123456789") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  return *end == '\0' ? std::optional(number) : std::nullopt;
}

}  // namespace

const Machine& machine() { return kMachine; }
const Machine& passes_machine() { return kPassesMachine; }
const Machine& machine_of(const Record& record) { return record.id.kind == kPasses ? kPassesMachine : kMachine; }
bool is_story(std::string_view kind) { return kind == kKind || kind == kPasses; }

// Both kinds show in one file.
const Lifecycle& lifecycle() {
  static const std::array<const MirrorFormat*, 1> kFormats = {&prd_file()};
  static const Lifecycle kLifecycle{kKind, &kMachine, settings(),    kFormats,           rank,          headline,
                                    false, stand,     "story.gates", how_to_give_status, stand_by_rank, kBookkeeping,
                                    {},    {},        how_to_verify, in_its_file};
  return kLifecycle;
}

const Lifecycle& passes_lifecycle() {
  static const std::array<const MirrorFormat*, 1> kFormats = {&prd_file()};
  static const Lifecycle kLifecycle{kPasses,
                                    &kPassesMachine,
                                    {},
                                    kFormats,
                                    rank,
                                    headline,
                                    false,
                                    stand,
                                    "story.gates",
                                    how_to_give_status,
                                    stand_by_rank,
                                    kBookkeeping,
                                    {},
                                    {},
                                    how_to_verify,
                                    in_its_file};
  return kLifecycle;
}

std::string as_typed(std::string_view text) {
  // What is shown otherwise than it is cannot be pasted, and a line feed would put a line of its own below the
  // command.
  const bool odd = text.empty() || text.starts_with('-') || text.size() > 80 || printable(text) != text;
  return odd ? std::string("ID") : shell_word(text);
}

std::string criterion_as_typed(std::string_view criterion) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,:_-";
  constexpr std::size_t kMost = 80;
  const bool plain = !criterion.empty() && criterion.size() <= kMost && !criterion.starts_with('-') &&
                     criterion.find_first_not_of(kPlain) == std::string_view::npos;
  return plain ? shell_word(criterion) : std::string("CRITERION");
}

std::string how_to_attest(std::string_view id, std::string_view criterion) {
  return cat("pawl story attest ", as_typed(id), " ", criterion_as_typed(criterion), " --evidence TEXT --actor NAME");
}

std::string_view word_of(Stuck stuck) { return kStuckWords[static_cast<std::size_t>(stuck)]; }

void set_stuck(Own& own, Stuck why, std::string words) {
  own.stuck_for = why;
  own.stuck = std::move(words);
  own.attest.clear();
  own.printed.clear();
}

void release(Own& own) {
  set_stuck(own, Stuck::no, {});
  own.due_ms = own.failures = 0;
}

void put_off(Own& own, const Record& current, std::int64_t until_ms) {
  own.due_ms = until_ms;
  own.due_tier = name_of(tier_of(current));
}

std::int64_t due_of(const Record& record) {
  const Own own = own_of(record.doc);
  const Tier tier = tier_of(record);
  return tier == Tier::none || (!own.due_tier.empty() && own.due_tier != name_of(tier)) ? 0 : own.due_ms;
}

std::string trouble_of(const Record& record) {
  const std::string word = record.held.value_or("");
  if (word == kNoStory) return "it stands among the stories and is none: no object";
  return word.size() > 2 ? cat("it has ", printable(word.substr(1, word.size() - 2))) : word;
}

std::int64_t priority_of(const Json& doc) {
  const auto found = doc.is_object() ? doc.find("priority") : doc.end();
  const auto number = found == doc.end() ? std::nullopt : number_in(*found);
  if (!number || std::isnan(*number)) return kNoPriority;
  constexpr double kMost = 1e9;
  return std::llround(std::clamp(*number, -kMost, kMost) * 1000);
}

std::string title_of(const Json& doc) {
  const std::string title = string_or(doc, "title");
  return title.substr(0, title.find('\n'));
}

bool is_branch_name(std::string_view text) {
  constexpr std::size_t kMost = 244;  // a file's name in .git/refs, with room for .lock
  if (text.empty() || text.size() > kMost || !is_utf8(text) || has_control(text)) return false;
  if (text.starts_with('-') || text == "@" || text == "HEAD" || text.ends_with('.')) return false;
  // It would be a branch called so, and hide what git means by that.
  constexpr std::array<std::string_view, 5> kOthers = {"refs/", "heads/", "tags/", "remotes/", "origin/"};
  if (std::any_of(kOthers.begin(), kOthers.end(), [&](std::string_view one) { return text.starts_with(one); }))
    return false;
  if (text.ends_with("_HEAD") && text.find('/') == std::string_view::npos) return false;  // FETCH_HEAD
  if (text.find_first_of(" \t\r\n~^:?*[\\") != std::string_view::npos) return false;
  if (text.find("..") != std::string_view::npos || text.find("@{") != std::string_view::npos) return false;
  for (const std::string_view part : split(text, '/')) {
    if (part.empty() || part.starts_with('.') || part.ends_with(".lock")) return false;
  }
  return true;
}

Own own_of(const Json& doc) {
  Own own;
  const auto found = doc.is_object() ? doc.find(kOwn) : doc.end();
  if (found == doc.end() || !found->is_object()) return own;
  own.looked_ms = integer_or(*found, "looked_ms");
  own.due_ms = integer_or(*found, "due_ms");
  own.due_tier = string_or(*found, "due_tier");
  own.failures = integer_or(*found, "failures");
  own.stuck = string_or(*found, "stuck");
  own.stuck_for = own.stuck.empty() ? Stuck::no : stuck_in(string_or(*found, "stuck_for"));
  own.attest = string_or(*found, "attest");
  own.printed = string_or(*found, "printed");
  if (const auto checks = found->find("checks"); checks != found->end()) own.checks = *checks;
  if (const auto bot = found->find("bot"); bot != found->end()) own.bot = *bot;
  return own;
}

void set_own(Json& doc, const Own& own) {
  Json value = Json::object();
  if (own.looked_ms != 0) value["looked_ms"] = own.looked_ms;
  if (own.due_ms != 0) value["due_ms"] = own.due_ms;
  if (own.due_ms != 0 && !own.due_tier.empty()) value["due_tier"] = own.due_tier;
  if (own.failures != 0) value["failures"] = own.failures;
  if (own.stuck_for != Stuck::no) {
    value["stuck"] = own.stuck;
    value["stuck_for"] = word_of(own.stuck_for);
  }
  if (!own.attest.empty()) value["attest"] = own.attest;
  if (!own.printed.empty()) value["printed"] = own.printed;
  if (!own.checks.empty()) value["checks"] = own.checks;
  if (!own.bot.empty()) value["bot"] = own.bot;
  if (value.empty()) {
    doc.erase(std::string(kOwn));
  } else {
    doc[std::string(kOwn)] = std::move(value);
  }
}

Json shown_doc(const Json& doc) {
  Json shown = doc;
  shown.erase(std::string(kOwn));
  return shown;
}

}  // namespace pawl::story
