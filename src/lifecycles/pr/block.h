// `rmcoc` blocks: JSON in a code fence inside a comment, in which a bot keeps its state where the next run finds it.
// Written by hand, line by line: no Markdown library tells where the bytes of a fence are, and an update must change
// those of one block alone.
//
//   ```rmcoc
//   {"type": "question-answer", "reply_to_comment_id": "77", …}
//   ```
//
// The info string is exactly `rmcoc`. Read besides: {finding, assessment, score} without a type, {"status": "RESOLVED"}
// alone, trailing commas, CRLF, a closing fence on the last line of the JSON; and, in a comment that has no such fence,
// the same JSON in a `json` fence or bare. A block inside another fence or a quotation, or whose fence does not end, is
// text. docs/formats/pr.md has the grammar.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace pawl::pr {

inline constexpr std::string_view kBlockInfo = "rmcoc";
inline constexpr std::size_t kMaxCommentCharacters = 65'536;  // GitHub's

namespace block_type {
inline constexpr std::string_view kQuestion = "question";
inline constexpr std::string_view kAnswer = "question-answer";
inline constexpr std::string_view kManualReview = "manual-pr-review";
inline constexpr std::string_view kFinding = "review-finding";
inline constexpr std::string_view kDispute = "dispute-resolution";
inline constexpr std::string_view kAutoReview = "auto-review-trigger";
}  // namespace block_type

// How the bot's comment on automatic reviews begins.
inline constexpr std::string_view kTriggerHead = "<!-- rmcoc-auto-review-trigger -->";

[[nodiscard]] bool is_known_type(std::string_view type);

struct Block {
  std::string type;                // as it says, or as its members tell where it says none
  Json data;                       // an object
  std::size_t begin = 0, end = 0;  // of the JSON in the text
  bool fenced = false;             // by `rmcoc`; else by `json`, or bare
};

// In the order of the text. Those whose JSON cannot be read are left out.
[[nodiscard]] std::vector<Block> blocks_in(std::string_view text);
// The last one of a type is the one that stands.
[[nodiscard]] std::optional<Block> block_of(std::string_view text, std::string_view type);

// The text with one more block behind it; a fence that the text left open is closed first. invalid_argument: `data` is
// no object, the type is not known, or GitHub would not take so long a text.
[[nodiscard]] Result<std::string> with_block(std::string_view text, std::string_view type, const Json& data);
// The text with that type's last block saying `data`, and no other byte changed. not_found: there is none.
[[nodiscard]] Result<std::string> with_block_changed(std::string_view text, std::string_view type, const Json& data);

// What a block of closed work is cut down to when its comment is next touched: what tells that it is closed, and which
// one it was. Of anything else, itself.
[[nodiscard]] Json shortened(const Json& data);

// As GitHub counts: code points.
[[nodiscard]] std::size_t characters_in(std::string_view text);
// So many of them at most, never half of one.
[[nodiscard]] std::string_view first_characters(std::string_view text, std::size_t most);

// One line of a text and how code stands in it. Fences and quotations as CommonMark has them.
struct MarkdownLine {
  std::string_view text;  // without its end
  std::size_t begin = 0;
  enum class Kind { prose, quotation, indented, opens, inside, closes } kind = Kind::prose;
  std::string_view info = {};  // of a fence that opens
  bool continues = false;      // the paragraph of the line before it
};

class MarkdownLines {
 public:
  // Blocks stand outside of lists; a mention may stand in one, and so may the code around it.
  enum class Lists { as_text, looked_into };
  explicit MarkdownLines(std::string_view text, Lists lists = Lists::as_text)
      : text_(text), in_lists_(lists == Lists::looked_into) {}
  // False at the end.
  bool next(MarkdownLine& line);
  // A fence is open: what would close it.
  [[nodiscard]] std::string open_fence() const { return std::string(length_, mark_); }
  // The fence ends here, whatever the line says.
  void close() { length_ = 0; }
  // What lies before is passed over; what follows begins a line.
  void go_on_at(std::size_t at) { at_ = at; }

 private:
  struct Place {
    std::size_t first = 0, column = 0;  // of what is not blank: its byte, and where a reader sees it
    bool in_new_item = false;
  };
  Place into_items(std::string_view line, Place place);

  std::string_view text_;
  bool in_lists_;
  std::size_t at_ = 0;
  char mark_ = '`';
  std::size_t length_ = 0;          // 0: none is open
  std::size_t fence_column_ = 0;    // of the list item that it is in
  std::vector<std::size_t> items_;  // list items around this line: where their content begins
  bool paragraph_ = false;          // the line before was one
};

}  // namespace pawl::pr
