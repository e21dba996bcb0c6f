// `.review-buddy/review-buddy-findings.md`: what a review says to GitHub, written by `pawl review export` and read back
// where somebody edits it before it is posted. The text is a member of the review's document.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/mirror_format.h"

namespace pawl::review {

inline constexpr const char* kExportMember = "export";

class ExportFile final : public MirrorFormat {
 public:
  [[nodiscard]] std::string_view name() const override { return "review-export"; }
  [[nodiscard]] std::vector<MirrorPlace> places(const Settings& settings) const override;
  [[nodiscard]] bool accepts(std::string_view file_name) const override;
  [[nodiscard]] std::optional<std::string> path_of(const RecordId& id, const Settings& settings) const override;
  [[nodiscard]] std::size_t max_bytes() const override;
  [[nodiscard]] Result<Content> parse(std::string_view path, std::string_view scope,
                                      std::string_view bytes) const override;
  [[nodiscard]] std::optional<std::string> identity_in(std::string_view bytes) const override;
  [[nodiscard]] std::optional<std::string> identity_of(const RecordId& id) const override;
  [[nodiscard]] std::optional<std::string> render(std::optional<std::string_view> base,
                                                  std::span<const Record> records) const override;
  [[nodiscard]] Gone gone(const Record& record) const override;
};

[[nodiscard]] const ExportFile& export_file();

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
