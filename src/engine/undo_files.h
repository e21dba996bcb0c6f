// What undo does about files that are nobody's records: those that somebody made it does not take away, and those that
// could not be read, and were taken away, it puts back.
#pragma once

#include <string>
#include <vector>

#include "core/event.h"
#include "engine/engine.h"

namespace pawl {

// Is it nothing but what stood in files and was not known?
[[nodiscard]] bool only_came_in(const Operation& operation, const std::vector<Event>& events);

// A file that somebody made: one that shows nothing but what came in with this operation. "": there is none.
[[nodiscard]] Result<std::string> file_that_came(const Engine& engine, Transaction& store, const Operation& operation,
                                                 const std::vector<Event>& events);

// Something stood in a file again that had been set aside with it, and nothing made room for it. That the file is there
// is somebody's doing, and stays; what was changed in it can be taken back.
[[nodiscard]] Result<bool> only_came_back(Transaction& store, const Operation& operation,
                                          const std::vector<Event>& events);
// Was nothing changed but that they are there again?
[[nodiscard]] Result<bool> changed_nothing_else(Transaction& store, const std::vector<Event>& events);

// A file that could not be read was taken away, or put back: there was no record before, and there is none after.
[[nodiscard]] bool took_a_file(const std::vector<Event>& events);

struct FileBack {
  MirrorFile file;
  std::string bytes;
};

// Those that `events` took away, as they were. Where something else stands there by now, nothing comes back.
[[nodiscard]] Result<std::vector<FileBack>> unread_files_of(const Engine& engine, Transaction& store,
                                                            const std::vector<Event>& events);

// Behind the commit: the store knows no good state of it, and takes it for what it is. Where it cannot be written,
// that is noted, and where it is kept.
void put_unread_back(const Engine& engine, const FileBack& back);

}  // namespace pawl
