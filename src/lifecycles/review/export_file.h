// `.review-buddy/review-buddy-findings.md`: what a review says to GitHub, written by `pawl review export` and read back
// where somebody edits it before it is posted. The text is a member of the review's document.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lifecycles/review/review_file.h"

namespace pawl::review {

inline constexpr const char* kExportMember = "export";
inline constexpr const char* kExportEdited = "export_edited";  // somebody changed it since
inline constexpr const char* kExportOthers = "export_others";  // pawl did not write it

class ExportFile final : public ReviewFile {
 public:
  ExportFile() : ReviewFile(kExportPath) {}
  [[nodiscard]] std::string_view name() const override { return "review-export"; }
  [[nodiscard]] Result<Content> parse(std::string_view path, std::string_view scope,
                                      std::string_view bytes) const override;
  [[nodiscard]] std::optional<std::string> identity_in(std::string_view bytes) const override;
  [[nodiscard]] std::optional<std::string> render(std::optional<std::string_view> base,
                                                  std::span<const Record> records) const override;
  [[nodiscard]] Result<std::optional<std::string>> rendered(std::optional<std::string_view> base,
                                                            std::span<const Record> records,
                                                            const KnownRecords& known) const override;
  [[nodiscard]] Result<std::string> cut_off(std::string_view before, std::string_view now,
                                            const KnownRecords& known) const override;
  void keep_counting(const Record& before, Json& doc) const override;
  [[nodiscard]] bool shows_parts_only() const override { return true; }
  [[nodiscard]] bool is_all_in_records() const override { return true; }
  // One that somebody edited or wrote, or that is no review's here.
  [[nodiscard]] Result<std::string> leaves_behind(std::string_view bytes, std::optional<std::string_view> next,
                                                  const KnownRecords& before, const KnownRecords& after) const override;

 protected:
  [[nodiscard]] bool shows_kind(std::string_view kind) const override { return kind == kReview; }
};

[[nodiscard]] const ExportFile& export_file();

// What is not pawl's in the export that a review has: "had been edited". Empty: nothing.
[[nodiscard]] std::string_view others_part(const Json& review);

// The header and these findings, in the seed's form; what reviewers keep to themselves is left out.
[[nodiscard]] std::string export_text(std::string_view pr, std::string_view head_sha, std::span<const Record> findings,
                                      std::string_view time);

// An export read back. An error is damage.
struct Exported {
  std::string pr, head_sha;
  std::vector<Json> findings;
};
[[nodiscard]] Result<Exported> read_export(std::string_view text);

}  // namespace pawl::review
