// The real engine, on real files and a real store, doing the steps of the merge's model: a history of commands, edits,
// kills and concurrent writers, as lines of JSON (see the model's histories.py).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace pawl::model {

class World {
 public:
  // `head`: which path has which lifecycle, and the settings. The workspace is made in an empty folder.
  World(const Json& head, std::string folder);
  ~World();

  // "ok", "killed", or the code of a refusal.
  std::string apply(const Json& step);
  // The state in the model's words: records, files and open conflicts. `known`: the model's records, so that those that
  // were removed can be looked up.
  [[nodiscard]] Json state(const Json& known);

 private:
  struct Format;
  struct Killed {};

  void open_engine();
  Done perform(const Json& step);
  Done run(const Json& step, const Decide& decide, bool take_whole = false);
  void arm(const Json& step);
  [[nodiscard]] Result<Decision> decide(const Json& step, const View& view) const;
  [[nodiscard]] Result<Decision> move(const Json& step, const View& view, const RecordId& id) const;
  Done resolve(const Json& step);
  [[nodiscard]] MirrorFile file_of(const std::string& path) const;
  [[nodiscard]] std::string full(const std::string& path) const { return folder_ + "/" + path; }

  std::string folder_;
  Json head_;
  std::vector<std::unique_ptr<Format>> formats_;
  std::vector<std::vector<const MirrorFormat*>> of_kind_;
  std::vector<Lifecycle> rows_;
  std::unique_ptr<Lifecycles> lifecycles_;
  std::unique_ptr<Engine> engine_;
  std::map<std::string, std::string> git_;            // path → what the model's detection of git says
  std::vector<std::pair<std::string, int>> writers_;  // open files
  std::map<std::string, Json> meanwhile_;             // point → steps
  std::string kill_;
  bool away_ = false;
};

// How many histories in a file differ from what the engine does; the first ones are printed. The file has a line for
// each head, and for each step with its state.
[[nodiscard]] int compare_histories(const std::string& file);

}  // namespace pawl::model
