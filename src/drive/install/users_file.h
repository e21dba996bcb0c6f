// A file of the user's that pawl has a part in: agents read it, the user and other tools write it, and nothing of it is
// a record. It is changed only when asked to, and nobody's words may be lost by it:
//
//   - one pawl at a time changes such files in a workspace (a lock on its folder);
//   - what is written comes whole, by an exchange with the file; who writes in that moment is waited for, and what came
//     in between is seen, put back, and the change made anew on top of it;
//   - what a killed pawl left beside it stays there, and is named, unless the file holds all of it;
//   - what it was before pawl came is kept in the store's folder, so that taking pawl out gives the same bytes back:
//
//       .pawl/hooks/.claude+settings.json.before    as it was; none where pawl has made the file
//       .pawl/hooks/.claude+settings.json.after     as pawl left it: only from here the way leads back
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"

namespace pawl::install {

enum class Wish { enter, enter_and_drive, would_enter, remove, would_remove };  // would: tells, and writes nothing

[[nodiscard]] inline bool removes(Wish wish) { return wish == Wish::remove || wish == Wish::would_remove; }
[[nodiscard]] inline bool only_tells(Wish wish) { return wish == Wish::would_enter || wish == Wish::would_remove; }

// What pawl has in a file: the text with it, and without. "" stands for a file that is not there.
struct Part {
  std::function<Result<std::string>(std::string_view text)> with;
  std::function<Result<std::optional<std::string>>(std::string_view text)> without;  // nullopt: nothing else is in it
  // Of a file that is pawl's alone: is it as some pawl wrote it? Changed by somebody, it is theirs, and is left to
  // them.
  std::function<bool(std::string_view text)> wrote = nullptr;
  std::string_view nothing = {};  // what is left of a file that was there before, when nothing else is in it
};

struct Edited {
  std::string_view became = "kept";    // made, changed, removed
  std::optional<std::string> bytes;    // as it is now
  std::vector<std::string> left_over;  // what a killed pawl left, and is not in the file

  [[nodiscard]] bool changed() const { return became != "kept"; }
};

[[nodiscard]] Result<Edited> edit_users_file(const Engine& engine, const std::string& path, const Part& part,
                                             Wish wish);

// Beside the file: what a pawl that was killed had displaced, or was about to write.
[[nodiscard]] Result<std::vector<std::string>> left_overs_of(const Engine& engine, const std::string& path);

}  // namespace pawl::install
