#include "engine/take_back.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "base/text.h"

namespace pawl {
namespace {

// The operations on the record since `undone`, the newest first, until `is_it` says so of one; nothing: none is it.
template <class IsIt>
Result<std::optional<Operation>> newest_since(Transaction& store, const RecordId& id, std::int64_t undone,
                                              const IsIt& is_it) {
  OperationQuery query;
  query.record = id;
  query.limit = 100;
  while (true) {
    PAWL_ASSIGN(const auto page, store.operations(query));
    for (const Operation& operation : page) {
      if (operation.id <= undone) return std::optional<Operation>();
      PAWL_ASSIGN(const bool found, is_it(operation));
      if (found) return std::optional<Operation>(operation);
    }
    if (page.empty()) return std::optional<Operation>();
    query.before = page.back().id;
  }
}

// A later operation that changed the record and has not been taken back itself: it stands in the way. `noted`: there
// are some that do not, as they are only bookkeeping.
Result<std::optional<Operation>> stands_on(const Engine& engine, Transaction& store, const RecordId& id,
                                           std::int64_t undone, bool& noted) {
  std::set<std::int64_t> taken_back;
  return newest_since(store, id, undone, [&](const Operation& operation) -> Result<bool> {
    if (taken_back.contains(operation.id)) return false;
    if (operation.undoes) {
      taken_back.insert(*operation.undoes);
      return false;
    }
    PAWL_ASSIGN(const bool skipped, is_bookkeeping(engine, store, operation));
    noted = noted || skipped;
    return !skipped;
  });
}

// The operation that has taken this one back, where that stands itself.
Result<std::optional<Operation>> undone_by(Transaction& store, const RecordId& id, std::int64_t undone) {
  std::set<std::int64_t> taken_back;
  return newest_since(store, id, undone, [&](const Operation& operation) -> Result<bool> {
    if (!operation.undoes || taken_back.contains(operation.id)) return false;
    taken_back.insert(*operation.undoes);
    return *operation.undoes == undone;
  });
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

}  // namespace

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

std::vector<EventsOfOne> by_record(const std::vector<Event>& events) {
  std::vector<EventsOfOne> out;
  std::map<RecordId, std::size_t> at;
  for (auto event = events.rbegin(); event != events.rend(); ++event) {
    const auto [found, is_new] = at.try_emplace(event->after.id, out.size());
    if (is_new) out.emplace_back();
    out[found->second].insert(out[found->second].begin(), &*event);
  }
  return out;
}

Result<TakenBack> take_back(const Engine& engine, const View& view, const EventsOfOne& events,
                            const Operation& operation) {
  const Event& event = *events.back();  // what it left
  PAWL_ASSIGN(const Record current, view.load(event.after.id));
  bool noted = false;
  PAWL_ASSIGN(const auto later, stands_on(engine, view.store(), event.after.id, operation.id, noted));
  Record left = event.after;  // as pawl left it
  if (noted) {
    PAWL_ASSIGN(const auto newest, view.store().event_at(event.after.id, std::numeric_limits<std::int64_t>::max()));
    if (newest) left = newest->after;
  }
  if (later || !current.same_content(left)) {
    PAWL_ASSIGN(const auto undoing, undone_by(view.store(), event.after.id, operation.id));
    if (undoing)
      return fail(ErrorCode::conflict, cat("operation ", operation.id, " is undone already"),
                  cat("pawl undo ", undoing->id, "  # makes it again"));
    OperationQuery newest;
    newest.record = event.after.id;
    newest.limit = 1;
    PAWL_ASSIGN(const auto last, view.store().operations(newest));
    const Operation& in_the_way = later ? *later : last.empty() ? operation : last.front();
    const std::string who = in_the_way.id == operation.id
                                ? std::string("an edit outside pawl, which was taken over just now,")
                                : cat("operation ", in_the_way.id, " (", printable(in_the_way.verb), ")");
    return fail(ErrorCode::conflict,
                cat("operation ", operation.id, " cannot be undone: ", who, " changed ",
                    printable(event.after.id.ref()), " after it"),
                "undo that one first");
  }
  PAWL_ASSIGN(const auto earlier, view.store().event_before(event.after.id, events.front()->id));
  if (!earlier && events.front()->after.revision > 1) {
    return fail(ErrorCode::not_found, cat("what ", printable(event.after.id.ref()), " was before operation ",
                                          operation.id, " is no longer kept"));
  }
  TakenBack back{{current, current, "undone", Json(), false}};
  Change& change = back.change;
  change.evidence["operation"] = operation.id;
  const Record before = earlier ? earlier->after : absent_record(current.id);
  change.after.status = before.status;
  change.after.held = before.held;
  change.after.aside = before.aside;
  // What was noted since is no part of what is taken back.
  change.after.doc = noted ? Doc(taken_back(current.doc, event.after.doc, before.doc)) : before.doc;
  change.unverified = earlier && earlier->unverified && change.after.status == earlier->after.status;
  for (auto one = events.rbegin(); one != events.rend(); ++one) {  // of a member that two wrote the first tells
    for (Json& member : members_of(**one)) back.members.push_back(std::move(member));
    if ((*one)->evidence.is_object() && (*one)->evidence.contains(kReplaced))
      back.replaced = string_or((*one)->evidence, kReplaced);
  }
  return back;
}

}  // namespace pawl
