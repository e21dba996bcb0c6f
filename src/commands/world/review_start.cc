#include <algorithm>

#include "base/file.h"
#include "base/text.h"
#include "commands/review.h"
#include "commands/world/forge_for.h"
#include "commands/world/handlers.h"
#include "integrations/pull_ref.h"

namespace pawl {
namespace {

using namespace review;

constexpr std::size_t kMaxPlanBytes = std::size_t{4} << 20U;

Result<std::vector<PlannedChunk>> plan_from(Context& context, const std::string& file) {
  if (file == "-") {
    PAWL_ASSIGN(const std::string text, context.input());
    context.verb_request += cat("\n", text);  // the same key with another plan is another request
    return read_plan(text);
  }
  PAWL_ASSIGN(const FileImage image, read_file(file, kMaxPlanBytes));
  if (!image.exists) return fail(ErrorCode::not_found, cat("there is no file ", printable(file)), "--plan FILE, or -");
  if (image.too_large) return fail(ErrorCode::invalid_argument, cat(printable(file), " is too large for a plan"));
  return read_plan(image.bytes);
}

// Which one, without asking GitHub.
Result<PullRef> named(Context& context, const std::string& typed) {
  const std::string host = typed.find("://") != std::string::npos ? std::string(github::host_of(typed)) : usual_host();
  auto ref = github::parse_pull_ref(typed, host, nullptr);
  if (ref || ref.error().code != ErrorCode::not_found) return ref;
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(const RepoRef here, repository_here(*engine, host));
  return github::parse_pull_ref(typed, host, &here);
}

Done must_be_open(const PullRequest& pull) {
  if (pull.state == PullState::open) return done();
  return fail(ErrorCode::gate_failed,
              cat(printable(pull.ref.text()), " is ", pull.state == PullState::merged ? "merged" : "closed",
                  ", so there is nothing to review"),
              "open it again; or review it all the same with --head SHA and --plan FILE");
}

}  // namespace

Result<Reply> run_review_start(Context& context, const Arguments& arguments) {
  StartReview command;
  command.mode = arguments.text_or("mode", command.mode);
  command.focus = arguments.text_or("focus", "");
  command.self = arguments.flag("self");
  command.head_sha = arguments.text_or("head", "");
  if (!command.head_sha.empty()) {
    PAWL_ASSIGN(command.head_sha, commit_hash(command.head_sha));
  }
  const auto plan = arguments.text("plan");
  if (plan) {
    PAWL_ASSIGN(command.chunks, plan_from(context, *plan));
  }
  const std::string typed = arguments.text("ref").value_or(arguments.text_or("pr", ""));
  PullRef ref;
  if (plan && !command.head_sha.empty() && !typed.empty()) {
    PAWL_ASSIGN(ref, named(context, typed));
  } else {
    PAWL_ASSIGN(const auto open, ForgeFor::open(context, typed));
    PAWL_ASSIGN(ref, open->resolve(typed));
    PAWL_ASSIGN(const PullRequest pull, open->forge().pull(ref));
    ref = pull.ref;
    PAWL_TRY(must_be_open(pull));
    if (command.head_sha.empty()) command.head_sha = pull.head_sha;
    if (!plan) {
      PAWL_ASSIGN(const auto files, open->forge().files(ref));
      std::vector<FileChange> changes;
      for (const ChangedFile& file : files) changes.push_back({file.path, file.changes});
      // A name that cannot stand in a file is no reason not to review the others.
      Plannable some = plannable(std::move(changes));
      for (const std::string& file : some.left_out) context.note(why_left_out(file));
      command.left_out = std::move(some.left_out);
      command.chunks = make_plan(std::move(some.files));
    }
  }
  command.owner = ref.repo.owner;
  command.repo = ref.repo.name;
  command.number = ref.number;
  return review::start(context, command, arguments.flag("yes"));
}

}  // namespace pawl
