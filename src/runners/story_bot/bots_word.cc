#include "runners/story_bot/bots_word.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/file.h"
#include "base/text.h"
#include "lifecycles/pr/defuse.h"

namespace pawl {
namespace {

constexpr std::size_t kMostReply = 60'000;  // characters; GitHub takes 65,536, with the marker
constexpr std::size_t kLongestLetter = 4;   // bytes of a character

std::string first_bytes_of(const std::string& path, std::size_t most) {
  const Fd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  std::string bytes;
  std::array<char, 4096> some{};
  while (file.valid() && bytes.size() < most) {
    const ssize_t got = ::read(file.get(), some.data(), std::min(some.size(), most - bytes.size()));
    if (got <= 0) break;
    bytes.append(some.data(), static_cast<std::size_t>(got));
  }
  return bytes;
}

}  // namespace

std::string as_bots_word(std::string_view text) {
  const std::string clean = stripped(text, kLongestLetter * text.size());
  std::size_t end = 0;
  for (std::size_t letters = 0; end < clean.size(); ++end) {
    const bool begins = (static_cast<unsigned char>(clean[end]) & 0xC0U) != 0x80U;
    if (begins && letters++ == kMostReply) break;
  }
  const bool cut = end < clean.size();
  std::string out = pr::defused(trim(std::string_view(clean).substr(0, end)), {});
  for (std::size_t at = out.find("<!--"); at != std::string::npos; at = out.find("<!--", at + 1))
    out.insert(at + 1, "\xE2\x80\x8B");  // a space without width
  if (cut) out += cat("\n\n… (cut here: it was longer than ", kMostReply, " characters)");
  return out;
}

std::string bots_word_in(const std::string& path) {
  return as_bots_word(first_bytes_of(path, kLongestLetter * (kMostReply + 1)));
}

}  // namespace pawl
