// What `pawl init` writes into pawl.toml: what other tools' settings say, and what the stories here need. Never into a
// file that is the user's.
#pragma once

#include "base/json.h"
#include "commands/context.h"
#include "commands/others_settings.h"

namespace pawl {

// What came of it: once pawl.toml is written, that is told by whoever comes to an end.
struct FirstSettings {
  OthersSettings others;
  Json told = {};  // null: there was nothing to take

  [[nodiscard]] bool written() const { return !told.is_null() && told["written"] == true; }
};

// What other tools' settings say goes into pawl.toml, where there is none yet.
[[nodiscard]] Done take_settings(Context& context, const Arguments& arguments, FirstSettings& first);

// Where nothing can be checked: into the pawl.toml that was just written, or a new one. `out` is the answer.
[[nodiscard]] Done take_gates(Engine& engine, FirstSettings& first, Json& out);

// What pawl.toml has by now need not be said again each time; and a folder that is not there is said at once.
void look_at_taken(const Engine& engine, FirstSettings& first);

// What of pawl's own is not committed, as git sees it: whoever checks a commit is held up by it. Nothing where git can
// not be asked. Of a file with a filter only that filter could tell, so it is named.
[[nodiscard]] Json to_be_committed(const Engine& engine, const Json& out);

}  // namespace pawl
