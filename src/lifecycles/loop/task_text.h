// What an agent is told in an iteration: the prompt, where it stands, what is left, and how it is to say that it is
// done. pawl's own words have the promise behind others on its line, and what a check said as a quotation, so that
// whoever repeats them has not given it.
#pragma once

#include <cstdint>
#include <string>

#include "base/json.h"

namespace pawl::loop {

struct TaskText {
  std::int64_t iteration = 0;
  std::size_t stories_left = 0;
  std::string story;     // "US-3: title"; empty where there is no list
  std::string feedback;  // why the last claim that it is done was rejected
};

[[nodiscard]] std::string task_text(const Json& doc, const TaskText& task);

}  // namespace pawl::loop
