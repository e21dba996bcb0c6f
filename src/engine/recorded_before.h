// What the store holds, for a format that must look it up (core/mirror_format.h).
#pragma once

#include "core/mirror_format.h"
#include "store/store.h"

namespace pawl {

class RecordedBefore final : public KnownRecords {
 public:
  // `left_there` must outlive it.
  explicit RecordedBefore(Transaction& store, std::optional<std::string_view> left_there = std::nullopt)
      : store_(store), left_there_(left_there) {}

  [[nodiscard]] Result<Record> load(const RecordId& id) const override { return store_.load(id); }
  [[nodiscard]] Result<std::vector<Record>> ranked(std::string_view kind, const std::string& from,
                                                   const std::string& below) const override {
    Query query;
    query.kind = kind;
    query.include_aside = true;
    query.rank_from = from;
    query.rank_below = below;
    return store_.list(query);
  }
  [[nodiscard]] std::optional<std::string_view> left_there() const override { return left_there_; }

 private:
  Transaction& store_;
  std::optional<std::string_view> left_there_;
};

}  // namespace pawl
