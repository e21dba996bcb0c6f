// Which way a file goes: by how it was found, and by what was asked for.
#include <utility>

#include "base/text.h"
#include "engine/absorb.h"
#include "engine/git_state.h"
#include "engine/known_bytes.h"
#include "engine/project.h"
#include "engine/recorded_before.h"
#include "engine/standing.h"

namespace pawl {

Done Absorber::look(const MirrorFile& file) {
  if (file.format->spec() != nullptr) {
    if (!accepts_.empty()) snapshot_.take_whole();
    return snapshot_.look(file);
  }
  if (result_.files.contains(file.path)) return done();
  const std::size_t changes = result_.changes.size(), notes = result_.notes.size(), files = looked_at_.size();
  const std::size_t added_to = added_to_.size();
  const auto made_room = made_room_;
  looked_at_.push_back(file.path);
  const std::string accepted = std::exchange(accepted_by_, follows_ ? std::string() : accepts_);
  Done compared = compare(file);
  if (compared) compared = keep_refused(result_.files.at(file.path));
  accepted_by_ = accepted;
  if (compared) return compared;
  // With it those that were looked at on its account: where it was before, where it is by now.
  for (; looked_at_.size() > files; looked_at_.pop_back()) result_.files.erase(looked_at_.back());
  on_its_way_.clear();
  made_room_ = made_room;
  result_.notes.resize(notes);
  if (result_.changes.size() > changes || added_to_.size() > added_to) {
    for (; added_to_.size() > added_to; added_to_.pop_back())
      result_.changes[added_to_.back().first] = std::move(added_to_.back().second);
    result_.changes.resize(changes);
    found_in_.resize(changes);
    result_.overlay.clear();
    for (const Change& made : result_.changes) lay_over(made);
  }
  return compared;
}

Done Absorber::look_at_other_files() {
  follows_ = true;
  for (std::size_t i = 0; i < result_.changes.size(); ++i) {  // looking may find more
    const RecordId id = result_.changes[i].before.id;
    const auto files = files_of(world_, id);
    if (files.size() < 2) continue;
    for (const MirrorFile& file : files) {
      if (later_.contains(file.path)) continue;
      PAWL_TRY(look(file));
      const auto planned = result_.files.find(file.path);
      // What somebody else keeps without the other file is not given one.
      if (planned == result_.files.end() || !planned->second.seen.image.exists) continue;
      // Nor is one that is seen for the first time, as what it belongs to is, brought into step with that.
      const bool first_sight = planned->second.seen.found == FileCase::fresh && !result_.changes[i].before.present();
      if (first_sight && file.format->shows_parts_only()) continue;
      planned->second.show.push_back(id);
      planned->second.made_room = made_room_;
      // What was taken over from another file is newer than what stands in this one.
      if (file.path != found_in_[i]) PAWL_TRY(give_way(store_, planned->second, result_.changes[i]));
    }
  }
  return done();
}

Done Absorber::see_standing(PlannedFile& planned) const {
  const Sighting& seen = planned.seen;
  const bool flagged = seen.row && seen.row->state == kFlagged;
  planned.new_state = flagged ? kFlagged : kInStep;
  if (!seen.row || !seen.row->bytes) return done();
  // Of a file that shows parts some may stand that were told of at first sight. Any other that is as it was left has
  // none, or its row says so.
  const bool may_stand = flagged || seen.file.format->shows_parts_only() ||
                         (leaves_standing() && (seen.found != FileCase::in_step || is_on_hold(seen.row->state)));
  if (!may_stand) return done();
  PAWL_ASSIGN(planned.flagged,
              standing_in(world_, View(store_, *world_.lifecycles), seen.file, std::string_view(*seen.row->bytes)));
  std::erase_if(planned.flagged, [&](const auto& one) { return not_there_yet_.contains(one.first); });
  if (leaves_standing() && !planned.flagged.empty()) planned.new_state = kFlagged;
  return done();
}

Done Absorber::compare(const MirrorFile& file) {
  PAWL_ASSIGN(Sighting seen, sight(world_, store_, file, RecordedAfter(view())));
  by_git_ = false;
  PlannedFile& planned = result_.files[file.path];
  planned.seen = std::move(seen);
  PAWL_TRY(see_standing(planned));
  // What somebody wrote there just now is about what is there by now.
  if (planned.seen.found == FileCase::in_step) {
    PAWL_ASSIGN(planned.owner, file.format->owner(RecordedBefore(store_)));
  } else {
    PAWL_ASSIGN(planned.owner, file.format->owner(RecordedAfter(view())));
  }

  if (planned.seen.found == FileCase::waits && (restore_ == file.path || !accepted_by_.empty())) {
    const Waiting waiting = waiting_in_words(planned.seen);
    return fail(ErrorCode::busy, cat(printable(file.path), " cannot be settled now: ", waiting.why),
                std::string(waiting.advice));
  }
  if (restore_ == file.path) {
    PAWL_ASSIGN(const auto known, known_bytes(world_, view(), file, planned.seen.row));
    // Of what was left standing and pawl has nothing of, that is what is restored: no file.
    if (!known && !(planned.seen.row && planned.seen.row->state == kFlagged))
      return fail(ErrorCode::not_found, cat("pawl has nothing to write into ", printable(file.path)),
                  "pawl log tells what became of what it showed, and pawl undo N brings it back");
    if (planned.seen.image.exists && known != planned.seen.image.bytes) {
      // Settled already: whoever restores has seen it.
      PAWL_ASSIGN(const std::string copy, keep_aside("refused/settled", file, planned.seen.image.bytes));
      result_.notes.push_back(cat("what stood in ", printable(file.path), " is kept in ", printable(copy)));
    }
    planned.from_store = true;
    planned.restate = true;
    planned.new_state.clear();
    planned.flagged.clear();
    show_known(planned);
    return done();
  }
  if (const auto other = substitutes_.find(file.path); other != substitutes_.end()) {
    return edited(planned, planned.seen.row ? planned.seen.row->bytes : std::nullopt, other->second);
  }
  if (planned.seen.displaced) {
    // Somebody wrote between our reading and our exchange. What they wrote is compared with what they saw.
    const std::string& theirs = *planned.seen.displaced;
    if (makes_room(planned, planned.seen.displaced_base, theirs)) {
      PAWL_TRY(edited_aside(planned, *planned.seen.displaced_base, theirs));
    } else if (file.format->parse(file.path, file.scope, theirs)) {
      PAWL_TRY(edited(planned, planned.seen.displaced_base, theirs));
      planned.parsed_displaced = true;
      show_ours(planned);  // their file becomes the one that is written on
    } else {
      PAWL_ASSIGN(const std::string copy, keep_aside("damaged", file, *planned.seen.displaced));
      result_.notes.push_back(
          cat(printable(file.path),
              " was written by another program in this moment, and cannot be read; what it wrote is kept in ",
              printable(copy)));
    }
    planned.restate = true;
  }
  if (planned.seen.displaced_too_large && !read_only_) {
    PAWL_ASSIGN(const std::string copy, keep_displaced(world_, planned.seen, now_ms_));
    result_.notes.push_back(cat(printable(file.path),
                                " was written by another program in this moment, and is too large; what it wrote is "
                                "kept in ",
                                printable(copy)));
    planned.restate = true;
  }
  FileCase found = planned.seen.found;
  if (!accepted_by_.empty() && found == FileCase::gits) {
    if (planned.seen.image.exists && has_conflict_markers(planned.seen.image.bytes))
      return fail(ErrorCode::conflict,
                  cat(printable(file.path), " has conflict markers in it, and cannot be taken as it is"),
                  cat("resolve them there first; or write pawl's version: pawl restore ", printable(file.path)));
    found = planned.seen.image.exists ? FileCase::edited : FileCase::gone;
    planned.new_state.clear();
    by_git_ = true;
  }
  // What differs from what pawl knows by now is taken, and not only what was changed since pawl last wrote there.
  const bool has_known = planned.seen.row && (planned.seen.row->bytes || planned.seen.row->state == kLeftToGit);
  if (!accepted_by_.empty() && has_known && !planned.seen.unwritten) {
    PAWL_ASSIGN(planned.seen.base, known_bytes(world_, view(), file, planned.seen.row));
  }
  switch (found) {
    case FileCase::in_step: {
      if (!accepted_by_.empty() && planned.seen.row && planned.seen.row->bytes) {  // what is held there may be released
        planned.restate = true;
        return edited(planned, planned.seen.base, planned.seen.image.bytes);
      }
      if (planned.seen.row && is_on_hold(planned.seen.row->state)) {  // it came back by itself
        planned.restate = true;
        show_known(planned);  // with what was recorded meanwhile
      }
      if (planned.seen.tmp_left) planned.restate = true;
      return done();
    }
    case FileCase::stale:
      planned.from_store = true;
      planned.restate = true;
      return done();
    case FileCase::edited: {
      planned.restate = true;
      if (planned.seen.unwritten && makes_room(planned, planned.seen.base, planned.seen.image.bytes)) {
        planned.from_store = true;
        return edited_aside(planned, *planned.seen.base, planned.seen.image.bytes);
      }
      PAWL_TRY(edited(planned, planned.seen.base, planned.seen.image.bytes));
      if (planned.seen.unwritten) show_ours(planned);
      return done();
    }
    case FileCase::gone:
      return gone(planned);
    case FileCase::fresh: {
      PAWL_ASSIGN(const Content now, read_now(file, planned.seen.image.bytes));
      planned.restate = true;
      return fresh(planned, now);
    }
    case FileCase::damaged:
      return damaged(planned);
    case FileCase::gits:
      return gits(planned);
    case FileCase::waits:
      waits(planned);
      return done();
  }
  return done();
}

}  // namespace pawl
