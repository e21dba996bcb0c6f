#include "lifecycle/pr/comment_text.h"

#include "base/text.h"
#include "lifecycle/pr/mention.h"

namespace pawl::pr {
namespace {

// What is put behind the text later: a marker (world/posting.h).
constexpr std::size_t kRoomForMarker = 128;
constexpr std::string_view kCut = "\n\n…";

Json signed_block(const Pen& pen, std::string_view type, Json data, std::uint64_t parent, std::string_view identity) {
  Json block = {{"type", type}};
  for (const auto& [key, value] : data.items()) block[key] = value;
  return sealed(std::move(block), {pen.scope, parent}, text_hash(cat(pen.scope, "\n", type, "\n", identity)), pen.mac,
                pen.now);
}

// So many characters at most, never half of one.
std::string first_characters(std::string_view text, std::size_t most) {
  std::size_t count = 0, at = 0;
  for (; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U && count++ == most) break;
  }
  return std::string(text.substr(0, at));
}

}  // namespace

Result<std::string> comment_with(const Pen& pen, std::string_view text, std::string_view type, Json data,
                                 std::uint64_t parent, std::string_view identity) {
  const Json block = signed_block(pen, type, std::move(data), parent, identity);
  PAWL_ASSIGN(const std::string alone, with_block("", type, block));
  std::string shown = defused(text, pen.names);
  const std::size_t taken = characters_in(alone) + kRoomForMarker + kCut.size() + 80;
  if (taken > kMaxCommentCharacters)
    return fail(ErrorCode::invalid_argument, "what is to be kept in the comment is longer than GitHub takes");
  if (characters_in(shown) + taken > kMaxCommentCharacters)
    shown = cat(first_characters(shown, kMaxCommentCharacters - taken), kCut);
  return with_block(shown, type, block);
}

Result<std::string> comment_changed(const Pen& pen, std::string_view body, std::string_view type, Json data,
                                    std::uint64_t parent, std::string_view identity) {
  return with_block_changed(body, type, signed_block(pen, type, shortened(data), parent, identity));
}

std::string finding_text(const NewFinding& finding, bool with_place) {
  std::string place;
  if (with_place && !finding.path.empty())
    place = cat("`", printable(finding.path), finding.line > 0 ? cat(":", finding.line) : std::string(), "`\n\n");
  return cat(place, "**", finding.finding, "** (", finding.score, "/10)\n\n", finding.assessment,
             with_place ? "\n\n<sub>This is not on a line of the diff: to answer it, quote it.</sub>" : "");
}

std::string finding_id(const std::string& scope, const std::string& review, const NewFinding& finding) {
  constexpr std::size_t kDigits = 12;
  return text_hash(cat(scope, "\n", review, "\n", finding.path, "\n", finding.line, "\n", finding.finding))
      .substr(0, kDigits);
}

}  // namespace pawl::pr
