// A store with nothing in it, for reading a workspace that has none yet: nothing is made by looking. Where pawl was
// left it has the claims of whoever goes on there: who is at work is no older truth than what the files say.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "store/store.h"

namespace pawl {

class NoStore final : public Transaction {
 public:
  explicit NoStore(std::vector<Claim> claims = {}) : claims_(std::move(claims)) {}

  Result<Record> load(const RecordId& id, RecordPart) override { return absent_record(id); }
  Result<std::vector<Record>> list(const Query&) override { return std::vector<Record>{}; }
  Done each(std::string_view, const Alike&, const Visitor&) override { return done(); }
  Result<std::vector<RecordId>> find_key(std::string_view) override { return std::vector<RecordId>{}; }
  Result<std::vector<RecordId>> find_keys(std::string_view, std::string_view) override {
    return std::vector<RecordId>{};
  }
  Result<std::optional<MirrorRow>> mirror(std::string_view, MirrorPart) override { return std::optional<MirrorRow>{}; }
  Result<std::vector<MirrorRow>> mirrors(std::string_view, MirrorPart) override { return std::vector<MirrorRow>{}; }
  Result<std::vector<Image>> images(const ImageQuery&) override { return std::vector<Image>{}; }
  Result<std::optional<Image>> image(std::int64_t) override { return std::optional<Image>{}; }
  Result<std::vector<StoredConflict>> conflicts(const ConflictQuery&) override { return std::vector<StoredConflict>{}; }
  Result<std::optional<StoredConflict>> conflict(std::int64_t) override { return std::optional<StoredConflict>{}; }
  Result<std::vector<Operation>> operations(const OperationQuery&) override { return std::vector<Operation>{}; }
  Result<std::optional<Operation>> operation(std::int64_t) override { return std::optional<Operation>{}; }
  Result<std::optional<Operation>> operation_by_key(std::string_view) override { return std::optional<Operation>{}; }
  Result<std::vector<Event>> events_of(std::int64_t) override { return std::vector<Event>{}; }
  Result<std::vector<Event>> events_since(std::int64_t, std::int64_t) override { return std::vector<Event>{}; }
  Result<bool> happened_before(std::string_view, std::int64_t) override { return false; }
  Result<std::int64_t> newest_event() override { return 0; }
  Result<std::optional<Event>> event_at(const RecordId&, std::int64_t) override { return std::optional<Event>{}; }
  Result<std::optional<Event>> event_before(const RecordId&, std::int64_t) override { return std::optional<Event>{}; }
  Result<std::vector<Record>> list_at(std::string_view, std::int64_t) override { return std::vector<Record>{}; }
  Result<std::int64_t> compacted_until() override { return 0; }
  Result<std::vector<Effect>> effects_of(std::int64_t) override { return std::vector<Effect>{}; }
  Result<std::vector<Effect>> effects_in(EffectState) override { return std::vector<Effect>{}; }
  Result<std::optional<Claim>> claim(const RecordId& id) override {
    const auto found = std::find_if(claims_.begin(), claims_.end(), [&](const Claim& one) { return one.record == id; });
    return found == claims_.end() ? std::optional<Claim>{} : std::optional<Claim>(*found);
  }
  Result<std::vector<Claim>> claims() override { return claims_; }
  Held held(std::string_view, std::int64_t) override { return Held::unknown; }
  Result<std::optional<std::string>> kept(std::string_view) override { return std::optional<std::string>{}; }

  Result<Claim> put_claim(const Claim&) override { return none(); }
  Done drop_claim(const RecordId&) override { return none(); }
  Done keep(std::string_view, std::string_view) override { return none(); }
  Result<std::int64_t> compact(std::int64_t) override { return none(); }
  Result<Committed> commit(const Batch&) override { return none(); }

 private:
  static tl::unexpected<Error> none() { return fail(ErrorCode::internal, "there is no store to write to"); }

  std::vector<Claim> claims_;
};

}  // namespace pawl
