#include "lifecycles/loop/task_text.h"

#include "base/text.h"
#include "lifecycles/loop/ralph.h"

namespace pawl::loop {

namespace {

// As a quotation: whatever the check printed is not the agent's word.
std::string as_quotation(std::string_view text) {
  std::string out;
  for (const std::string_view line : split(text, '\n')) out += cat("> ", line, "\n");
  return out;
}

}  // namespace

std::string task_text(const Json& doc, const TaskText& task) {
  const std::int64_t most = max_iterations(doc);
  std::string out =
      cat(prompt_of(doc), "\n\nThis is iteration ", task.iteration, most > 0 ? cat(" of ", most) : std::string(), ".");
  if (!task.story.empty())
    out += cat(" ", task.stories_left, task.stories_left == 1 ? " story is" : " stories are",
               " left; the one to work on is ", task.story, ".");
  out += "\n";
  if (!task.feedback.empty())
    out += cat("It was claimed to be done and found not to be. What the check said:\n\n", as_quotation(task.feedback),
               "\n");
  if (const std::string promise = promise_of(doc); !promise.empty())
    out += cat("When all of it is done, and only then, write on a line of its own: ", promise, "\n");
  return out;
}

}  // namespace pawl::loop
