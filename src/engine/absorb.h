// What changed outside becomes changes of records, under the rules of core/outside.h; and every file that must be
// written as a consequence is planned. Nothing is written here but copies of what is about to be replaced.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/outside.h"
#include "engine/snapshot.h"

namespace pawl {

// What was refused of one file, and where it is kept.
struct KeptRefusals {
  std::string copy;
  std::string mark;  // of what is in it (refused_parts.h)
  std::vector<Refusal> refusals;
  bool acceptable = true;  // all of it, by `pawl accept`
  std::size_t note = 0;    // the last that tells of it, among Absorbed::notes
};

// A file on its way to be written, or at least its row.
struct PlannedFile {
  Sighting seen;
  std::vector<RecordId> show;            // records to bring up to date in it
  std::set<RecordId> taken;              // of which something that it says was taken over
  WhatStands flagged;                    // what was refused there, now or before, and is left standing
  bool from_store = false;               // the file is not used as the base: it is damaged, or stale
  std::string new_state;                 // MirrorRow::state afterwards
  std::optional<std::string> leaves;     // what one that made room left there, written into by others since
  bool parsed_displaced = false;         // what was displaced could be read, and was taken over
  std::map<RecordId, Record> taken_out;  // by pawl, as they still stand in the file
  std::optional<RecordId> of_one_aside;  // the file is of one that is set aside, as long as it is
  std::optional<std::string> owner;      // whose it is, where its bytes do not say: who had it before this command
  std::vector<std::string> notes;        // what to say once it is known what becomes of the file
  bool restate = false;                  // the row changes even when no byte does
  std::optional<bool> believed;          // is what comes in with it taken at its word? asked once
  bool blind = false;                    // it could not be looked at: only what it should say is written down
  Json members_back = Json::array();     // which come back by an undo (MirrorFormat::with_members)
  std::string replaced_back;             // the same of the whole file that it was (engine/replaced.h)
  std::optional<KeptRefusals> refused;
  std::map<std::string, std::string> made_room;  // whose leave, as another file is another's now; how each comes back
  std::string damage_kept;                       // it was damaged, and is restored: where what stood there is
  std::map<std::string, std::vector<std::string>> told;  // what edits lost, and of which (MirrorFormat::tells_of)

  // Filled in by plan_bytes, and by stage_file, which moves the long texts into the row:
  std::optional<std::string> bytes;
  bool write_file = false;
  bool write_row = false;
  MirrorRow row;
};

// What a user should be told; printed once it is true.
struct Absorbed {
  std::vector<Change> changes;
  Overlay overlay;  // records as `changes` leave them
  std::map<std::string, PlannedFile> files;
  std::vector<std::string> notes;
  std::vector<Refusal> refusals;
};

class ShownById;

class Absorber {
 public:
  Absorber(const MirrorWorld& world, Transaction& store, std::int64_t now_ms)
      : world_(world), store_(store), now_ms_(now_ms), snapshot_(world, store, result_.overlay) {}

  // May refused and damaged bytes be kept aside? Not when nothing can be written.
  void read_only() { read_only_ = true; }
  // Whoever asks shows by itself what is held: it is not noted.
  void tells_held() { tells_held_ = true; }
  void tells_behind() { tells_behind_ = true; }
  // `pawl accept`: the files that are asked for are taken as they are, by this person.
  void accept(const std::string& actor) { accepts_ = actor; }
  // Files that are not looked at because others are: somebody changed them too, and does not mean the same moment.
  void leave_for_later(const std::set<std::string>& paths) { later_ = paths; }
  // And when their turn has come: what changed meanwhile, and they say otherwise, does not stand there; it is to come.
  void not_there_yet(const std::set<RecordId>& changed) { not_there_yet_ = changed; }
  // `pawl restore`: the store's version is written over the file, which is kept aside.
  void restore(const std::string& path) { restore_ = path; }
  // `pawl accept` of a refused copy: these bytes count as the file's.
  void substitute(const std::string& path, std::string bytes);
  // On an error it is as if the file had not been looked at.
  Done look(const MirrorFile& file);

  // A record may show in more than one file: where one was changed, the others follow. Nobody has taken those as they
  // are: what they say otherwise is what pawl wrote there before, or an edit like any other.
  Done look_at_other_files();

  // The view with everything taken over so far.
  [[nodiscard]] View view() const {
    return {store_, *world_.lifecycles, result_.overlay, &const_cast<Absorber*>(this)->snapshot_};
  }
  [[nodiscard]] Absorbed& result() { return result_; }
  // Files of formats that declare a FileSpec go through the merge.
  [[nodiscard]] Snapshot& snapshot() { return snapshot_; }
  // How often a file told more of what came in with another.
  [[nodiscard]] std::size_t added() const { return added_to_.size(); }

 private:
  Done compare(const MirrorFile& file);
  // What stands in the file since an earlier command refused it (engine/standing.h).
  Done see_standing(PlannedFile& planned) const;
  [[nodiscard]] bool leaves_standing() const { return world_.settings->text("outside") == "flag"; }
  void lay_over(const Change& made);
  Done edited(PlannedFile& planned, std::optional<std::string_view> base_bytes, std::string_view now_bytes);
  // Of a file that somebody saved as it once was: what else stands there as it stood before is no edit either.
  Done leave_old_out(const MirrorFormat& format, const ShownById& now, TakenOver& taken);
  [[nodiscard]] Result<Content> read(const MirrorFile& file, std::string_view bytes) const;
  // What was found in the file just now: one that adds to what others show is about what those show by now.
  [[nodiscard]] Result<Content> read_now(const MirrorFile& file, std::string_view bytes) const;
  // What it said before: of the one whose it was then, read by how its parts stand by now. So an empty box that nobody
  // touched reads the same both times, though its chunk was ended in another file.
  [[nodiscard]] Result<Content> read_base(const MirrorFile& file, std::string_view bytes) const;
  // What stood there before pawl's last write, without what was refused of it: `written` has what was put back.
  [[nodiscard]] Result<Content> content_before(const PlannedFile& planned, const Content& written) const;
  Done fresh(PlannedFile& planned, const Content& now, bool replace = false);
  // A part that came in with another file just now, and stands otherwise here: it is said, and neither file is changed.
  [[nodiscard]] Result<bool> told_at_first_sight(PlannedFile& planned, const Record& record, const Shown& shown);
  // `as_known`: what the file shows, by the names that are known.
  Done anothers_now(PlannedFile& planned, const Content& base, std::string_view base_bytes, const Content& as_known,
                    std::string_view now_bytes);
  [[nodiscard]] Result<Content> read_anothers(const MirrorFile& file, const Content& base, const Content& now,
                                              std::string_view bytes) const;
  // A file of another's that ended and does not come back: what stood there stays.
  Result<bool> keeps_out(PlannedFile& planned, const Content& base, const Content& now, std::string_view bytes);
  [[nodiscard]] Result<std::optional<Error>> barred(const MirrorFormat& format, const Record& before,
                                                    const Shown& shown);
  // Of a file that somebody moved (absorb_moved.cc): what it showed, as it was, on its way to where it stands by now.
  struct OnItsWay {
    Record was;
    Shown base;
    std::string from;
  };
  [[nodiscard]] Result<std::optional<MirrorFile>> moved_to(const MirrorFile& from, const RecordId& id) const;
  Result<bool> goes_on_elsewhere(PlannedFile& planned, const Record& record, const Shown& base);
  Result<const OnItsWay*> comes_from_elsewhere(const Shown& shown);
  Done goes_on_here(PlannedFile& planned, const Record& before, const OnItsWay& moved, const Shown& shown,
                    std::string_view bytes);
  // One that has a gate of its own for this does not come in by a file that says it is there.
  Done come_in_by_gate(PlannedFile& planned, const Record& before, const Shown& shown, const OutsideRules& rules,
                       std::string_view bytes);
  // A record comes in where none stands, if its lifecycle lets it.
  Done bring_in(PlannedFile& planned, const Record& before, const Shown& shown, std::string_view bytes);
  // Is what comes in with this file taken at its word?
  Result<bool> believes(PlannedFile& planned) const;
  Done adopt_one(PlannedFile& planned, const Record& before, const Shown& shown);
  Done take_up_again(PlannedFile& planned, const Record& before, const Record& then, const Shown& shown,
                     std::string_view bytes);
  [[nodiscard]] Result<std::optional<Record>> removed_by_file(const Record& gone) const;
  [[nodiscard]] bool never_taken_out(const PlannedFile& planned, const Record& record, const Shown* known,
                                     const Shown& shown) const;
  Done leave_to_those_aside(PlannedFile& planned, const std::vector<Shown>& parts, std::string_view bytes);
  [[nodiscard]] Result<bool> would_accept(const Refusal& refusal) const;
  // What `base` showed and the file does not. `with_more`: the same edit changed something else.
  Done missing(PlannedFile& planned, const Content& base, const std::function<bool(const RecordId&)>& is_there,
               bool with_more);
  Done gone(PlannedFile& planned);
  Done damaged(PlannedFile& planned);
  Done gits(PlannedFile& planned);
  void waits(PlannedFile& planned);
  // What a command would have told, and what somebody may miss: whoever wrote the file is told, too.
  void tell_edit(PlannedFile& planned, std::optional<std::string_view> base, Change& made);
  void tell_edits(const PlannedFile& planned);
  void tell_when(const MirrorFormat& format, Change& made) const;
  [[nodiscard]] std::string in_words(const Refusal& refusal) const;
  [[nodiscard]] Error not_taken_as_it_is(const PlannedFile& planned, const Refusal& refusal) const;
  Done refuse(PlannedFile& planned, const Refusal& refusal, std::string_view bytes);
  // With the copy goes what was refused, and whoever reads of it learns whether it can be had after all.
  Done keep_refused(const PlannedFile& planned);
  void change(PlannedFile& planned, Change made);
  bool came_in_just_now(const Change& made);
  // Members of the file that are no record's, and that somebody has left out: said, kept, and brought back by undo of
  // the first of the changes from `first` on.
  Done keep_dropped(const PlannedFile& planned, std::string_view base, std::string_view now, std::size_t first);
  // The file that another one's took the place of. `first`: of the changes that came with that; `told`: the note of it.
  Done keep_whole(const MirrorFile& file, std::string_view base, std::size_t first, std::size_t told);
  // What pawl's own last write showed goes into theirs.
  void show_ours(PlannedFile& planned) const;
  void show_known(PlannedFile& planned) const;
  // Does a person take this very file, and not a copy of what was refused?
  [[nodiscard]] bool takes_as_it_is(const MirrorFile& file) const;
  // Did pawl's last write give the file to another than the one that they wrote into?
  [[nodiscard]] bool makes_room(const PlannedFile& planned, const std::optional<std::string>& base,
                                std::string_view now) const;
  Done edited_aside(PlannedFile& planned, std::string_view base_bytes, std::string_view now_bytes);
  [[nodiscard]] Result<OutsideRules> rules_for(const RecordId& id) const;
  Result<std::string> keep_aside(std::string_view folder, const MirrorFile& file, std::string_view bytes);
  [[nodiscard]] Result<Record> current(const RecordId& id) const;

  const MirrorWorld& world_;
  Transaction& store_;
  std::int64_t now_ms_;
  bool read_only_ = false;
  bool tells_held_ = false;
  bool tells_behind_ = false;
  std::string accepts_;
  std::string accepted_by_;  // the file that is being compared; nobody, for one that only follows
  bool follows_ = false;
  std::set<std::string> later_;
  std::set<RecordId> not_there_yet_;
  bool by_git_ = false;  // the file that is being compared: git brought it, and somebody takes it as it is
  std::string restore_;
  std::map<std::string, std::string> substitutes_;
  std::vector<std::string> found_in_;             // for each of the changes in `result_`, the file that said so
  std::vector<std::string> looked_at_;            // the files in `result_`, in the order in which they were looked at
  std::map<std::string, OnItsWay> on_its_way_;    // by what users call it
  std::map<std::string, std::string> made_room_;  // whose file is another's now, and how that is taken up again
  std::vector<std::pair<std::size_t, Change>> added_to_;  // changes that others were added to, as they were before
  Absorbed result_;
  Snapshot snapshot_;
};

}  // namespace pawl
