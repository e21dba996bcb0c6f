// A new loop, and a state that is written as a whole: which file it goes into, and what becomes of what stood there.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/event.h"
#include "lifecycles/loop/state_file.h"

namespace pawl::loop {

// Where nobody's goes while its first place is git's: the next one in which tools look.
[[nodiscard]] std::string next_place(const Shape& shape);

// What is known besides the loops of the places where a new one may go.
struct Places {
  // Its file stands as git has it, and is not written.
  std::function<bool(std::string_view scope)> left_to_git = nullptr;
  // One that is nobody's to find, for the check of a run: where another's is under way in the places before, it has a
  // folder that is called so, and is refused for none.
  std::string own_folder = {};
};

// The scope for a session's new loop: where its last one stands, else the seed's file, unless somebody's loop is under
// way there; then, for a session, a file of its own. A session that has one under way is refused. A file that is git's
// for now is passed over.
[[nodiscard]] Result<std::string> scope_for(const Shape& shape, std::span<const Record> loops, std::string_view session,
                                            const Places& places = {});

// What shows in the file of `id` makes room for it.
[[nodiscard]] std::vector<Change> made_room(std::span<const Record> loops, const RecordId& id);

// `fresh` is the record as it stands under the new one's id. What its file showed before is set aside.
[[nodiscard]] Result<std::vector<Change>> begin(const Shape& shape, std::span<const Record> loops, const Record& fresh,
                                                Json doc);

// The whole state, as a library's `write_…` has it. `revision` 0: it replaces what there is; otherwise `current` must
// still be at it, and what it has besides stays. An end is an end by this door too.
struct WriteState {
  Shown state;
  std::int64_t revision = 0;
  std::optional<GateBeside> beside = std::nullopt;  // a gate of its own; by this door it is not met
  bool record_gates = false;
};
[[nodiscard]] Result<std::vector<Change>> decide(const Shape& shape, std::span<const Record> loops,
                                                 const Record& current, const WriteState& command);

}  // namespace pawl::loop
