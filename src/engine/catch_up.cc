#include "engine/catch_up.h"

#include <map>
#include <set>

#include "base/text.h"
#include "engine/behind.h"
#include "engine/engine.h"
#include "engine/found_apart.h"
#include "engine/git_state.h"
#include "engine/known_bytes.h"
#include "engine/outside_rules.h"
#include "engine/recorded_before.h"
#include "engine/same_list.h"
#include "engine/shown.h"
#include "engine/shown_by_id.h"
#include "engine/standing.h"

namespace pawl {
namespace {

// What `pawl accept` would still refuse of a file: moves that are none, words that are no status, and things taken out
// that are put back. All else is accept's business.
class Against {
 public:
  Against(const Engine& engine, const View& view, const std::string& actor)
      : engine_(engine), view_(view), actor_(actor) {}

  Done add(const Sighting& seen) {
    if (!seen.image.exists || !seen.row || !seen.row->bytes) return done();
    if (seen.file.format->spec() != nullptr) return done();  // the merge takes it whole by itself
    const MirrorFile& file = seen.file;
    PAWL_ASSIGN(const Content now, content_of(file, view_.store(), seen.image.bytes));
    PAWL_ASSIGN(const auto known, known_bytes(engine_.world(), view_, file, seen.row));
    const auto base = content_of(file, view_.store(), known.value_or(*seen.row->bytes));
    if (!base || is_anothers_now(*file.format, *base, now)) return done();
    const ShownById in_base(*base), in_now(now);
    for (const Shown& shown : now.shown) PAWL_TRY(edited(file, in_base.find(shown.id), shown));
    for (const Shown& shown : base->shown) {
      if (shown.whole && in_now.find(shown.id) == nullptr) PAWL_TRY(missing(file, shown));
    }
    return done();
  }

  [[nodiscard]] std::vector<Change> changes() { return std::move(changes_); }
  // What is put back all the same, in words, by file.
  [[nodiscard]] std::map<std::string, std::string> put_back() { return std::move(put_back_); }

 private:
  Done edited(const MirrorFile& file, const Shown* known, Shown shown) {
    PAWL_ASSIGN(const Record record, view_.load(shown.id));
    if (!record.present() || record.aside) return done();
    for (const RefusedMember& one : file.format->only_pawls(record, shown.doc)) {
      shown.doc[one.name] = Json(record.doc)[one.name];
      put_back_[file.path] += cat(put_back_[file.path].empty() ? "" : "\n", printable(file.path),
                                  " was changed outside pawl: ", one.why.message, "\n  ", one.why.hint);
    }
    const Lifecycle& lifecycle = *engine_.lifecycles().find(shown.id.kind);
    TakenOver taken;
    const Shown base = known != nullptr ? *known : as_shown(record);
    PAWL_ASSIGN(const OutsideRules rules, outside_rules(engine_.world(), view_, shown.id, actor_));
    take_over_edit(lifecycle, *file.format, record, base, shown, rules, taken);
    const Record& after = taken.changes.empty() ? record : taken.changes.front().after;
    if (taken.refusals.empty() && says(after, base, shown)) return done();
    Change change = adopt(lifecycle, record, shown);
    change.what = kAsItStands;
    if (!shown.status) change.after.status = record.status, change.after.held = record.held;
    Json doc = record.doc;
    for (const auto& [name, value] : base.doc.items()) {
      if (!shown.doc.contains(name)) doc.erase(name);
    }
    for (const auto& [name, value] : shown.doc.items()) doc[name] = value;
    change.after.doc = std::move(doc);
    if (rules.beside && change.after.status == rules.beside->to && record.status != change.after.status) {
      change.unverified = true;
      change.evidence = Json{{"missing", Json::array({std::string(rules.beside->gate)})}};
    }
    add(std::move(change));
    return done();
  }

  // All that the file says of it? A counter that only grows is kept where it was, by the law. What pawl would write
  // there too is no news, also where it comes of other records: of a review, when the last of its parts was changed.
  static bool says(const Record& record, const Shown& base, const Shown& shown) {
    const auto is = [](const Json& doc, const std::string& name, const Json& value) {
      const auto found = doc.find(name);
      return found != doc.end() && *found == value;
    };
    for (const auto& [name, value] : shown.doc.items()) {
      if (!is(record.doc, name, value) && !is(base.doc, name, value)) return false;
    }
    return true;
  }

  Done missing(const MirrorFile& file, const Shown& shown) {
    PAWL_ASSIGN(const Record record, view_.load(shown.id));
    if (!record.present() || record.aside || !file.format->puts_back_missing(record)) return done();
    add(take_away(record, Gone{std::string(kAbsent)}));
    return done();
  }

  // Of one that shows in two files the first counts.
  void add(Change change) {
    if (seen_.insert(change.before.id).second) changes_.push_back(std::move(change));
  }

  const Engine& engine_;
  const View& view_;
  const std::string& actor_;
  std::set<RecordId> seen_;
  std::vector<Change> changes_;
  std::map<std::string, std::string> put_back_;
};

// Of a file that cannot be taken as it stands: git may bring anything.
bool can_be_taken(const Sighting& seen) {
  if (seen.found == FileCase::waits) return false;
  if (!seen.image.exists || seen.found == FileCase::in_step) return true;
  if (has_conflict_markers(seen.image.bytes)) return false;
  // Whose a file is that only adds to others is told by what those say, which is not taken yet.
  if (seen.found == FileCase::damaged && !seen.file.format->shows_parts_only()) return false;
  return (seen.found != FileCase::gits && seen.found != FileCase::damaged) ||
         seen.file.format->parse(seen.file.path, seen.file.scope, seen.image.bytes);
}

// Every file that is not as pawl left it, but for those that cannot be read.
Result<std::vector<Sighting>> look_around(const Engine& engine, Transaction& store, std::vector<NotTaken>& left) {
  std::vector<Sighting> changed;
  const MirrorWorld world = engine.world();
  std::vector<Error> left_out;
  PAWL_ASSIGN(const auto files, every_file(world, store, left_out));
  for (const Error& error : left_out) left.push_back({{}, error.message, error.hint});
  for (const MirrorFile& file : files) {
    Result<Sighting> seen = sight(world, store, file);
    if (!seen) {
      left.push_back({file.path, seen.error().message, seen.error().hint});
    } else if (!can_be_taken(*seen)) {
      const Trouble trouble = trouble_with(*seen, true).value_or(Trouble{});
      left.push_back({file.path, cat(printable(file.path), ": ", trouble.why), trouble.advice});
    } else if (seen->found != FileCase::in_step) {
      changed.push_back(std::move(*seen));
    }
  }
  return changed;
}

struct Found {
  std::vector<MirrorFile> changed;
  std::vector<Sighting> parts;  // of the same, those that only add to what others show
  std::vector<Change> against;  // the law
  std::map<std::string, std::string> put_back;
  std::set<RecordId> standing;  // what the parts said otherwise before anything was taken
};

// Some say themselves which file it is.
std::string about(const std::string& path, const Error& error) {
  const std::string name = printable(path);
  return error.message.starts_with(cat(name, " ")) ? error.message : cat(name, ": ", error.message);
}

Result<Found> find(const Engine& engine, const View& view, const std::string& actor, CaughtUp& out) {
  Found found;
  out.not_taken.clear();
  PAWL_ASSIGN(const auto seen, look_around(engine, view.store(), out.not_taken));
  Against against(engine, view, actor);
  for (const Sighting& one : seen) {
    if (one.file.format->shows_parts_only()) {
      found.parts.push_back(one);
      if (!one.row || !one.row->bytes) continue;
      PAWL_ASSIGN(const auto standing, standing_in(engine.world(), view, one.file, *one.row->bytes));
      for (const auto& [id, left] : standing) found.standing.insert(id);
      continue;
    }
    found.changed.push_back(one.file);
    PAWL_TRY(against.add(one));
  }
  found.against = against.changes();
  found.put_back = against.put_back();
  return found;
}

Done add_operations(Engine& engine, const Outcome& outcome, CaughtUp& out) {
  PAWL_TRY(engine.read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(const auto found, found_operations(view.store(), outcome));
    out.operations.insert(out.operations.end(), found.begin(), found.end());
    return done();
  }));
  if (outcome.operation != 0) out.operations.push_back(outcome.operation);
  return done();
}

// And not about the disk, the store or another process: then nobody has come back yet, and what the files say is not
// put back by the next command.
bool is_about_a_file(const Error& error) {
  switch (error.code) {
    case ErrorCode::io:
    case ErrorCode::busy:
    case ErrorCode::unavailable:
    case ErrorCode::internal:
      return false;
    default:
      return true;
  }
}

// What no rule lets through is set down first. The files themselves are not looked at for it: that they say just this
// is found afterwards. Others that show the same follow.
Result<Found> set_down(Engine& engine, const Request& request, CaughtUp& out) {
  Found found;
  PAWL_TRY(engine.read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(found, find(engine, view, request.actor, out));
    return done();
  }));
  if (found.against.empty()) return found;
  std::set<std::string> changed;
  for (const MirrorFile& file : found.changed) changed.insert(file.path);
  for (const Sighting& part : found.parts) changed.insert(part.file.path);
  Look look;
  for (const Change& change : found.against) {
    for (MirrorFile& file : files_of(engine.world(), change.before.id)) {
      if (!changed.contains(file.path)) look.files.push_back(std::move(file));
    }
  }
  const Decide decide = [&](const View& view, const Now&) -> Result<Decision> {
    Decision decision;
    PAWL_ASSIGN(found, find(engine, view, request.actor, out));
    decision.changes = found.against;
    return decision;
  };
  Request first = request;
  for (const Sighting& part : found.parts) first.later.insert(part.file.path);
  PAWL_ASSIGN(const Outcome outcome, engine.change(first, look, decide));
  for (const Change& change : found.against) {
    if (change.unverified) engine.note(unverified_in_words(change));
  }
  PAWL_TRY(add_operations(engine, outcome, out));
  return found;
}

// What stands there and what pawl knew do not go together, as where a list has another dialect by now: what the file
// does not show goes, or makes room where the file is another one's. What it shows keeps its name and its past.
Done let_go_of_what_is_missing(Engine& engine, const Request& request, const MirrorFile& file, CaughtUp& out) {
  const Decide decide = [&](const View& view, const Now&) -> Result<Decision> {
    Decision decision;
    PAWL_ASSIGN(const Sighting seen, sight(engine.world(), view.store(), file));
    if (!seen.row || !seen.row->bytes) return decision;
    Content now;
    if (seen.image.exists) {
      auto content = content_of(file, view.store(), seen.image.bytes);
      if (!content) return decision;  // nobody can say what is missing from it
      now = std::move(*content);
    }
    const auto base = content_of(file, view.store(), *seen.row->bytes);
    const bool makes_room = base && seen.image.exists && is_anothers_now(*file.format, *base, now);
    const ShownById in_now(now);
    PAWL_ASSIGN(const auto ids, known_in(engine.world(), view, file, *seen.row->bytes));
    for (const RecordId& id : ids) {
      PAWL_ASSIGN(const Record record, view.load(id));
      if (!record.present() || record.aside || in_now.find(id) != nullptr) continue;
      Change change = makes_room ? set_aside(record) : take_away(record, Gone{std::string(kAbsent)});
      change.what = kAsItStands;
      decision.changes.push_back(std::move(change));
    }
    return decision;
  };
  PAWL_ASSIGN(const Outcome outcome, engine.change(request, Look{}, decide));
  PAWL_TRY(add_operations(engine, outcome, out));
  return done();
}

// Files that show all of something are taken as they are. What somebody wrote meanwhile into one that adds to them
// comes after that: with them it would have to go into files that are not to be written to.
Done take_whole(Engine& engine, const Request& plain, const Found& found, CaughtUp& out) {
  const std::vector<MirrorFile>& changed = found.changed;
  if (changed.empty()) return done();
  Request request = plain;
  for (const Sighting& part : found.parts) request.later.insert(part.file.path);
  request.accept = request.actor;
  for (const MirrorFile& file : changed) {
    if (!found.put_back.contains(file.path)) request.as_they_are.insert(file.path);
  }
  Look all;
  all.files = changed;
  const auto together = engine.change(request, all, decide_nothing);
  if (together) {
    PAWL_TRY(add_operations(engine, *together, out));
    for (const MirrorFile& file : changed) out.taken.push_back(file.path);
    return done();
  }
  if (!is_about_a_file(together.error())) return tl::unexpected(together.error());
  // One of them cannot be taken: that one is told of, and holds up no other.
  for (const MirrorFile& file : changed) {
    Look one;
    one.files.push_back(file);
    auto taken = engine.change(request, one, decide_nothing);
    if (!taken && is_about_a_file(taken.error())) {
      PAWL_TRY(let_go_of_what_is_missing(engine, plain, file, out));
      taken = engine.change(request, one, decide_nothing);
    }
    if (!taken && !is_about_a_file(taken.error())) return tl::unexpected(taken.error());
    if (!taken) {
      out.not_taken.push_back({file.path, about(file.path, taken.error()), taken.error().hint});
      continue;
    }
    PAWL_TRY(add_operations(engine, *taken, out));
    out.taken.push_back(file.path);
  }
  return done();
}

// Neither put back to what others say, nor left standing where it was refused.
Result<bool> stands_as_found(Engine& engine, const Sighting& found) {
  bool same = false;
  PAWL_TRY(engine.read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(const Sighting now, sight(engine.world(), view.store(), found.file));
    same = now.image.exists == found.image.exists && now.image.bytes == found.image.bytes &&
           !(now.row && now.row->state == kFlagged);
    return done();
  }));
  return same;
}

// By what was taken so far.
Result<std::set<RecordId>> changed_since(Engine& engine, const Found& found, const CaughtUp& out) {
  std::set<RecordId> changed;
  if (found.parts.empty()) return changed;
  PAWL_TRY(engine.read_store([&](const View& view) -> Done {
    for (const std::int64_t operation : out.operations) {
      PAWL_ASSIGN(const auto events, view.store().events_of(operation));
      for (const Event& event : events) {
        if (!found.standing.contains(event.after.id)) changed.insert(event.after.id);
      }
    }
    return done();
  }));
  return changed;
}

// One that adds to what others show is looked at as on any day: what somebody changed in it is an edit, and with the
// rest it follows. As it stands it would take back what the others say by now. What git brought nobody has edited.
Done take_parts(Engine& engine, const Request& plain, const std::vector<Sighting>& parts, CaughtUp& out) {
  for (const Sighting& part : parts) {
    Look one;
    one.files.push_back(part.file);
    Request request = plain;
    if (part.found == FileCase::gits) request.accept = request.actor;
    auto taken = engine.change(request, one, decide_nothing);
    if (!taken && !request.accept.empty() && is_about_a_file(taken.error()))
      taken = engine.change(plain, one, decide_nothing);
    if (!taken && !is_about_a_file(taken.error())) return tl::unexpected(taken.error());
    if (!taken) {
      out.not_taken.push_back({part.file.path, about(part.file.path, taken.error()), taken.error().hint});
      continue;
    }
    PAWL_TRY(add_operations(engine, *taken, out));
    PAWL_ASSIGN(const bool as_found, stands_as_found(engine, part));
    (as_found ? out.taken : out.by_rules).push_back(part.file.path);
  }
  return done();
}

}  // namespace

Result<bool> can_go_on(Engine& engine) {
  const auto opened = engine.store();
  if (!opened && opened.error().code == ErrorCode::corruption) return false;
  if (!opened && opened.error().code == ErrorCode::not_found) return true;  // somebody removed it: there is none
  if (!opened) return tl::unexpected(opened.error());
  const auto health = (*opened)->check();
  if (!health && health.error().code != ErrorCode::corruption) return tl::unexpected(health.error());
  return health && health->problems.empty();
}

Result<CaughtUp> catch_up(Engine& engine, Request request) {
  CaughtUp out;
  request.idempotency_key.clear();  // it is for what was asked for
  if (request.reason.empty()) request.reason = "the files as they were when somebody came back";
  PAWL_ASSIGN(const Found found, set_down(engine, request, out));
  PAWL_TRY(take_whole(engine, request, found, out));
  PAWL_ASSIGN(request.not_there_yet, changed_since(engine, found, out));
  PAWL_TRY(take_parts(engine, request, found.parts, out));
  for (const auto& [path, words] : found.put_back) engine.note(words);
  return out;
}

}  // namespace pawl
