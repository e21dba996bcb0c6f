// Looking for what is wrong: the database, the log, the files, what lies about. Writes nothing; mending goes the way
// of every command, and nothing is ever deleted.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/begin_anew.h"
#include "engine/engine.h"
#include "engine/mirror.h"

namespace pawl {

struct Finding {
  bool problem = false;  // else: worth knowing
  std::string text;
  std::string advice;       // what to type; may be empty
  bool left_alone = false;  // a file that pawl does not take over
  bool of_store = false;    // the advice is for what the store guards: refused where pawl was left
};

struct Checkup {
  bool has_store = false;
  StoreHealth store;
  bool counted = false;                       // all of the store, so that its numbers are what is there
  std::optional<DatabaseFile> database = {};  // that was judged
  std::vector<Finding> findings;
  struct Holds {
    std::string noun;  // "story"
    std::string status;
    std::int64_t count = 0;
  };
  struct Would {  // how many things the next command that writes takes over, holds and refuses
    std::int64_t take = 0, hold = 0, refuse = 0;
  };
  struct File {
    std::string path;
    FileCase found = FileCase::in_step;
    bool shared = false;  // by all projects, and not known yet: no project's init takes it over
    std::string state;    // the same for a person: "in step", or a sentence about what is not
    std::vector<Holds> holds;
    std::string headline;  // of the one thing in it
    Would would;
  };
  std::vector<File> files;

  [[nodiscard]] bool healthy() const;
};

// Looks at what the engine knows nothing of, in the same moment of the store and with what the files say laid over it;
// writes nothing either.
using AlsoLook = std::function<Done(const View&, std::vector<Finding>&)>;

[[nodiscard]] Result<Checkup> check_up(Engine& engine, const AlsoLook& also = {});

// Brings files and store together, takes back what a killed process left, and, where the database is beyond reading,
// sets it aside and begins anew from the files. Returns what was done, a sentence each.
[[nodiscard]] Result<std::vector<std::string>> mend(Engine& engine, const Request& request, const Checkup& found);

}  // namespace pawl
