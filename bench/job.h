// A lifecycle with nothing around it: three statuses and no file, so that what is measured is the engine.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "engine/engine.h"

namespace pawl::bench {

class JobStore {
 public:
  // Makes a project in `folder` where there is none. `long_lived` as a server would be.
  JobStore(const std::string& folder, bool long_lived);
  ~JobStore();

  // Moves jobs `first` … `first + count - 1` on, all in one commit.
  void move(int first, int count);
  // Makes jobs in commits of ten thousand.
  void fill(int count);
  // The first by rank.
  void next();
  [[nodiscard]] std::string database() const;

 private:
  SystemClock clock_;
  std::unique_ptr<Engine> engine_;
  bool long_lived_;
};

}  // namespace pawl::bench
