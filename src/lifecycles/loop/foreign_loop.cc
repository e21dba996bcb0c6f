#include "lifecycles/loop/foreign_loop.h"

#include <array>

#include "base/clock.h"
#include "base/text.h"

namespace pawl::loop {
namespace {

// What the plugin itself writes: bare words and numbers, texts in double quotes. A whole YAML is not needed to show it.
Json value_of(std::string_view text) {
  if (text == "true" || text == "false") return text == "true";
  if (text.empty() || text == "null") return Json();
  if (const auto number = parse_positive(text)) return *number;
  if (text == "0") return 0;
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  return std::string(text);
}

}  // namespace

ForeignLoop read_foreign_loop(std::string_view text) {
  constexpr std::array<std::string_view, 5> kMembers = {"active", "iteration", "max_iterations", "completion_promise",
                                                        "started_at"};
  Json loop = Json::object();
  bool inside = false;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = trim(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line == "---") {
      if (inside) break;
      inside = true;
      continue;
    }
    const std::size_t colon = line.find(':');
    if (!inside || colon == std::string_view::npos) continue;
    for (const std::string_view member : kMembers) {
      if (trim(line.substr(0, colon)) == member) loop[std::string(member)] = value_of(trim(line.substr(colon + 1)));
    }
  }
  loop["prompt"] = std::string(trim(text));
  const auto active = loop.find("active");
  return {.state = loop,
          .active = active != loop.end() && *active == true,
          .started_ms = parse_iso_time(string_or(loop, "started_at"))};
}

bool ForeignLoop::is_old(std::int64_t now_ms) const { return active && started_ms && now_ms - *started_ms > kDayMs; }

}  // namespace pawl::loop
