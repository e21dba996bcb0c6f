#include "verbs/story_move.h"

#include "lifecycle/story/gates.h"
#include "verbs/world/handlers.h"

namespace pawl {

Result<Reply> run_story_move(Context& context, const Arguments& arguments) {
  return story::move_story(context, arguments, story::gather_evidence);
}

}  // namespace pawl
