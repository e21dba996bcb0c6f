// Records as a command leaves them so far: those of the store, with what was found in files and decided over them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/merge.h"
#include "engine/images.h"
#include "engine/view.h"

namespace pawl {

// What a look found, as an operation that can be undone alone: one version of a file; or all files that are new, or all
// that were removed (somebody who removes a folder wants it back as a whole).
struct FoundOperation {
  enum class Sort { edit, adopted, gone };
  Sort sort = Sort::edit;
  std::vector<Change> changes = {};
  std::vector<merge::RowHit> rows = {};
};

// The scope of an owner's records at a path.
[[nodiscard]] std::string scope_of(const MirrorFile& file, std::string_view owner);

[[nodiscard]] std::vector<RecordId> ids_of(const merge::Content& content, const std::string& scope);

class Records {
 public:
  Records(const Lifecycles& lifecycles, Transaction& store, Overlay& overlay)
      : lifecycles_(lifecycles), store_(store), overlay_(overlay) {}

  [[nodiscard]] Result<Record> load(const RecordId& id) const;
  // The records of an owner at a path that are there, inactive ones too.
  [[nodiscard]] Result<std::vector<Record>> of(const MirrorFile& file, std::string_view owner) const;
  // The same as the merge sees them, with removed ones among `keys`.
  [[nodiscard]] Result<std::vector<merge::OurRecord>> ours(const MirrorFile& file, std::string_view owner,
                                                           const std::vector<RecordId>& keys) const;
  // A removed record has its last values.
  [[nodiscard]] Result<merge::OurRecord> as_ours(const Record& record) const;

  // Adds a change to an operation. `what` names the event.
  Done put(FoundOperation& operation, const RecordId& id, merge::OurRecord after, std::string_view what);
  // A command changed the record.
  void forget(const RecordId& id) { touched_.erase(id); }
  // After changes were taken out of the operations.
  void rebuild(const std::vector<FoundOperation>& operations);

 private:
  [[nodiscard]] View view() const;
  [[nodiscard]] Result<bool> moved_away(const Record& record) const;
  [[nodiscard]] Result<bool> was_unverified(const RecordId& id) const;

  const Lifecycles& lifecycles_;
  Transaction& store_;
  Overlay& overlay_;
  std::map<RecordId, merge::OurRecord> touched_;  // records that this command changed
};

}  // namespace pawl
