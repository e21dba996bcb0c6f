// What `pawl ralph`, `pawl ultrawork` and `pawl verify` share: who asks, and how a loop is shown.
#pragma once

#include <array>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>

#include "commands/context.h"
#include "commands/verb.h"
#include "lifecycles/loop/ralph.h"
#include "runners/loops.h"

namespace pawl::loop {

// --session, also as `pawl status` shows it ("ralph/ID"), else PAWL_SESSION, else "". An id that can be none is
// refused.
[[nodiscard]] Result<std::string> session_in(const Arguments& arguments);

// One change of the loop that the session in the arguments means.
using DecideChange = std::function<Result<Change>(const Record&, const Now&)>;
[[nodiscard]] Result<Reply> change_own(Context& context, const Arguments& arguments, const Shape& shape,
                                       Purpose purpose, const DecideChange& decide);

// --state: the object that `write` writes.
[[nodiscard]] Result<Json> state_in(const Arguments& arguments);

// The one that the session means, or that is called so, with `ref`, and in `log` the last that happened to it.
[[nodiscard]] Result<Json> answer_with_history(Engine& engine, const Shape& shape, std::string_view session,
                                               std::string_view name, std::optional<std::int64_t> at = std::nullopt);

// `show`, `clear` and `write` of a kind: the same for all but where ultrawork has its second file.
template <const Shape& (*shape)()>
Result<Reply> run_show(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const std::string session, session_in(arguments));
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(Json answer,
              answer_with_history(*engine, shape(), session, arguments.text_or("loop", ""), context.flags.at));
  return Reply{std::move(answer)};
}

template <const Shape& (*shape)()>
Result<Reply> run_clear(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const std::string session, session_in(arguments));
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(Json answer, clear_one(*engine, context.request(), shape(), session, arguments.text_or("loop", "")));
  return Reply{std::move(answer)};
}

template <const Shape& (*shape)()>
Result<Reply> run_write(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const Json state, state_in(arguments));
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(Json answer,
              write_one(*engine, context.request(), shape(), state, arguments.number("revision").value_or(0)));
  return Reply{std::move(answer)};
}

// As text: untrusted values are made printable.
[[nodiscard]] std::string status_word(const Json& answer);  // also of one that is held
// A loop and its history: how far it is, whose it is, and each of these members of its state that says something.
using Labelled = std::pair<std::string_view, std::string_view>;
[[nodiscard]] std::string text_of_loop(const Json& answer, const std::string& how_far,
                                       std::initializer_list<Labelled> members, const TextStyle& style);
[[nodiscard]] std::string member(const Json& answer, std::string_view name);  // of its state
[[nodiscard]] std::string whose(const Json& answer);                          // "session s1", "nobody"
[[nodiscard]] std::string text_of_clear(const Json& answer, const TextStyle& style);
[[nodiscard]] std::string text_of_write(const Json& answer, const TextStyle& style);

inline constexpr Param kLoopParam{.name = "loop",
                                  .value = "LOOP",
                                  .summary = "its name as pawl status shows it, its key, or the first four signs of it",
                                  .positional = true,
                                  .offer = Offer::records};
inline constexpr Param kSessionParam{.name = "session",
                                     .value = "ID",
                                     .summary = "the session that asks; otherwise PAWL_SESSION, or nobody's",
                                     .max_bytes = 65'536,
                                     .offer = Offer::sessions};
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
inline constexpr Param kMaxParam{
    .name = "max", .type = ParamType::positive, .value = "N", .summary = "at most so many iterations; without it 50"};
inline constexpr Param kNoPrdParam{
    .name = "no-prd", .type = ParamType::flag, .summary = "work on the prompt alone, not on a list of stories"};
inline constexpr Param kPromiseParam{
    .name = "promise",
    .value = "TEXT",
    .summary = "what the agent says when it is done; without it <promise>TASK_COMPLETE</promise>",
    .max_bytes = kMaxPromiseBytes,
    .not_empty = true};
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
inline constexpr std::array kLoopAndSession = {kLoopParam, kSessionParam};
inline constexpr std::array kWriteParams = {kStateParam, kRevisionParam};

}  // namespace pawl::loop
