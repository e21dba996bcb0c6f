// What a person can do about an issue as things are: only what works is advised. Each command stands on a line of its
// own, with what it does behind "  # ", so that it can be pasted as it is.
#pragma once

#include <cstdint>
#include <string>

#include "engine/engine.h"
#include "lifecycles/issue/run.h"

namespace pawl {

// "pawl issue run 42 --again", with what it would have to ask for. `titled`: it is known what the issue is called.
[[nodiscard]] std::string again_command(const Engine& engine, std::int64_t number, bool titled);

// "pawl issue run 42", of one that has no status, with what it would have to ask for.
[[nodiscard]] std::string start_command(const Engine& engine, std::int64_t number, bool titled);

// "pawl issue resume 42", or what starts another agent in its worktree where it is not known which one had it.
[[nodiscard]] std::string resume_command(const Engine& engine, std::int64_t number, bool agent);

// What is there of an issue that says running and has no session.
struct Remains {
  bool worktree = false;
  bool titled = false;
  bool agent = true;    // it is known what would go on with it (has_agent)
  bool output = false;  // its output was kept, and may tell how it ended
};
[[nodiscard]] std::string without_session(const Engine& engine, std::int64_t number, const Remains& remains);

// How an issue without a session gets one.
// The branches that an issue's work is merged into: where it is, its own can go.
[[nodiscard]] Result<std::vector<std::string>> merged_into(const Engine& engine, const std::string& branch);

[[nodiscard]] Result<std::string> how_to_open(Engine& engine, const Record& record);

// What there is to do with the work of an issue that is complete: a line that says where it is, and below it what can
// be typed about it.
[[nodiscard]] Result<std::string> next_for(Engine& engine, const issue::Run& run);

}  // namespace pawl
