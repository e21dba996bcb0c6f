// What somebody wrote into a file and pawl put back, as the copy in refused/ or damaged/ that a person decides about.
#pragma once

#include <optional>
#include <string>

#include "engine/engine.h"

namespace pawl {

// The file that it is a copy of. `copy`: its path or name.
[[nodiscard]] std::optional<MirrorFile> original_of(const Engine& engine, Transaction& store, const std::string& copy);

// The path of the copy as the roots spell it; one that was settled is found where it lies now. Empty: there is none.
[[nodiscard]] std::string find_copy(const Engine& engine, const std::string& path);

// What `pawl accept` of it changes: only what was refused then, whatever else has moved on since. Nothing where the
// copy as a whole is what counts. gate_failed: it takes a reason, as the same move by command does, and `by` has none.
[[nodiscard]] Result<std::optional<std::vector<Change>>> taken_from(const Engine& engine, const View& view,
                                                                    const std::string& copy, const Request& by);

struct StillRefused {
  RecordId id;
  std::string why;  // without its name; "" where that is not known
  // It was not there, and what was written of it was taken out; where that is known.
  std::optional<bool> taken_out = {};
};

// What a board tells of it.
struct CopyStands {
  std::vector<StillRefused> refused;  // and still not so; none where that is not known
  bool acceptable = false;            // `pawl accept` would take it over
  bool needs_reason = false;          // with a reason
  bool settled_itself = false;        // all that was refused has become so meanwhile
};
[[nodiscard]] CopyStands how_it_stands(const Engine& engine, const View& view, const std::string& copy);

// Decided about: it is kept in settled/ of its folder, and nobody is asked about it any more. One that lies there
// already stays.
[[nodiscard]] Done settle_copy(const Engine& engine, const std::string& copy);

}  // namespace pawl
