// `pawl watch`: what happens, as it happens.
#include <array>

#include "base/local_time.h"
#include "base/text.h"
#include "commands/context.h"
#include "commands/present.h"
#include "commands/table.h"
#include "engine/engine.h"
#include "engine/watcher.h"

namespace pawl {
namespace {

constexpr std::string_view kListening = "listening";

// A script that starts a watch beside itself waits for this before it changes anything: what it changed earlier may
// stand before `since`.
bool say_that_it_listens(Context& context, std::int64_t since) {
  if (!context.text_only) return context.emit(Json{{"event", since}, {"what", kListening}});
  context.note(since == 0 ? std::string("listening: every event is printed")
                          : cat("listening: every event after event ", since, " is printed"));
  return true;
}

Result<Reply> run_watch(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  std::int64_t left = arguments.number("limit").value_or(0);
  std::int64_t since = 0;
  PAWL_ASSIGN(ChangeWaiter waiter, ChangeWaiter::open(*engine));
  if (!arguments.flag("all"))
    PAWL_TRY(engine->read_store([&](const View& view) -> Done {
      PAWL_ASSIGN(since, view.store().newest_event());
      return done();
    }));
  if (!say_that_it_listens(context, since)) return Reply{Json()};
  PAWL_TRY(follow(
      *engine, waiter, since,
      [&](const Event& event, const Operation& operation) {
        Json line = to_json(event);
        line["at"] = iso_time(operation.at_ms, true);
        line["at_ms"] = operation.at_ms;
        line["actor"] = operation.actor;
        line["verb"] = operation.verb;
        if (operation.outside) line["outside"] = true;
        if (!operation.reason.empty()) line["reason"] = operation.reason;
        return context.emit(line) && !(left > 0 && --left == 0);
      },
      context.reader));
  return Reply{Json()};
}

std::string text_of_watch(const Json& event, const TextStyle& style) {
  if (event.is_null()) return {};
  std::string out = cat(faint(local_time(integer_or(event, "at_ms")), style), "  ", line_of_event(event));
  return cat(out, "  ",
             event.contains("outside")
                 ? std::string(string_or(event, "what") == "adopted" ? "(found in a file)" : "(changed outside pawl)")
                 : cat("(", printable(string_or(event, "actor")), ", ", printable(string_or(event, "verb")), ")"),
             "\n");
}

constexpr std::array kWatchParams = {
    Param{.name = "limit", .type = ParamType::positive, .value = "N", .summary = "end after N events"},
    Param{.name = "all", .type = ParamType::flag, .summary = "begin with the oldest event instead of the next one"},
};
constexpr std::array kWatchExamples = {Example{"pawl watch", "a line for each event, until Ctrl-C"},
                                       Example{"pawl watch --json | while read -r e; do …; done", "for a program"}};

}  // namespace

const Verb kWatch = {
    .name = "watch",
    .summary = "follow what happens, as it happens",
    .manual =
        "Prints each event of any process, and takes over changes in files as they come. At rest it sleeps.\n\n"
        "A line on stderr says when it listens, and after which event; with --json it is the first line of the answer: "
        "{\"event\": 41, \"what\": \"listening\"}. Every event after that one is printed. A change made while "
        "watch starts is either printed or already in pawl log: compare the event numbers. --limit does not count that "
        "line.",
    .params = kWatchParams,
    .examples = kWatchExamples,
    .read_only = false,
    .streams = true,
    .run = run_watch,
    .text = text_of_watch,
};

}  // namespace pawl
