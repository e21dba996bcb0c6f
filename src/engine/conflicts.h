// Outside changes that were not taken, as a command leaves them: the store's open conflicts of the paths that it looks
// at, with what it opens and closes. One open conflict a cell.
#pragma once

#include <functional>
#include <list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/codec.h"
#include "store/store.h"

namespace pawl {

// Why a conflict was closed. Undoing the operation that closed it opens it again in the first three cases.
inline constexpr std::string_view kAssigned = "assigned";  // something gave the cell a value
inline constexpr std::string_view kAgreed = "agreed";      // the store has theirs by now
inline constexpr std::string_view kRestored = "restored";  // a person keeps ours
inline constexpr std::string_view kUndone = "undone";
inline constexpr std::string_view kSuperseded = "superseded";     // another value is in conflict now
inline constexpr std::string_view kFileChanged = "file changed";  // the file shows something else
inline constexpr std::string_view kFileBack = "file back";        // the file is as pawl left it
inline constexpr std::string_view kWrittenOver = "written over";  // a command wrote the file

[[nodiscard]] merge::Code code_of(const StoredConflict& conflict);
[[nodiscard]] bool is_of_whole_file(const StoredConflict& conflict);
// Nobody has given the record the status that it has.
[[nodiscard]] bool blocks(const StoredConflict& conflict);
[[nodiscard]] std::optional<Json> theirs_in(const StoredConflict& conflict);
// Members that wait with a refused status.
[[nodiscard]] std::vector<merge::Waiting> waiting_in(const StoredConflict& conflict);
// As the merge has it.
[[nodiscard]] merge::Conflict as_found(const StoredConflict& conflict);
[[nodiscard]] StoredConflict as_stored(const merge::Conflict& conflict, const std::string& path,
                                       const std::string& scope);
// What a file shows in the cell of a conflict; nullopt: nothing. `scope`: of the owner that the content names.
[[nodiscard]] std::optional<Json> shown_in(const merge::Content* content, const std::string& scope,
                                           const StoredConflict& conflict);

class Conflicts {
 public:
  explicit Conflicts(Transaction& store) : store_(store) {}

  // The open ones of a path. They stay where they are as long as this lives.
  [[nodiscard]] Result<std::vector<StoredConflict*>> open(const std::string& path);
  [[nodiscard]] bool has(const std::string& path) const { return loaded_.contains(path); }
  // The same for every path that was looked at.
  [[nodiscard]] std::vector<StoredConflict*> open_at_hand();

  // `operation`: the newest, or the operation that this command is about to add.
  Done add(StoredConflict conflict, std::int64_t operation);
  void close(StoredConflict& conflict, std::string_view why, std::int64_t operation);
  // Its record goes on under another owner.
  void move(StoredConflict& conflict, std::string scope);
  void set_in_file(StoredConflict& conflict, bool in_file);
  // `conflict` is closed in the store.
  void reopen(StoredConflict conflict, bool in_file);

  // What is to be stored.
  [[nodiscard]] std::vector<StoredConflict> changed() const;
  // Forgets what a look at a path did.
  void forget(const std::string& path);

 private:
  struct Entry {
    StoredConflict conflict;
    bool changed = false;
  };
  [[nodiscard]] Entry& entry_of(const StoredConflict& conflict);

  Transaction& store_;
  std::set<std::string> loaded_;
  std::list<Entry> all_;
};

}  // namespace pawl
