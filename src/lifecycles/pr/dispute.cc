#include "lifecycles/pr/dispute.h"

#include <algorithm>

#include "base/letters.h"
#include "base/text.h"
#include "lifecycles/pr/mention.h"

namespace pawl::pr {
namespace {

// What is read of a text: words, without Markdown's marks and with one blank between them. A quotation is Markdown made
// from what was shown, not the text that was written.
void add_words(std::string& words, std::string_view text) {
  for (const char c : text) {
    if (std::string_view("*_`~#>\\\r").find(c) != std::string_view::npos) continue;
    if (c == ' ' || c == '\t' || c == '\n') {
      if (!words.empty() && words.back() != ' ') words += ' ';
    } else {
      words += ascii_lower(c);
    }
  }
  if (!words.empty() && words.back() != ' ') words += ' ';
}

bool links_to(std::string_view text, std::string_view anchor) {
  for (std::size_t at = 0; (at = text.find(anchor, at)) != std::string_view::npos; ++at) {
    const std::size_t end = at + anchor.size();
    if (end == text.size() || text[end] < '0' || text[end] > '9') return true;
  }
  return false;
}

std::size_t times_in(std::string_view text, std::string_view wanted) {
  std::size_t times = 0;
  // A sentence may be quoted with a mark of its end behind it, but not from the middle of a word.
  const auto ends_word = [&](std::size_t at) {
    const char c = at < text.size() ? text[at] : ' ';
    return !((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80);
  };
  for (std::size_t at = 0; !wanted.empty() && (at = text.find(wanted, at)) != std::string_view::npos; ++at)
    times += (at == 0 || ends_word(at - 1)) && ends_word(at + wanted.size()) ? 1 : 0;
  return times;
}

// How a quotation has a finding: how often its sentence, and whether its place.
struct Quoted {
  std::string words;
  std::size_t times = 0;
  bool place = false;
};
Quoted quoted_in(std::string_view quoted, const Beside& finding) {
  Quoted out;
  std::string place;
  add_words(out.words, finding.sentence);
  out.words = trim(out.words);
  add_words(place, cat(finding.path, finding.line > 0 ? cat(":", finding.line) : std::string()));
  out.times = times_in(quoted, out.words);
  out.place = times_in(quoted, trim(place)) > 0;
  return out;
}
bool same_words(const Quoted& one, const Quoted& other) { return one.words == other.words; }
// Is it quoted nowhere but as a part of the other's sentence?
bool is_only_within(const Quoted& one, const Quoted& other) {
  const std::size_t within = times_in(other.words, one.words);
  return one.words.size() < other.words.size() && within > 0 && one.times <= within * other.times;
}

// The reply that was answered last, where it was edited since: each of its texts is answered once.
const Remark* edited_since(const std::vector<const Believed*>& answers, const auto& find) {
  if (answers.empty()) return nullptr;
  const std::uint64_t id = id_in(answers.back()->block.data, "reply_to_comment_id");
  const Remark* const answered = string_or(answers.back()->block.data, "reply_hash").empty() ? nullptr : find(id);
  if (answered == nullptr) return nullptr;
  const std::string hash = text_hash(answered->body);
  const bool known = std::any_of(answers.begin(), answers.end(), [&](const Believed* one) {
    return id_in(one->block.data, "reply_to_comment_id") == id && string_or(one->block.data, "reply_hash") == hash;
  });
  return known ? nullptr : answered;
}

}  // namespace

std::vector<std::size_t> spoken_of(std::string_view body, const std::vector<Beside>& findings) {
  constexpr std::string_view kAnchor = "issuecomment-";
  if (body.find('>') == std::string_view::npos && body.find(kAnchor) == std::string_view::npos) return {};
  std::string quoted, shown;
  MarkdownLines lines(body);
  for (MarkdownLine line; lines.next(line);) {
    const bool quotes = line.kind == MarkdownLine::Kind::quotation;
    if (quotes) add_words(quoted, line.text);
    if (quotes || line.kind == MarkdownLine::Kind::prose) shown += cat(line.text, "\n");
  }
  std::vector<Quoted> all;
  for (std::size_t i = 0; i < findings.size(); ++i) all.push_back(quoted_in(quoted, findings[i]));
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Quoted& one = all[i];
    if (findings[i].comment != 0 && links_to(shown, cat(kAnchor, findings[i].comment))) {
      out.push_back(i);
      continue;
    }
    const bool is_less = std::any_of(all.begin(), all.end(), [&](const Quoted& other) {
      return other.times > 0 && (is_only_within(one, other) || (same_words(one, other) && other.place && !one.place));
    });
    if (one.times > 0 && !is_less) out.push_back(i);
  }
  return out;
}

std::uint64_t answered_up_to(const Believed& answer) {
  const std::uint64_t named = id_in(answer.block.data, "reply_to_comment_id");
  return named != 0 ? named : answer.remark->id;
}

namespace {

// What a person decided about a finding was decided without a look at what others say in its thread.
std::uint64_t answers_up_to(const Believed& said) {
  const std::string outcome = string_or(said.block.data, "outcome");
  return outcome == kDismissedOutcome || outcome == kReopenedOutcome ? 0 : answered_up_to(said);
}

}  // namespace

const Remark* unanswered(const TalkThread& thread, const std::vector<const Believed*>& answers,
                         const std::vector<const Believed*>& said) {
  std::uint64_t answered = 0;
  for (const Remark& remark : thread.remarks) {
    if (!remark.by_bot) continue;
    const auto block = std::find_if(said.begin(), said.end(), [&](const auto* one) { return one->remark == &remark; });
    answered = std::max(answered, block == said.end() ? remark.id : answers_up_to(**block));
  }
  for (auto one = thread.remarks.rbegin(); one != thread.remarks.rend(); ++one) {
    if (!one->by_bot && !one->by_machine && one->id > answered) return &*one;
  }
  return edited_since(answers, [&](std::uint64_t id) -> const Remark* {
    const auto found =
        std::find_if(thread.remarks.begin(), thread.remarks.end(), [&](const Remark& one) { return one.id == id; });
    return found == thread.remarks.end() ? nullptr : &*found;
  });
}

const Remark* unanswered(const std::vector<const Remark*>& replies, const std::vector<const Believed*>& answers) {
  // In the conversation the bot's last word on this finding is what answered it, whatever it said elsewhere since.
  std::uint64_t answered = 0;
  for (const Believed* one : answers) answered = std::max(answered, answers_up_to(*one));
  for (auto one = replies.rbegin(); one != replies.rend(); ++one) {
    if ((*one)->id > answered) return *one;
  }
  return edited_since(answers, [&](std::uint64_t id) -> const Remark* {
    const auto found = std::find_if(replies.begin(), replies.end(), [&](const Remark* one) { return one->id == id; });
    return found == replies.end() ? nullptr : *found;
  });
}

}  // namespace pawl::pr
