#include "lifecycles/review/todo_file.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/text.h"
#include "lifecycles/review/chunk_table.h"
#include "lifecycles/review/markdown.h"
#include "lifecycles/review/review.h"

namespace pawl::review {
namespace {

constexpr std::string_view kTitle = "# Review todo: ";
constexpr std::string_view kSkippedNote = " (skipped)";
constexpr std::array<std::string_view, 4> kPhases = {"Plan the chunks", "Review the chunks", "Check the findings",
                                                     "Post the review"};
constexpr std::string_view kPhase = kPhases[1];
// Before a chunk's number in a list that does not say whose it is; it becomes the key of a pull request's chunk.
constexpr char kNobodys = '/';

// "  - [x] Chunk 3: a.ts, b.ts"
struct TodoItem {
  std::int64_t chunk = 0;  // 0: something else
  bool ticked = false, skipped = false;
  std::size_t indent = 0;
  std::size_t box = 0;  // the character between the brackets
  Span line;            // without its line end
  std::size_t next = 0;
  std::string_view words;
};

std::optional<TodoItem> item_in(std::string_view text, const MarkdownLine& line) {
  const std::string_view words = line.span.of(text);
  const std::size_t dash = words.find_first_not_of(" \t");
  if (dash == std::string_view::npos || words.size() < dash + 6) return std::nullopt;
  const char bullet = words[dash];
  if (bullet != '-' && bullet != '*' && bullet != '+') return std::nullopt;
  if (words[dash + 1] != ' ' || words[dash + 2] != '[' || words[dash + 4] != ']') return std::nullopt;
  TodoItem item;
  const char tick = words[dash + 3];
  item.ticked = tick == 'x' || tick == 'X';
  if (!item.ticked && tick != ' ') return std::nullopt;
  item.indent = dash;
  item.box = line.span.begin + dash + 3;
  item.line = line.span;
  item.next = line.next;
  item.words = trim(words.substr(dash + 5));
  item.skipped = item.words.ends_with(trim(kSkippedNote));
  std::string_view rest = item.words;
  while (rest.starts_with('*')) rest.remove_prefix(1);
  if (rest.starts_with("Chunk ") || rest.starts_with("chunk ")) {
    rest.remove_prefix(6);
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    const bool ends = digits == rest.size() || rest[digits] == ':' || rest[digits] == ' ' || rest[digits] == '*' ||
                      rest[digits] == '.' || rest[digits] == ')';
    if (ends) item.chunk = parse_positive(rest.substr(0, digits)).value_or(0);
  }
  return item;
}

std::vector<TodoItem> items_in(std::string_view text) {
  std::vector<TodoItem> items;
  MarkdownReader reader(text);
  MarkdownLine line;
  while (reader.next(line)) {
    if (line.kind != MarkdownLine::Kind::text) continue;
    if (auto item = item_in(text, line)) items.push_back(*item);
  }
  return items;
}

bool is_over(std::string_view status) { return chunk_machine().terminal(status); }

std::string item_text(const Record& chunk) {
  std::vector<std::string> files;
  if (const auto list = chunk.doc.find("files"); list != chunk.doc.end() && list->is_array()) {
    for (const Json& file : *list) files.push_back(file.is_string() ? file.get<std::string>() : std::string());
  }
  return cat("- [", is_over(chunk.status) ? "x" : " ", "] Chunk ", number_of(chunk.id), ": ", cell_of_files(files),
             chunk.status == kSkipped ? kSkippedNote : "");
}

std::string new_todo(std::string_view pr, const std::map<std::int64_t, const Record*>& chunks) {
  bool all_over = true;
  std::string items;
  for (const auto& [number, chunk] : chunks) {
    items += cat("  ", item_text(*chunk), "\n");
    all_over = all_over && is_over(chunk->status);
  }
  return cat(kTitle, pr, "\n\n## Phases\n\n- [x] ", kPhases[0], "\n- [", all_over ? "x" : " ", "] ", kPhase, "\n",
             items, "- [ ] ", kPhases[2], "\n- [ ] ", kPhases[3], "\n\n## Tasks\n\n");
}

bool is_pawls(std::string_view bytes) { return bytes.starts_with(kTitle); }

// "# Review of octo/cat#7, second round": whose it is, where it names just one.
std::optional<std::string> pr_in_heading(std::string_view heading) {
  std::optional<std::string> found;
  constexpr std::string_view kApart = " \t()[]{}<>`\"'*_:,;", kBehind = ".!?";
  while (!heading.empty()) {
    const std::size_t end = std::min(heading.find_first_of(kApart), heading.size());
    std::string_view word = heading.substr(0, end);
    heading.remove_prefix(std::min(end + 1, heading.size()));
    while (!word.empty() && kBehind.find(word.back()) != std::string_view::npos) word.remove_suffix(1);
    if (!is_pr_key(word) || (found && *found == word)) continue;
    if (found) return std::nullopt;
    found = std::string(word);
  }
  return found;
}

// The review that is open, by what is recorded.
Result<std::optional<std::string>> current_in(const KnownRecords& known) {
  PAWL_ASSIGN(const auto reviews, known.ranked(kReview, "", ""));
  const auto current =
      std::find_if(reviews.begin(), reviews.end(), [](const Record& one) { return one.present() && !one.aside; });
  return current == reviews.end() ? std::optional<std::string>() : std::optional(current->id.key);
}

// Is something in pawl's own list that others wrote?
bool has_others_lines(std::string_view bytes) {
  std::set<std::string_view> own;  // lines of items
  for (const TodoItem& item : items_in(bytes)) {
    const bool phase = std::find(kPhases.begin(), kPhases.end(), item.words) != kPhases.end();
    if (item.chunk != 0 || phase) own.insert(trim(item.line.of(bytes)));
  }
  for (const std::string_view whole : split(bytes, '\n')) {
    const std::string_view line = trim(whole);
    if (!line.empty() && !line.starts_with(kTitle) && line != "## Phases" && line != "## Tasks" && !own.contains(line))
      return true;
  }
  return false;
}

}  // namespace

const TodoFile& todo_file() {
  static const TodoFile kFile;
  return kFile;
}

std::string_view taken_at_start(std::string_view bytes, std::string_view pr, std::size_t chunks) {
  const auto whose = todo_file().identity_in(bytes);
  if (whose && *whose != pr) return "was another pull request's";
  for (const TodoItem& item : items_in(bytes)) {
    if (item.ticked && item.chunk > 0 && static_cast<std::size_t>(item.chunk) <= chunks)
      return "had ticks on chunks that nobody has looked at yet";
  }
  return {};
}

std::optional<std::string> TodoFile::identity_in(std::string_view bytes) const {
  std::string_view rest = bytes;
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
  const std::string_view line = rest.substr(0, rest.find('\n'));
  if (bytes.starts_with(kTitle)) return std::string(trim(line.substr(kTitle.size())));
  return line.starts_with('#') ? pr_in_heading(line.substr(1)) : std::nullopt;
}

Result<std::optional<std::string>> TodoFile::owner(const KnownRecords& known) const { return current_in(known); }

Result<std::string> TodoFile::leaves_behind(std::string_view bytes, std::optional<std::string_view> next,
                                            const KnownRecords& before, const KnownRecords& after) const {
  if (next) return std::string();
  auto whose = identity_in(bytes);
  if (!whose) {
    PAWL_ASSIGN(whose, current_in(before));
  }
  if (whose) {
    PAWL_ASSIGN(const auto chunks, after.ranked(kChunk, rank_from(*whose), rank_below(*whose)));
    if (!chunks.empty()) return std::string();  // set aside: it comes back with them
  }
  if (!is_pawls(bytes)) return std::string("was another tool's list");
  return has_others_lines(bytes) ? std::string("had more in it than the chunks") : std::string();
}

Result<Content> TodoFile::parse(std::string_view, std::string_view, std::string_view bytes) const {
  if (!is_utf8(bytes)) return fail(ErrorCode::corruption, "it is not UTF-8");
  const auto pr = identity_in(bytes);
  Content content;
  std::map<std::int64_t, std::string_view> chunks;  // of several items for one, a ticked one speaks
  for (const TodoItem& item : items_in(bytes)) {
    if (item.chunk == 0) continue;
    std::string_view& says = chunks.try_emplace(item.chunk, kPending).first->second;
    if (item.ticked) says = item.skipped ? kSkipped : kReviewed;
  }
  for (const auto& [number, status] : chunks) {
    Shown shown;
    shown.id = pr ? chunk_id(*pr, number) : RecordId{std::string(kChunk), "", cat(kNobodys, number)};
    shown.status = std::string(status);
    shown.whole = false;
    content.shown.push_back(std::move(shown));
  }
  return content;
}

namespace {

// An empty box says nothing, unless the chunk is over: then somebody took its tick away.
Done leave_out_empty_boxes(Content& content, const KnownRecords& known) {
  std::vector<Shown> say;
  for (Shown& shown : content.shown) {
    if (shown.status == kPending) {
      PAWL_ASSIGN(const Record chunk, known.load(shown.id));
      if (!is_over(chunk.status)) continue;
    }
    say.push_back(std::move(shown));
  }
  content.shown = std::move(say);
  return done();
}

}  // namespace

Done TodoFile::name_records(Content& content, const KnownRecords& known) const {
  if (content.shown.empty()) return done();
  if (content.shown.front().id.key.front() != kNobodys) return leave_out_empty_boxes(content, known);
  PAWL_ASSIGN(const auto current, current_in(known));
  if (!current) {
    content.shown.clear();
    return done();
  }
  for (Shown& shown : content.shown)
    shown.id = chunk_id(*current, parse_positive(std::string_view(shown.id.key).substr(1)).value_or(0));
  return leave_out_empty_boxes(content, known);
}

namespace {

// Have all chunks of the one review that these are about gone? Then it has ended, and its list goes whatever else is in
// it.
Result<bool> is_over_with(std::span<const Record> records, const std::optional<std::string>& whose,
                          const KnownRecords& known) {
  std::set<std::string> gone;
  std::string pr;
  for (const Record& record : records) {
    if (record.id.kind != kChunk) continue;
    if (record.present() || (!pr.empty() && pr != pr_of(record.id.key))) return false;
    pr = pr_of(record.id.key);
    gone.insert(record.id.key);
  }
  if (pr.empty() || (whose && *whose != pr)) return false;
  PAWL_ASSIGN(const auto chunks, known.ranked(kChunk, rank_from(pr), rank_below(pr)));
  return std::all_of(chunks.begin(), chunks.end(), [&](const Record& one) { return gone.contains(one.id.key); });
}

}  // namespace

Result<std::optional<std::string>> TodoFile::rendered(std::optional<std::string_view> base,
                                                      std::span<const Record> records,
                                                      const KnownRecords& known) const {
  const auto whose = base ? identity_in(*base) : std::nullopt;
  std::vector<Record> all(records.begin(), records.end());
  std::set<std::int64_t> planned;
  for (const Record& record : records) {
    if (whose && record.id.kind == kChunk && record.present() && pr_of(record.id.key) == *whose)
      planned.insert(number_of(record.id));
  }
  if (!planned.empty()) {
    PAWL_ASSIGN(const Record review, known.load(review_id(*whose)));
    const bool begins = review.status != kActive;
    for (const TodoItem& item : begins&& is_pawls(*base) ? items_in(*base) : std::vector<TodoItem>{}) {
      if (item.chunk != 0 && !planned.contains(item.chunk)) all.push_back(absent_record(chunk_id(*whose, item.chunk)));
    }
  }
  if (base && planned.empty()) {
    PAWL_ASSIGN(const bool over, is_over_with(records, whose, known));
    if (over) return std::optional<std::string>();
  }
  return render(base, all);
}

std::optional<std::string> TodoFile::render(std::optional<std::string_view> base,
                                            std::span<const Record> records) const {
  std::map<std::int64_t, const Record*> wanted, gone;
  std::string pr;
  for (const Record& record : records) {
    if (record.id.kind == kChunk && (record.present() || pr.empty())) pr = pr_of(record.id.key);
  }
  // Of another review that makes room nothing is left here anyway.
  for (const Record& record : records) {
    if (record.id.kind == kChunk && pr_of(record.id.key) == pr)
      (record.present() ? wanted : gone).emplace(number_of(record.id), &record);
  }
  const auto whose = base ? identity_in(*base) : std::nullopt;
  if (!base || (whose && !wanted.empty() && *whose != pr)) {
    // One is made for a review that begins or is taken up: for the whole plan, and as long as there is something to do.
    const bool whole = wanted.contains(1) && std::any_of(wanted.begin(), wanted.end(), [](const auto& one) {
                         return one.second->status == kPending;
                       });
    if (whole) return new_todo(pr, wanted);
    return base ? std::optional(std::string(*base)) : std::nullopt;
  }
  if (whose && *whose != pr) return std::string(*base);  // another review's: none of its business

  const std::string_view newline = newline_of(*base);
  const std::vector<TodoItem> items = items_in(*base);
  std::vector<Edit> edits;
  const TodoItem* last = nullptr;
  const TodoItem* phase = nullptr;
  std::size_t left = 0;
  bool all_over = true;
  std::set<std::int64_t> listed;  // a chunk may have several items: all of them are kept in step
  for (const TodoItem& item : items) {
    if (item.words == kPhase) phase = &item;
    if (item.chunk == 0) continue;
    if (gone.contains(item.chunk)) {
      edits.push_back({{item.line.begin, item.next}, ""});
      continue;
    }
    ++left;
    last = &item;
    const auto chunk = wanted.find(item.chunk);
    if (chunk == wanted.end()) {
      all_over = all_over && item.ticked;
      continue;
    }
    const Record& record = *chunk->second;
    const bool over = is_over(record.status), skipped = record.status == kSkipped;
    all_over = all_over && over;
    if (item.ticked != over) edits.push_back({{item.box, item.box + 1}, over ? "x" : " "});
    if (skipped && !item.skipped) edits.push_back({{item.line.end, item.line.end}, std::string(kSkippedNote)});
    if (!skipped && item.skipped) {
      const std::size_t at = base->rfind(trim(kSkippedNote), item.line.end);
      edits.push_back({{at > 0 && (*base)[at - 1] == ' ' ? at - 1 : at, item.line.end}, ""});
    }
    listed.insert(item.chunk);
  }
  for (const std::int64_t number : listed) wanted.erase(number);
  if (left == 0 && wanted.empty()) return gone.empty() ? std::optional(std::string(*base)) : std::nullopt;
  std::string added;
  const std::size_t indent = last != nullptr ? last->indent : phase != nullptr ? phase->indent + 2 : 0;
  for (const auto& [number, chunk] : wanted) {
    if (!is_pawls(*base)) continue;  // what another tool lists is its own
    added += cat(std::string(indent, ' '), item_text(*chunk), newline);
    all_over = all_over && is_over(chunk->status);
  }
  if (!added.empty()) {
    const std::size_t at = last != nullptr ? last->next : phase != nullptr ? phase->next : base->size();
    edits.push_back({{at, at}, cat(at > 0 && (*base)[at - 1] != '\n' ? newline : "", added)});
  }
  // A tick of somebody's stays, unless there is more to do now.
  if (phase != nullptr && phase->ticked != all_over && (all_over || !added.empty()))
    edits.push_back({{phase->box, phase->box + 1}, all_over ? "x" : " "});
  return edited(*base, std::move(edits));
}

}  // namespace pawl::review
