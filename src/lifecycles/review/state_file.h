// `.review-buddy/review-buddy-state.md` as a mirror: the review, its chunks and its findings.
#pragma once

#include "lifecycles/review/review_file.h"

namespace pawl::review {

class StateFile final : public ReviewFile {
 public:
  StateFile() : ReviewFile(kStatePath) {}
  [[nodiscard]] std::string_view name() const override { return "review-state"; }
  [[nodiscard]] Result<Content> parse(std::string_view path, std::string_view scope,
                                      std::string_view bytes) const override;
  [[nodiscard]] Result<std::string> cut_off(std::string_view before, std::string_view now,
                                            const KnownRecords& known) const override;
  [[nodiscard]] Done name_records(Content& content, const KnownRecords& known) const override;
  [[nodiscard]] std::optional<std::string> identity_in(std::string_view bytes) const override;
  [[nodiscard]] DamageWords damage_words() const override;
  // Words of others in the file of a review that ends.
  [[nodiscard]] Result<std::string> leaves_behind(std::string_view bytes, std::optional<std::string_view> next,
                                                  const KnownRecords& before, const KnownRecords& after) const override;
  void keep_counting(const Record& before, Json& doc) const override;
  [[nodiscard]] std::vector<RefusedMember> refused_members(const Record& before, const Json& base,
                                                           const Json& now) const override;
  [[nodiscard]] std::vector<RefusedMember> only_pawls(const Record& before, const Json& now) const override;
  [[nodiscard]] bool goes_on(const Record& aside, const Shown& now) const override;
  [[nodiscard]] std::string taken_up_by(const Content& before) const override;
  [[nodiscard]] std::optional<std::string> render(std::optional<std::string_view> base,
                                                  std::span<const Record> records) const override;
  [[nodiscard]] Result<std::optional<std::string>> rendered(std::optional<std::string_view> base,
                                                            std::span<const Record> records,
                                                            const KnownRecords& known) const override;

 protected:
  [[nodiscard]] bool shows_kind(std::string_view kind) const override { return is_of_review(kind); }
};

[[nodiscard]] const StateFile& state_file();

// An id that no finding of this review ever had: the letter of its severity, and a number of its own among all.
[[nodiscard]] Result<std::string> next_finding_id(std::string_view pr, char letter, const KnownRecords& known,
                                                  std::int64_t at_least = 1);

}  // namespace pawl::review
