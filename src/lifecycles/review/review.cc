#include "lifecycles/review/review.h"

#include <array>
#include <charconv>

#include "base/clock.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "lifecycles/review/export_file.h"
#include "lifecycles/review/state_file.h"
#include "lifecycles/review/todo_file.h"

namespace pawl::review {
namespace {

constexpr std::array kReviewStatuses = {Status{kActive}, Status{kPosted, true}};
constexpr std::array kReviewMoves = {
    Move{kAbsent, kActive},
    Move{kActive, kActive},  // another head, another export
    Move{kActive, kPosted},
    Move{kPosted, kActive, MoveKind::reopening, "review again"},
    Move{kActive, kAbsent, MoveKind::removal, "clean"},
    Move{kPosted, kAbsent, MoveKind::removal, "clean"},
};
constexpr Machine kReviewMachine{kReview, "a review", kReviewStatuses, kReviewMoves};
static_assert(!check(kReviewMachine));

constexpr std::array kChunkStatuses = {
    Status{kPending},
    Status{kInProgress},
    Status{kReviewed, true},
    Status{kSkipped, true},
};
constexpr std::array kChunkMoves = {
    Move{kAbsent, kPending},
    Move{kPending, kInProgress, MoveKind::forward, {}, {kAlone}},
    Move{kInProgress, kReviewed},
    Move{kInProgress, kSkipped},
    Move{kPending, kSkipped},
    Move{kPending, kAbsent, MoveKind::removal, "clean"},
    Move{kInProgress, kAbsent, MoveKind::removal, "clean"},
    Move{kReviewed, kAbsent, MoveKind::removal, "clean"},
    Move{kSkipped, kAbsent, MoveKind::removal, "clean"},
};
constexpr Machine kChunkMachine{kChunk, "a chunk", kChunkStatuses, kChunkMoves};
static_assert(!check(kChunkMachine));

// Both are ends as far as a board is concerned: nothing is left to be done about a finding but to post or drop it.
constexpr std::array kFindingStatuses = {Status{kMarked, true}, Status{kUnmarked, true}};
constexpr std::array kFindingMoves = {
    Move{kAbsent, kMarked},
    Move{kAbsent, kUnmarked},
    Move{kMarked, kMarked},
    Move{kUnmarked, kUnmarked},
    Move{kMarked, kUnmarked, MoveKind::correction, "toggle"},
    Move{kUnmarked, kMarked, MoveKind::correction, "toggle"},
    Move{kMarked, kAbsent, MoveKind::removal, "drop"},
    Move{kUnmarked, kAbsent, MoveKind::removal, "drop"},
};
constexpr Machine kFindingMachine{kFinding, "a finding", kFindingStatuses, kFindingMoves};
static_assert(!check(kFindingMachine));

constexpr std::size_t kDigits = 10;

std::string padded(std::int64_t number) {
  const std::string digits = std::to_string(number);
  return digits.size() >= kDigits ? digits : std::string(kDigits - digits.size(), '0') + digits;
}

// Of one pull request together, in the order of their numbers. A blank sorts before all that may follow in a key.
std::string rank(const Record& record) {
  const std::string_view part = part_of_key(record.id.key);
  std::int64_t number = finding_number(part);
  if (record.id.kind == kChunk) number = parse_positive(part).value_or(0);
  return cat(pr_of(record.id.key), " ", padded(number));
}

std::string review_line(const Record& record) {
  const std::string sha = string_or(record.doc, "head_sha");
  return cat(string_or(record.doc, "mode"), sha.empty() ? "" : cat(" at ", sha.substr(0, 12)),
             string_or(record.doc, "focus").empty() ? "" : cat(", ", string_or(record.doc, "focus")));
}

std::string chunk_line(const Record& record) {
  std::string out;
  if (const auto files = record.doc.find("files"); files != record.doc.end() && files->is_array()) {
    for (const Json& file : *files)
      out += cat(out.empty() ? "" : ", ", file.is_string() ? file.get<std::string>() : "");
  }
  return out;
}

std::string finding_line(const Record& record) {
  return cat(string_or(record.doc, "severity"), ": ", string_or(record.doc, "title"));
}

// `updated` is of each for itself: the review, a chunk, a finding.
std::int64_t changed_ms(const Record& record) { return parse_iso_time(string_or(record.doc, "updated")).value_or(0); }

Stand review_stand(const Record& record) {
  const std::int64_t since = changed_ms(record);
  if (kReviewMachine.terminal(record.status)) return {.place = BoardPlace::ended, .since_ms = since};
  const std::string pr = shell_word(record.id.key), take_up = cat("pawl review continue ", pr, "  # takes it up again");
  return {.place = BoardPlace::running,
          .why = record.aside ? "set aside" : "",
          .advice = record.aside
                        ? take_up
                        : cat(take_up, "\npawl review clean --pr ", pr, "  # ends it; pawl undo brings it back"),
          .since_ms = since};
}

Stand chunk_stand(const Record& record) {
  return {.place = BoardPlace::part,
          .since_ms = changed_ms(record),
          .done = kChunkMachine.terminal(record.status) ? 1 : 0,
          .of = 1,
          .part_of = RecordId{std::string(kReview), record.id.scope, std::string(pr_of(record.id.key))}};
}

// Of a chunk whose word is none of the table's: only the review's own verb gives it another.
std::string chunk_fix(const Record& record) {
  return cat("pawl review mark ", shell_word(part_of_key(record.id.key)), " STATUS",
             record.aside ? cat(" --pr ", shell_word(pr_of(record.id.key))) : std::string());
}

Stand finding_stand(const Record& record) {
  return {.place = BoardPlace::part,
          .since_ms = changed_ms(record),
          .part_of = RecordId{std::string(kReview), record.id.scope, std::string(pr_of(record.id.key))}};
}

}  // namespace

const Machine& review_machine() { return kReviewMachine; }
const Machine& chunk_machine() { return kChunkMachine; }
const Machine& finding_machine() { return kFindingMachine; }

const Lifecycle& review_lifecycle() {
  constexpr std::int64_t kLeftAfterMs = 7 * kDayMs;  // over a weekend a review is put down, and not forgotten
  static constexpr std::array kReviewNotes = {kLookedAt, kLetGo, kLetGoRefused};
  static const std::array<const MirrorFormat*, 2> kFormats = {&state_file(), &export_file()};
  static const Lifecycle kRow{.kind = kReview,
                              .machine = &kReviewMachine,
                              .formats = kFormats,
                              .headline = review_line,
                              .stand = review_stand,
                              .bookkeeping = kReviewNotes,
                              .left_after_ms = kLeftAfterMs};
  return kRow;
}
const Lifecycle& chunk_lifecycle() {
  static const std::array<const MirrorFormat*, 2> kFormats = {&state_file(), &todo_file()};
  static const Lifecycle kRow{kChunk,     &kChunkMachine, {},          kFormats, rank,
                              chunk_line, false,          chunk_stand, {},       chunk_fix};
  return kRow;
}
const Lifecycle& finding_lifecycle() {
  static const std::array<const MirrorFormat*, 1> kFormats = {&state_file()};
  static const Lifecycle kRow{kFinding, &kFindingMachine, {}, kFormats, rank, finding_line, false, finding_stand};
  return kRow;
}

Error head_put_back(std::string_view reviewed, std::string_view written) {
  return {ErrorCode::illegal_move,
          cat("head_sha became “", printable(written.substr(0, 80)), "”. “", printable(reviewed),
              "”, which was reviewed, was put back"),
          "only pawl review validate changes it"};
}

std::string pr_key(std::string_view owner, std::string_view repo, std::int64_t number) {
  return cat(owner, "/", repo, "#", number);
}

bool is_pr_key(std::string_view text) {
  const std::size_t slash = text.find('/'), hash = text.find('#');
  return slash != std::string_view::npos && slash > 0 && hash != std::string_view::npos && hash > slash + 1 &&
         text.find_first_of(" \t/", slash + 1) == std::string_view::npos && parse_positive(text.substr(hash + 1));
}

bool is_of_review(std::string_view kind) { return kind == kReview || kind == kChunk || kind == kFinding; }

std::string_view pr_of(std::string_view key) {
  const std::size_t hash = key.rfind('#');
  const std::size_t slash = hash == std::string_view::npos ? hash : key.find('/', hash);
  return key.substr(0, slash);
}

std::string_view part_of_key(std::string_view key) {
  const std::string_view pr = pr_of(key);
  return pr.size() < key.size() ? key.substr(pr.size() + 1) : std::string_view();
}

Result<std::string> commit_hash(std::string_view typed) {
  if (typed.size() < 4 || typed.size() > 64 ||
      typed.find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos)
    return fail(ErrorCode::invalid_argument, cat("“", printable(typed.substr(0, 80)), "” is not the hash of a commit"),
                "it has 4 to 64 hexadecimal digits");
  std::string out(typed);
  for (char& c : out) c = c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

RecordId review_id(std::string_view pr) { return {std::string(kReview), "", std::string(pr)}; }
RecordId chunk_id(std::string_view pr, std::int64_t number) { return {std::string(kChunk), "", cat(pr, "/", number)}; }
RecordId finding_id(std::string_view pr, std::string_view id) { return {std::string(kFinding), "", cat(pr, "/", id)}; }

// '0' is the character behind '/'.
KeysOfParts keys_of_parts(std::string_view pr) { return {cat(pr, "/"), cat(pr, "0")}; }

std::int64_t number_of(const RecordId& chunk) { return parse_positive(part_of_key(chunk.key)).value_or(0); }

std::int64_t finding_number(std::string_view id) { return id.empty() ? 0 : parse_positive(id.substr(1)).value_or(0); }

std::string rank_from(std::string_view pr) { return cat(pr, " "); }
std::string rank_below(std::string_view pr) { return cat(pr, "!"); }

}  // namespace pawl::review
