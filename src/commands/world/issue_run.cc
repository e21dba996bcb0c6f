#include "commands/issue_run.h"

#include "base/text.h"
#include "commands/issue_params.h"
#include "commands/world/forge_for.h"
#include "commands/world/handlers.h"
#include "runners/issue/run_issue.h"

namespace pawl {

// Asks for the title only where nothing on this machine tells what the worktree is called, and GitHub can be asked.
Result<Reply> run_issue_run(Context& context, const Arguments& arguments) {
  if (const auto title = arguments.text("title")) return run_issue(context, arguments, *title);
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const std::int64_t number = issue_number(arguments);
  PAWL_ASSIGN(const bool needed, needs_title(*engine, number));
  if (!needed) return run_issue(context, arguments, {});
  // Where nothing leads to GitHub there is nobody to ask, and no token to miss.
  const auto repo = repository_here(*engine, usual_host());
  if (!repo && repo.error().code == ErrorCode::not_found) {
    auto reply = run_issue(context, arguments, {});
    if (reply && reply->data["already"] != true)
      context.note(cat("issue ", number, " has no title: ", repo.error().message, "; --title TITLE gives it one"));
    return reply;
  }
  const auto told = [&]() -> Result<Issue> {
    PAWL_ASSIGN(const RepoRef here, repo);
    PAWL_ASSIGN(const auto open, ForgeFor::open(context));
    return open->forge().issue(here, number);
  }();
  if (!told) {
    return fail(told.error().code,
                cat("the title of issue ", number, " could not be had from GitHub: ", told.error().message),
                "--title TITLE needs no GitHub");
  }
  return run_issue(context, arguments, stripped(told->title, 1024));
}

}  // namespace pawl
