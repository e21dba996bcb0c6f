// What the verbs of commands/world.h do.
#pragma once

#include "commands/verb.h"

namespace pawl {

[[nodiscard]] Result<Reply> run_pr_view(Context& context, const Arguments& arguments);
[[nodiscard]] Result<Reply> run_init_with_settings(Context& context, const Arguments& arguments);
[[nodiscard]] Result<Reply> run_doctor_with_settings(Context& context, const Arguments& arguments);
[[nodiscard]] Result<Reply> run_issue_run(Context& context, const Arguments& arguments);
[[nodiscard]] Result<Reply> run_review_start(Context& context, const Arguments& arguments);
[[nodiscard]] Result<Reply> run_review_validate(Context& context, const Arguments& arguments);
[[nodiscard]] Result<Reply> run_review_comments(Context& context, const Arguments& arguments);
[[nodiscard]] Result<Reply> run_review_post(Context& context, const Arguments& arguments);
[[nodiscard]] Result<Reply> run_pr_run(Context& context, const Arguments& arguments);
[[nodiscard]] Result<Reply> run_pr_detect(Context& context, const Arguments& arguments);
[[nodiscard]] Result<Reply> run_pr_state(Context& context, const Arguments& arguments);
[[nodiscard]] Result<Reply> run_pr_begin(Context& context, const Arguments& arguments);
[[nodiscard]] Result<Reply> run_pr_finish(Context& context, const Arguments& arguments);
[[nodiscard]] Result<Reply> run_pr_fail(Context& context, const Arguments& arguments);
[[nodiscard]] Result<Reply> run_pr_dismiss(Context& context, const Arguments& arguments);
[[nodiscard]] Result<Reply> run_pr_reopen(Context& context, const Arguments& arguments);
[[nodiscard]] Result<Reply> run_story_move(Context& context, const Arguments& arguments);
[[nodiscard]] Result<Reply> run_story_run(Context& context, const Arguments& arguments);
[[nodiscard]] Result<Reply> run_practice(Context& context, const Arguments& arguments);

}  // namespace pawl
