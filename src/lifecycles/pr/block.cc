#include "lifecycles/pr/block.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "lifecycles/pr/pr.h"

namespace pawl::pr {
namespace {

constexpr std::size_t kShortestFence = 3;
constexpr std::size_t kIndentOfCode = 4;
// No comment of GitHub's is larger; what is, is not read as a block.
constexpr std::size_t kMostBytes = 4 * kMaxCommentCharacters;
// Of places where bare JSON may begin: each is looked at to its end.
constexpr int kMostBare = 8;

constexpr std::array kTypes = {block_type::kQuestion, block_type::kAnswer,  block_type::kManualReview,
                               block_type::kFinding,  block_type::kDispute, block_type::kAutoReview};

// JSON as people and models leave it: with a comma before the bracket that closes.
std::string without_trailing_commas(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      out += c;
      if (c == '\\' && i + 1 < text.size()) out += text[++i];
      if (c == '"') in_string = false;
      continue;
    }
    if (c == '"') in_string = true;
    if (c == ',') {
      const std::size_t next = text.find_first_not_of(" \t\r\n", i + 1);
      if (next != std::string_view::npos && (text[next] == '}' || text[next] == ']')) continue;
    }
    out += c;
  }
  return out;
}

std::optional<Json> object_in(std::string_view text) {
  if (text.size() > kMostBytes || trim(text).empty() || trim(text).front() != '{') return std::nullopt;
  auto read = parse_json(text);
  if (!read) read = parse_json(without_trailing_commas(text));
  if (!read || !read->is_object()) return std::nullopt;
  return std::move(*read);
}

std::string type_of(const Json& data) {
  if (const std::string said = string_or(data, "type"); !said.empty()) return said;
  if (data.contains("finding") && data.contains("assessment") && data.contains("score"))
    return std::string(block_type::kFinding);
  if (finding_machine().status(string_or(data, "status")) != nullptr) return std::string(block_type::kDispute);
  return {};
}

void take(std::vector<Block>& out, std::string_view text, std::size_t begin, std::size_t end, bool fenced) {
  auto data = object_in(text.substr(begin, end - begin));
  if (!data) return;
  Block block{type_of(*data), std::move(*data), begin, end, fenced};
  // JSON that is not in a fence of ours must look like a block; there is much JSON in the world.
  if (fenced ? !block.type.empty() : is_known_type(block.type)) out.push_back(std::move(block));
}

// Where the JSON ends in a line such as `}```: before the run of fence marks that closes it.
std::optional<std::size_t> closed_in_line(std::string_view line, const std::string& fence) {
  const std::string_view text = trim(line);
  if (text.size() <= fence.size() || !text.ends_with(fence)) return std::nullopt;
  const std::size_t last = text.find_last_not_of(fence.front());
  if (last == std::string_view::npos || text[last] != '}') return std::nullopt;
  return static_cast<std::size_t>(text.data() - line.data()) + last + 1;
}

// `left_open`: what would close the fence that the text leaves open, as these blocks were read.
std::vector<Block> fenced_blocks(std::string_view text, std::string_view info, bool ours,
                                 std::string* left_open = nullptr) {
  std::vector<Block> out;
  MarkdownLines lines(text);
  std::size_t begin = std::string_view::npos;  // of what is in the fence
  bool tried = false;
  for (MarkdownLine line; lines.next(line);) {
    if (line.kind == MarkdownLine::Kind::opens) {
      begin = line.info == info ? std::min(line.begin + line.text.size() + 1, text.size()) : std::string_view::npos;
      tried = false;
    } else if (begin == std::string_view::npos) {
      continue;
    } else if (line.kind == MarkdownLine::Kind::closes) {
      take(out, text, begin, std::max(begin, line.begin), ours);
      begin = std::string_view::npos;
    } else if (const auto end = tried ? std::nullopt : closed_in_line(line.text, lines.open_fence())) {
      tried = true;  // once: a text of many such lines is not read again and again
      const std::size_t before = out.size();
      take(out, text, begin, line.begin + *end, ours);
      if (out.size() == before) continue;
      begin = std::string_view::npos;
      lines.close();
    }
  }
  if (left_open != nullptr) *left_open = lines.open_fence();
  return out;
}

// The end of the object that begins at `at`, by its brackets.
std::size_t object_end(std::string_view text, std::size_t at) {
  int depth = 0;
  bool in_string = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\') ++at;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return at + 1;
    }
  }
  return std::string_view::npos;
}

std::vector<Block> bare_blocks(std::string_view text) {
  std::vector<Block> out;
  MarkdownLines lines(text);
  std::size_t after = 0;
  int looked = 0;
  for (MarkdownLine line; looked < kMostBare && lines.next(line);) {
    if (line.kind != MarkdownLine::Kind::prose || line.begin < after || !line.text.starts_with('{')) continue;
    ++looked;
    const std::size_t end = object_end(text, line.begin);
    if (end == std::string_view::npos) break;
    take(out, text, line.begin, end, false);
    after = end;
  }
  return out;
}

std::string in_fence(std::string_view type, const Json& data) {
  Json block = {{"type", type}};
  for (const auto& [key, value] : data.items()) block[key] = value;
  std::string json = to_pretty(block);
  // Readers that look for the next three backticks must not find them in a text.
  for (std::size_t at = 0; (at = json.find('`', at)) != std::string::npos;) json.replace(at, 1, "\\u0060");
  return json;
}

Done check(std::string_view type, const Json& data) {
  if (!is_known_type(type)) {
    return fail(ErrorCode::invalid_argument, cat("“", printable(type.substr(0, 80)), "” is not a type of block"),
                cat("one of ", join_or(kTypes)));
  }
  if (!data.is_object()) return fail(ErrorCode::invalid_argument, "a block's data is a JSON object", "{\"…\": …}");
  // The type that the data tells of would be the one that is written.
  if (const auto said = data.find("type"); said != data.end() && *said != Json(type)) {
    return fail(ErrorCode::invalid_argument, cat("the block is to be a ", type, ", and its data names another type"),
                "leave the type out of the data");
  }
  return done();
}

Result<std::string> fitting(std::string text) {
  if (const std::size_t count = characters_in(text); count > kMaxCommentCharacters) {
    return fail(ErrorCode::invalid_argument,
                cat("with this block the comment has ", count, " characters; GitHub takes ", kMaxCommentCharacters));
  }
  return text;
}

}  // namespace

bool is_known_type(std::string_view type) { return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end(); }

std::size_t characters_in(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string_view first_characters(std::string_view text, std::size_t most) {
  std::size_t count = 0, at = 0;
  for (; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U && count++ == most) break;
  }
  return text.substr(0, at);
}

namespace {

// Past blanks, a tab leading to the next place where code would begin.
std::size_t after_blanks(std::string_view line, std::size_t at, std::size_t& column) {
  for (; at < line.size() && (line[at] == ' ' || line[at] == '\t'); ++at)
    column += line[at] == ' ' ? 1 : kIndentOfCode - column % kIndentOfCode;
  return at;
}

// "-", "*", "+", "12." and "12)" with a blank behind them; 0: none of these.
std::size_t list_mark(std::string_view text) {
  constexpr std::size_t kMostDigits = 9;
  std::size_t length = std::min(text.find_first_not_of("0123456789"), text.size());
  if (length > kMostDigits || length >= text.size()) return 0;
  const std::string_view marks = length == 0 ? "-*+" : ".)";
  if (marks.find(text[length++]) == std::string_view::npos) return 0;
  return length == text.size() || std::string_view(" \t\r").find(text[length]) != std::string_view::npos ? length : 0;
}

}  // namespace

// Out of the items that the line is not in, and into those that it begins.
MarkdownLines::Place MarkdownLines::into_items(std::string_view line, Place place) {
  while (!items_.empty() && place.column < items_.back()) items_.pop_back();
  while (place.column - (items_.empty() ? 0 : items_.back()) < kIndentOfCode) {
    const std::size_t length = list_mark(line.substr(place.first));
    if (length == 0) break;
    const std::size_t behind = place.column + length;
    std::size_t column = behind;
    place.first = after_blanks(line, place.first + length, column);
    const bool is_empty = trim(line.substr(place.first)).empty();
    // An item whose content stands far off begins with code.
    items_.push_back(is_empty || column > behind + kIndentOfCode ? behind + 1 : column);
    place.column = is_empty ? behind + 1 : column;
    place.in_new_item = true;
    if (is_empty) break;
  }
  return place;
}

bool MarkdownLines::next(MarkdownLine& line) {
  using enum MarkdownLine::Kind;
  if (at_ >= text_.size()) return false;
  const std::size_t newline = std::min(text_.find('\n', at_), text_.size());
  line = {text_.substr(at_, newline - at_), at_};
  at_ = newline + 1;
  Place place;
  place.first = after_blanks(line.text, 0, place.column);
  const bool blank = trim(line.text).empty();
  if (!blank && place.column < fence_column_) length_ = 0;  // it ends with the list item that it is in
  if (in_lists_ && length_ == 0 && !blank) place = into_items(line.text, place);
  const std::size_t base = length_ != 0 ? fence_column_ : items_.empty() ? 0 : items_.back();
  const std::size_t indent = place.column - std::min(base, place.column);
  const std::string_view words = trim(line.text.substr(place.first));
  const char mark = words.empty() ? '\0' : words.front();
  const bool may_be_fence = (mark == '`' || mark == '~') && indent < kIndentOfCode;
  const std::size_t run = may_be_fence ? std::min(words.find_first_not_of(mark), words.size()) : 0;
  const bool goes_on = std::exchange(paragraph_, false) && !place.in_new_item && !blank;
  if (length_ != 0) {
    line.kind = inside;
    if (mark == mark_ && run >= length_ && run == words.size()) {
      line.kind = closes;
      length_ = 0;
    }
    return true;
  }
  fence_column_ = 0;
  if (run >= kShortestFence && (mark == '~' || words.find('`', run) == std::string_view::npos)) {
    line.kind = opens;
    line.info = trim(words.substr(run));
    mark_ = mark;
    length_ = run;
    fence_column_ = base;
  } else if (indent >= kIndentOfCode && !(in_lists_ && goes_on)) {
    line.kind = indented;
  } else if (mark == '>') {
    line.kind = quotation;
  } else {
    line.continues = goes_on;
    paragraph_ = !blank && mark != '#';
  }
  return true;
}

std::vector<Block> blocks_in(std::string_view text) {
  const bool ours = text.find(kBlockInfo) != std::string_view::npos;
  std::vector<Block> out = ours ? fenced_blocks(text, kBlockInfo, true) : std::vector<Block>();
  if (!out.empty() || text.find('{') == std::string_view::npos) return out;
  out = fenced_blocks(text, "json", false);
  if (out.empty()) out = bare_blocks(text);
  return out;
}

std::optional<Block> block_of(std::string_view text, std::string_view type) {
  std::optional<Block> last;
  for (Block& block : blocks_in(text)) {
    if (block.type == type) last = std::move(block);
  }
  return last;
}

Result<std::string> with_block(std::string_view text, std::string_view type, const Json& data) {
  PAWL_TRY(check(type, data));
  std::string out(text), open;
  static_cast<void>(fenced_blocks(text, kBlockInfo, true, &open));
  const auto new_line = [&] {
    if (!out.empty() && !out.ends_with('\n')) out += '\n';
  };
  if (!open.empty()) {
    new_line();
    out += open;
  }
  new_line();
  if (!out.empty()) out += '\n';
  return fitting(cat(out, "```", kBlockInfo, "\n", in_fence(type, data), "\n```\n"));
}

Result<std::string> with_block_changed(std::string_view text, std::string_view type, const Json& data) {
  PAWL_TRY(check(type, data));
  const auto block = block_of(text, type);
  if (!block) {
    return fail(ErrorCode::not_found, cat("the comment has no block of the type ", type),
                "pawl pr block add writes one");
  }
  std::string_view old = text.substr(block->begin, block->end - block->begin);
  // The line ends around it belong to the fence.
  const std::size_t first = old.find_first_not_of(" \t\r\n"), last = old.find_last_not_of(" \t\r\n");
  const std::string_view tail = text.substr(block->begin + last + 1);
  return fitting(cat(text.substr(0, block->begin + first), in_fence(type, data), tail));
}

Json shortened(const Json& data) {
  const std::string type = type_of(data), status = string_or(data, "status");
  const bool closed = (type == block_type::kFinding && finding_machine().terminal(status)) ||
                      (type == block_type::kManualReview && manual_review_machine().terminal(status));
  if (!closed) return data;
  Json out = Json::object();
  for (const std::string_view key : {"type",
                                     "status",
                                     "id",
                                     "finding",
                                     "score",
                                     "path",
                                     "line",
                                     "review",
                                     "part",
                                     "parts",
                                     "origin",
                                     "disputes",
                                     "outcome",
                                     "code",
                                     "request",
                                     "also",
                                     "dismissedBy",
                                     "reason",
                                     "reply_to_comment_id",
                                     "reply_to_review_id",
                                     "updatedAt",
                                     "signedAt",
                                     "signature"}) {
    const auto found = data.find(std::string(key));
    if (found == data.end()) continue;
    // By its sentence a finding is known again.
    const std::size_t most = key == "finding" ? 400 : 120;
    out[std::string(key)] = found->is_string() ? Json(stripped(found->get<std::string>(), most)) : Json(*found);
  }
  return out;
}

}  // namespace pawl::pr
