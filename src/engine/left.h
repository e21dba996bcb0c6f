// That a person has left pawl: a mark in the store's folder. From then on no command writes, as if there were no store;
// what it keeps may be older than the files by now, so it does not count either, until somebody comes back. Only a
// process that was at work before (the watcher of an issue that runs on) goes on with it to its end.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/store.h"

namespace pawl {

class Engine;

struct LeftMark {
  std::int64_t at_ms = 0;  // 0: nobody can say
  std::string folder;      // where it all was written to
  // Of what agents read, where pawl's part was taken out: "claude", "opencode", "agents", as `pawl init` calls them.
  std::vector<std::string> hooks = {};
  std::string bytes = {};  // of the mark, to know it again
};
inline constexpr std::array<std::string_view, 3> kHookNames = {"claude", "opencode", "agents"};

// The folders that `pawl leave` writes into: pawl-left, pawl-left-2 and so on.
inline constexpr int kMostLeftFolders = 1000;
[[nodiscard]] std::string left_folder_name(int i);
// Whether it could have given this name; others that begin so are somebody's own.
[[nodiscard]] bool is_left_folder_name(std::string_view name);
inline constexpr std::string_view kLeftLog = "log.jsonl";  // in each of them

[[nodiscard]] std::optional<LeftMark> read_left(const std::string& store);
// Whatever else stands under its name gives way; only a folder does not, which the second tells of before all else.
[[nodiscard]] Done mark_left(const Engine& engine, const std::string& folder, const std::vector<std::string>& hooks);
[[nodiscard]] Done can_mark_left(const Engine& engine);
// Of processes that were at work when pawl was left, and go on to their end. None, where the store cannot be read.
[[nodiscard]] std::vector<Claim> claims_that_go_on(const Engine& engine);
// "pawl was left here 2 hours ago"
[[nodiscard]] std::string left_in_words(const LeftMark& left, std::int64_t now_ms);

// Takes this mark away. conflict: there is another by now, as somebody has come back and left again meanwhile. One that
// is gone already was taken away by another who comes back.
[[nodiscard]] Done take_mark_away(const Engine& engine, const LeftMark& left);

}  // namespace pawl
