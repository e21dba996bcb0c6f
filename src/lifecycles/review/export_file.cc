#include "lifecycles/review/export_file.h"

#include <algorithm>

#include "base/text.h"
#include "lifecycles/review/command.h"
#include "lifecycles/review/outward.h"
#include "lifecycles/review/review.h"
#include "lifecycles/review/state_text.h"

namespace pawl::review {
namespace {

constexpr std::string_view kHeading = "# Review Findings: ";
constexpr std::string_view kNotPawls = "was not written by pawl";
constexpr std::string_view kSha = "**Head SHA:** ", kTotal = "**Total findings:** ";

std::string_view first_line(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

}  // namespace

const ExportFile& export_file() {
  static const ExportFile kFile;
  return kFile;
}

std::optional<std::string> ExportFile::identity_in(std::string_view bytes) const {
  const std::string_view line = first_line(bytes);
  if (!line.starts_with(kHeading)) return std::nullopt;
  const std::string_view pr = trim(line.substr(kHeading.size()));
  return is_pr_key(pr) ? std::optional(std::string(pr)) : std::nullopt;
}

Result<Content> ExportFile::parse(std::string_view, std::string_view, std::string_view bytes) const {
  if (!is_utf8(bytes)) return fail(ErrorCode::corruption, "it is not UTF-8");
  const auto pr = identity_in(bytes);
  if (!pr) return fail(ErrorCode::corruption, cat("line 1: “", kHeading, "OWNER/REPO#N” was expected"));
  Content content;
  Shown shown;
  shown.id = review_id(*pr);
  shown.doc = {{kExportMember, bytes}};
  shown.whole = false;
  content.shown.push_back(std::move(shown));
  return content;
}

// It is this review's file, whatever its first line says now, unless that one is under way here by now.
Result<std::string> ExportFile::cut_off(std::string_view before, std::string_view now,
                                        const KnownRecords& known) const {
  const auto was = identity_in(before), is = identity_in(now);
  if (!was || !is || *was == *is) return std::string();
  PAWL_ASSIGN(const Record its, known.load(review_id(*is)));
  if (its.present() && !its.aside) return std::string();
  return cat("line 1: it names ", *is, ", and is an export of the review of ", *was);
}

void ExportFile::keep_counting(const Record& before, Json& doc) const {
  if (string_or(before.doc, kExportMember) == string_or(doc, kExportMember)) return;
  doc[before.doc.contains(kExportMember) ? kExportEdited : kExportOthers] = true;
}

std::optional<std::string> ExportFile::render(std::optional<std::string_view>, std::span<const Record> records) const {
  for (const Record& record : records) {
    if (record.id.kind != kReview || !record.present()) continue;
    const auto text = record.doc.find(kExportMember);
    if (text != record.doc.end() && text->is_string()) return text->get<std::string>();
  }
  return std::nullopt;
}

// A review that ends while another one's export stands there takes nothing with it; and what was never any review's
// here is somebody's own, until one is exported.
Result<std::optional<std::string>> ExportFile::rendered(std::optional<std::string_view> base,
                                                        std::span<const Record> records,
                                                        const KnownRecords& known) const {
  const auto whose = base ? identity_in(*base) : std::nullopt;
  const auto is_its_business = [&](const Record& one) {
    return one.id.kind == kReview && (one.present() || one.id.key == *whose);
  };
  if (whose && std::none_of(records.begin(), records.end(), is_its_business)) {
    PAWL_ASSIGN(const Record other, known.load(review_id(*whose)));
    if (other.present() && !other.aside) return std::optional(std::string(*base));
  }
  auto text = render(base, records);
  if (text || !base) return text;
  std::vector<RecordId> asked;
  for (const Record& one : records) asked.push_back(one.id);
  if (whose) asked.push_back(review_id(*whose));
  for (const RecordId& id : asked) {
    PAWL_ASSIGN(const Record then, known.load(id));
    if (then.doc.contains(kExportMember)) return text;
  }
  return std::optional(std::string(*base));
}

Result<std::string> ExportFile::leaves_behind(std::string_view bytes, std::optional<std::string_view> next,
                                              const KnownRecords& before, const KnownRecords& after) const {
  const auto whose = identity_in(bytes);
  if (!whose) return std::string();
  PAWL_ASSIGN(const Record then, before.load(review_id(*whose)));
  const bool known = then.doc.contains(kExportMember);
  if (next) return known ? std::string() : std::string(kNotPawls);  // of a known one the export itself keeps a copy
  PAWL_ASSIGN(const Record now, after.load(review_id(*whose)));
  const bool goes = !now.doc.contains(kExportMember);  // else it comes back with its review
  return goes ? std::string(others_part(then.doc)) : std::string();
}

std::string_view others_part(const Json& review) {
  if (review.contains(kExportOthers)) return kNotPawls;
  return review.contains(kExportEdited) ? "had been edited" : "";
}

std::string export_text(std::string_view pr, std::string_view head_sha, std::span<const Record> findings,
                        std::string_view time) {
  std::string out =
      cat(kHeading, pr, "\n\n**Exported:** ", time, "\n", kSha, head_sha, "\n", kTotal, findings.size(), "\n\n---\n");
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Json doc = outward(findings[i].doc);
    out += cat(i == 0 ? "\n" : "\n---\n\n", write_finding(doc, true, Marks::left_out), "\n");
  }
  return out;
}

Result<Exported> read_export(std::string_view text) {
  Exported out;
  if (!is_utf8(text)) return fail(ErrorCode::corruption, "it is not UTF-8");
  const auto pr = export_file().identity_in(text);
  if (!pr) return fail(ErrorCode::corruption, cat("line 1: “", kHeading, "OWNER/REPO#N” was expected"));
  out.pr = *pr;
  std::string_view total;
  for (const std::string_view line : split(text.substr(0, text.find("\n---")), '\n')) {
    if (line.starts_with(kSha)) out.head_sha = trim(line.substr(kSha.size()));
    if (line.starts_with(kTotal)) total = trim(line.substr(kTotal.size()));
  }
  PAWL_ASSIGN(const auto findings, scan_findings(text, 0));
  if (!total.empty() && total != std::to_string(findings.size()))
    return fail(ErrorCode::corruption,
                cat("it says ", kTotal, printable(total.substr(0, 20)), " and has ", findings.size()),
                cat("if that is what you want, write ", kTotal, findings.size(), "; if not, it was cut off"));
  for (const FindingText& finding : findings) {
    const Location at = location_in(finding.location_text);
    if (!at.file.empty()) PAWL_TRY(check_path(at.file));
    out.findings.push_back(outward(finding_doc(text, finding)));
  }
  return out;
}

}  // namespace pawl::review
