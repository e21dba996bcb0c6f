// A file of the user's that pawl has a part in: agents read it, the user and other tools write it, and nothing of it is
// a record. It is changed only when asked to, and nobody's words may be lost by it:
//
//   - one pawl at a time changes such files in a workspace (a lock on its folder);
//   - what is written comes whole, by an exchange with the file; who writes in that moment is waited for, and what came
//     in between is seen, put back, and the change made anew on top of it;
//   - what a killed pawl left beside it stays there, and is named, unless the file holds all of it;
//   - what it was before pawl came is kept in the store's folder (memory.h), so that taking pawl out gives the same
//     bytes back, or takes out just what pawl put in where somebody has written into it since.
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

inline constexpr std::size_t kMaxUsersFile = std::size_t{4} << 20U;

// As it was before pawl came, where that is known.
using Before = std::optional<std::string>;

// What pawl has in a file: the text with it, and without. "" stands for a file that is not there.
struct Part {
  std::function<Result<std::string>(std::string_view text)> with;
  // nullopt: nothing else is in it, and the file was not there before. What was before brings nothing back: it tells
  // which white space and which empty lists pawl did not bring.
  std::function<Result<std::optional<std::string>>(std::string_view text, const Before& before)> without;
  // Could it be in there, also where it cannot be taken out?
  std::function<bool(std::string_view text)> may_be_in;
  // Would pawl make this text of what was before, to the byte? Only for a part that `without` takes out with another
  // layout left.
  std::function<bool(const std::string& before, std::string_view text)> comes_of = nullptr;
  // Of a file that is pawl's alone: is it as some pawl wrote it? Changed by somebody, it is theirs, and is left to
  // them.
  std::function<bool(std::string_view text)> wrote = nullptr;
};

struct Edited {
  std::string_view became = "kept";    // made, changed, removed
  std::optional<std::string> bytes;    // as it is now
  std::vector<std::string> left_over;  // what a killed pawl left, and is not in the file
  std::string left_alone;              // why it could not be looked at or changed, where pawl has no part in it

  [[nodiscard]] bool changed() const { return became != "kept"; }
};

// An error when taking it out: pawl's part is in it, or may be, and stays.
[[nodiscard]] Result<Edited> edit_users_file(const Engine& engine, const std::string& path, const Part& part,
                                             Wish wish);

// Beside the file: what a pawl that was killed had displaced, or was about to write; with all that is called much like
// it.
[[nodiscard]] Result<std::vector<std::string>> left_overs_of(const Engine& engine, const std::string& path);

}  // namespace pawl::install
