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

// Would `pawl accept` take it over?
// What is refused of a copy as things stand: none where that is not known.
[[nodiscard]] std::vector<RecordId> refused_in(const Engine& engine, Transaction& store, const std::string& copy);
[[nodiscard]] bool would_be_accepted(const Engine& engine, Transaction& store, const std::string& copy);

// Decided about: it is kept in settled/ of its folder, and nobody is asked about it any more. One that lies there
// already stays.
[[nodiscard]] Done settle_copy(const Engine& engine, const std::string& copy);

}  // namespace pawl
