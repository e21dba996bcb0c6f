// The way of a command: absorb → decide → commit → project. The only place that joins the law, the store, the files
// and the clock; every verb goes through `change` or `read`. Beside it only
// claims, effects and the care of the store itself write, under the same gate.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "core/note.h"
#include "engine/absorb.h"
#include "engine/asked_git.h"
#include "engine/left.h"
#include "engine/settings.h"
#include "engine/view.h"
#include "engine/workspace.h"
#include "store/store.h"

namespace pawl {

// Which files are compared with the store before anything is decided.
struct Look {
  std::vector<RecordId> records;   // the files in which these show; one that cannot be looked at is an error
  std::vector<std::string> kinds;  // every file of these kinds; one that cannot be looked at is noted and left
  std::vector<RecordId> changed;   // what is about to change, as with `kinds`, but also where only the named count
  std::vector<MirrorFile> files;
  bool all = false;           // every file of every kind
  bool tells_behind = false;  // whoever looks shows by itself which files are left as they are (engine/behind.h)
};

// Who asks for what.
struct Request {
  std::string verb;
  std::string actor;
  std::string reason;
  std::string idempotency_key;
  std::string digest;                                             // of the verb and its arguments
  std::optional<std::int64_t> token;                              // the claim that the changed records must be held by
  std::string accept;                                             // take files as they are, on this person's word
  std::set<std::string> as_they_are;                              // of those: these are not written to, or refused
  std::set<std::string> later;                                    // these do not follow: they have a turn of their own
  std::set<RecordId> not_there_yet;                               // of that turn: what changed before it elsewhere
  std::string restore;                                            // write the store's version of this file
  std::optional<std::pair<std::string, std::string>> substitute;  // accept these bytes in place of a file's
  bool tells_held = false;                                        // its answer shows what is held; it is not noted too
  bool tells_behind = false;                                      // the same for files that are left as they are
};

struct Decision {
  std::vector<Change> changes;
  std::vector<Effect> effects;  // intents, to be carried out after the commit
  // Small values under a name (store.h), in the same commit; an empty one is forgotten. They alone are no operation.
  std::vector<std::pair<std::string, std::string>> kept;
  Json answer;
  std::optional<std::int64_t> undoes;
  std::map<RecordId, Json> members_back = {};  // of the file that shows it: what went with the change that is undone
  std::map<RecordId, std::string> replaced_back = {};  // and what its file was then (engine/replaced.h)
  std::vector<std::int64_t> restores = {};             // conflicts that a person closes: pawl's version stays
  std::map<std::string, std::string> owners = {};      // mirrors that show the records of this owner from now on
};

// Only what was found in files.
[[nodiscard]] inline Result<Decision> decide_nothing(const View&, const Now&) { return Decision{}; }

using Decide = std::function<Result<Decision>(const View&, const Now&)>;

struct Outcome {
  Json answer;
  std::int64_t operation = 0;          // 0: nothing was changed by the command itself
  std::int64_t outside_operation = 0;  // the first of what was found in files, if anything (found_apart.h)
  std::vector<std::int64_t> effects;
  bool repeated = false;  // the idempotency key was known: this is the first answer
};

struct EngineOptions {
  std::string dir;
  const Lifecycles* lifecycles = nullptr;
  const Clock* clock = nullptr;
  std::function<void(std::string_view)> note = [](std::string_view) {};
  bool one_shot = false;     // the process ends with this engine: its memory is left to the system
  bool plain = false;        // whatever pawl.toml and the environment say: for whoever tells what is wrong with these
  bool users = false;        // not a project's store but the user's own, for files that all projects share
  FoundSettings found = {};  // in the place of a pawl.toml that is not there yet
  FoundSettings over = {};   // whatever pawl.toml and the environment say; no more trusted than a file from a clone
  std::function<void(const Note&)> tell = [](const Note&) {};  // notes with codes; `note` gets the others, as English
  MirrorHooks hooks = {};
};

// Can the past after this operation still be told? not_found, with the reason, when it cannot.
[[nodiscard]] Done must_be_kept(Transaction& store, std::int64_t operation);

// The operation that this request's idempotency key stands for, if it was done before. conflict: the key was used for
// something else.
[[nodiscard]] Result<std::optional<Operation>> answered_before(Transaction& store, const Request& request);

class Engine {
 public:
  static Result<std::unique_ptr<Engine>> open(const EngineOptions& options);

  [[nodiscard]] Result<Outcome> change(const Request& request, const Look& look, const Decide& decide);
  // Shows the present, or the past with `at`. Outside changes that it finds are recorded first; where that is not
  // possible they are shown, marked as not recorded.
  [[nodiscard]] Done read(const Look& look, std::optional<std::int64_t> at,
                          const std::function<Done(const View&)>& show);
  // The same without comparing any file: for the log.
  [[nodiscard]] Done read_store(const std::function<Done(const View&)>& show);

  // What pawl would refuse if `file` had these bytes, a message each. Nothing is written. Files that go through the
  // merge are told in notes.
  [[nodiscard]] Result<std::vector<Error>> would_refuse(const MirrorFile& file, std::string bytes,
                                                        std::vector<Note>& conflicts);
  // What somebody typed, as the store knows the file.
  [[nodiscard]] std::string path_of(const std::string& typed) const;

  // One that counts: not where pawl was left.
  [[nodiscard]] bool has_store() const;
  // The store as it is; not_found where there is none yet, or pawl was left. `create` makes it.
  [[nodiscard]] Result<Store*> store(bool create = false);
  // The store's folder, for whoever keeps files of their own there. It is made with the store, so that this may be the
  // first thing that a command writes.
  [[nodiscard]] Result<std::string> folder_to_write();
  // After its files were moved away: the next use opens it anew.
  void forget_store() { store_.reset(); }
  [[nodiscard]] const std::optional<LeftMark>& left() const { return left_; }
  void use_despite_left() {
    left_.reset();
    at_work_ = true;
  }
  // For one that is at work on something and was overtaken by leaving: files of others are nobody's business any more.
  void look_only_at_named() { only_named_ = true; }
  // For a process that lives long and only looks.
  void see_whether_left() {
    left_ = read_left(workspace_.store);
    if (left_) store_.reset();
  }
  [[nodiscard]] const Workspace& workspace() const { return workspace_; }
  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] const Lifecycles& lifecycles() const { return *options_.lifecycles; }
  [[nodiscard]] const Clock& clock() const { return *options_.clock; }
  [[nodiscard]] MirrorWorld world() const {
    return {&workspace_,    &settings_,  options_.lifecycles,
            &*roots_,       &empty_tmp_, std::make_shared<AskedGit>(workspace_),
            &options_.hooks};
  }
  void note(std::string_view text) const { options_.note(text); }
  void note(const Note& note) const { options_.tell(note); }
  // Holds the lock of that name (store.h) until release(), or until this process ends.
  enum class Holding { ours, anothers, without_lock };
  Holding hold(const std::string& name);
  void release(const std::string& name) { locks_.erase(name); }
  // Lock::place of one that is held here; 0: it is not.
  [[nodiscard]] std::int64_t place_of_lock(const std::string& name) const;
  // Whether the last look met a file that does not say what pawl knows, and is left as it is. Which: engine/behind.h.
  [[nodiscard]] bool unsettled() const { return unsettled_; }
  void see_unsettled() const { unsettled_ = true; }
  // Compares all files that `look` names; for Round.
  [[nodiscard]] Done absorb_all(Absorber& absorber, Transaction& store, const Look& look) const;

 private:
  Engine() = default;
  [[nodiscard]] Error was_left(const LeftMark& left) const;
  Done must_not_be_refused(const Request& request, const Look& look, const Decide& decide);
  Result<Outcome> change_under_gate(const Request& request, const Look& look, const Decide& decide, bool& overtaken);
  Result<bool> all_in_step(Transaction& store, const Look& look);
  Result<std::vector<std::pair<MirrorFile, bool>>> files_for(Transaction& store, const Look& look) const;
  Done read_unrecorded(Transaction& store, const Look& look, const Error* why,
                       const std::function<Done(const View&)>& show);

  EngineOptions options_;
  Workspace workspace_;
  Settings settings_;
  std::optional<Roots> roots_;
  std::optional<LeftMark> left_;
  bool only_named_ = false;
  bool at_work_ = false;  // it has changed something, and goes on to its end wherever somebody leaves
  mutable EmptyTmp empty_tmp_;
  mutable bool unsettled_ = false;
  std::unique_ptr<Store> store_;
  std::map<std::string, Lock> locks_;
};

}  // namespace pawl
