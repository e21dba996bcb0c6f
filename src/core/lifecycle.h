// One row of the table of lifecycles: all that the engine needs to know of a kind.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/machine.h"
#include "core/mirror_format.h"
#include "core/record.h"

namespace pawl {

// What a record asks of whoever looks at everything at once.
enum class BoardPlace {
  needs_person,  // nothing goes on until somebody has looked
  running,
  next,     // to be taken up
  waiting,  // for somebody else, or for its time
  part,     // of another record, which tells of it
  ended,
};
inline constexpr std::size_t kBoardPlaces = static_cast<std::size_t>(BoardPlace::ended) + 1;
inline constexpr std::array<std::string_view, kBoardPlaces> kBoardPlaceNames = {"needs_person", "running", "next",
                                                                                "waiting",      "part",    "ended"};
[[nodiscard]] constexpr std::string_view name_of(BoardPlace place) {
  return kBoardPlaceNames[static_cast<std::size_t>(place)];
}

struct Stand {
  BoardPlace place = BoardPlace::next;
  std::string why = {};                  // for a person: what is wrong
  std::string advice = {};               // and what to type; of one that runs, when nobody has been in it for long
  std::int64_t since_ms = 0;             // as the record itself says; 0: it does not
  std::int64_t until_ms = 0;             // left alone until then; 0: until somebody moves it
  std::int64_t done = 0, of = 0;         // how far it is; of 0: nobody can say
  std::optional<RecordId> part_of = {};  // whose bar it moves
};

struct Lifecycle {
  std::string_view kind;
  const Machine* machine = nullptr;
  std::span<const SettingSpec> settings = {};
  std::span<const MirrorFormat* const> formats = {};
  std::string (*rank)(const Record&) = nullptr;      // sorts within the kind; nullptr: by key
  std::string (*headline)(const Record&) = nullptr;  // what status and log say of it, on one line
  bool of_a_session = false;                         // belongs to one agent's session, which its document names
  Stand (*stand)(const Record&) = nullptr;           // nullptr: ended where its status is an end, else next
  std::string_view gates_setting = {};               // its own in place of `gates`, where it is set
  std::string (*fix)(const Record&) = nullptr;       // what a person types to give a status to one that is held
  // Where a record stands by its status and rank alone, whose document was left in the store; nullopt: that must tell.
  // Says the same as `stand`, but for since_ms. A board of thousands asks here first. Where it says of one that it has
  // ended, that goes for all of its status.
  std::optional<Stand> (*stand_by_rank)(const Record&) = nullptr;
  // What happens to a record without anybody calling it a change: a worker looked at it, or noted for itself how far it
  // is. Told in the log as ever; `pawl undo` neither stops at it nor is kept by it from what came before.
  std::span<const std::string_view> bookkeeping = {};
  // Of a kind that is told elsewhere, and read again from there: where, and what to type or do so that one that stands
  // where it does now stands otherwise. `pawl undo` does not, as the next look would bring it back.
  std::string_view told_on = {};
  std::string (*taken_back_by)(const Record&) = nullptr;
  // Of a kind that is worked on also when it was moved without what the move needs: it stays where it stands, marked,
  // and this is what to type to show it after all. nullptr: a person has to look first.
  std::string (*verify)(const Record&) = nullptr;
  // Of a kind that several files may have with one key: what to type, with the file that is meant. nullptr: the key
  // says which it is.
  std::string (*in_its_file)(std::string_view advice, const RecordId&) = nullptr;
  // How long nobody need be in one that runs before a person is asked, with what `stand` advises; 0: for ever.
  std::int64_t left_after_ms = 0;
};

// What to type about a record whose word is no status.
[[nodiscard]] inline std::string how_to_fix(const Lifecycle& lifecycle, const Record& record) {
  return lifecycle.fix == nullptr ? "pawl show " + record.id.ref() : lifecycle.fix(record);
}

// Is a move whose conditions are not met made all the same, and marked unverified? By every door alike.
[[nodiscard]] inline bool records_gates(const Lifecycle& lifecycle, const Settings& settings) {
  const std::string& own = settings.text(lifecycle.gates_setting);
  return (own.empty() ? settings.text("gates") : own) == "record";
}

class Lifecycles {
 public:
  explicit Lifecycles(std::span<const Lifecycle> rows) : rows_(rows) {}

  [[nodiscard]] std::span<const Lifecycle> rows() const { return rows_; }
  [[nodiscard]] const Lifecycle* find(std::string_view kind) const {
    for (const Lifecycle& row : rows_) {
      if (row.kind == kind) return &row;
    }
    return nullptr;
  }
  // Every format once: several kinds may show in one file.
  [[nodiscard]] std::vector<const MirrorFormat*> formats() const {
    std::vector<const MirrorFormat*> once;
    for (const Lifecycle& row : rows_) {
      for (const MirrorFormat* format : row.formats) {
        if (std::find(once.begin(), once.end(), format) == once.end()) once.push_back(format);
      }
    }
    return once;
  }
  // The row whose formats contain `name`, and that format.
  [[nodiscard]] const MirrorFormat* format(std::string_view name) const {
    for (const Lifecycle& row : rows_) {
      for (const MirrorFormat* format : row.formats) {
        if (format->name() == name) return format;
      }
    }
    return nullptr;
  }

 private:
  std::span<const Lifecycle> rows_;
};

}  // namespace pawl
