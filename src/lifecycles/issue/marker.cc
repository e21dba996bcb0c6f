#include "lifecycles/issue/marker.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace pawl::issue {
namespace {

constexpr std::size_t kMaxMessage = 200;    // characters
constexpr std::size_t kMaxFence = 10'000;   // lines; what is longer was no fence, or nobody has closed it
constexpr std::size_t kShortestBroken = 8;  // "###TASK_"
constexpr std::size_t kComparedTail = 24;   // bytes of the line before, as a screen may have broken it elsewhere
constexpr std::size_t kShortestTail = 12;
constexpr std::size_t kShortestWords = 5;  // of a line that ends as the prompt's words before a marker do
constexpr std::size_t kShortestFence = 3;

// Frames and blocks, and the bullets that agents' screens begin an answer with.
bool is_ornament(std::uint32_t c) {
  if (c > ' ' && c < '|') return false;
  constexpr std::array<std::uint32_t, 12> kBullets = {0x23FA, 0x25CF, 0x2022, 0x25E6, 0x2219, 0x00B7,
                                                      0x2714, 0x2713, 0x2705, 0x23BF, 0x2023, 0x00A0};
  return c == ' ' || c == '\t' || c == '|' || (c >= 0x2500 && c <= 0x259F) ||
         std::find(kBullets.begin(), kBullets.end(), c) != kBullets.end();
}

// Its words with one blank between them.
std::string in_one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank) out += c;
    if (blank && !out.empty() && out.back() != ' ') out += ' ';
  }
  return out;
}

std::string_view tail(std::string_view text, std::size_t size) {
  return text.size() <= size ? text : text.substr(text.size() - size);
}

}  // namespace

std::string_view bare_line(std::string_view line) {
  while (!line.empty()) {
    const CodePoint c = decode_utf8(line, 0);
    if (c.length == 0 || !is_ornament(c.value)) break;
    line.remove_prefix(c.length);
  }
  while (!line.empty()) {
    std::size_t at = line.size() - 1;
    while (at > 0 && (static_cast<unsigned char>(line[at]) & 0xC0U) == 0x80U) --at;
    const CodePoint c = decode_utf8(line, at);
    if (c.length == 0 || !is_ornament(c.value)) break;
    line.remove_suffix(line.size() - at);
  }
  constexpr std::string_view kBold = "**";
  if (line.size() > 2 * kBold.size() && line.starts_with(kBold) && line.ends_with(kBold))
    line = line.substr(kBold.size(), line.size() - 2 * kBold.size());
  return line;
}

std::string error_message(std::string_view line) {
  const std::string clean = stripped(bare_line(line), TerminalLines::kMaxLine);
  std::size_t end = 0;
  for (std::size_t count = 0; end < clean.size() && count < kMaxMessage; ++count)
    end += std::max<std::size_t>(1, decode_utf8(clean, end).length);
  const std::string_view text = trim(std::string_view(clean).substr(0, end));
  return std::string(text.empty() ? kUnknownError : text);
}

MarkerReader::MarkerReader(std::int64_t number, std::string_view prompt, Said before, std::int64_t offset)
    : said_(std::move(before)), offset_(offset) {
  const auto add = [&](Kind kind, std::string_view one, std::string_view two) {
    markers_.push_back({kind, cat("###", one, "_", two, "_", number, "###")});
    markers_.push_back({kind, cat("###", two, "_", one, "_", number, "###")});
  };
  add(Kind::complete, "TASK", "COMPLETE");
  add(Kind::error, "TASK", "ERROR");
  add(Kind::phase, "PHASE", "COMPLETE");
  std::string_view last;
  for (const std::string_view line : split(prompt, '\n')) {
    const std::string_view bare = bare_line(line);
    if (marker_in(bare) != nullptr) before_in_prompt_.emplace_back(tail(last, kComparedTail));
    if (!bare.empty()) last = bare;
  }
  // One that stands inside of a sentence stands alone where a screen, or whoever prints it, breaks the lines anew.
  const std::string words = in_one_line(prompt);
  for (const Marker& marker : markers_) {
    for (std::size_t at = words.find(marker.text); at != std::string::npos; at = words.find(marker.text, at + 1))
      words_before_.emplace_back(tail(trim(std::string_view(words).substr(0, at)), kComparedTail));
  }
}

void MarkerReader::leave_out(std::string_view title) {
  std::erase_if(markers_, [&](const Marker& marker) { return marker.text == bare_line(title); });
}

void MarkerReader::feed(std::string_view bytes) {
  if (bytes.empty()) return;
  offset_ += static_cast<std::int64_t>(bytes.size());
  lines_.feed(bytes, [this](std::string_view line, bool cut) { see_line(line, cut); });
}

const MarkerReader::Marker* MarkerReader::marker_in(std::string_view bare) const {
  if (!bare.starts_with("###")) return nullptr;
  for (const Marker& marker : markers_) {
    if (marker.text == bare) return &marker;
  }
  return nullptr;
}

bool MarkerReader::begins_marker(std::string_view bare) const {
  return bare.size() >= kShortestBroken && bare.starts_with("###") &&
         std::any_of(markers_.begin(), markers_.end(), [&](const Marker& marker) {
           return marker.text.size() > bare.size() && marker.text.starts_with(bare);
         });
}

bool MarkerReader::is_echo() const {
  const bool in_sentence = previous_.size() >= kShortestWords &&
                           std::any_of(words_before_.begin(), words_before_.end(),
                                       [&](const std::string& before) { return before.ends_with(previous_); });
  return in_sentence || std::any_of(before_in_prompt_.begin(), before_in_prompt_.end(), [&](const std::string& before) {
           return previous_ == before || (previous_.size() >= kShortestTail && before.ends_with(previous_));
         });
}

void MarkerReader::note(Kind kind) {
  if (fence_ != 0 || is_echo()) return;
  if (kind == Kind::complete) {
    said_.complete = offset_;
    ++said_.completes;
  } else if (kind == Kind::phase) {
    said_.phase = offset_;
  } else {
    said_.error = offset_;
    said_.message.clear();
    said_.message_open = true;
    ++said_.errors;
  }
}

// Whether the line begins, ends or is part of a fence.
bool MarkerReader::see_fence(std::string_view bare) {
  const char sign = bare.empty() ? '\0' : bare.front();
  std::size_t size = 0;
  if (sign == '`' || sign == '~') size = std::min(bare.find_first_not_of(sign), bare.size());
  if (fence_ == 0) {
    if (size < kShortestFence || (sign == '`' && bare.find('`', size) != std::string_view::npos)) return false;
    fence_ = sign;
    fence_size_ = size;
    fence_lines_ = 0;
    return true;
  }
  if ((sign == fence_ && size >= fence_size_ && size == bare.size()) || ++fence_lines_ > kMaxFence) fence_ = 0;
  return true;
}

void MarkerReader::see_line(std::string_view line, bool cut) {
  const bool counted = std::exchange(early_, false);
  const std::string broken = std::exchange(broken_, {});
  const std::string_view bare = bare_line(line);
  const Marker* marker = cut ? nullptr : marker_in(bare);
  if (marker == nullptr && !broken.empty() && !cut) marker = marker_in(broken + std::string(bare));
  if (marker != nullptr) {
    if (!counted) note(marker->kind);
    return;
  }
  if (see_fence(bare)) return;
  if (!cut && begins_marker(bare)) {
    broken_ = bare;
    return;
  }
  if (said_.message_open) {
    said_.message = error_message(line);
    said_.message_open = false;
  }
  if (!bare.empty()) previous_.assign(tail(bare, kComparedTail));
}

bool MarkerReader::waiting() const { return said_.message_open || (!lines_.unfinished().empty() && !early_); }

void MarkerReader::pause() {
  const std::string_view bare = bare_line(lines_.unfinished());
  if (early_ || lines_.unfinished_cut()) return;
  const Marker* marker = marker_in(bare);
  if (marker == nullptr && !broken_.empty()) marker = marker_in(broken_ + std::string(bare));
  if (marker == nullptr) return;
  note(marker->kind);
  early_ = true;
}

void MarkerReader::end() {
  pause();
  close_message();
}

void MarkerReader::close_message() {
  if (!said_.message_open) return;
  said_.message = error_message(early_ ? std::string_view() : lines_.unfinished());
  said_.message_open = false;
}

}  // namespace pawl::issue
