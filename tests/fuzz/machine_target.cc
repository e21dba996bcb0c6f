// A machine in a file: it loads or says why not; what loads prints as the same machine.
#include "base/json.h"
#include "core/decide.h"
#include "core/machine_json.h"
#include "targets.h"

namespace pawl {

void fuzz_machine(std::string_view bytes) {
  const auto json = parse_json(bytes);
  if (!json) return;
  const auto loaded = LoadedMachine::from_json(*json);
  if (!loaded) {
    fuzz_require(!loaded.error().message.empty(), "what is wrong is named");
    return;
  }
  const Machine& machine = loaded->machine();
  if (const auto breach = check(machine)) fuzz_require(!describe(machine, *breach).empty(), "a breach is named");
  const Json printed = to_json(machine);
  const auto again = LoadedMachine::from_json(printed);
  fuzz_require(again.has_value(), "what is printed can be loaded");
  fuzz_require(to_json(again->machine()) == printed, "and is the same");
  fuzz_require(!to_mermaid(machine).empty(), "it can be drawn");
}

}  // namespace pawl
