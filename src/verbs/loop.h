// What `pawl ralph`, `pawl ultrawork` and `pawl verify` share: who asks, which loop is meant, and how one is shown.
#pragma once

#include <array>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "lifecycle/loop/choose.h"
#include "lifecycle/loop/ralph.h"
#include "lifecycle/loop/state_file.h"
#include "verbs/context.h"
#include "verbs/verb.h"

namespace pawl::loop {

// --session, else PAWL_SESSION, else "". An id that can be none is refused.
[[nodiscard]] Result<std::string> session_in(const Arguments& arguments);

// {"loop", "status", "session", "file", "revision", "state"}: what every verb answers with.
[[nodiscard]] Json answer_of(const Shape& shape, const Record& record);
[[nodiscard]] Json answer_of(const Shape& shape, const Change& change);
[[nodiscard]] std::string file_of(const Shape& shape, const RecordId& id);

// Every file of the kind, and that of a new loop.
[[nodiscard]] Look look_at(const Shape& shape, std::string_view session);
[[nodiscard]] Result<std::vector<Record>> all_loops(const View& view, const Shape& shape);

// The one that the session means, as it stands.
[[nodiscard]] Result<Record> read_one(Context& context, Engine& engine, const Shape& shape, std::string_view session);
[[nodiscard]] Result<std::vector<Record>> read_all(Context& context, Engine& engine, const Shape& shape);

// A change of the one that the session means.
using DecideOne = std::function<Result<std::vector<Change>>(const View&, const Record&, const Now&)>;
[[nodiscard]] Result<Reply> change_one(Context& context, Engine& engine, const Shape& shape, std::string_view session,
                                       Purpose purpose, const DecideOne& decide);

// A new one with what `make` says, at a time at which no other began.
[[nodiscard]] Result<Reply> start_one(Context& context, Engine& engine, const Shape& shape, std::string_view session,
                                      const std::function<Json(const Now&)>& make);

// The same with the session in the arguments and one change, as most verbs have it.
using DecideChange = std::function<Result<Change>(const Record&, const Now&)>;
[[nodiscard]] Result<Reply> change_one(Context& context, const Arguments& arguments, const Shape& shape,
                                       Purpose purpose, const DecideChange& decide);

// Ends the one that is meant and takes its file away: {"cleared": true or false, "loop"}.
[[nodiscard]] Result<Reply> clear_one(Context& context, Engine& engine, const Shape& shape, std::string_view session);

// `write`: --state and --revision.
[[nodiscard]] Result<Reply> write_one(Context& context, Engine& engine, const Shape& shape, const Arguments& arguments);

// `show`, `clear` and `write` of a kind: the same for all but where ultrawork has its second file.
template <const Shape& (*shape)()>
Result<Reply> run_show(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const std::string session, session_in(arguments));
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(const Record record, read_one(context, *engine, shape(), session));
  return Reply{answer_of(shape(), record)};
}

template <const Shape& (*shape)()>
Result<Reply> run_clear(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const std::string session, session_in(arguments));
  PAWL_ASSIGN(Engine* const engine, context.engine());
  return clear_one(context, *engine, shape(), session);
}

template <const Shape& (*shape)()>
Result<Reply> run_write(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  return write_one(context, *engine, shape(), arguments);
}

// As text: untrusted values are made printable.
[[nodiscard]] std::string status_word(const Json& answer);  // also of one that is held
// "Label: value" for each of these members of its state that says something, and the file.
using Labelled = std::pair<std::string_view, std::string_view>;
[[nodiscard]] std::string details(const Json& answer, std::initializer_list<Labelled> members);
[[nodiscard]] std::string member(const Json& answer, std::string_view name);  // of its state
[[nodiscard]] std::string whose(const Json& answer);                          // "session s1", "nobody"
[[nodiscard]] std::string text_of_clear(const Json& answer, const TextStyle& style);
[[nodiscard]] std::string text_of_write(const Json& answer, const TextStyle& style);

inline constexpr Param kSessionParam{.name = "session",
                                     .value = "ID",
                                     .summary = "the session that asks; otherwise PAWL_SESSION, or nobody's",
                                     .max_bytes = 65'536};
inline constexpr Param kStateParam{.name = "state",
                                   .value = "JSON",
                                   .summary = "the whole state, as its file has it",
                                   .required = true,
                                   .max_bytes = 1'048'576};
inline constexpr Param kRevisionParam{
    .name = "revision",
    .type = ParamType::positive,
    .value = "N",
    .summary = "only if it is still at this revision; what it has besides then stays"};
// A text that the agent is to read, and that must be there.
[[nodiscard]] constexpr Param needed_text(std::string_view name, std::string_view value, std::string_view summary) {
  return {.name = name,
          .value = value,
          .summary = summary,
          .required = true,
          .max_bytes = kMaxPromptBytes,
          .not_empty = true};
}
inline constexpr std::array kSessionOnly = {kSessionParam};
inline constexpr std::array kWriteParams = {kStateParam, kRevisionParam};

}  // namespace pawl::loop
