// One thing with a lifecycle, and what can be said about it.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/doc.h"

namespace pawl {

// What users call a kind. Stories that pass or do not are stories to whoever reads or types of them.
[[nodiscard]] constexpr std::string_view called(std::string_view kind) { return kind == "passes" ? "story" : kind; }

// What belongs to a session is called by the session's id, which may be long: its beginning is enough, from so many
// signs on.
inline constexpr std::size_t kShortestSessionName = 4;

struct RecordId {
  std::string kind;
  std::string scope;  // which checkout or folder; empty for the ordinary one
  std::string key;

  auto operator<=>(const RecordId&) const = default;

  // How users name it.
  [[nodiscard]] std::string ref() const { return std::string(called(kind)) + "/" + key; }
};

struct Record {
  RecordId id;
  std::string status;               // of its machine's table; empty when absent or held
  std::optional<std::string> held;  // came in with this, which is no status; waits for a person to fix it
  bool aside = false;               // kept, but not what its file shows now (another project's, another PR's)
  Doc doc;                          // everything but the status, unknown members included
  std::int64_t revision = 0;        // 0: never seen. Goes on after a removal
  std::string rank;                 // sorts within its kind; made by its lifecycle

  [[nodiscard]] bool present() const { return !status.empty() || held.has_value(); }

  // The same to a user: all but revision and rank.
  [[nodiscard]] bool same_content(const Record& other) const {
    return status == other.status && held == other.held && aside == other.aside && doc == other.doc;
  }
};

// A record that is not there.
[[nodiscard]] inline Record absent_record(RecordId id) {
  Record record;
  record.id = std::move(id);
  return record;
}

}  // namespace pawl
