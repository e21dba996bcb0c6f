#include "lifecycle/loop/task_text.h"

#include "base/text.h"
#include "lifecycle/loop/move.h"
#include "lifecycle/loop/ralph.h"

namespace pawl::loop {

std::string task_text(const Json& doc, const TaskText& task) {
  const std::int64_t most = max_iterations(doc);
  std::string out = cat(first_text(doc, {"prompt", "original_prompt", "task_description"}, Lines::all),
                        "\n\nThis is iteration ", task.iteration, most > 0 ? cat(" of ", most) : std::string(), ".");
  if (!task.story.empty())
    out += cat(" ", task.stories_left, task.stories_left == 1 ? " story is" : " stories are",
               " left; the one to work on is ", task.story, ".");
  out += "\n";
  if (!task.feedback.empty())
    out += cat("It was claimed to be done and found not to be. What the check said:\n\n", task.feedback, "\n\n");
  if (const std::string promise = string_or(doc, "completion_promise"); !promise.empty())
    out += cat("When all of it is done, and only then, write on a line of its own: ", promise, "\n");
  return out;
}

}  // namespace pawl::loop
