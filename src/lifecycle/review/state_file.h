// `.review-buddy/review-buddy-state.md` as a mirror: the review, its chunks and its findings.
#pragma once

#include "core/mirror_format.h"

namespace pawl::review {

class StateFile final : public MirrorFormat {
 public:
  [[nodiscard]] std::string_view name() const override { return "review-state"; }
  [[nodiscard]] std::vector<MirrorPlace> places(const Settings& settings) const override;
  [[nodiscard]] bool accepts(std::string_view file_name) const override;
  [[nodiscard]] std::optional<std::string> path_of(const RecordId& id, const Settings& settings) const override;
  [[nodiscard]] std::size_t max_bytes() const override;
  [[nodiscard]] Result<Content> parse(std::string_view path, std::string_view scope,
                                      std::string_view bytes) const override;
  [[nodiscard]] std::string cut_off(std::string_view before, std::string_view now) const override;
  [[nodiscard]] Done name_records(Content& content, const KnownRecords& known) const override;
  [[nodiscard]] std::optional<std::string> identity_in(std::string_view bytes) const override;
  [[nodiscard]] std::optional<std::string> identity_of(const RecordId& id) const override;
  [[nodiscard]] DamageWords damage_words() const override;
  [[nodiscard]] std::optional<std::string> render(std::optional<std::string_view> base,
                                                  std::span<const Record> records) const override;
  [[nodiscard]] Result<std::optional<std::string>> rendered(std::optional<std::string_view> base,
                                                            std::span<const Record> records,
                                                            const KnownRecords& known) const override;
  [[nodiscard]] Gone gone(const Record& record) const override;
};

[[nodiscard]] const StateFile& state_file();

// An id that no finding of this review ever had: the letter of its severity, and a number of its own among all.
[[nodiscard]] Result<std::string> next_finding_id(std::string_view pr, char letter, const KnownRecords& known,
                                                  std::int64_t at_least = 1);

}  // namespace pawl::review
