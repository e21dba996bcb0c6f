#include "commands/init_done.h"

#include <algorithm>
#include <set>

#include "commands/found_files.h"
#include "engine/doctor.h"
#include "engine/engine.h"
#include "engine/undo.h"

namespace pawl {

Done say_what_was_done(Engine& engine, Json& found) {
  if (std::none_of(found.begin(), found.end(), is_changed)) return done();
  PAWL_ASSIGN(const Checkup now, check_up(engine));
  for (Json& file : found) {
    if (!is_changed(file)) continue;
    const std::string path = string_or(file, "path");
    const bool behind = std::any_of(now.files.begin(), now.files.end(), [&](const Checkup::File& one) {
      return one.path == path && one.found != FileCase::in_step;
    });
    if (!behind) file["done"] = true;
  }
  return done();
}

Json gone_for_good(const Context& context, Engine& engine, const Json& adopted) {
  std::set<std::int64_t> ended;
  for (const Json& event : adopted) {
    if (string_or(event, "to") == kAbsent) ended.insert(integer_or(event, "operation"));
  }
  Json out = Json::array();
  Request request = context.request();
  request.idempotency_key.clear();
  for (const std::int64_t operation : ended) {
    if (!undo(engine, request, operation, {}, true)) out.push_back(operation);
  }
  return out;
}

}  // namespace pawl
