#include "runners/hook/transcript.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "lifecycles/loop/promise.h"

namespace pawl::hook {
namespace {

constexpr std::size_t kFirstBytes = std::size_t{32} << 10U;
constexpr std::size_t kMostBytes = std::size_t{4} << 20U;
constexpr std::size_t kLongestLine = std::size_t{1} << 20U;  // longer is what a tool printed

// What content blocks of a message there are: text joined, others by their type.
struct Blocks {
  std::string text;
  bool tool_use = false, tool_result = false;
};

Blocks blocks_of(const Json& message) {
  Blocks blocks;
  const auto content = message.find("content");
  if (content == message.end()) return blocks;
  if (content->is_string()) blocks.text = content->get<std::string>();
  if (!content->is_array()) return blocks;
  for (const Json& block : *content) {
    if (!block.is_object()) continue;
    const std::string type = string_or(block, "type");
    if (type == "text") blocks.text += cat(blocks.text.empty() ? "" : "\n", string_or(block, "text"));
    blocks.tool_use = blocks.tool_use || type == "tool_use";
    blocks.tool_result = blocks.tool_result || type == "tool_result";
  }
  return blocks;
}

std::int64_t tokens_of(const Json& message) {
  const auto usage = message.find("usage");
  if (usage == message.end() || !usage->is_object()) return 0;
  std::int64_t tokens = 0;
  for (const char* member :
       {"input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"}) {
    tokens += std::clamp<std::int64_t>(integer_or(*usage, member), 0, 1'000'000'000);
  }
  return tokens;
}

// Reads lines from the last to the first.
class Backwards {
 public:
  // False: the beginning of the turn is reached.
  bool take(std::string_view line) {
    if (line.empty() || line.size() > kLongestLine) return true;
    const auto entry = parse_json(line);
    if (!entry || !entry->is_object()) return true;  // half a line, or none of ours
    const auto side = entry->find("isSidechain");
    if (side != entry->end() && side->is_boolean() && side->get<bool>()) return true;  // another agent's
    const auto message = entry->find("message");
    if (message == entry->end() || !message->is_object()) return true;
    const std::string type = string_or(*entry, "type");
    const Blocks blocks = blocks_of(*message);
    if (type == "user") return blocks.tool_result;
    if (type == "assistant") assistant(*message, blocks, parse_iso_time(string_or(*entry, "timestamp")));
    return true;
  }

  LastTurn turn;

 private:
  void assistant(const Json& message, const Blocks& blocks, std::optional<std::int64_t> at_ms) {
    turn.used_a_tool = turn.used_a_tool || blocks.tool_use;
    const std::string id = string_or(message, "id");
    if (!turn.found) {
      turn.found = true;
      turn.at_ms = at_ms;
      id_ = id;
      turn.tokens = tokens_of(message);
    } else if (id.empty() || id != id_) {
      if (at_ms && !blocks.text.empty()) turn.earlier.push_back({blocks.text, *at_ms});
      return;
    }
    if (!blocks.text.empty()) turn.text = cat(blocks.text, turn.text.empty() ? "" : "\n", turn.text);
  }

  std::string id_;
};

}  // namespace

TurnPart last_turn_in(std::string_view text, bool whole) {
  Backwards backwards;
  std::size_t end = text.size();
  while (end > 0) {
    const std::size_t newline = text.rfind('\n', end - 1);
    if (newline == std::string_view::npos && !whole) break;  // its first half lies before
    const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
    if (!backwards.take(text.substr(begin, end - begin))) return {backwards.turn, true};
    end = newline == std::string_view::npos ? 0 : newline;
  }
  return {backwards.turn, whole};
}

LastTurn read_last_turn(const std::string& path) {
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info {};
  if (!file.valid() || fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) return {};
  const auto size = static_cast<std::size_t>(info.st_size);
  for (std::size_t wanted = kFirstBytes;; wanted *= 8) {
    const std::size_t length = std::min({wanted, size, kMostBytes});
    std::string text(length, '\0');
    std::size_t got = 0;
    while (got < length) {
      const ssize_t more = pread(file.get(), text.data() + got, length - got, static_cast<off_t>(size - length + got));
      if (more < 0 && errno == EINTR) continue;
      if (more <= 0) break;
      got += static_cast<std::size_t>(more);
    }
    text.resize(got);
    TurnPart part = last_turn_in(text, length == size);
    if (part.complete) return part.turn;
    if (length == kMostBytes) {
      part.turn.used_a_tool = true;  // so much was not only said
      return part.turn;
    }
  }
}

bool promised_since(const LastTurn& turn, std::string_view promise, std::optional<std::int64_t> began_ms) {
  const bool before = began_ms && turn.at_ms && *turn.at_ms < *began_ms;
  if (!before && loop::gives_promise(turn.text, promise)) return true;
  return began_ms && std::any_of(turn.earlier.begin(), turn.earlier.end(), [&](const Said& said) {
           return said.at_ms >= *began_ms && loop::gives_promise(said.text, promise);
         });
}

bool is_nearly_full(std::int64_t tokens) {
  constexpr std::int64_t kUsual = 200'000, kLarge = 1'000'000;
  const std::int64_t window = tokens > kUsual ? kLarge : kUsual;
  return tokens >= window / 10 * 9;
}

}  // namespace pawl::hook
