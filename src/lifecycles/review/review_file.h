// What the three files of a review have in common: each is one file of one name in the review's folder, shows one
// review at a time, and ends with it.
#pragma once

#include "core/mirror_format.h"
#include "lifecycles/review/review.h"

namespace pawl::review {

class ReviewFile : public MirrorFormat {
 public:
  // Relative to the workspace; it must outlive the format.
  explicit ReviewFile(std::string_view path) : path_(path) {}

  [[nodiscard]] std::vector<MirrorPlace> places(const Settings& settings) const final;
  [[nodiscard]] bool accepts(std::string_view file_name) const final;
  [[nodiscard]] std::optional<std::string> path_of(const RecordId& id, const Settings& settings) const final;
  [[nodiscard]] std::size_t max_bytes() const final { return kMaxStateBytes; }
  [[nodiscard]] std::optional<std::string> identity_of(const RecordId& id) const final;
  // Somebody is at work on it who writes into its files.
  void tell_when(const Record& before, Json& doc, std::int64_t now_ms) const final;
  // The user's emergency stop: the seed takes a missing file for no review.
  [[nodiscard]] Gone gone(const Record& record) const final;

 protected:
  [[nodiscard]] virtual bool shows_kind(std::string_view kind) const = 0;

 private:
  std::string_view path_;
};

}  // namespace pawl::review
