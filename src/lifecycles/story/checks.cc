#include "lifecycles/story/checks.h"

#include <algorithm>
#include <tuple>

#include "base/text.h"
#include "core/decide.h"
#include "lifecycles/story/gates.h"
#include "lifecycles/story/story.h"

namespace pawl::story {
namespace {

constexpr std::size_t kTailOfPassed = 400;  // a document is kept with every event
constexpr std::size_t kTailOfFailed = 2'000;

const Json& own_checks(const Json& doc) {
  static const Json kNone = Json::object();
  const auto found = doc.is_object() ? doc.find("checks") : doc.end();
  return found != doc.end() && found->is_object() ? *found : kNone;
}

std::size_t literal_characters(std::string_view pattern) {
  return pattern.size() - static_cast<std::size_t>(std::count(pattern.begin(), pattern.end(), '*'));
}

// The entry of a table that stands for the criterion.
std::optional<std::string> best_key(const Json& table, const std::string& criterion) {
  std::optional<std::string> best;
  for (const auto& [key, command] : table.items()) {
    if (key == criterion) return key;
    if (matches(key, criterion) && (!best || literal_characters(key) > literal_characters(*best))) best = key;
  }
  return best;
}

Json kept_result(const CheckResult& result, const std::string& actor, const Now& now) {
  Json out{{"ok", result.ok}, {"commit", result.commit}};
  if (result.command.empty()) {
    out["attested"] = true;
  } else {
    out["command"] = result.command;
    out["exit"] = result.exit;
    out["ms"] = result.took_ms;
    out["exact"] = result.exact;
  }
  if (!result.ended.empty()) out["ended"] = result.ended;
  out["tail"] = result.tail;
  out["at"] = iso_time(now.wall_ms);
  out["actor"] = actor;
  return out;
}

std::string end_of(const std::string& text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  std::size_t from = text.size() - bytes;
  while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xC0U) == 0x80U) ++from;
  return cat("…", text.substr(from));
}

Change with_own(const Record& current, const Own& own, std::string what, Json evidence) {
  Change change{current, current, std::move(what), std::move(evidence), false};
  Json doc = current.doc;
  set_own(doc, own);
  change.after.doc = std::move(doc);
  return change;
}

// Where all of them hold by now this is what its move needed: one that was made without it is not in doubt any more.
// (A story of two statuses need name no branch.)
template <class Command>
void show_criteria(Change& change, const Command& command) {
  const auto& [branch, commit, exact] = std::tie(command.branch, command.commit, command.exact);
  if (change.after.held || change.after.status == kPending) return;
  if (command.shared && change.after.id.kind == kKind) return;
  const auto states = criteria_at(change.after.doc, exact, commit);
  if (states.empty() || !std::all_of(states.begin(), states.end(), holds)) return;
  change.evidence[std::string(kCriteria)] = {{"branch", branch}, {"commit", commit}};
}

}  // namespace

// Goes back to the last star only, so that no pattern takes long.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++from;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::vector<CheckPlan> plan_checks(const Json& doc, const Json& table) {
  std::vector<CheckPlan> plans;
  for (const std::string& criterion : criteria_of(doc)) {
    CheckPlan plan{criterion, Json(), "", false};
    const Json& own = own_checks(doc);
    if (const auto key = best_key(own, criterion)) {
      plan = {criterion, own.at(*key), *key, true};
    } else if (const auto listed = best_key(table.is_object() ? table : Json::object(), criterion)) {
      plan = {criterion, table.at(*listed), *listed, false};
    }
    plans.push_back(std::move(plan));
  }
  return plans;
}

std::string own_check_line(const std::string& id, const std::string& key, const Json& command) {
  return to_line(Json::array({id, key, command}));
}

std::vector<std::string> own_check_lines(const std::string& id, const Json& doc) {
  std::vector<std::string> lines;
  for (const auto& item : own_checks(doc).items()) lines.push_back(own_check_line(id, item.key(), item.value()));
  return lines;
}

Result<Change> decide(const Record& current, const NoteChecks& command, const Now& now) {
  PAWL_TRY(must_be_there(current));
  Own own = own_of(current.doc);
  if (!own.checks.is_object()) own.checks = Json::object();
  Json told = Json::array();
  bool all = true;
  for (const CheckResult& result : command.results) {
    Json kept = kept_result(result, command.actor, now);
    Json one{{"criterion", result.criterion}};
    one.update(kept);
    one.erase("exact");
    if (!result.log.empty()) one["log"] = result.log;
    told.push_back(std::move(one));
    kept["tail"] = end_of(result.tail, result.ok ? kTailOfPassed : kTailOfFailed);
    own.checks[result.criterion] = std::move(kept);
    all = all && result.ok;
  }
  Change change = with_own(current, own, all ? "checked" : "checked, and failed",
                           Json{{"branch", command.branch}, {"commit", command.commit}, {"checks", std::move(told)}});
  show_criteria(change, command);
  return change;
}

Result<Change> decide(const Record& current, const AttestCriterion& command, const Now& now) {
  PAWL_TRY(must_be_there(current));
  const auto criteria = criteria_of(current.doc);
  std::vector<std::string> meant;
  for (const std::string& criterion : criteria) {
    if (criterion == command.criterion) meant.assign(1, criterion);
    if (criterion == command.criterion) break;
    if (criterion.starts_with(command.criterion)) meant.push_back(criterion);
  }
  if (command.criterion.empty() || meant.size() != 1) {
    std::string list;
    for (const std::string& criterion : criteria) list += cat(list.empty() ? "" : "; ", "“", printable(criterion), "”");
    return fail(ErrorCode::invalid_argument,
                cat(meant.size() > 1 ? "more than one criterion of " : "no criterion of ", printable(current.id.key),
                    " begins with “", printable(command.criterion), "”"),
                criteria.empty() ? std::string("it has none") : cat("it has ", list));
  }
  if (command.actor.empty())
    return fail(ErrorCode::invalid_argument, "who attests it?", "say so with --actor NAME, or set PAWL_ACTOR");
  if (const auto found = command.exact.find(meant.front()); found != command.exact.end() && !found->is_null())
    return fail(
        ErrorCode::illegal_move,
        cat("“", printable(meant.front()), "” has a command, so it is checked, and nobody's word stands for it"),
        cat("pawl story check ", as_typed(current.id.key)));
  CheckResult result;
  result.criterion = meant.front();
  result.ok = true;
  result.commit = command.commit;
  result.tail = command.evidence;
  Own own = own_of(current.doc);
  if (!own.checks.is_object()) own.checks = Json::object();
  const Json kept = kept_result(result, command.actor, now);
  own.checks[meant.front()] = kept;
  if (own.stuck_for == Stuck::attest) release(own);
  Json evidence{{"criterion", meant.front()}, {"branch", command.branch}};
  evidence.update(kept);
  Change change = with_own(current, own, "attested", std::move(evidence));
  show_criteria(change, command);
  return change;
}

std::string_view word_of(CriterionState::Kind kind) {
  switch (kind) {
    case CriterionState::Kind::passed:
      return "passed";
    case CriterionState::Kind::attested:
      return "attested";
    case CriterionState::Kind::failed:
      return "failed";
    case CriterionState::Kind::stale:
      return "of another commit or command";
    case CriterionState::Kind::no_command:
      return "has no command";
    case CriterionState::Kind::unchecked:
      break;
  }
  return "not checked";
}

bool holds(const CriterionState& state) {
  return state.kind == CriterionState::Kind::passed || state.kind == CriterionState::Kind::attested;
}

std::string exact_command(const Json& command, const CheckValues& values, bool shell) {
  const std::string text = command.is_string() ? command.get<std::string>() : to_line(command);
  Json used = Json::object();
  if (text.find("{id}") != std::string::npos) used["id"] = values.id;
  if (text.find("{branch}") != std::string::npos) used["branch"] = values.branch;
  // It is in the environment, too.
  if (!values.test_filter.empty()) used["testFilter"] = values.test_filter;
  if (shell && command.is_string()) used["shell"] = true;
  return to_line(Json::array({command, std::move(used)}));
}

Json exact_commands(const Json& doc, const Json& table, const CheckValues& values, bool shell) {
  Json out = Json::object();
  for (const CheckPlan& plan : plan_checks(doc, table))
    out[plan.criterion] = plan.command.is_null() ? Json() : Json(exact_command(plan.command, values, shell));
  return out;
}

std::vector<CriterionState> criteria_at(const Json& doc, const Json& exact, const std::string& commit) {
  using Kind = CriterionState::Kind;
  const Own own = own_of(doc);
  std::vector<CriterionState> states;
  for (const std::string& criterion : criteria_of(doc)) {
    const std::string command = string_or(exact, criterion);
    CriterionState state{criterion, command.empty() ? Kind::no_command : Kind::unchecked, Json()};
    const auto kept = own.checks.is_object() ? own.checks.find(criterion) : own.checks.end();
    if (kept != own.checks.end() && kept->is_object()) {
      const auto ok = kept->find("ok");
      state.evidence = *kept;
      if (string_or(*kept, "commit") != commit || string_or(*kept, "exact") != command) {
        if (!command.empty()) state.kind = Kind::stale;
      } else if (ok == kept->end() || *ok != true) {
        state.kind = Kind::failed;
      } else {
        state.kind = command.empty() ? Kind::attested : Kind::passed;
      }
    }
    states.push_back(std::move(state));
  }
  return states;
}

}  // namespace pawl::story
