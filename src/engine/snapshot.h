// What a command finds in the mirrors, and what the merge makes of it: changes of records, conflicts, images, notes.
// Nothing is written here. The round commits it together with what the command decides (engine/round.h), and then
// brings the mirrors up to date (engine/write_back.h).
//
// A look at a path:
//   1. read the displaced files of earlier exchanges that are closed by now, and the file itself;
//   2. judge each by the file rows of the merge (core/merge_rows.h);
//   3. apply the outcome to the records, the conflicts and the mirror.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/note.h"
#include "engine/conflicts.h"
#include "engine/records.h"

namespace pawl {

class Snapshot {
 public:
  Snapshot(const MirrorWorld& world, Transaction& store, Overlay& overlay)
      : world_(world), store_(store), records_(*world.lifecycles, store, overlay), conflicts_(store) {}

  // On an error it is as if the file had not been looked at.
  Done look(const MirrorFile& file);
  // These bytes count as the file's.
  void substitute(const std::string& path, std::string bytes) { substitutes_[path] = std::move(bytes); }
  // The number that an operation will have: by its place among those found here, or behind them.
  [[nodiscard]] Result<std::int64_t> number_of(std::size_t place) const;

  // Files count as they are: accept a file, come back after `leave`.
  void take_whole() { take_whole_ = true; }
  [[nodiscard]] std::map<std::string, Mirror>& mirrors() { return mirrors_; }
  [[nodiscard]] std::vector<FoundOperation>& operations() { return operations_; }
  [[nodiscard]] Conflicts& conflicts() { return conflicts_; }
  [[nodiscard]] Records& records() { return records_; }
  [[nodiscard]] std::vector<Note>& notes() { return notes_; }
  // Files under tmp/ that are of no use once this is committed: the path of their mirror, and their name.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>>& finished() { return finished_; }
  // A mirror that could not be looked at: it follows with a later command.
  Done leave_for_later(const MirrorFile& file);

  // Loads the images of a mirror, once.
  Done load_images(Mirror& mirror) const;
  // What bytes show, or why they cannot be read.
  struct Reading {
    std::optional<merge::Content> content;
    std::string damage;
  };
  [[nodiscard]] Result<Reading> read(Mirror& mirror, std::string_view bytes) const;
  // Closes the conflicts that the store agrees with by now.
  Done close_agreed(std::int64_t operation);
  void note(NoteCode code, const Mirror& mirror, std::vector<RecordId> ids = {}, Json args = Json::object(),
            std::int64_t operation = 0);

 private:
  // Bytes that are judged: those of the file, or of a file that an exchange moved aside.
  struct Version {
    std::optional<std::string> bytes;  // nullopt: there is no file
    merge::FileCase found = {};
    bool knows_before = false;          // what it showed before a write that did not arrive, or before the exchange
    std::optional<std::string> before;  // nullopt: there was no file
    std::optional<merge::Content> content = {};
    std::string damage = {};  // in words
  };

  Done look_at(Mirror& mirror);
  Done settle_held(Mirror& mirror);
  Result<std::vector<Version>> displaced(Mirror& mirror);
  Result<Version> file(Mirror& mirror);
  Done read_git(Mirror& mirror, Version& version);
  [[nodiscard]] Result<merge::FileCase> facts(Mirror& mirror, Version& version) const;

  Done judge(Mirror& mirror, Version version);
  [[nodiscard]] Result<std::int64_t> newest_in_store() const;
  [[nodiscard]] Result<std::int64_t> newest_number() const;
  std::size_t begin(FoundOperation::Sort sort);
  Done gone(Mirror& mirror);
  Done unreadable(Mirror& mirror, const Version& version);
  Done leave_alone(Mirror& mirror, const Version& version, merge::Code code);
  Done merge_records(Mirror& mirror, const Version& version, const merge::Verdict& row);
  [[nodiscard]] Result<merge::Outcome> decide(Mirror& mirror, const Version& version, bool without_base) const;
  Done rename_owner(Mirror& mirror, const std::string& to);
  Done close_not_shown(const Mirror& mirror, const merge::Content* content, std::int64_t operation);

  const MirrorWorld& world_;
  Transaction& store_;
  bool take_whole_ = false;
  Records records_;
  Conflicts conflicts_;
  std::map<std::string, Mirror> mirrors_;
  std::map<std::string, std::string> substitutes_;
  std::vector<FoundOperation> operations_;
  mutable std::optional<std::int64_t> newest_in_store_;
  std::vector<Note> notes_;
  std::vector<std::pair<std::string, std::string>> finished_;  // path, staged name
};

// How the merge is to decide, by the settings.
[[nodiscard]] merge::Policy policy_of(const MirrorWorld& world, const MirrorFile& file);

}  // namespace pawl
