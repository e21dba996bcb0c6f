#include "lifecycles/loop/begin.h"

#include "base/shell_word.h"
#include "base/text.h"
#include "core/outside.h"
#include "lifecycles/loop/advice.h"
#include "lifecycles/loop/identity.h"
#include "lifecycles/loop/move.h"
#include "lifecycles/loop/ralph.h"

namespace pawl::loop {
namespace {

const Record* live_in(const Shape& shape, std::span<const Record> loops, std::string_view scope) {
  for (const Record& loop : loops) {
    if (loop.id.scope == scope && is_live(*shape.machine, loop)) return &loop;
  }
  return nullptr;
}

std::string whose(const Record& loop) {
  const auto owner = owner_of(loop.doc);
  return owner ? cat("session ", printable(owner->substr(0, 80)), "'s ") : std::string("nobody's ");
}

}  // namespace

std::string next_place(const Shape& shape) { return cat(kStateFolder, "/", shape.files.front()); }

std::vector<Change> made_room(std::span<const Record> loops, const RecordId& id) {
  std::vector<Change> changes;
  for (const Record& loop : loops) {
    if (loop.id.scope == id.scope && loop.id != id && loop.present() && !loop.aside) changes.push_back(set_aside(loop));
  }
  return changes;
}

Result<std::string> scope_for(const Shape& shape, std::span<const Record> loops, std::string_view session,
                              const Places& places) {
  const auto taken = [&](const Record& loop) {
    const bool own = session.empty() ? !owner_of(loop.doc) : is_owned_by(loop.doc, session);
    return fail(ErrorCode::already_exists,
                cat(whose(loop), shape.machine->name == kRalph ? "loop" : shape.machine->name,
                    " is under way already: ", printable(loop.id.key)),
                shape.users
                    ? to_type(cat("pawl ultrawork clear ", shell_word(loop.id.key), " --global"), "ends that one")
                    : to_begin_beside(shape.machine->name, loop, own));
  };
  const auto is_gits = [&](std::string_view scope) { return places.left_to_git && places.left_to_git(scope); };
  const auto is_free = [&](std::string_view scope) {
    return live_in(shape, loops, scope) == nullptr && !is_gits(scope);
  };
  for (const Record& loop : loops) {
    const bool own = session.empty() ? !owner_of(loop.doc) : is_owned_by(loop.doc, session);
    if (!own || !is_live(*shape.machine, loop)) continue;
    if (!places.own_folder.empty()) return session_scope(shape, places.own_folder);
    return taken(loop);
  }
  // Where the session's last one stands: whoever looks for it there finds the one that is under way, and what has ended
  // makes room.
  const Record* last = nullptr;
  for (const Record& loop : loops) {
    const bool own =
        !shape.users && !session.empty() && loop.present() && !loop.aside && is_owned_by(loop.doc, session);
    if (own && (last == nullptr || start_in(last->id.key) < start_in(loop.id.key))) last = &loop;
  }
  if (last != nullptr && is_free(last->id.scope)) return last->id.scope;
  if (is_free("")) return std::string();
  const Record* there = live_in(shape, loops, "");
  if (there != nullptr && places.own_folder.empty() && (session.empty() || shape.users)) return taken(*there);
  std::string own = session.empty() ? next_place(shape) : session_scope(shape, session);
  if (is_free(own)) return own;
  if (!places.own_folder.empty()) return session_scope(shape, places.own_folder);
  if (const Record* other = live_in(shape, loops, own)) return taken(*other);
  return fail(ErrorCode::conflict, cat(own, " was changed by git and is left alone, so nothing can be begun in it"),
              "pawl accept or pawl restore settles it\npawl status  # tells what may be done about it");
}

Result<std::vector<Change>> begin(const Shape& shape, std::span<const Record> loops, const Record& fresh, Json doc) {
  std::vector<Change> changes = made_room(loops, fresh.id);
  Json whole = doc;
  whole[std::string(shape.flag)] = true;
  PAWL_ASSIGN(Change change, moved(*shape.machine, fresh, shape.status_in(whole), std::move(doc), "started"));
  changes.push_back(std::move(change));
  return changes;
}

Result<std::vector<Change>> decide(const Shape& shape, std::span<const Record> loops, const Record& current,
                                   const WriteState& command) {
  const Shown& state = command.state;
  if (const auto owner = owner_of(state.doc); owner && !is_session_id(*owner)) PAWL_TRY(check_session(*owner));
  if (command.revision != 0 && (current.revision != command.revision || !current.present())) {
    return fail(ErrorCode::conflict,
                cat(shape.machine->name, " ", printable(state.id.key), " was changed since it was read: revision ",
                    command.revision, " was expected, it is ", current.revision),
                "read it again");
  }
  if (!StateFile(shape).admits(current, state))
    return fail(ErrorCode::illegal_move, cat(printable(current.id.ref()), " has ended and does not come back"));
  Json doc = state.doc;
  if (command.revision != 0) {
    doc = current.doc;
    doc.update(state.doc);
  }
  std::vector<Change> changes = made_room(loops, current.id);
  if (state.status == current.status && !current.held) {
    Change written{current, current, "written", Json(), false};
    written.after.doc = std::move(doc);
    written.after.aside = false;
    changes.push_back(std::move(written));
    return changes;
  }
  MoveRequest request;
  request.to = state.status.value_or(std::string());
  request.doc = std::move(doc);
  request.what = "written";
  request.record_gates = command.record_gates;
  if (command.beside && command.beside->to == request.to) request.one_more_gate = command.beside->gate;
  auto change = decide_move(*shape.machine, current, std::move(request));
  if (!change && command.beside && change.error().code == ErrorCode::gate_failed)
    change.error().hint = command.beside->hint;
  if (!change) return tl::unexpected(std::move(change.error()));
  changes.push_back(std::move(*change));
  return changes;
}

}  // namespace pawl::loop
