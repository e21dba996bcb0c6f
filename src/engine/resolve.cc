#include "engine/resolve.h"

#include <fcntl.h>

#include <algorithm>

#include "base/place.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "base/writers.h"
#include "core/decide.h"
#include "core/file_spec.h"
#include "engine/typed_path.h"

namespace pawl {
namespace {

Done must_not_be_in_use(const Engine& engine, const MirrorFile& file) {
  if (!is_being_written_at(AT_FDCWD, engine.world().roots->absolute(file.path))) return done();
  return fail(ErrorCode::busy,
              cat(printable(file.path), " is open for writing, so nothing can be decided about it now"),
              "try again when it is closed");
}

tl::unexpected<Error> cannot_accept(const StoredConflict& conflict) {
  const bool whole = is_of_whole_file(conflict);
  const std::string what = whole ? conflict.cell.path : conflict.cell.record.ref();
  return fail(ErrorCode::illegal_move,
              cat("the change of ", printable(what), " in ", printable(conflict.cell.path), " cannot be taken (",
                  conflict.code, ")"),
              cat("pawl status  # says why\npawl restore ", shell_word(what), "  # keeps what pawl knows"));
}

// Theirs, through the move that leads there.
Result<Change> take_theirs(const Engine& engine, const View& view, const Request& request,
                           const StoredConflict& conflict) {
  const RecordId& id = conflict.cell.record;
  const Machine& machine = *engine.lifecycles().find(id.kind)->machine;
  PAWL_ASSIGN(Record record, view.load(id));
  Json theirs = theirs_in(conflict).value_or(Json());
  if (code_of(conflict) == merge::Code::removed) {
    if (!theirs.is_object()) return cannot_accept(conflict);
    const std::string status = string_or(theirs, merge::kStatus);
    if (machine.status(status) == nullptr) return cannot_accept(conflict);
    Change change{record, record, "accepted", Json(), false, true};
    theirs.erase(std::string(merge::kStatus));
    change.after.status = status;
    change.after.doc = std::move(theirs);
    return change;
  }
  Json doc = record.doc;
  for (const merge::Waiting& waiting : waiting_in(conflict)) {
    if (waiting.theirs) {
      doc[waiting.member] = *waiting.theirs;
    } else {
      doc.erase(waiting.member);
    }
  }
  const std::string to = theirs.is_string() ? theirs.get<std::string>() : std::string();
  if (code_of(conflict) == merge::Code::not_a_start) {
    Change change{record, record, "accepted", Json(), true, true};
    change.after.status = to;
    change.after.held.reset();
    change.after.doc = std::move(doc);
    return change;
  }
  MoveRequest move{to, Doc(std::move(doc)), "accepted", Json::object(), false};
  const Move* const found = machine.move(state_of(record), to);
  for (const std::string_view gate : found == nullptr ? std::span<const std::string_view>() : std::span(found->gates)) {
    // A person's word stands for what the file could not show; a reason has to be given.
    const std::string word = gate == "reason" ? request.reason : request.actor;
    if (!gate.empty() && !word.empty()) move.evidence[std::string(gate)] = word;
  }
  return decide_move(machine, record, std::move(move));
}

// A record that a command added since git changed the file would be lost with the file's version.
Done must_lose_nothing(const Engine& engine, const View& view, const MirrorFile& file, const StoredConflict& conflict) {
  PAWL_ASSIGN(const FileImage image,
              read_file(engine.world().roots->absolute(file.path), file.format->spec()->size_cap));
  std::set<std::string> shown;
  if (image.exists) {
    const auto content = file.format->spec()->codec->parse(file.path, image.bytes, {});
    if (!content)
      return fail(ErrorCode::conflict, cat(printable(file.path), " could not be read: ", content.error().message),
                  cat("repair the file; or write back what pawl knows: pawl restore ", shell_word(file.path)));
    for (const merge::Entry& entry : content->entries) shown.insert(entry.key);
  }
  PAWL_ASSIGN(const auto newest, view.store().newest_event());
  PAWL_ASSIGN(const auto events, view.store().events_since(0, newest));
  for (const Event& event : events) {
    if (event.operation <= conflict.opened || !event.from.empty() || !event.after.present()) continue;
    const auto files = files_of(engine.world(), event.after.id);
    const bool here = std::any_of(files.begin(), files.end(), [&](const auto& one) { return one.path == file.path; });
    if (!here || shown.contains(event.after.id.key)) continue;
    return fail(ErrorCode::conflict,
                cat(printable(event.after.id.ref()), " was added after git changed ", printable(file.path),
                    ", and would be lost"),
                cat("write back what pawl knows: pawl restore ", shell_word(file.path)));
  }
  return done();
}

}  // namespace

Result<std::vector<StoredConflict>> open_conflicts(const View& view, const ConflictTarget& target) {
  PAWL_ASSIGN(auto open, view.store().conflicts({.path = target.file.path}));
  if (target.conflict != 0) std::erase_if(open, [&](const StoredConflict& one) { return one.id != target.conflict; });
  // What is wrong with the whole file is wrong with each of its records.
  if (target.record) {
    std::erase_if(
        open, [&](const StoredConflict& one) { return one.cell.record != *target.record && !is_of_whole_file(one); });
  }
  return open;
}

Result<std::optional<ConflictTarget>> conflict_target(Engine& engine, const std::string& typed) {
  std::optional<ConflictTarget> target;
  if (const auto path = typed_path(engine, typed)) {
    const auto file = file_at(engine.world(), *path);
    if (file && file->format->spec() != nullptr) target = ConflictTarget{*file};
    if (file) return target;
  }
  PAWL_TRY(engine.read_store([&](const View& view) -> Done {
    const auto id = view.resolve(typed);
    if (!id) return done();
    const auto files = files_of(engine.world(), *id);
    if (!files.empty() && files.front().format->spec() != nullptr) target = ConflictTarget{files.front(), *id};
    return done();
  }));
  return target;
}

Result<std::int64_t> accept_conflicts(Engine& engine, Request request, const ConflictTarget& target) {
  PAWL_TRY(must_not_be_in_use(engine, target.file));
  Look look;
  look.files.push_back(target.file);
  // What the look finds is stored first, so that its conflicts have numbers.
  bool of_git = false;
  PAWL_TRY(engine.read(look, std::nullopt, [&](const View& view) -> Done {
    PAWL_ASSIGN(const auto open, open_conflicts(view, target));
    for (const StoredConflict& conflict : open) {
      if (code_of(conflict) != merge::Code::git) continue;
      of_git = true;
      return must_lose_nothing(engine, view, target.file, conflict);
    }
    return done();
  }));
  if (of_git) {
    request.accept = request.actor;
    PAWL_ASSIGN(const Outcome outcome, engine.change(request, look, decide_nothing));
    return outcome.outside_operation;
  }
  const Decide decide = [&](const View& view, const Now&) -> Result<Decision> {
    PAWL_ASSIGN(const auto open, open_conflicts(view, target));
    if (open.empty())
      return fail(ErrorCode::not_found, cat("there is no conflict in ", printable(target.file.path)),
                  "pawl status  # lists the open ones");
    Decision decision;
    for (const StoredConflict& conflict : open) {
      if (!merge::can_be_accepted(*target.file.format->spec()->law, as_found(conflict))) return cannot_accept(conflict);
      PAWL_ASSIGN(Change change, take_theirs(engine, view, request, conflict));
      decision.changes.push_back(std::move(change));
    }
    return decision;
  };
  PAWL_ASSIGN(const Outcome outcome, engine.change(request, look, decide));
  return outcome.operation;
}

Result<std::int64_t> restore_mirror(Engine& engine, const Request& request, const ConflictTarget& target) {
  PAWL_TRY(must_not_be_in_use(engine, target.file));
  Look look;
  look.files.push_back(target.file);
  PAWL_TRY(engine.read(look, std::nullopt, [](const View&) { return done(); }));
  const Decide decide = [&](const View& view, const Now&) -> Result<Decision> {
    PAWL_ASSIGN(const auto open, open_conflicts(view, target));
    Decision decision;
    for (const StoredConflict& conflict : open) decision.restores.push_back(conflict.id);
    return decision;
  };
  PAWL_ASSIGN(const Outcome outcome, engine.change(request, look, decide));
  return outcome.operation;
}

}  // namespace pawl
