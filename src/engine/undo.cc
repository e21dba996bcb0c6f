#include "engine/undo.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "base/shell_word.h"
#include "base/text.h"
#include "engine/found_apart.h"
#include "engine/replaced.h"
#include "engine/undo_files.h"

namespace pawl {
namespace {

// Nothing but bookkeeping, and nothing done to the world with it.
Result<bool> is_bookkeeping(const Engine& engine, Transaction& store, const Operation& operation) {
  PAWL_ASSIGN(const auto events, store.events_of(operation.id));
  const auto is_note = [&](const Event& event) {
    const Lifecycle* const row = engine.lifecycles().find(event.after.id.kind);
    return row != nullptr && event.from == event.after.status &&
           std::find(row->bookkeeping.begin(), row->bookkeeping.end(), event.what) != row->bookkeeping.end();
  };
  if (events.empty() || !std::all_of(events.begin(), events.end(), is_note)) return false;
  PAWL_ASSIGN(const auto effects, store.effects_of(operation.id));
  return effects.empty();
}

// What stood there when pawl first looked, at all or at this kind, is somebody's work, and is not taken away with the
// look.
Result<bool> is_first_look(Transaction& store, const Operation& operation, const std::vector<Event>& events) {
  const auto is_first = [](const Event& event) { return event.after.revision == 1; };
  if (!only_came_in(operation, events) || !std::all_of(events.begin(), events.end(), is_first)) return false;
  std::set<std::string> kinds;
  for (const Event& event : events) kinds.insert(event.after.id.kind);
  for (const std::string& kind : kinds) {
    PAWL_ASSIGN(const bool known, store.happened_before(kind, events.front().id));
    if (known) return false;
  }
  return true;
}

// Where what it is about is told, and read again; nullptr: here.
const Lifecycle* told_elsewhere(const Engine& engine, const std::vector<Event>& events) {
  for (const Event& event : events) {
    const Lifecycle* const lifecycle = engine.lifecycles().find(event.after.id.kind);
    if (lifecycle != nullptr && !lifecycle->told_on.empty()) return lifecycle;
  }
  return nullptr;
}

// Operations that a later one has taken back do not stand; nor do the ones that did the taking back.
// What pawl only looked at, and what stands elsewhere, is stepped over too, as long as there is something else.
Result<Operation> newest_standing(const Engine& engine, Transaction& store) {
  std::set<std::int64_t> taken_back;
  std::optional<Operation> stepped_over;
  OperationQuery query;
  query.limit = 100;
  while (true) {
    PAWL_ASSIGN(const auto page, store.operations(query));
    if (page.empty() && stepped_over) return *stepped_over;
    if (page.empty()) return fail(ErrorCode::not_found, "there is nothing to undo", "pawl log lists what happened");
    for (const Operation& operation : page) {
      if (operation.undoes) {
        if (!taken_back.contains(operation.id)) taken_back.insert(*operation.undoes);
        continue;
      }
      if (taken_back.contains(operation.id)) continue;
      PAWL_ASSIGN(const auto events, store.events_of(operation.id));
      if (events.empty()) continue;  // one that only answered has nothing to take back
      PAWL_ASSIGN(const bool skipped, is_bookkeeping(engine, store, operation));
      if (skipped && !took_a_file(events)) continue;
      PAWL_ASSIGN(bool looked, is_first_look(store, operation, events));
      PAWL_ASSIGN(const bool came_back, only_came_back(store, operation, events));
      if (came_back) {
        PAWL_ASSIGN(looked, changed_nothing_else(store, events));
      } else if (!looked) {
        PAWL_ASSIGN(const std::string file, file_that_came(engine, store, operation, events));
        looked = !file.empty();
      }
      if (!looked && told_elsewhere(engine, events) == nullptr) return operation;
      if (!stepped_over) stepped_over = operation;
    }
    query.before = page.back().id;
  }
}

Result<Operation> find_operation(const Engine& engine, Transaction& store, std::optional<std::int64_t> wanted) {
  if (!wanted) return newest_standing(engine, store);
  PAWL_ASSIGN(const auto found, store.operation(*wanted));
  if (!found) return fail(ErrorCode::not_found, cat("there is no operation ", *wanted), "pawl log lists them");
  return *found;
}

// The next look would bring it back, so that an undo would only seem to be one.
Done must_be_told_here(const Engine& engine, const std::vector<Event>& events) {
  const Lifecycle* const lifecycle = told_elsewhere(engine, events);
  if (lifecycle == nullptr) return done();
  const Record& after = events.front().after;
  return fail(ErrorCode::gate_failed,
              cat("operation ", events.front().operation, " is about ", printable(after.id.ref()), " of ",
                  printable(after.id.scope), ", which stands on ", lifecycle->told_on,
                  ": taken back here alone, the next look would bring it back"),
              cat(lifecycle->taken_back_by(after), "\npawl log  # lists other operations"));
}

// A later operation that changed the record and has not been taken back itself: it stands in the way. `noted`: there
// are some that do not, as they are only bookkeeping.
Result<std::optional<Operation>> stands_on(const Engine& engine, Transaction& store, const RecordId& id,
                                           std::int64_t undone, bool& noted) {
  std::set<std::int64_t> taken_back;
  OperationQuery query;
  query.record = id;
  query.limit = 100;
  while (true) {
    PAWL_ASSIGN(const auto page, store.operations(query));
    for (const Operation& operation : page) {
      if (operation.id <= undone) return std::optional<Operation>();
      if (taken_back.contains(operation.id)) continue;
      if (!operation.undoes) {
        PAWL_ASSIGN(const bool skipped, is_bookkeeping(engine, store, operation));
        if (!skipped) return std::optional<Operation>(operation);
        noted = true;
        continue;
      }
      taken_back.insert(*operation.undoes);
    }
    if (page.empty()) return std::optional<Operation>();
    query.before = page.back().id;
  }
}

// `now` without what led from `before` to `after`; what came after that stays, member by member.
Json taken_back(const Json& now, const Json& after, const Json& before) {
  Json out = now;
  const auto within = [](const Json& document, const std::string& name) -> const Json* {
    const auto found = document.find(name);
    return found != document.end() && found->is_object() ? &*found : nullptr;
  };
  const Json nothing = Json::object();
  std::set<std::string> names;
  for (const Json* const document : {&after, &before}) {
    for (const auto& [name, value] : document->items()) names.insert(name);
  }
  for (const std::string& name : names) {
    const auto did = after.find(name), was = before.find(name);
    const bool is_there = was != before.end();
    if (did != after.end() && is_there && *did == *was) continue;
    const Json* const one = within(now, name);
    const bool nested = (did == after.end() || did->is_object()) && (!is_there || was->is_object());
    if (one != nullptr && nested) {
      Json inner = taken_back(*one, did == after.end() ? nothing : *did, is_there ? *was : nothing);
      if (is_there || !inner.empty()) {
        out[name] = std::move(inner);
        continue;
      }
    }
    if (is_there) {
      out[name] = *was;
    } else {
      out.erase(name);
    }
  }
  return out;
}

Result<Change> take_back(const Engine& engine, const View& view, const Event& event, const Operation& operation) {
  PAWL_ASSIGN(const Record current, view.load(event.after.id));
  bool noted = false;
  PAWL_ASSIGN(const auto later, stands_on(engine, view.store(), event.after.id, operation.id, noted));
  Record left = event.after;  // as pawl left it
  if (noted) {
    PAWL_ASSIGN(const auto newest, view.store().event_at(event.after.id, std::numeric_limits<std::int64_t>::max()));
    if (newest) left = newest->after;
  }
  if (later || !current.same_content(left)) {
    OperationQuery newest;
    newest.record = event.after.id;
    newest.limit = 1;
    PAWL_ASSIGN(const auto last, view.store().operations(newest));
    const Operation& in_the_way = later ? *later : last.empty() ? operation : last.front();
    const std::string who = in_the_way.id == operation.id
                                ? std::string("an edit outside pawl, which was taken over just now,")
                                : cat("operation ", in_the_way.id, " (", printable(in_the_way.verb), ")");
    return fail(ErrorCode::conflict,
                cat("operation ", operation.id, " can not be undone: ", who, " changed ",
                    printable(event.after.id.ref()), " after it"),
                "undo that one first");
  }
  PAWL_ASSIGN(const auto earlier, view.store().event_before(event.after.id, event.id));
  if (!earlier && event.after.revision > 1) {
    return fail(ErrorCode::not_found, cat("what ", printable(event.after.id.ref()), " was before operation ",
                                          operation.id, " is no longer kept"));
  }
  Change change{current, current, "undone", Json(), false};
  change.evidence["operation"] = operation.id;
  const Record before = earlier ? earlier->after : absent_record(current.id);
  change.after.status = before.status;
  change.after.held = before.held;
  change.after.aside = before.aside;
  // What was noted since is no part of what is taken back.
  change.after.doc = noted ? Doc(taken_back(current.doc, event.after.doc, before.doc)) : before.doc;
  change.unverified = earlier && earlier->unverified && change.after.status == earlier->after.status;
  return change;
}

// Of a file that shows one of several at a time: what comes back while it shows another comes back set aside.
class Places {
 public:
  Places(const Engine& engine, const View& view, const std::vector<Change>& changes)
      : engine_(engine), view_(view), changes_(changes) {}

  Result<bool> are_taken(const RecordId& id) {
    for (const MirrorFile& file : files_of(engine_.world(), id)) {
      const auto whose = file.format->identity_of(id);
      if (file.format->keys_are_identities()) {
        PAWL_ASSIGN(const bool another, shows_another(file, id));
        if (another) return true;
      }
      if (!whose || file.format->shows_parts_only()) continue;
      PAWL_ASSIGN(const auto shown, shown_in(file));
      if (shown && *shown != *whose && !leaves(*file.format, *shown)) return true;
    }
    return false;
  }

 private:
  // Of a file whose records are known by their keys alone: one of them that stays is in the place.
  Result<bool> shows_another(const MirrorFile& file, const RecordId& id) const {
    PAWL_ASSIGN(const auto row, view_.store().mirror(file.path));
    if (!row || !row->bytes) return false;
    const auto content = file.format->parse(file.path, file.scope, *row->bytes);
    if (!content) return false;
    for (const Shown& shown : content->shown) {
      const bool goes = std::any_of(changes_.begin(), changes_.end(), [&](const Change& change) {
        return change.after.id == shown.id && (!change.after.present() || change.after.aside);
      });
      PAWL_ASSIGN(const Record there, view_.load(shown.id));
      if (shown.id != id && !goes && there.present() && !there.aside) return true;
    }
    return false;
  }

  Result<std::optional<std::string>> shown_in(const MirrorFile& file) {
    if (const auto known = shown_.find(file.path); known != shown_.end()) return known->second;
    PAWL_ASSIGN(const auto row, view_.store().mirror(file.path));
    auto shown = row && row->bytes ? file.format->identity_in(*row->bytes) : std::nullopt;
    return shown_.emplace(file.path, std::move(shown)).first->second;
  }
  // Does what the file shows go by this very undo?
  [[nodiscard]] bool leaves(const MirrorFormat& format, const std::string& whose) const {
    return std::any_of(changes_.begin(), changes_.end(), [&](const Change& change) {
      return (!change.after.present() || change.after.aside) && format.identity_of(change.after.id) == whose;
    });
  }

  const Engine& engine_;
  const View& view_;
  const std::vector<Change>& changes_;
  std::map<std::string, std::optional<std::string>> shown_;
};

// What went with it of the file's own, and how its own members were written (core/mirror_format.h).
Json members_of(const Event& event) {
  Json out = Json::array();
  const Json none = Json::object();
  const Json& evidence = event.evidence.is_object() ? event.evidence : none;
  const Json dropped = evidence.value(std::string(kDropped), Json::array());
  if (dropped.is_array()) out = dropped;
  if (dropped.is_object()) {
    for (const auto& [name, value] : dropped.items()) out.push_back({{"name", name}, {"text", to_line(value)}});
  }
  for (Json one : evidence.value(std::string(kAsWritten), Json::array())) {
    one["of"] = event.after.id.key;
    out.push_back(std::move(one));
  }
  return out;
}

bool comes_back(const Change& change) {
  return change.after.present() && !change.after.aside && (!change.before.present() || change.before.aside);
}

}  // namespace

Result<Undone> undo(Engine& engine, const Request& request, std::optional<std::int64_t> wanted,
                    const std::function<Json(const Undone&)>& answer, bool dry_run) {
  PAWL_TRY(engine.store());
  // Which records it is about decides which files are looked at. The newest may be an edit that nobody has seen yet.
  Look look;
  look.all = !wanted;
  std::optional<std::int64_t> chosen = wanted;
  PAWL_TRY(engine.read(look, std::nullopt, [&](const View& view) -> Done {
    if (!request.idempotency_key.empty()) {
      PAWL_ASSIGN(const auto known, view.store().operation_by_key(request.idempotency_key));
      if (known) return done();  // answered before: there is nothing to choose
    }
    PAWL_ASSIGN(const Operation operation, find_operation(engine, view.store(), wanted));
    chosen = operation.id;
    PAWL_ASSIGN(const auto events, view.store().events_of(operation.id));
    for (const Event& event : events) look.records.push_back(event.after.id);
    return done();
  }));
  look.all = false;

  Undone undone;
  const Decide decide = [&](const View& view, const Now&) -> Result<Decision> {
    undone = Undone{};
    PAWL_ASSIGN(undone.operation, find_operation(engine, view.store(), chosen));
    PAWL_ASSIGN(const auto events, view.store().events_of(undone.operation.id));
    PAWL_ASSIGN(undone.effects, view.store().effects_of(undone.operation.id));
    for (const Event& event : events) {
      const std::int64_t acted_in = event.evidence.is_object() ? integer_or(event.evidence, kActedIn) : 0;
      if (acted_in == 0 || acted_in == undone.operation.id) continue;
      PAWL_ASSIGN(const auto acts, view.store().effects_of(acted_in));
      undone.effects.insert(undone.effects.end(), acts.begin(), acts.end());
    }
    if (events.empty()) {
      return fail(ErrorCode::not_found, cat("operation ", undone.operation.id, " changed nothing that is still kept"));
    }
    PAWL_TRY(must_be_told_here(engine, events));
    PAWL_ASSIGN(const bool first_look, is_first_look(view.store(), undone.operation, events));
    if (first_look)
      return fail(ErrorCode::not_found,
                  cat("there is nothing to undo: operation ", undone.operation.id,
                      " only took over what stood in the files already"),
                  "pawl leave goes without pawl, and leaves them as they are");
    PAWL_ASSIGN(const std::string came, file_that_came(engine, view.store(), undone.operation, events));
    if (!came.empty())
      return fail(ErrorCode::gate_failed,
                  cat("operation ", undone.operation.id, " took over what somebody wrote into ", printable(came),
                      "; undo takes no file away that pawl did not make"),
                  cat("pawl log ", shell_word(events.front().after.id.ref()), "  # tells what became of it"));
    if (undone.operation.undoes && took_a_file(events))
      return fail(ErrorCode::gate_failed, cat("operation ", undone.operation.id,
                                              " put a file back that can not be read; undo does not take it away"));
    PAWL_ASSIGN(undone.files_back, unread_files_of(engine, view.store(), events));
    PAWL_ASSIGN(const bool came_back, only_came_back(view.store(), undone.operation, events));
    if (came_back) {
      PAWL_ASSIGN(const bool nothing_else, changed_nothing_else(view.store(), events));
      if (nothing_else)
        return fail(ErrorCode::gate_failed,
                    cat("operation ", undone.operation.id,
                        " only took up again what stands in a file that somebody put back; undo takes no file away "
                        "that pawl did not make"),
                    cat("pawl log ", shell_word(events.front().after.id.ref()), "  # tells what became of it"));
    }
    std::set<RecordId> seen;
    Decision decision;
    for (auto event = events.rbegin(); event != events.rend(); ++event) {
      if (!seen.insert(event->after.id).second) return fail(ErrorCode::internal, "an operation changed a record twice");
      PAWL_ASSIGN(Change change, take_back(engine, view, *event, undone.operation));
      if (came_back && change.after.present()) {
        change.after.aside = false;
        if (change.after.same_content(change.before)) continue;  // it is only there again
      }
      if (Json back = members_of(*event); !back.empty()) decision.members_back[event->after.id] = std::move(back);
      if (event->evidence.is_object() && event->evidence.contains(kReplaced))
        decision.replaced_back[event->after.id] = string_or(event->evidence, kReplaced);
      undone.changes.push_back(std::move(change));
    }
    Places places(engine, view, undone.changes);
    for (Change& change : undone.changes) {
      if (!comes_back(change)) continue;
      PAWL_ASSIGN(change.after.aside, places.are_taken(change.after.id));
      const bool moved = std::any_of(events.begin(), events.end(), [&](const Event& event) {
        return event.after.id == change.after.id && event.what == kMovedAway;
      });
      if (moved && change.after.aside)  // it stands where it was moved to, and goes on there
        return fail(ErrorCode::conflict, cat("where ", printable(change.after.id.ref()), " was before operation ",
                                             undone.operation.id, ", another one is by now; it stays where it is"));
    }
    decision.undoes = undone.operation.id;
    decision.changes = undone.changes;
    if (answer) decision.answer = answer(undone);
    return decision;
  };
  if (dry_run) {
    PAWL_TRY(engine.read(look, std::nullopt, [&](const View& view) -> Done {
      PAWL_ASSIGN(const Decision decision, decide(view, engine.clock().now()));
      undone.answer = decision.answer;
      return done();
    }));
    return undone;
  }
  PAWL_ASSIGN(Outcome outcome, engine.change(request, look, decide));
  undone.by = outcome.operation;
  if (!outcome.repeated) {
    for (const FileBack& file : undone.files_back) put_unread_back(engine, file);
  }
  undone.answer = std::move(outcome.answer);
  return undone;
}

}  // namespace pawl
