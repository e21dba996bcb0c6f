// Loops in the store: which one is meant, one more, one less, and changes of one. What the verbs, the runner and the
// hooks do with loops is all done by these.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "lifecycles/loop/choose.h"
#include "lifecycles/loop/state_file.h"

namespace pawl::loop {

// {"loop", "status", "held", "session", "file", "revision", "state"}: how a loop is answered with.
[[nodiscard]] Json answer_of(const Shape& shape, const Record& record);
[[nodiscard]] Json answer_of(const Shape& shape, const Change& change);
[[nodiscard]] std::string file_of(const Shape& shape, const RecordId& id);

// Every file of the kind; one that cannot be looked at is noted, and left.
[[nodiscard]] Look look_at_all(const Shape& shape);
// Every file of the kind, and that of a new loop.
[[nodiscard]] Look look_at(const Shape& shape, std::string_view session);
// Those that their files show; or also what was set aside because another took its file.
enum class Aside { left_out, too };
[[nodiscard]] Result<std::vector<Record>> all_loops(const View& view, const Shape& shape,
                                                    Aside aside = Aside::left_out);

// Every file of the kind, and those of the verifications of loops.
[[nodiscard]] Look look_at_all_with_verifications(const Shape& shape);
// The verification of a loop which ends now ends in the same operation.
[[nodiscard]] Done end_verifications(const View& view, const RecordId& loop, Decision& decision);

// As they stand, or stood after an operation.
[[nodiscard]] Result<std::vector<Record>> read_all(Engine& engine, const Shape& shape,
                                                   std::optional<std::int64_t> at = std::nullopt);
// The one that the session means, or that is called so (choose.h).
[[nodiscard]] Result<Record> read_one(Engine& engine, const Shape& shape, std::string_view session,
                                      std::string_view name, std::optional<std::int64_t> at = std::nullopt);

// A change of the one that the session means, or that is called so and stands in its file; answers with what the last
// change leaves.
using DecideOne = std::function<Result<std::vector<Change>>(const View&, const Record&, const Now&)>;
[[nodiscard]] Result<Json> change_one(Engine& engine, const Request& request, const Shape& shape,
                                      std::string_view session, Purpose purpose, const DecideOne& decide,
                                      std::string_view name = {});

// The same for one that is known, also where its file was moved to another place since; with the record as it is then.
struct Changed {
  Json answer;
  Record record;                      // as it was left; of a command that was only repeated (by its key) nothing
  std::vector<Record> replaced = {};  // what had its file before, as it was; kept in the store
};
using DecideThis = std::function<Result<Change>(const Record&, const Now&)>;
[[nodiscard]] Result<Changed> change_this(Engine& engine, const Request& request, const Shape& shape,
                                          const RecordId& id, const DecideThis& decide);
[[nodiscard]] Result<Record> read_this(Engine& engine, const RecordId& id);

// Who drives it besides this process, wherever its file is or was; "" where nobody does.
[[nodiscard]] std::string driver_of(Engine& engine, const RecordId& id);

// A new one with what `make` says, at a time at which no other began; with what `also` adds to its commit. Where
// another's is in its way it goes into `own_folder`, if there is one (lifecycles/loop/begin.h).
[[nodiscard]] Result<Changed> start_one(
    Engine& engine, const Request& request, const Shape& shape, std::string_view session,
    const std::function<Json(const Now&)>& make,
    const std::function<void(Decision&, const RecordId&)>& also = [](Decision&, const RecordId&) {},
    const std::string& own_folder = {});

// Ends the one that is meant and takes its file away: {"cleared": true or false, "loop"}.
[[nodiscard]] Result<Json> clear_one(Engine& engine, const Request& request, const Shape& shape,
                                     std::string_view session, std::string_view name = {});

// The whole state; with a revision other than 0 only where it is still at that one.
[[nodiscard]] Result<Json> write_one(Engine& engine, const Request& request, const Shape& shape, const Json& state,
                                     std::int64_t revision);

}  // namespace pawl::loop
