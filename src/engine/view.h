// What a verb sees: the store's records, with what was found in files and is not committed (yet) laid over them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/lifecycle.h"
#include "store/store.h"

namespace pawl {

class Snapshot;  // engine/snapshot.h

using Overlay = std::map<RecordId, Record>;

// The store's own order (store.h).
[[nodiscard]] bool comes_before(const Record& a, const Record& b);

class View {
 public:
  View(Transaction& store, const Lifecycles& lifecycles, std::optional<std::int64_t> at = std::nullopt)
      : store_(&store), lifecycles_(&lifecycles), at_(at) {}
  // The overlay must outlive the view, and so must the snapshot that a command has taken.
  View(Transaction& store, const Lifecycles& lifecycles, const Overlay& overlay, Snapshot* snapshot = nullptr)
      : store_(&store), lifecycles_(&lifecycles), overlay_(&overlay), snapshot_(snapshot) {}
  // Whom a mirror belongs to now.
  [[nodiscard]] Result<std::string> owner_of(const std::string& path) const;
  // Records with the status that the store has, also where a conflict blocks them.
  void show_blocked_as_stored() { holds_blocked_ = false; }

  [[nodiscard]] Result<Record> load(const RecordId& id, RecordPart part = RecordPart::whole) const;
  [[nodiscard]] Result<std::vector<Record>> list(const Query& query) const;
  // Every record of a kind, aside or not, for whoever looks at each once: those of one scope and status in a run, by
  // rank. Documents may be left in the store. What is called may load and ask for history, and not list. Those that
  // are `alike` may be counted in place of being visited (store.h).
  [[nodiscard]] Done each(std::string_view kind, const Alike& alike, const Visitor& visit) const;
  // "issue/42", or a bare key where it is unique; of what belongs to a session, the session's name is enough. `among`:
  // only of these.
  [[nodiscard]] Result<RecordId> resolve(std::string_view ref,
                                         const std::function<bool(const RecordId&)>& among = nullptr) const;

  [[nodiscard]] Transaction& store() const { return *store_; }
  [[nodiscard]] const Overlay& overlay() const { return *overlay_; }
  [[nodiscard]] std::optional<std::int64_t> at() const { return at_; }
  // Where something was found that could not be written down.
  [[nodiscard]] bool unrecorded(const RecordId& id) const { return overlay_->contains(id); }

 private:
  [[nodiscard]] Done must_be_legal(const Record& record) const;
  [[nodiscard]] Result<std::vector<RecordId>> of_session(std::string_view kind, const std::string& session) const;
  [[nodiscard]] Result<std::vector<RecordId>> of_session_beginning(std::string_view kind,
                                                                   const std::string& begin) const;
  [[nodiscard]] Result<std::vector<RecordId>> not_aside(std::vector<RecordId> ids) const;
  // The overlay, with the records that a conflict blocks: nobody has given them the status that the store has. They are
  // shown as held, with the word that their file has.
  [[nodiscard]] Result<const Overlay*> over() const;
  static const Overlay kNothingOver;

  Transaction* store_;
  const Lifecycles* lifecycles_;
  const Overlay* overlay_ = &kNothingOver;
  std::optional<std::int64_t> at_;
  Snapshot* snapshot_ = nullptr;
  bool holds_blocked_ = true;
  mutable std::shared_ptr<const Overlay> over_;
};

[[nodiscard]] std::string rank_of(const Lifecycles& lifecycles, const Record& record);
// The file that a record's scope alone leads to, for kinds that have such.
[[nodiscard]] std::optional<std::string> path_by_scope(const Lifecycles& lifecycles, const RecordId& id);

}  // namespace pawl
