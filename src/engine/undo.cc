#include "engine/undo.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/shell_word.h"
#include "base/text.h"
#include "engine/found_apart.h"
#include "engine/take_back.h"
#include "engine/undo_files.h"
#include "engine/undo_mirrors.h"

namespace pawl {
namespace {

// What stood there when pawl first looked, at all or at this kind, is somebody's work, and is not taken away with the
// look.
Result<bool> is_first_look(Transaction& store, const Operation& operation, const std::vector<Event>& events) {
  std::set<RecordId> seen;
  const auto is_first = [&](const Event& event) {
    return !seen.insert(event.after.id).second || event.after.revision == 1;
  };
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
      if (events.empty()) {  // an operation that only answered changed nothing; one that opened conflicts did
        PAWL_ASSIGN(const auto mirrors, mirrors_of(store, operation.id));
        if (!mirrors.empty() && operation.outside) return operation;
        continue;
      }
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

// What stands in a folder that is not looked at now has a file that an undo would leave as it is.
Done must_be_looked_at(const Engine& engine, const std::vector<Event>& events) {
  for (const Event& event : events) {
    const RecordId& id = event.after.id;
    const Lifecycle* const lifecycle = engine.lifecycles().find(id.kind);
    if (lifecycle == nullptr || lifecycle->formats.empty() || !files_of(engine.world(), id).empty()) continue;
    return fail(ErrorCode::gate_failed,
                cat("operation ", event.operation, " is about ", printable(id.ref()), " in ", printable(id.scope),
                    ", which is not looked at now: its file would stay as it is"),
                "# name that folder as the command did that is to be undone (pawl settings), and type the same again");
  }
  return done();
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

bool comes_back(const Change& change) {
  return change.after.present() && !change.after.aside && (!change.before.present() || change.before.aside);
}

bool goes_through_merge(const Lifecycles& lifecycles, const std::string& kind) {
  const Lifecycle* const lifecycle = lifecycles.find(kind);
  return lifecycle != nullptr && !lifecycle->formats.empty() && lifecycle->formats.front()->spec() != nullptr;
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
    PAWL_ASSIGN(const auto mirrors, mirrors_of(view.store(), operation.id));
    for (const std::string& path : mirrors) {
      if (const auto file = file_at(engine.world(), path)) look.files.push_back(*file);
    }
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
    PAWL_ASSIGN(const auto mirrors, mirrors_of(view.store(), undone.operation.id));
    if (events.empty() && mirrors.empty()) {
      return fail(ErrorCode::not_found, cat("operation ", undone.operation.id, " changed nothing that is still kept"));
    }
    PAWL_TRY(must_be_told_here(engine, events));
    PAWL_TRY(must_be_looked_at(engine, events));
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
                                              " put a file back that cannot be read; undo does not take it away"));
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
    Decision decision;
    for (const EventsOfOne& of_one : by_record(events)) {
      if (goes_through_merge(engine.lifecycles(), of_one.front()->after.id.kind)) {
        PAWL_ASSIGN(Change change, revert_record(view, of_one));
        undone.changes.push_back(std::move(change));
        continue;
      }
      PAWL_ASSIGN(TakenBack back, take_back(engine, view, of_one, undone.operation));
      if (came_back && back.change.after.present()) {
        back.change.after.aside = false;
        if (back.change.after.same_content(back.change.before)) continue;  // it is only there again
      }
      const RecordId& id = back.change.before.id;
      if (!back.members.empty()) decision.members_back[id] = std::move(back.members);
      if (!back.replaced.empty()) decision.replaced_back[id] = std::move(back.replaced);
      undone.changes.push_back(std::move(back.change));
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
