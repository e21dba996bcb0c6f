// A transaction on one connection. Its parts are told in files of their own: records.cc, history.cc,
// mirrors.cc, images.cc, conflicts.cc, claims.cc (claims, effects, small values), commit.cc, compact.cc.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "store/sqlite/connection.h"
#include "store/store.h"

namespace pawl::sqlite {

// Names in `kept` that are the store's own.
inline constexpr std::string_view kOwnNames = "store.";
inline constexpr std::string_view kTokenName = "store.claim_token";
inline constexpr std::string_view kCompactedName = "store.compacted_until";       // an operation
inline constexpr std::string_view kCompactedEventName = "store.compacted_event";  // the last event up to it
inline constexpr std::string_view kClaimNames = "store.claim:";
inline constexpr std::string_view kAboveClaimNames = "store.claim;";
inline constexpr std::string_view kKeyNames = "store.key:";        // idempotency key → its operation
inline constexpr std::string_view kEffectNames = "store.effect:";  // an effect that is intended and not ended
inline constexpr std::string_view kAboveEffectNames = "store.effect;";
inline constexpr std::string_view kConflictNames = "store.conflict:";  // one that is open
inline constexpr std::string_view kAboveConflictNames = "store.conflict;";

inline constexpr std::int64_t kEffectsPerOperation = 10'000;

struct HashOfId {
  std::size_t operator()(const RecordId& id) const {
    return std::hash<std::string_view>()(id.key);  // a key is rarely used in two kinds or scopes at once
  }
};

class SqliteTransaction final : public Transaction {
 public:
  // The connection has begun it.
  SqliteTransaction(std::shared_ptr<Connection> connection, Access access, std::string folder)
      : connection_(std::move(connection)), access_(access), folder_(std::move(folder)) {}
  SqliteTransaction(const SqliteTransaction&) = delete;
  SqliteTransaction& operator=(const SqliteTransaction&) = delete;
  ~SqliteTransaction() override;

  Result<Record> load(const RecordId& id, RecordPart part = RecordPart::whole) override;
  Result<std::vector<Record>> list(const Query& query) override;
  Done each(std::string_view kind, const Alike& alike, const Visitor& visit) override;
  Result<std::vector<RecordId>> find_key(std::string_view key) override;
  Result<std::vector<RecordId>> find_keys(std::string_view from, std::string_view below) override;

  Result<std::optional<MirrorRow>> mirror(std::string_view path, MirrorPart part) override;
  Result<std::vector<MirrorRow>> mirrors(std::string_view format, MirrorPart part) override;

  Result<std::vector<Image>> images(const ImageQuery& query) override;
  Result<std::optional<Image>> image(std::int64_t id) override;

  Result<std::vector<StoredConflict>> conflicts(const ConflictQuery& query) override;
  Result<std::optional<StoredConflict>> conflict(std::int64_t id) override;

  Result<std::vector<Operation>> operations(const OperationQuery& query) override;
  Result<std::optional<Operation>> operation(std::int64_t id) override;
  Result<std::optional<Operation>> operation_by_key(std::string_view idempotency_key) override;
  Result<std::vector<Event>> events_of(std::int64_t operation) override;
  Result<std::vector<Event>> events_since(std::int64_t event_id, std::int64_t limit) override;
  Result<bool> happened_before(std::string_view kind, std::int64_t event) override;
  Result<std::int64_t> newest_event() override;
  Result<std::optional<Event>> event_at(const RecordId& id, std::int64_t operation) override;
  Result<std::optional<Event>> event_before(const RecordId& id, std::int64_t event_id) override;
  Result<std::vector<Record>> list_at(std::string_view kind, std::int64_t operation) override;
  Result<std::int64_t> compacted_until() override;

  Result<std::vector<Effect>> effects_of(std::int64_t operation) override;
  Result<std::vector<Effect>> effects_in(EffectState state) override;

  Result<std::optional<Claim>> claim(const RecordId& id) override;
  Result<std::vector<Claim>> claims() override;
  Held held(std::string_view name, std::int64_t place) override;

  Result<std::optional<std::string>> kept(std::string_view name) override;

  Result<Claim> put_claim(const Claim& claim) override;
  Done drop_claim(const RecordId& id) override;
  Done keep(std::string_view name, std::string_view value) override;
  Result<std::int64_t> compact(std::int64_t before_ms) override;
  Result<Committed> commit(const Batch& batch) override;

 private:
  struct Hit;   // what a listing knows of a record before it is loaded
  struct Step;  // one link of a record's history

  [[nodiscard]] Result<Statement> use(Sql which);
  [[nodiscard]] Done may_write() const;
  [[nodiscard]] Result<std::int64_t> own_number(std::string_view name);
  [[nodiscard]] Done set_own_number(std::string_view name, std::int64_t value);

  [[nodiscard]] Done scan_group(const Query& query, const std::optional<Record>& after, std::string_view scope,
                                bool aside, std::string_view status, const std::vector<RecordId>& leave_out,
                                std::vector<Hit>& hits);
  template <class... Prefix>
  [[nodiscard]] Result<std::optional<std::string>> next(Sql which, const std::optional<std::string>& value,
                                                        const Prefix&... prefix);
  [[nodiscard]] Done scan_groups(const Query& query, const std::optional<Record>& after,
                                 const std::optional<std::string>& status, const std::vector<RecordId>& leave_out,
                                 std::vector<Hit>& hits);

  // Revision and newest event of a record; both 0 when it was never seen.
  struct Newest {
    std::int64_t revision = 0;
    std::int64_t event = 0;
  };
  [[nodiscard]] Result<Newest> newest_of(const RecordId& id);
  // The row of a record that is there; and its numbers are kept for the commit.
  [[nodiscard]] Result<bool> find_record(Statement& row, const RecordId& id);
  [[nodiscard]] Result<std::optional<Step>> history_step(std::int64_t event_id);
  [[nodiscard]] Result<std::optional<Event>> event(std::int64_t id);
  // Goes back from an event to the newest that is not younger than the operation; 0 when there is none.
  [[nodiscard]] Result<std::int64_t> at_or_before(std::int64_t event_id, std::int64_t operation);

  // Where the bytes of a mirror are.
  struct MirrorPlace {
    std::int64_t id = 0;
    std::int64_t size = 0;   // of bytes in parts; 0: none are
    std::int64_t shape = 0;  // the same of its shape
  };
  [[nodiscard]] static Result<std::size_t> count_alike(Statement& rows, const Record& first, bool& more);
  [[nodiscard]] Result<MirrorRow> read_mirror(Statement& row, std::string path, MirrorPart part);
  struct KnownMirror {
    MirrorRow row;
    std::string merge;  // not read yet
  };
  Result<const std::vector<KnownMirror>*> all_mirrors();  // of every format, by path; of bytes, what to_compare needs
  [[nodiscard]] Result<std::string> joined_parts(std::int64_t mirror_id, std::size_t size);
  [[nodiscard]] Result<MirrorPlace> place_of(const std::string& path);
  [[nodiscard]] Done write_parts(std::int64_t mirror_id, std::string_view bytes, std::string_view before);
  [[nodiscard]] Done drop_parts(std::int64_t from, std::int64_t below);
  [[nodiscard]] Result<std::optional<std::string>> bytes_of_mirror(std::int64_t mirror_id);
  [[nodiscard]] Result<MergeFacts> merge_of(std::int64_t mirror_id);  // without its shape

  // An image as its row has it; its bytes put together from what is newer, and not verified yet.
  struct StoredImage {
    Image image;
    std::int64_t sum = 0;
    bool is_difference = false;
    std::size_t stored = 0;  // bytes in its row
  };
  // `newer`: what the image is a difference to, where that is known. false: enough.
  using ImageVisitor = std::function<Result<bool>(StoredImage& image, const std::optional<std::string>& newer)>;
  [[nodiscard]] Done each_image(std::int64_t mirror_id, const ImageVisitor& visit);    // newest first
  [[nodiscard]] Result<std::vector<StoredImage>> image_heads(std::int64_t mirror_id);  // newest first
  [[nodiscard]] Result<std::optional<std::string>> text_of_newest_difference(std::int64_t mirror_id);
  [[nodiscard]] Done rebase_newest_image(std::int64_t mirror_id, const std::optional<std::string>& text,
                                         const std::optional<std::string>& newer);
  [[nodiscard]] Done rebase_image(std::int64_t id, const std::optional<std::string>& text,
                                  const std::optional<std::string>& newer);
  [[nodiscard]] Result<std::int64_t> write_image(std::int64_t mirror_id, const Image& image);
  [[nodiscard]] Done write_images(const Batch& batch, Committed& committed);
  [[nodiscard]] Done forget_images(std::int64_t mirror_id);
  [[nodiscard]] Done drop_image(std::int64_t mirror_id, std::int64_t id);
  [[nodiscard]] Result<std::int64_t> write_conflict(const StoredConflict& conflict, const Committed& committed);

  [[nodiscard]] Result<Committed> write(const Batch& batch);
  [[nodiscard]] Result<std::int64_t> write_operation(const Operation& operation);
  [[nodiscard]] Done write_change(std::int64_t operation, const Change& change);
  [[nodiscard]] Done write_record(const Change& change, const Newest& newest);
  [[nodiscard]] Done write_effect(std::int64_t id, const Effect& effect);
  [[nodiscard]] Done end_effect(const Effect& effect);
  [[nodiscard]] Done mark_under_way(std::int64_t effect, EffectState state);
  [[nodiscard]] Done write_mirror(const MirrorRow& mirror, const Committed& committed);

  std::shared_ptr<Connection> connection_;
  Access access_;
  std::string folder_;  // of the store; "": no locks are looked at
  bool ended_ = false;
  // What was read or written here and is needed again by the commit. Nobody else writes meanwhile.
  std::unordered_map<RecordId, Newest, HashOfId> newest_;
  std::int64_t last_event_ = 0;  // 0: not asked yet
  std::unordered_map<std::string, MirrorPlace> places_;
  std::optional<std::vector<KnownMirror>> all_mirrors_;  // as long as nothing was written
};

// What a number in a batch means: one of those that the batch made, or itself.
[[nodiscard]] inline std::int64_t made(std::int64_t number, const std::vector<std::int64_t>& ids) {
  const auto place = static_cast<std::size_t>(-1 - number);
  return number >= 0 ? number : place < ids.size() ? ids[place] : 0;
}
// NULL for what is null, so that absence costs no bytes.
[[nodiscard]] std::optional<std::string> stored(const Json& value);
// `what`: a row, by its name.
[[nodiscard]] Error damaged(const std::string& what, std::string_view why = {});
// What a column holds. When somebody has put something else there the error names `where()`, which is not asked before.
template <class Where>
[[nodiscard]] Result<Json> parsed(const Statement& row, int column, const Where& where) {
  if (row.is_null(column)) return Json();
  Result<Json> value = parse_json(row.view(column));
  if (!value) return tl::unexpected(damaged(where(), value.error().message));
  return value;
}
template <class Where>
[[nodiscard]] Result<Doc> doc_in(const Statement& row, int column, const Where& where) {
  if (row.is_null(column)) return Doc(Json());
  const std::string_view text = row.view(column);
  if (!text.starts_with('{') && text != "null")  // as pawl writes them
    return tl::unexpected(damaged(where(), "an object was expected"));
  Result<Doc> doc = Doc::read(text);
  if (!doc) return tl::unexpected(damaged(where(), doc.error().message));
  return doc;
}

}  // namespace pawl::sqlite
