// Files that do not say what pawl knows, and that no command of its own brings up to date: git's, damaged ones without
// an earlier state, those that cannot be looked at, and words that were left standing. Whoever leaves takes what
// pawl knows of them along.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/mirror.h"

namespace pawl {

// What is the matter with a file, for everybody who tells of it.
struct Trouble {
  std::string_view word;  // in one: "git", "damaged", "conflict", "not allowed", "behind", "not read"
  std::string why;        // "it has conflict markers in it"
  std::string advice;     // while pawl is here, a command a line; may be empty
};

// Nothing where the file is up to date, or the next command brings it there. `brought`: that command has been.
[[nodiscard]] std::optional<Trouble> trouble_with(const Sighting& seen, bool brought);

// Of words that were left standing: which they are, of which records. Of what git brought: whether it can be taken.
inline constexpr std::string_view kNotAllowed = "not allowed";
[[nodiscard]] Done say_what_is_in_it(const MirrorWorld& world, const View& view, const Sighting& seen,
                                     Trouble& trouble);

struct Behind : Trouble {
  std::string path;
  std::string copy;                  // what a copy of it is called
  std::optional<std::string> known;  // what pawl would have there; nothing, where it knows nothing of it
};

struct LookBehind {
  bool brought = false;   // every file was brought up to date as far as that goes: whatever is not is behind
  bool read_all = false;  // those that are as pawl left them are read too, whether they say what it knows
};
struct FilesBehind {
  std::vector<Behind> files;
  std::vector<Error> folders_not_opened;  // nothing is known of what is in them
};
// Reads only.
[[nodiscard]] Result<FilesBehind> files_behind(const Engine& engine, const View& view, const LookBehind& how = {});

// The same of one file in which something is about to be left standing, though no command has seen it yet.
[[nodiscard]] Result<Behind> behind_when_seen(const Engine& engine, const View& view, const MirrorFile& file);

}  // namespace pawl
