// One transaction of a command: what was found in files, what the command itself decided, and the files that follow.
// A command is one round; another follows only when somebody wrote a file in the very moment that it was exchanged.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/project.h"
#include "engine/write_back.h"

namespace pawl {

class Round {
 public:
  // Under the store's gate. Without `decide` only what is found in files is taken over.
  Round(Engine& engine, Store& store, const Request& request, const Decide* decide)
      : engine_(engine), store_(store), request_(request), decide_(decide), world_(engine.world()) {}

  // An error: nothing was committed. A refusal of the command is no error here: what was found in files stands.
  Done run(const Look& look);

  Outcome outcome;
  std::optional<Error> refused;
  bool overtaken = false;  // it failed as another engine committed first
  std::vector<MirrorFile> look_again;
  std::vector<std::string> notes;
  std::vector<Note> found_notes;

 private:
  [[nodiscard]] Result<Decision> decide(Transaction& tx, Absorber& absorber);
  // What a decision means for the mirrors and conflicts that go through the merge.
  [[nodiscard]] Done assign(Snapshot& snapshot, const Change& change, const MirrorFile& file);
  [[nodiscard]] Done close_conflicts(Transaction& tx, Snapshot& snapshot, const Decision& decision);
  [[nodiscard]] Done stage_mirrors(Snapshot& snapshot);
  [[nodiscard]] Done stage(Transaction& tx, Absorbed& absorbed, bool undoing);
  // What was come to unverified stays so through what does not show otherwise.
  [[nodiscard]] Done carry_doubt(Transaction& tx, std::vector<Change>& changes);
  [[nodiscard]] Batch batch(Absorber& absorber, Decision decision);
  [[nodiscard]] Done commit(Transaction& tx, const Batch& batch);
  void fill_in_numbers();
  void project(Absorber& absorber);
  void unstage();

  Engine& engine_;
  Store& store_;
  const Request& request_;
  const Decide* decide_;
  const MirrorWorld world_;
  Now now_;
  bool own_operation_ = false;
  std::vector<std::size_t> found_in_;  // which of the operations of what was found each change is in
  std::vector<std::int64_t> outside_operations_;
  std::size_t found_operations_ = 0;  // how many come before the command's own
  std::set<std::string> commanded_;   // mirrors that the command itself changes
  std::unique_ptr<WriteBack> write_back_;
  std::vector<PlannedFile*> planned_;  // those whose row changes, in the order in which they were staged
};

}  // namespace pawl
