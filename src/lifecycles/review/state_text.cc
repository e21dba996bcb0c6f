#include "lifecycles/review/state_text.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "lifecycles/review/review.h"

namespace pawl::review {
namespace {

using Kind = MarkdownLine::Kind;

bool is_blank(std::string_view words) { return words.find_first_not_of(" \t") == std::string_view::npos; }

bool same_letters(std::string_view a, std::string_view small) {
  if (a.size() != small.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const char c = a[i] >= 'A' && a[i] <= 'Z' ? static_cast<char>(a[i] - 'A' + 'a') : a[i];
    if (c != small[i]) return false;
  }
  return true;
}

// The findings of a section, fed line by line: thousands of lines, so there is no Result for each.
class FindingsReader {
 public:
  FindingsReader(std::string_view text, std::vector<FindingText>& out) : text_(text), out_(out) {}

  // False: it cannot be read, and `wrong` says why.
  bool line(const MarkdownLine& line, std::size_t number) {
    const std::string_view words = line.span.of(text_);
    if (line.after_blank) blank();
    if (line.kind != Kind::text) {
      unread_ = 0;
      if (open_ == nullptr) return true;
      in_table_ = false;
      if (!is_blank(words)) to_body(line);
      return true;
    }
    if (words.empty()) {
      blank();
      return true;
    }
    const char first = words.front();
    if (first == '#' && words.starts_with("### ")) {
      FindingText& found = out_.emplace_back();
      if (read_finding_heading(text_, line.span, found)) {
        begin(found, line, number);
        return true;
      }
      const bool is_signed = !found.sign.empty();
      out_.pop_back();
      // With the sign of a severity and no name of one, outside of a finding, it can be nothing else.
      if (open_ == nullptr && is_signed) return unread(number);
      if (open_ != nullptr) open_ = &out_.back();  // it may have moved
      unread_ = number;
    } else if (unread_ != 0 && !is_blank(words)) {
      if (words.starts_with("**File:**")) return unread(unread_);
      unread_ = 0;
    }
    // Its heading was mangled or is gone.
    if (open_ == nullptr) return !trim(words).starts_with("**File:**") || unread(number);
    if ((first == ' ' || first == '\t') && is_blank(words)) {
      blank();
      return true;
    }
    if (first == '-' && !in_table_ && is_rule(words)) {
      open_->separator = Span{line.span.begin, line.next};
      close();
      return true;
    }
    in_table_ = first == '|';
    if (first == '*' && step_ != Step::body && (step_ == Step::values || words.starts_with("**Marked for GitHub:**")) &&
        read_finding_values(text_, line.span, *open_, wrong)) {
      open_->end = line.span.end;
      if (wrong.empty()) return true;
      wrong.insert(0, cat("line ", number, ": "));
      return false;
    }
    to_body(line);
    return true;
  }

  void close() { open_ = nullptr; }

  std::string wrong;

 private:
  enum class Step { values, behind_values, body };

  void begin(FindingText& found, const MarkdownLine& line, std::size_t number) {
    found.begin = line.span.begin;
    found.end = line.span.end;
    found.heading_end = static_cast<std::uint32_t>(line.next);
    found.line = static_cast<std::uint32_t>(number);
    open_ = &found;
    step_ = Step::values;
    in_table_ = false;
    unread_ = 0;
  }

  void blank() {
    in_table_ = false;
    if (open_ != nullptr && step_ == Step::values && open_->meta_end) step_ = Step::behind_values;
  }

  void to_body(const MarkdownLine& line) {
    if (step_ != Step::body) {
      step_ = Step::body;
      open_->body.begin = line.span.begin;
    }
    open_->body.end = line.span.end;
    open_->end = line.span.end;
  }

  // A finding that is not known for one would be taken for dropped.
  bool unread(std::size_t number) {
    wrong = cat(
        "line ", number,
        ": a finding whose severity cannot be read (### 🔴 Action Required, ### 🟡 Recommended or ### 🟢 Minor "
        "begins one)");
    return false;
  }

  std::string_view text_;
  std::vector<FindingText>& out_;
  FindingText* open_ = nullptr;  // the last of them, as long as it goes on
  Step step_ = Step::values;
  bool in_table_ = false;
  std::size_t unread_ = 0;  // the line of a heading that is none of a finding's, when nothing has followed it yet
};

enum class Section { none, chunks, findings, comments };

Section section_named(std::string_view words) {
  const std::string_view name = trim(words.substr(words.find_first_not_of('#')));
  if (same_letters(name, "chunk plan")) return Section::chunks;
  if (same_letters(name, "findings")) return Section::findings;
  if (same_letters(name, "comments by file")) return Section::comments;
  return Section::none;
}

bool is_section(std::string_view words) { return words.starts_with("## ") || words.starts_with("# "); }

// A finding whose heading has too few signs would end the findings, for itself and all that follow.
Done no_finding_in(std::string_view words, std::size_t number) {
  const std::string_view rest = trim(words.substr(words.find_first_not_of('#')));
  for (const Severity& one : kSeverities) {
    if (rest.starts_with(one.sign) || rest.starts_with(one.damaged))
      return fail(ErrorCode::corruption, cat("line ", number, ": the heading of a finding begins with ###"));
  }
  return done();
}

Done read_front(StateText& out) {
  for (const std::string_view key : {"pr_owner", "pr_repo", "pr_number", "head_sha"}) {
    const FrontMatterField* const field = out.front.find(key);
    if (field == nullptr) return fail(ErrorCode::corruption, cat("the front matter has no ", key));
    if (!field->scalar)
      return fail(ErrorCode::corruption, cat("line ", field->line, ": ", key, " is not a plain value"));
    if (field->says.empty()) return fail(ErrorCode::corruption, cat("line ", field->line, ": ", key, " is empty"));
  }
  out.owner = out.says("pr_owner");
  out.repo = out.says("pr_repo");
  const auto number = parse_positive(out.says("pr_number"));
  if (!number)
    return fail(ErrorCode::corruption,
                cat("line ", out.front.find("pr_number")->line, ": pr_number is not the number of a pull request"));
  out.number = *number;
  for (const std::string_view name : {std::string_view(out.owner), std::string_view(out.repo)}) {
    if (name.find_first_of("/#") != std::string_view::npos || !is_utf8(name) || has_control(name) ||
        name.find_first_of(" \n\t\r") != std::string_view::npos || name.size() > 200 || name == "." || name == "..")
      return fail(ErrorCode::corruption, "pr_owner and pr_repo are not names of a repository");
  }
  out.focus = out.says("focus");
  out.self = out.says("self_review") == "true";
  return done();
}

// A file that ends within a line, where nobody ends one: in the heading of a finding, or in its values. It was cut off.
bool ends_in_half_a_line(std::string_view text, const FindingText& last) {
  constexpr std::array<std::string_view, 5> kLabels = {"**File:**", "**Category:**", "**Confidence:**",
                                                       "**Marked for GitHub:**", "**Outdated:**"};
  if (text.ends_with('\n') || last.end != text.size()) return false;
  const std::string_view line = text.substr(text.rfind('\n') + 1);
  if (!last.meta_end && last.body.empty()) return true;
  if (line.starts_with(kLabels[0])) return std::count(line.begin(), line.end(), '`') % 2 != 0;
  return line.starts_with("**") &&
         std::any_of(kLabels.begin(), kLabels.end(), [&](std::string_view label) { return label.starts_with(line); });
}

}  // namespace

std::string StateText::pr() const { return pr_key(owner, repo, number); }

std::string StateText::says(std::string_view key) const {
  const FrontMatterField* const field = front.find(key);
  return field == nullptr || !field->scalar ? std::string() : field->says;
}

std::optional<std::string> pr_in_state(std::string_view text) {
  StateText out;
  auto front = scan_front_matter(text);
  if (!front) return std::nullopt;
  out.front = std::move(*front);
  if (!read_front(out)) return std::nullopt;
  return out.pr();
}

Result<StateText> scan_state(std::string_view text) {
  StateText out;
  out.text = text;
  PAWL_ASSIGN(out.front, scan_front_matter(text));
  PAWL_TRY(read_front(out));
  if (const FrontMatterField& head = *out.front.find("head_sha"); !commit_hash(head.says))
    return fail(ErrorCode::corruption,
                cat("line ", head.line, ": head_sha is not the hash of a commit (4 to 64 hexadecimal digits)"));

  constexpr std::size_t kUsualBytes = 300;  // of a finding
  out.findings.reserve(text.size() / kUsualBytes + 1);
  MarkdownReader reader(text, out.front.behind, out.front.lines + 1);
  ChunkTableReader table(text);
  FindingsReader findings(text, out.findings);
  Section section = Section::none;
  bool planned = false, in_json = false;
  MarkdownLine line;
  while (section == Section::findings ? reader.next_filled(line) : reader.next(line)) {
    if (line.kind == Kind::text && line.span.begin < line.span.end && text[line.span.begin] == '#' &&
        is_section(line.span.of(text))) {
      if (section == Section::findings) {
        findings.close();
        out.findings_section->end = line.span.begin;
      }
      PAWL_TRY(no_finding_in(line.span.of(text), reader.number()));
      section = section_named(line.span.of(text));
      planned = planned || section == Section::chunks;
      if (section == Section::findings) {
        if (out.findings_section) {
          section = Section::none;  // a second one is not understood
        } else {
          out.findings_section = Span{line.next, text.size()};
        }
      }
      if (section == Section::comments && !out.comments_heading) out.comments_heading = line.span.begin;
      continue;
    }
    if (section == Section::findings) {
      bool good = findings.line(line, reader.number());
      // What stands in a fence is the finding's, whatever it is.
      if (line.kind == Kind::fence_opens && reader.skip_fence(line)) good = findings.line(line, reader.number());
      if (!good) return fail(ErrorCode::corruption, findings.wrong);
    } else if (section == Section::chunks) {
      PAWL_TRY(table.line(line, reader.number()));
    } else if (section == Section::comments) {
      if (line.kind == Kind::fence_opens && !out.comments) {
        out.comments = Span{line.next, text.size()};
        in_json = true;
      } else if (line.kind == Kind::fence_closes && in_json) {
        out.comments->end = line.span.begin;
        in_json = false;
      }
    }
  }
  findings.close();
  PAWL_TRY(reader.check_closed());
  if (section == Section::findings && !out.findings.empty() && ends_in_half_a_line(text, out.findings.back()))
    return fail(ErrorCode::corruption,
                cat("line ", out.findings.back().line, ": the file was cut off in this finding"));
  if (!planned) return fail(ErrorCode::corruption, "the section “Chunk Plan” is missing");
  PAWL_ASSIGN(out.chunks, table.take(reader.number()));
  return out;
}

std::string cut_off(const StateText& before, const StateText& now) {
  std::string_view text = now.text;
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
  const bool begins_so = before.text.starts_with(text);
  const bool fewer = now.findings.size() < before.findings.size() || now.chunks.rows.size() < before.chunks.rows.size();
  if (before.findings_section && !now.findings_section && (fewer || begins_so))
    return "the section “Findings” is missing; the file was cut off";
  bool half = false;
  if (!now.findings.empty()) {
    const FindingText& last = now.findings.back();
    const std::string_view block = Span(last.begin, last.end).of(now.text);
    for (const FindingText& was : before.findings) {
      const std::string_view whole = Span(was.begin, was.end).of(before.text);
      if (whole == block) {
        half = false;
        break;
      }
      half = half || whole.starts_with(block);
    }
  }
  if (before.comments_heading && !now.comments_heading && (fewer || half || begins_so))
    return "the section “Comments by File” is missing; the file was cut off";
  if (half && begins_so) return cat("line ", now.findings.back().line, ": the file was cut off in this finding");
  return {};
}

Result<std::vector<FindingText>> scan_findings(std::string_view text, std::size_t from) {
  std::vector<FindingText> out;
  MarkdownReader reader(text, from);
  FindingsReader findings(text, out);
  MarkdownLine line;
  while (reader.next_filled(line)) {
    if (!findings.line(line, reader.number())) return fail(ErrorCode::corruption, findings.wrong);
  }
  findings.close();
  PAWL_TRY(reader.check_closed());
  return out;
}

}  // namespace pawl::review
