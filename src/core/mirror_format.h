// A mirror is a file in another tool's format that shows records. A MirrorFormat is the pure half of it:
// bytes in, records out, and back. Where the file is, whether it may be written and who changed it is the
// engine's business (engine/mirror.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/record.h"
#include "core/settings.h"

namespace pawl {

// What a file says about one record.
struct Shown {
  RecordId id;
  std::optional<std::string> status;  // as the lifecycle spells it; whatever stands there when it is no status
  Json doc = Json::object();          // the rest
  // False: the file shows these members and perhaps a status, and says nothing about the others. It neither brings the
  // record in nor ends it.
  bool whole = true;
  Json evidence = {};                      // gates that the file itself shows to be met
  std::optional<Json> status_member = {};  // how the status stands there, for a format that has more than one way
};

struct Content {
  std::string
      identity;  // whose file it is (a loop's session and start, a review's PR); another one means other records
  std::vector<Shown> shown;
};

// Where files of a format are looked for: every file in `folder` whose name the format accepts.
// Paths are relative to the workspace, or start with "~/" for the home folder, or are absolute. "a/*" stands for every
// folder in a/ whose name does not start with a dot.
struct MirrorPlace {
  std::string folder;
  std::string scope;
  std::string file = {};  // only this one; the folder is then not even listed
};

// What is recorded, for formats whose files do not tell everything: without ids, findings are known again by what they
// say.
class KnownRecords {
 public:
  virtual ~KnownRecords() = default;
  [[nodiscard]] virtual Result<Record> load(const RecordId& id) const = 0;
  // Those that are there, set aside or not, whose rank lies in the half-open range; by rank.
  [[nodiscard]] virtual Result<std::vector<Record>> ranked(std::string_view kind, const std::string& from,
                                                           const std::string& below) const = 0;
  // The bytes that pawl last left in the file that is about to be written, if any.
  [[nodiscard]] virtual std::optional<std::string_view> left_there() const { return std::nullopt; }
};

// What one record needs for a move beyond its table, for as long as something is kept beside it in the store. It was
// given with the record, and nobody who takes a file as it is stands for it.
struct GateBeside {
  std::string kept;     // under this name; "": nothing is, and other records show that it is asked for
  std::string_view to;  // the move's status
  std::string_view gate;
  std::string hint;  // what to do instead of writing it into the file
};

// How a format's damage is spoken of; both may be empty.
struct DamageWords {
  std::string_view warning;  // before anything else
  std::string_view fresh;    // where there is no earlier state
};

// What becomes of a record whose file was removed by hand.
struct Gone {
  std::string to;      // a status, or kAbsent; "": the one it has
  bool aside = false;  // the record is kept, set aside: no file shows it any more
};

// In the evidence of a change: members of the file itself that went with it, and come back when it is undone, as they
// were written and where they stood: a list of {"name", "text", "after"}. (Stores of before have an object of values.)
inline constexpr std::string_view kDropped = "dropped";
// The same of a record's own members that were changed or left out, where a value does not tell how it was written.
inline constexpr std::string_view kAsWritten = "as_written";
// The whole file that another one's took the place of with it: the name under which the store has it.
inline constexpr std::string_view kReplaced = "replaced";

// A member of a document, beside the status, that an edit may not change so.
struct RefusedMember {
  std::string name;
  Error why;
};

struct FileSpec;  // core/file_spec.h

class MirrorFormat {
 public:
  virtual ~MirrorFormat() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;  // stable: it is stored
  [[nodiscard]] virtual std::vector<MirrorPlace> places(const Settings& settings) const = 0;
  [[nodiscard]] virtual bool accepts(std::string_view file_name) const = 0;
  // The file in which a record shows, or nothing when it shows in none.
  [[nodiscard]] virtual std::optional<std::string> path_of(const RecordId& id, const Settings& settings) const = 0;
  // The same by its scope alone, wherever the settings look: for kinds of which several scopes may have one key.
  [[nodiscard]] virtual std::optional<std::string> path_by_scope(const RecordId& /*id*/) const { return std::nullopt; }
  // A file larger than this is not read; it counts as damaged.
  [[nodiscard]] virtual std::size_t max_bytes() const { return std::size_t{64} << 20U; }

  // An error is damage: the message says what is wrong with the bytes. (This, render and gone come from the spec, where
  // there is one.)
  [[nodiscard]] virtual Result<Content> parse(std::string_view path, std::string_view scope,
                                              std::string_view bytes) const;

  // What is missing from a file that was cut off, compared with what stood there: that was not taken out by anybody,
  // and is damage. Empty: it is whole. `known`: what is recorded by now, for a file that may belong to another since.
  [[nodiscard]] virtual Result<std::string> cut_off(std::string_view /*before*/, std::string_view /*now*/,
                                                    const KnownRecords& /*known*/) const {
    return std::string();
  }

  // Is all of the file in its records? Then of one that is not there nothing is left that could come back besides.
  [[nodiscard]] virtual bool is_all_in_records() const { return false; }
  // May there be members in the file that are no record's? Then one that another's takes the place of is kept as a
  // copy.
  [[nodiscard]] virtual bool has_own_members() const { return false; }
  // Members of the file that are no record's: those that `now` does not have any more, as kDropped tells them.
  [[nodiscard]] virtual Json dropped(std::string_view /*before*/, std::string_view /*now*/) const {
    return Json::array();
  }
  // Members of a record that `after` does not have as `was` did, as kAsWritten tells them.
  [[nodiscard]] virtual Json as_written(std::string_view /*before*/, const Record& /*was*/,
                                        const Record& /*after*/) const {
    return Json::array();
  }
  // Such members put into a file that does not have them, and spelled as they were in one that does; "of" names the
  // record that one belongs to.
  [[nodiscard]] virtual std::string with_members(std::string bytes, const Json& /*members*/) const { return bytes; }

  // Gives their names to those that have none in the file. By default they all have one.
  [[nodiscard]] virtual Done name_records(Content& /*content*/, const KnownRecords& /*known*/) const { return done(); }
  // Whose file these bytes are, and whose a record is: for a file that shows one of several at a time. What a file that
  // another one's took the place of looked like is kept, and comes back with it.
  [[nodiscard]] virtual std::optional<std::string> identity_in(std::string_view /*bytes*/) const {
    return std::nullopt;
  }
  [[nodiscard]] virtual std::optional<std::string> identity_of(const RecordId& /*id*/) const { return std::nullopt; }
  // And whose a file is that does not say so itself.
  [[nodiscard]] virtual Result<std::optional<std::string>> owner(const KnownRecords& /*known*/) const {
    return std::optional<std::string>();
  }
  // Does it only add to what other files show? Then it is looked at after them.
  [[nodiscard]] virtual bool shows_parts_only() const { return false; }
  // Of bytes that are about to go, with `next` in their place or nothing: what others have written there and nothing
  // else keeps, in words ("was edited"), so that a copy is kept and that is said. Empty: there is none.
  [[nodiscard]] virtual Result<std::string> leaves_behind(std::string_view /*bytes*/,
                                                          std::optional<std::string_view> /*next*/,
                                                          const KnownRecords& /*before*/,
                                                          const KnownRecords& /*after*/) const {
    return std::string();
  }
  [[nodiscard]] virtual DamageWords damage_words() const { return {}; }
  // What a person types to be rid of one that cannot be read and never could, a command a line; "": nothing does that.
  [[nodiscard]] virtual std::string how_to_replace(std::string_view /*path*/) const { return {}; }

  // The file's bytes after it shows `records` as they are: everything else in `base` stays to the byte.
  // A record that is not present is taken out. nullopt: no file is left. Without a base a fresh file is made.
  [[nodiscard]] virtual std::optional<std::string> render(std::optional<std::string_view> base,
                                                          std::span<const Record> records) const;

  // The same for a format that must look up what the records were before.
  [[nodiscard]] virtual Result<std::optional<std::string>> rendered(std::optional<std::string_view> base,
                                                                    std::span<const Record> records,
                                                                    const KnownRecords& /*known*/) const {
    return render(base, records);
  }

  // What it declares, if its files go through the merge (core/merge.h); then nothing but name, places, accepts and
  // paths is asked of the rest.
  [[nodiscard]] virtual const FileSpec* spec() const { return nullptr; }

  [[nodiscard]] virtual Gone gone(const Record& record) const;
  // Is the file another one's now, so that what it showed before is set aside?
  [[nodiscard]] virtual bool is_another(const Content& before, const Content& now) const {
    return before.identity != now.identity;
  }
  // Is a newcomer in a file that pawl knows believed, whatever status it brings? Else it comes in only where a new one
  // begins; any other word is held until a person says what it is.
  [[nodiscard]] virtual bool believes_newcomers() const { return true; }
  // May a record come in from a file where none stands? Not, for one, a loop that was cancelled and is written again.
  [[nodiscard]] virtual bool admits(const Record& /*before*/, const Shown& /*now*/) const { return true; }
  // Is a key the same thing in whatever file it stands? Then: may it come in when a record of the same kind and key is,
  // or was, in another file (`elsewhere`)?
  [[nodiscard]] virtual bool keys_are_identities() const { return false; }
  [[nodiscard]] virtual bool admits_beside(const Record& /*elsewhere*/, const Shown& /*now*/) const { return true; }
  // What an edit may not take back is put into `doc`: a counter that only grows, for one.
  virtual void keep_counting(const Record& /*before*/, Json& /*doc*/) const {}
  // But not where git brought the file, and a person takes it: which version counts was chosen with git, and a counter
  // goes back with it.
  [[nodiscard]] virtual bool goes_back_by_git() const { return false; }
  // When an edit was seen is put into `doc`, for a format whose file does not tell it of each.
  virtual void tell_when(const Record& /*before*/, Json& /*doc*/, std::int64_t /*now_ms*/) const {}
  // Members that somebody changed (from `base` to `now`) to what they cannot be: each stays as it was, and that is
  // told, with what was written kept aside. `now` is the file's, `before` the newest record.
  [[nodiscard]] virtual std::vector<RefusedMember> refused_members(const Record& /*before*/, const Json& /*base*/,
                                                                   const Json& /*now*/) const {
    return {};
  }
  // Members that only pawl changes, and that have another value in `now`: they are put back even where files count as
  // they stand, because nobody was there while they were written.
  [[nodiscard]] virtual std::vector<RefusedMember> only_pawls(const Record& /*before*/, const Json& /*now*/) const {
    return {};
  }
  // Members that tell of the status alone, as what went wrong: where an edit of it is refused, they are put back with
  // it, and a person who takes it over after all takes them too.
  [[nodiscard]] virtual std::vector<std::string> members_of_status() const { return {}; }
  // Members that moves write, and that go on being so whatever somebody writes in the place of the status: where an
  // edit of that is refused and one of them is emptied with it, it is put back too.
  [[nodiscard]] virtual std::vector<std::string> written_by_moves() const { return {}; }
  // One that was set aside stands in its file again: does it go on from where it was, under the rules for edits? Else
  // it is begun anew as the file has it.
  [[nodiscard]] virtual bool goes_on(const Record& /*aside*/, const Shown& /*now*/) const { return false; }
  // A record that is missing from a file which is otherwise there: put back, or treated as gone?
  [[nodiscard]] virtual bool puts_back_missing(const Record& /*record*/) const { return false; }
  // Held because its file gives it no name of its own: what is mended there is another record, and nothing is missed.
  [[nodiscard]] virtual bool is_unnamed(const Record& /*record*/) const { return false; }
  // What an edit lost or changed that somebody would want to hear of although it is allowed ("without “prNumber” now");
  // "": nothing.
  [[nodiscard]] virtual std::string tells_of(const Record& /*before*/, const Record& /*after*/) const { return {}; }
  // What is missing for a gate of a move that the file alone tells of, and that was made all the same; "": nothing is
  // known but the gate.
  [[nodiscard]] virtual std::string lacks(const Record& /*record*/, std::string_view /*gate*/) const { return {}; }
  // The command that makes a move and looks for what a file alone does not show; "": there is none.
  [[nodiscard]] virtual std::string moved_by(const Record& /*record*/, std::string_view /*to*/) const { return {}; }
  // A gate of this record's own; nothing: it needs what its table says.
  [[nodiscard]] virtual std::optional<GateBeside> gate_beside(const RecordId& /*id*/) const { return std::nullopt; }
  // Do other records show that this gate is asked for, though nothing is kept under its name?
  [[nodiscard]] virtual Result<bool> shows_gate(const RecordId& /*id*/, const KnownRecords& /*known*/) const {
    return false;
  }
  // How one that was set aside is taken up again, as a command; `before`: what its file said. "": by undo.
  [[nodiscard]] virtual std::string taken_up_by(const Content& /*before*/) const { return {}; }
  // How one that is put back is taken out for good, as a command.
  [[nodiscard]] virtual std::string_view taken_out_by() const { return {}; }
};

}  // namespace pawl
