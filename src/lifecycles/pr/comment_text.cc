#include "lifecycles/pr/comment_text.h"

#include "base/text.h"
#include "lifecycles/pr/defuse.h"
#include "lifecycles/pr/mention.h"

namespace pawl::pr {
namespace {

// What is put behind the text later: a marker (integrations/posting.h).
constexpr std::size_t kRoomForMarker = 128;
constexpr std::string_view kCut = "\n\n… (shortened: GitHub takes no more)";

constexpr std::string_view kOutOfTen = "/10)";
std::string headline(std::string_view sentence) { return cat("**", sentence, "** ("); }

Json signed_block(const Pen& pen, std::string_view type, Json data, std::uint64_t parent, std::string_view identity) {
  Json block = {{"type", type}};
  for (const auto& [key, value] : data.items()) block[key] = value;
  return sealed(std::move(block), {pen.scope, parent}, text_hash(cat(pen.scope, "\n", type, "\n", identity)), pen.mac,
                pen.now);
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
  std::size_t room = kMaxCommentCharacters - taken;
  if (characters_in(shown) > room) shown = cat(first_characters(shown, room), kCut);
  auto whole = with_block(shown, type, block);
  // A fence that the text leaves open is closed by one as long, which may be any length.
  while (!whole && room > 0) {
    room /= 2;
    shown = cat(first_characters(shown, room), kCut);
    whole = with_block(shown, type, block);
  }
  return whole;
}

Result<std::string> comment_changed(const Pen& pen, std::string_view body, std::string_view type, Json data,
                                    std::uint64_t parent, std::string_view identity) {
  return with_block_changed(body, type, signed_block(pen, type, shortened(data), parent, identity));
}

std::string counted(std::int64_t count, std::string_view noun) { return cat(count, " ", noun, count == 1 ? "" : "s"); }

std::string beside_the_diff(const Finding& finding, const std::string& reply) {
  if (finding.thread != nullptr) return reply;
  const std::string sentence = string_or(finding.data, "finding");
  return cat("> ", sentence.substr(0, sentence.find('\n')), "\n\n", reply);
}

std::string finding_text(const NewFinding& finding, bool with_place) {
  std::string place;
  if (with_place && !finding.path.empty())
    place = cat("`", printable(finding.path), finding.line > 0 ? cat(":", finding.line) : std::string(), "`\n\n");
  return cat(place, headline(finding.finding), finding.score, kOutOfTen, "\n\n", finding.assessment,
             with_place ? "\n\n<sub>This is not on a line of the diff: to answer it, quote it.</sub>" : "");
}

std::string with_score_shown(std::string_view body, std::string_view sentence, std::int64_t score,
                             const std::vector<std::string>& names) {
  const std::string before = defused(headline(sentence), names);
  const std::size_t at = body.find(before);
  if (at == std::string_view::npos) return std::string(body);
  const std::string_view rest = body.substr(at + before.size());
  const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  if (digits == 0 || !rest.substr(digits).starts_with(kOutOfTen)) return std::string(body);
  return cat(body.substr(0, at + before.size()), score, rest.substr(digits));
}

std::string finding_id(const std::string& scope, const std::string& review, const NewFinding& finding) {
  constexpr std::size_t kDigits = 12;
  const std::string_view before = finding.side == "LEFT" ? "before\n" : "";  // the line of that number that went
  return text_hash(cat(scope, "\n", review, "\n", finding.path, "\n", before, finding.line, "\n", finding.finding))
      .substr(0, kDigits);
}

}  // namespace pawl::pr
