#include "engine/round.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <limits>

#include "base/log.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "core/merge_rows.h"
#include "engine/claims.h"
#include "engine/doubt.h"
#include "engine/effects.h"
#include "engine/found_apart.h"
#include "engine/head_log.h"
#include "engine/known_bytes.h"
#include "engine/led_to.h"
#include "engine/replaced.h"
#include "engine/standing.h"
#include "engine/undo_hint.h"
#include "engine/undo_mirrors.h"

namespace pawl {
namespace {

// Never the same twice: under the gate there is one process, it does not come back to a time, and it counts.
std::string staged_stem(const Now& now) {
  static std::atomic<int> count = 0;
  return cat(now.boot_ms, "-", getpid(), "-", ++count, "-");
}

// Whoever takes a file as it is finds it so afterwards, and has lost nothing that was never in it.
Done must_stay_as_it_is(Transaction& store, const PlannedFile& planned) {
  const Sighting& seen = planned.seen;
  const std::string path = printable(seen.file.path);
  const std::string restore = cat("pawl restore ", shell_word(seen.file.path));
  if (seen.image.exists) {
    PAWL_ASSIGN(const auto lost, came_in_since(store, seen));
    if (!lost.empty())
      return fail(ErrorCode::conflict,
                  cat(path, " cannot be taken as it is: ", printable(lost.front().ref()),
                      lost.size() == 1 ? std::string() : cat(" and ", lost.size() - 1, " more"),
                      " came in since git changed it, and would be lost"),
                  cat(restore, " writes all that pawl knows; or take out first what is not wanted"));
  }
  if (!planned.write_file) return done();
  std::size_t at = 0;  // the first line that would be another
  std::string_view ours;
  const auto theirs = split(seen.image.bytes, '\n'),
             lines = split(planned.bytes ? *planned.bytes : std::string_view(), '\n');
  while (at < lines.size() && at < theirs.size() && theirs[at] == lines[at]) ++at;
  if (at < lines.size()) ours = trim(lines[at]).substr(0, 100);
  return fail(ErrorCode::illegal_move,
              cat(path, " cannot be taken as it is: ",
                  planned.bytes ? cat("line ", at + 1, " would have to be “", printable(ours), "”")
                                : std::string("nothing of it would be left")),
              cat("to write pawl's version: ", restore));
}

// Records that files show and the store does not have: this command has just taken them over, or pawl has just taken
// them out. As they stand in their files: the command may have changed them since, and a format that finds them by
// their words needs the old ones.
std::map<RecordId, Record> only_in_files(const Absorbed& absorbed) {
  std::map<RecordId, Record> out;
  for (const Change& found : absorbed.changes) {
    if (!found.before.present() && found.after.present())
      out.emplace(found.after.id, found.after).first->second.revision = 1;
  }
  for (const auto& [path, file] : absorbed.files) out.insert(file.taken_out.begin(), file.taken_out.end());
  return out;
}

// The undo of an undo brings back the file that made room in its turn.
Done keep_for_redo(Transaction& store, const Sighting& seen, Change& change) {
  if (!seen.image.exists) return done();
  PAWL_ASSIGN(std::string name, keep_replaced(store, seen.file, seen.image.bytes));
  if (!name.empty()) change.evidence[std::string(kReplaced)] = std::move(name);
  return done();
}

}  // namespace

Result<Decision> Round::decide(Transaction& tx, Absorber& absorber) {
  if (decide_ == nullptr) return Decision{};
  Result<Decision> decided = (*decide_)(absorber.view(), now_);
  if (!decided) {
    refused = std::move(decided.error());
    return Decision{};
  }
  for (Effect& effect : decided->effects) effect.result = effect_owner(engine_, effect);
  Absorbed& absorbed = absorber.result();
  for (Change& change : decided->changes) {
    if (request_.token) PAWL_TRY(check_token(tx, change.before.id, *request_.token, now_));
    change.after.rank = rank_of(engine_.lifecycles(), change.after);
    if (!absorbed.files.empty() || !absorber.snapshot().mirrors().empty()) {  // what shows in files is taken from here
      Record after = change.after;
      after.revision = change.before.revision + 1;
      absorbed.overlay.insert_or_assign(after.id, std::move(after));
    }
    for (const MirrorFile& file : files_of(world_, change.before.id)) {
      if (file.format->spec() != nullptr) {
        PAWL_TRY(assign(absorber.snapshot(), change, file));
        continue;
      }
      auto planned = absorbed.files.find(file.path);
      if (planned == absorbed.files.end()) {
        if (request_.later.contains(file.path)) continue;
        // It could not be looked at, and that was said. What it should say is written down: when it can be read again
        // it is compared with that.
        PlannedFile blind;
        blind.seen.file = file;
        PAWL_ASSIGN(blind.seen.row, tx.mirror(file.path));
        blind.from_store = blind.restate = blind.blind = true;
        planned = absorbed.files.emplace(file.path, std::move(blind)).first;
        Record after = change.after;
        after.revision = change.before.revision + 1;
        absorbed.overlay.insert_or_assign(after.id, std::move(after));
      }
      planned->second.show.push_back(change.before.id);
      PAWL_TRY(give_way(tx, planned->second, change));
      if (const auto back = decided->members_back.find(change.before.id); back != decided->members_back.end())
        planned->second.members_back.insert(planned->second.members_back.end(), back->second.begin(),
                                            back->second.end());
      if (const auto back = decided->replaced_back.find(change.before.id); back != decided->replaced_back.end()) {
        planned->second.replaced_back = back->second;
        PAWL_TRY(keep_for_redo(tx, planned->second.seen, change));
      }
    }
  }
  own_operation_ = !request_.idempotency_key.empty() || !decided->changes.empty() || !decided->effects.empty() ||
                   !decided->restores.empty() || decided->undoes;
  PAWL_TRY(close_conflicts(tx, absorber.snapshot(), *decided));
  return decided;
}

// A mirror that could not be looked at follows with a later command.
Done Round::assign(Snapshot& snapshot, const Change& change, const MirrorFile& file) {
  if (!snapshot.mirrors().contains(file.path)) PAWL_TRY(snapshot.leave_for_later(file));
  Mirror& mirror = snapshot.mirrors().at(file.path);
  mirror.write = true;
  commanded_.insert(file.path);
  snapshot.records().forget(change.after.id);
  PAWL_ASSIGN(const auto open, snapshot.conflicts().open(file.path));
  PAWL_ASSIGN(const std::int64_t operation, snapshot.number_of(found_operations_));
  const bool comes_or_goes = change.before.present() != change.after.present();
  for (StoredConflict* const conflict : open) {
    const ConflictCell& cell = conflict->cell;
    if (cell.record != change.after.id) continue;
    const auto in = [&](const Json& doc) {
      const auto member = doc.find(cell.member);
      return member == doc.end() ? nullptr : &*member;
    };
    const bool status = cell.member == merge::kStatus && change.assigns_status;
    const bool member = !merge::same(in(change.before.doc), in(change.after.doc));
    if (comes_or_goes || status || member || cell.member == merge::kPresence)
      snapshot.conflicts().close(*conflict, kAssigned, operation);
  }
  return done();
}

Done Round::close_conflicts(Transaction& tx, Snapshot& snapshot, const Decision& decision) {
  PAWL_ASSIGN(const std::int64_t operation, snapshot.number_of(found_operations_));
  for (const auto& [path, mirror] : snapshot.mirrors()) {
    if (!decision.restores.empty()) PAWL_TRY(snapshot.conflicts().open(path));
  }
  for (const std::int64_t id : decision.restores) {
    for (StoredConflict* const conflict : snapshot.conflicts().open_at_hand()) {
      if (conflict->id != id) continue;
      snapshot.conflicts().close(*conflict, kRestored, operation);
      snapshot.mirrors().at(conflict->cell.path).write = true;
    }
  }
  for (const auto& [path, owner] : decision.owners) {
    Mirror& mirror = snapshot.mirrors().at(path);
    PAWL_TRY(snapshot.load_images(mirror));
    const Image* const newest = newest_of(mirror, owner);
    const auto shown = newest == nullptr ? std::nullopt : content_of(mirror, *newest);
    set_state(mirror, {owner, shown ? shown->file : Json::object(), shown ? merge::order_of(*shown) : merge::Order()});
    mirror.write = true;
  }
  if (decision.undoes) PAWL_TRY(revert_mirrors(snapshot, tx, *decision.undoes, operation));
  return snapshot.close_agreed(operation);
}

Done Round::stage(Transaction& tx, Absorbed& absorbed, bool undoing) {
  const View after(tx, engine_.lifecycles(), absorbed.overlay);
  const auto only_there = only_in_files(absorbed);
  std::string stem, head;
  for (auto& [path, file] : absorbed.files) {
    PAWL_TRY(plan_bytes(world_, after, file, only_there, now_.wall_ms, undoing));
    notes.insert(notes.end(), file.notes.begin(), file.notes.end());
    if (request_.as_they_are.contains(path)) PAWL_TRY(must_stay_as_it_is(tx, file));
    if (!file.write_row) continue;
    if (stem.empty()) {
      stem = staged_stem(now_);
      head = head_mark(engine_.workspace().git_dir);
    }
    PAWL_TRY(stage_file(world_, file, head, cat(stem, planned_.size())));
    if (file.row.state == kWaits && file.seen.found != FileCase::waits) {
      file.seen.waits_for = WaitsFor::writer;
      notes.push_back(waiting_note(file.seen));
    }
    if (file.seen.displaced_base) {
      // It outlasts the row's `before`, as long as somebody writes to what was displaced.
      const std::string name = displaced_base_name(file.seen.row->staged);
      PAWL_TRY(tx.keep(name, file.row.staged == file.seen.row->staged ? cat("=", *file.seen.displaced_base) : ""));
    }
    if (file.seen.linked) {
      PAWL_ASSIGN(const auto place, world_.roots->find(path, false));
      if (place && place->linked) PAWL_TRY(keep_led_to(tx, path, *place));
    }
    planned_.push_back(&file);
  }
  return done();
}

Done Round::stage_mirrors(Snapshot& snapshot) {
  PAWL_ASSIGN(const std::int64_t own, snapshot.number_of(found_operations_));
  return write_back_->plan(own_operation_ ? own : own - 1, commanded_, staged_stem(now_));
}

Done Round::carry_doubt(Transaction& tx, std::vector<Change>& changes) {
  for (Change& change : changes) {
    const Machine& machine = *engine_.lifecycles().find(change.after.id.kind)->machine;
    if (change.unverified || change.before.status != change.after.status ||
        !needs_evidence(machine, change.after.status))
      continue;
    PAWL_ASSIGN(const auto newest, tx.event_at(change.after.id, std::numeric_limits<std::int64_t>::max()));
    if (!newest || !newest->unverified) continue;
    PAWL_ASSIGN(const auto lacked, doubted_gates(tx, change.after.id));
    change.unverified = carries_doubt(machine, change, lacked);
  }
  return done();
}

Batch Round::batch(Absorber& absorber, Decision decision) {
  Batch batch;
  Absorbed& absorbed = absorber.result();
  Snapshot& snapshot = absorber.snapshot();
  const auto outside = [&] {
    Operation found;
    found.verb = "outside";
    found.actor = request_.accept.empty() ? "outside" : request_.actor;
    found.reason = request_.accept.empty() ? std::string() : request_.reason;
    found.at_ms = now_.wall_ms;
    found.outside = true;
    return found;
  };
  for (FoundOperation& found : snapshot.operations()) batch.operations.push_back({outside(), found.changes, {}});
  write_back_->add_to(batch);
  for (PlannedFile* file : planned_) batch.mirrors.push_back(std::move(file->row));
  for (std::size_t i = 0; i < absorbed.changes.size(); ++i) {
    while (batch.operations.size() <= found_in_[i]) batch.operations.push_back({outside(), {}, {}});
    batch.operations[found_in_[i]].changes.push_back(std::move(absorbed.changes[i]));
  }
  const bool keyed = !request_.idempotency_key.empty();
  own_operation_ = own_operation_ && decide_ != nullptr && !refused;
  outcome.answer = decision.answer;
  if (own_operation_) {
    Operation own;
    own.verb = request_.verb;
    own.actor = request_.actor;
    own.reason = request_.reason;
    own.at_ms = now_.wall_ms;
    own.undoes = decision.undoes;
    if (keyed) {
      own.idempotency_key = request_.idempotency_key;
      own.request_digest = request_.digest;
      own.answer = std::move(decision.answer);
    }
    batch.operations.push_back({std::move(own), std::move(decision.changes), std::move(decision.effects)});
  }
  return batch;
}

void Round::fill_in_numbers() {
  const auto number_of = [&](std::size_t change) {
    return change < found_in_.size() && found_in_[change] < outside_operations_.size()
               ? outside_operations_[found_in_[change]]
               : 0;
  };
  for (std::string& note : notes) fill_in_number(note, number_of);
}

Done Round::commit(Transaction& tx, const Batch& batch) {
  PAWL_ASSIGN(const Committed committed, tx.commit(batch));
  outside_operations_.clear();  // of this commit: what was displaced meanwhile makes another
  for (std::size_t i = 0; i < batch.operations.size(); ++i) {
    if (batch.operations[i].operation.outside) outside_operations_.push_back(committed.operations[i]);
  }
  if (!outside_operations_.empty()) outcome.outside_operation = outside_operations_.front();
  if (own_operation_) outcome.operation = committed.operations.back();
  outcome.effects = committed.effects;
  fill_in_numbers();
  return done();
}

// From here on the command has happened; a file that cannot be written follows later.
void Round::project(Absorber& absorber) {
  const auto again = write_back_->exchange();
  look_again.insert(look_again.end(), again.begin(), again.end());
  found_notes = std::move(absorber.snapshot().notes());
  for (const PlannedFile* file : planned_) {
    const Result<Moved> moved = move_into_place(world_, *file);
    if (!moved) {
      notes.push_back(cat("this was saved, but ", printable(file->seen.file.path), " could not be brought up to date: ",
                          moved.error().message, "; the next command tries again"));
      continue;
    }
    if (*moved == Moved::displaced_edit) look_again.push_back(file->seen.file);
    // What an earlier command left is settled by this commit.
    if (file->seen.tmp_left) unstage_file(world_, file->seen.file.path, file->seen.row->staged);
  }
}

void Round::unstage() {
  write_back_->unstage();
  for (const PlannedFile* file : planned_) {
    if (is_staged(*file)) unstage_file(world_, file->seen.file.path, file->row.staged);
  }
}

Done Round::run(const Look& look) {
  const StepTimer timer;
  now_ = engine_.clock().now();
  PAWL_ASSIGN(auto tx, store_.begin(Access::write));
  if (decide_ != nullptr) {
    PAWL_ASSIGN(const auto known, answered_before(*tx, request_));
    if (known) {
      outcome.answer = known->answer;
      outcome.operation = known->id;
      outcome.repeated = true;
      return done();
    }
  }

  Absorber absorber(world_, *tx, now_.wall_ms);
  if (request_.tells_held) absorber.tells_held();
  if (request_.tells_behind) absorber.tells_behind();
  if (!request_.accept.empty()) absorber.accept(request_.accept);
  if (!request_.restore.empty()) absorber.restore(request_.restore);
  absorber.leave_for_later(request_.later);
  absorber.not_there_yet(request_.not_there_yet);
  if (request_.substitute) absorber.substitute(request_.substitute->first, request_.substitute->second);
  PAWL_ASSIGN(const auto left, left_behind(world_, *tx));
  for (const MirrorFile& file : left) {
    // One that cannot be looked at now (its folder became a link outside) waits; others are not held up by it.
    if (const Done looked = absorber.look(file); !looked) engine_.note(looked.error().message);
  }
  PAWL_TRY(engine_.absorb_all(absorber, *tx, look));
  PAWL_TRY(absorber.look_at_other_files());
  Absorbed& absorbed = absorber.result();
  notes = std::move(absorbed.notes);
  for (const auto& [path, file] : absorbed.files) {
    if (is_left_alone(file.seen) || file.new_state == kFlagged) engine_.see_unsettled();
  }
  log_debug("absorb", "files", absorbed.files.size(), "changes", absorbed.changes.size(), "us", timer.us());

  Snapshot& snapshot = absorber.snapshot();
  write_back_ = std::make_unique<WriteBack>(world_, snapshot);
  // Operations of the merge come first, then those of other formats, then the command's own.
  found_in_ = found_apart(world_, absorbed);
  found_operations_ = snapshot.operations().size();
  for (std::size_t& place : found_in_) place += snapshot.operations().size();
  for (const std::size_t place : found_in_) found_operations_ = std::max(found_operations_, place + 1);
  PAWL_ASSIGN(Decision decision, decide(*tx, absorber));
  world_.at("decided");
  log_debug("decide", "changes", decision.changes.size(), "refused", refused.has_value(), "us", timer.us());

  // The files' new content waits in tmp/ before the store says that it is there.
  bool tried = false;
  Done committed = stage(*tx, absorbed, decision.undoes.has_value());
  if (committed) committed = stage_mirrors(snapshot);
  for (const auto& [name, value] : decision.kept) {
    if (committed) committed = tx->keep(name, value);
  }
  if (committed) committed = carry_doubt(*tx, absorbed.changes);
  if (committed) committed = carry_doubt(*tx, decision.changes);
  if (committed) {
    const bool keeps = !decision.kept.empty();
    Batch all = batch(absorber, std::move(decision));
    if (all.operations.empty() && all.mirrors.empty() && all.conflicts.empty() && !keeps) {
      fill_in_numbers();
      found_notes = std::move(snapshot.notes());
      return done();
    }
    world_.at("staged");
    tried = true;
    committed = commit(*tx, all);
    if (committed) world_.at("committed");
    overtaken = !committed && committed.error().code == ErrorCode::conflict;
    const std::size_t merged = all.mirrors.size() - planned_.size();
    for (std::size_t i = 0; i < planned_.size(); ++i) planned_[i]->row = std::move(all.mirrors[merged + i]);
  }
  log_debug("commit", "files", planned_.size(), "done", committed.has_value(), "us", timer.us());
  if (!committed) {
    tx.reset();
    // A commit that failed to sync may still take effect: what it wrote is in the log, and is found by the next
    // recovery. Then the staged files tell how far this command came; else the next one removes them, as no row names
    // them.
    if (!tried || committed.error().code == ErrorCode::conflict) unstage();
    return committed;
  }
  project(absorber);
  log_debug("project", "files", planned_.size(), "again", look_again.size(), "us", timer.us());
  return done();
}

}  // namespace pawl
