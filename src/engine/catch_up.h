// Coming back after `pawl leave` to files that went on without pawl. Their truth wins, also where the law would have
// refused the move: nobody was there to be asked. The store goes on: what it knows of runs, reviews set aside, the log
// and undo stay, and what the files say by now becomes one more operation of that history.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace pawl {

class Engine;
struct Request;

struct NotTaken {
  std::string path, why;  // no path: a folder
  std::string advice;     // what becomes of it, and what can be done; may be empty
};

struct CaughtUp {
  std::vector<std::string> taken;     // files, as they are
  std::vector<std::string> by_rules;  // those that only add to what others show, and do not stand as they were found
  std::vector<NotTaken> not_taken;
  std::vector<std::int64_t> operations;
};

// Can the store be read, all of it?
[[nodiscard]] Result<bool> can_go_on(Engine& engine);

// Before the mark is taken away: cut off in the middle, it is done again by whoever comes back next. For a store that
// can be read.
[[nodiscard]] Result<CaughtUp> catch_up(Engine& engine, Request request);

}  // namespace pawl
