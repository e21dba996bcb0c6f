// `pawl init`: make the store, and adopt what is there.
#include <array>

#include "base/text.h"
#include "engine/engine.h"
#include "verbs/context.h"
#include "verbs/present.h"
#include "verbs/table.h"

namespace pawl {
namespace {

Result<Reply> run_init(Context& context, const Arguments&) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const bool made = !engine->has_store();
  Look look;
  look.all = true;
  PAWL_ASSIGN(const Outcome outcome, engine->change(context.request(), look, decide_nothing));
  Json out{{"workspace", engine->workspace().root},
           {"store", engine->workspace().store},
           {"made", made},
           {"adopted", Json::array()}};
  if (outcome.outside_operation != 0) {
    PAWL_TRY(engine->read_store([&](const View& view) -> Done {
      PAWL_ASSIGN(const auto events, view.store().events_of(outcome.outside_operation));
      for (const Event& event : events) out["adopted"].push_back(to_json(event));
      return done();
    }));
  }
  return Reply{std::move(out)};
}

std::string text_of_init(const Json& data, const TextStyle&) {
  std::string out = data["made"].get<bool>() ? cat("pawl now guards ", printable(string_or(data, "workspace")),
                                                   "\nits store is ", printable(string_or(data, "store")), "\n")
                                             : cat(printable(string_or(data, "workspace")), " is guarded already\n");
  for (const Json& event : data["adopted"]) out += cat("    ", line_of_event(event), "\n");
  return cat(out, "next: pawl status\n");
}

constexpr std::array kInitExamples = {Example{"pawl init", "make the store, and adopt the files that are here"},
                                      Example{"pawl -C ~/project init --json", "elsewhere, for a program"}};

}  // namespace

const Verb kInit = {
    .name = "init",
    .summary = "make the store, and adopt the files that are here",
    .manual =
        "A file that pawl has not seen before is taken as it is. In a git repository the store is the folder .pawl, "
        "which git ignores; "
        "elsewhere it is kept under "
        "XDG_STATE_HOME/pawl. Run twice it does nothing more. Other verbs make the store when they first need it.",
    .examples = kInitExamples,
    .read_only = false,
    .run = run_init,
    .text = text_of_init,
};

}  // namespace pawl
