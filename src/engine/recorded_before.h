// What the store holds, for a format that must look it up (core/mirror_format.h).
#pragma once

#include <map>

#include "core/mirror_format.h"
#include "engine/mirror.h"
#include "engine/view.h"
#include "store/store.h"

namespace pawl {

// What has a rank in this range, set aside or not.
[[nodiscard]] inline Query all_ranked(std::string_view kind, const std::string& from, const std::string& below) {
  Query query;
  query.kind = kind;
  query.include_aside = true;
  query.rank_from = from;
  query.rank_below = below;
  return query;
}

class RecordedBefore final : public KnownRecords {
 public:
  // `left_there` and `besides` must outlive it. `besides`: what files show and the store does not have.
  explicit RecordedBefore(Transaction& store, std::optional<std::string_view> left_there = std::nullopt,
                          const std::map<RecordId, Record>* besides = nullptr)
      : store_(store), left_there_(left_there), besides_(besides) {}

  [[nodiscard]] Result<Record> load(const RecordId& id) const override {
    if (besides_ != nullptr) {
      if (const auto found = besides_->find(id); found != besides_->end()) return found->second;
    }
    return store_.load(id);
  }
  [[nodiscard]] Result<std::vector<Record>> ranked(std::string_view kind, const std::string& from,
                                                   const std::string& below) const override {
    return store_.list(all_ranked(kind, from, below));
  }
  [[nodiscard]] std::optional<std::string_view> left_there() const override { return left_there_; }

 private:
  Transaction& store_;
  std::optional<std::string_view> left_there_;
  const std::map<RecordId, Record>* besides_;
};

// What a file with these bytes shows, its records named as the store knows them.
[[nodiscard]] inline Result<Content> content_of(const MirrorFile& file, Transaction& store, std::string_view bytes) {
  PAWL_ASSIGN(Content content, file.format->parse(file.path, file.scope, bytes));
  PAWL_TRY(file.format->name_records(content, RecordedBefore(store)));
  return content;
}

// The same as a command leaves it that is about to be committed.
class RecordedAfter final : public KnownRecords {
 public:
  explicit RecordedAfter(const View& view, std::optional<std::string_view> left_there = std::nullopt)
      : view_(view), left_there_(left_there) {}

  [[nodiscard]] Result<Record> load(const RecordId& id) const override { return view_.load(id); }
  [[nodiscard]] Result<std::vector<Record>> ranked(std::string_view kind, const std::string& from,
                                                   const std::string& below) const override {
    return view_.list(all_ranked(kind, from, below));
  }
  [[nodiscard]] std::optional<std::string_view> left_there() const override { return left_there_; }

 private:
  const View& view_;
  std::optional<std::string_view> left_there_;
};

}  // namespace pawl
