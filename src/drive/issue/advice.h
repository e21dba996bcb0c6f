// What a person can do about an issue as things are: only what works is advised.
#pragma once

#include <cstdint>
#include <string>

#include "engine/engine.h"
#include "lifecycle/issue/run.h"

namespace pawl {

// "pawl issue run 42 --again", with what it would have to ask for. `titled`: it is known what the issue is called.
[[nodiscard]] std::string again_command(const Engine& engine, std::int64_t number, bool titled);

// How an issue without a session gets one.
[[nodiscard]] Result<std::string> how_to_open(Engine& engine, const Record& record);

// What there is to do with the work of an issue that is complete: where it is, and where it can go from there.
[[nodiscard]] Result<std::string> next_for(Engine& engine, const issue::Run& run);

}  // namespace pawl
