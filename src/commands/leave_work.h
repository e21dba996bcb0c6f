// What goes on when pawl is left: agents and runners that do not end with it, and by what a person ends them then, as
// no command of pawl's does any more.
#pragma once

#include "base/json.h"
#include "base/result.h"
#include "engine/engine.h"

namespace pawl {

struct WorkGoingOn {
  Json running = Json::array();  // issues that somebody is at work on
  Json watched = Json::array();  // of these, those whose end a watcher will say
  Json idle = Json::array();     // issues that only say so
  Json stop = Json::array();     // {"ref", "command"} for those that run
  Json workers = Json::array();  // {"worker", "ref", "stop"}
  Json loops = Json::array();    // that a session has, and nobody runs but the hooks of an agent
};

[[nodiscard]] Result<WorkGoingOn> work_going_on(Engine& engine, const View& view, const Now& now);

}  // namespace pawl
