#include "lifecycles/pr/answer.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/letters.h"
#include "base/text.h"

namespace pawl::pr {
namespace {

// In characters. A finding stands in its comment twice, as text and in the block, where each may take six.
constexpr std::size_t kMostOfAText = 60'000;
constexpr std::size_t kMostOfAFinding = 1'000;
constexpr std::size_t kMostOfAPath = 1'000;
constexpr std::size_t kMostFindings = 200;
constexpr std::int64_t kNearLines = 5;  // lines: what stood there moves with a push

struct OutcomeWord {
  Outcome outcome;
  std::string_view word;
  std::string_view status;
};
constexpr std::array kOutcomes = {OutcomeWord{Outcome::concession, "concession", kResolved},
                                  OutcomeWord{Outcome::maintained, "maintained", kDisputed},
                                  OutcomeWord{Outcome::escalated, "escalated", kEscalated}};

tl::unexpected<Error> wrong(const std::string& what) {
  return fail(ErrorCode::invalid_argument, cat("the agent's answer does not fit: ", what),
              "docs/formats/pr.md has the schema; the agent is given it with every task");
}

// What is too long is not a reason to lose the rest: it is cut, and says so.
std::string cut_to(std::size_t most, std::string text) {
  const std::size_t count = characters_in(text);
  if (count <= most) return text;
  return cat(first_characters(text, most), "… (shortened: the agent wrote ", count, " characters)");
}

// A text that must be there and say something.
Result<std::string> text_in(const Json& object, const std::string& member, const std::string& where,
                            std::size_t most = kMostOfAText) {
  const auto found = object.find(member);
  if (found == object.end()) return wrong(cat(where, member, " is missing"));
  if (!found->is_string()) return wrong(cat(where, member, " must be a text"));
  std::string text = found->get<std::string>();
  if (trim(text).empty()) return wrong(cat(where, member, " is empty"));
  if (!is_utf8(text)) return wrong(cat(where, member, " is not UTF-8"));
  return cut_to(most, std::move(text));
}

Result<std::int64_t> number_in(const Json& object, const std::string& member, std::int64_t least, std::int64_t most,
                               std::int64_t fallback, const std::string& where) {
  const auto found = object.find(member);
  if (found == object.end() || found->is_null()) {
    if (fallback >= 0) return fallback;
    return wrong(cat(where, member, " is missing"));
  }
  if (!found->is_number_integer() || integer_or(object, member, -1) < least || integer_or(object, member, -1) > most)
    return wrong(cat(where, member, " must be a whole number from ", least, " to ", most));
  return integer_or(object, member);
}

Result<NewFinding> finding_in(const Json& object, std::size_t index) {
  const std::string where = cat("findings[", index, "].");
  if (!object.is_object()) return wrong(cat("findings[", index, "] must be an object"));
  NewFinding one;
  constexpr std::int64_t kMostLines = 100'000'000;
  PAWL_ASSIGN(one.finding, text_in(object, "finding", where, kMostOfAFinding));
  PAWL_ASSIGN(one.assessment, text_in(object, "assessment", where));
  PAWL_ASSIGN(one.score, number_in(object, "score", 1, kHighestScore, -1, where));
  PAWL_ASSIGN(one.line, number_in(object, "line", 0, kMostLines, 0, where));
  PAWL_ASSIGN(one.start_line, number_in(object, "start_line", 0, kMostLines, 0, where));
  if (const auto path = object.find("path"); path != object.end() && !path->is_null()) {
    if (!path->is_string()) return wrong(cat(where, "path must be a text"));
    one.path = path->get<std::string>();
  }
  if (one.line > 0 && one.path.empty()) return wrong(cat(where, "line is given without a path"));
  if (characters_in(one.path) > kMostOfAPath) {  // there is no such file; what was found may be true all the same
    one.path.clear();
    one.line = one.start_line = 0;
  }
  one.side = string_or(object, "side", "RIGHT");
  if (one.side != "RIGHT" && one.side != "LEFT") return wrong(cat(where, "side must be RIGHT or LEFT"));
  return one;
}

// Of a word, as code writes them.
bool is_letter(char c) {
  return (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::set<std::string> set_of_words(std::string_view text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : text) {
    if (is_letter(c)) {
      word += ascii_lower(c);
    } else if (!word.empty()) {
      words.insert(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) words.insert(std::move(word));
  return words;
}

// How much of their words they share, from 0 to 1.
double likeness(std::string_view a, std::string_view b) {
  const auto one = set_of_words(a), other = set_of_words(b);
  if (one.empty() || other.empty()) return a == b ? 1 : 0;
  std::size_t both = 0;
  for (const std::string& word : one) both += other.count(word);
  return static_cast<double>(both) / static_cast<double>(one.size() + other.size() - both);
}

// The names from code in a sentence: what stands in backticks, and words such as delete_user, deleteUser or remove().
std::set<std::string> identifiers_in(std::string_view text) {
  std::set<std::string> out;
  bool quoted = false, is_one = false;
  std::string word;
  const auto end_word = [&](char next) {
    if (!word.empty() && (quoted || is_one || next == '(')) out.insert(word);
    word.clear();
    is_one = false;
  };
  for (const char c : text) {
    if (is_letter(c)) {
      const bool large = c >= 'A' && c <= 'Z';
      is_one = is_one || (!word.empty() && (c == '_' || (large && word.back() >= 'a' && word.back() <= 'z')));
      word += c;
      continue;
    }
    end_word(c);
    if (c == '`') quoted = !quoted;
  }
  end_word(' ');
  return out;
}

// One sentence may name less than the other; where each names something that the other does not, they are about
// different things, however alike the rest is.
bool name_the_same(std::string_view a, std::string_view b) {
  const auto one = identifiers_in(a), other = identifiers_in(b);
  return std::includes(one.begin(), one.end(), other.begin(), other.end()) ||
         std::includes(other.begin(), other.end(), one.begin(), one.end());
}

bool same_substance(const NewFinding& one, std::string_view path, std::int64_t line, std::string_view finding) {
  constexpr double kAlike = 0.5, kNearlySame = 0.8;
  if (one.path != path || !name_the_same(one.finding, finding)) return false;
  if (one.line == 0 || line == 0) return likeness(one.finding, finding) >= kNearlySame;
  return std::abs(one.line - line) <= kNearLines && likeness(one.finding, finding) >= kAlike;
}

}  // namespace

Result<Json> answer_in(std::string_view printed) {
  const std::string_view text = trim(printed);
  if (text.empty()) return wrong("it is empty");
  if (auto whole = parse_json(text)) {
    if (whole->is_object()) return std::move(*whole);
    return wrong("it is JSON, but no object");
  }
  std::optional<std::string_view> last;
  std::size_t begin = std::string_view::npos;
  MarkdownLines lines(text);
  for (MarkdownLine line; lines.next(line);) {
    if (line.kind == MarkdownLine::Kind::opens)
      begin = line.info == "json" ? std::min(line.begin + line.text.size() + 1, text.size()) : std::string_view::npos;
    if (line.kind == MarkdownLine::Kind::closes && begin != std::string_view::npos && line.begin >= begin)
      last = text.substr(begin, line.begin - begin);
  }
  if (!last) {
    return wrong(text.front() == '{' ? std::string("its JSON is broken")
                                     : cat("it is no JSON but “", printable(text.substr(0, 60)), "…”"));
  }
  auto fenced = parse_json(*last);
  if (!fenced || !fenced->is_object()) return wrong("what stands in its json fence is no JSON object");
  return std::move(*fenced);
}

Result<ReviewAnswer> review_answer(const Json& answer) {
  ReviewAnswer out;
  const auto findings = answer.find("findings");
  if (findings == answer.end()) return wrong("findings is missing");
  if (!findings->is_array()) return wrong("findings must be a list");
  if (findings->size() > kMostFindings) return wrong(cat("there are more than ", kMostFindings, " findings"));
  for (const Json& one : *findings) {
    PAWL_ASSIGN(NewFinding finding, finding_in(one, out.findings.size()));
    out.findings.push_back(std::move(finding));
  }
  if (const auto fixed = answer.find("fixed"); fixed != answer.end() && !fixed->is_null()) {
    if (!fixed->is_array()) return wrong("fixed must be a list of ids");
    for (const Json& id : *fixed) {
      if (!id.is_string()) return wrong("fixed must be a list of ids");
      out.fixed.push_back(id.get<std::string>());
    }
  }
  if (answer.contains("summary") && !answer["summary"].is_null()) {
    if (!answer["summary"].is_string()) return wrong("summary must be a text");
    out.summary = cut_to(kMostOfAText, string_or(answer, "summary"));
  }
  return out;
}

Result<DisputeAnswer> dispute_answer(const Json& answer) {
  DisputeAnswer out;
  PAWL_ASSIGN(const std::string word, text_in(answer, "outcome", ""));
  const auto found =
      std::find_if(kOutcomes.begin(), kOutcomes.end(), [&](const auto& one) { return one.word == word; });
  if (found == kOutcomes.end()) return wrong("outcome must be concession, maintained or escalated");
  out.outcome = found->outcome;
  PAWL_ASSIGN(out.reply, text_in(answer, "reply", ""));
  return out;
}

Result<std::string> question_answer(const Json& answer) { return text_in(answer, "answer", ""); }

Json schema_of(TaskType type) {
  if (type == TaskType::question) return {{"answer", "Markdown: the answer"}};
  if (type == TaskType::dispute)
    return {{"outcome", "concession | maintained | escalated"}, {"reply", "Markdown: what to say in the thread"}};
  return {{"findings",
           {{{"path", "file"},
             {"line", "number in the new file; 0: about the file"},
             {"side", "RIGHT, or LEFT for a removed line"},
             {"finding", "one sentence"},
             {"assessment", "Markdown: why, and what to do"},
             {"score", "1 (a nicety) to 10 (must not be merged)"}}}},
          {"fixed", {"id of an open finding that is no more"}},
          {"summary", "Markdown: the review in a few lines"}};
}

bool is_duplicate(const NewFinding& one, const Finding& known) {
  if (one.side != string_or(known.data, "side", one.side)) return false;  // of old ones it is not known
  return known.status != kResolved && same_substance(one, known.path(), known.line(), string_or(known.data, "finding"));
}

bool is_duplicate(const Finding& one, const Finding& known) {
  NewFinding said;
  said.path = one.path();
  said.line = one.line();
  said.side = string_or(one.data, "side", said.side);
  said.finding = string_or(one.data, "finding");
  return is_duplicate(said, known);
}

bool is_given_up(std::string_view status, std::string_view outcome) {
  return status == kResolved && (outcome == word_of(Outcome::concession) || outcome == kDismissedOutcome);
}

bool is_given_up(const NewFinding& one, std::string_view code, const Finding& known) {
  if (!is_given_up(known.status, known.outcome)) return false;
  if (!same_substance(one, known.path(), known.line(), string_or(known.data, "finding"))) return false;
  if (known.data.contains("code")) return string_or(known.data, "code") == code;
  return known.thread == nullptr || !known.thread->outdated;  // its block is from before they had it
}

bool is_duplicate(const NewFinding& one, const NewFinding& other) {
  return one.path == other.path && one.line == other.line && one.side == other.side && one.finding == other.finding;
}

std::string_view word_of(Outcome outcome) { return kOutcomes[static_cast<std::size_t>(outcome)].word; }
std::string_view status_after(Outcome outcome) { return kOutcomes[static_cast<std::size_t>(outcome)].status; }

}  // namespace pawl::pr
