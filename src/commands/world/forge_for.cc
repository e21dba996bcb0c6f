#include "commands/world/forge_for.h"

#include <poll.h>

#include <algorithm>
#include <cstdlib>

#include "base/text.h"
#include "integrations/git.h"
#include "integrations/github/github.h"
#include "integrations/github/place.h"

namespace pawl {

Result<std::unique_ptr<ForgeFor>> ForgeFor::open(Context& context) {
  std::unique_ptr<ForgeFor> made(new ForgeFor());
  PAWL_ASSIGN(made->engine_, context.engine());
  github::ClientOptions options;
  PAWL_ASSIGN(options.place, github::find_place());
  made->host_ = options.place.host;
  const Settings& settings = made->engine_->settings();
  options.timeout_ms = parse_duration_ms(settings.text("github.timeout")).value_or(options.timeout_ms);
  options.patience.max_wait_ms =
      parse_duration_ms(settings.text("github.max_wait")).value_or(options.patience.max_wait_ms);
  options.between_writes_ms =
      parse_duration_ms(settings.text("github.between_writes")).value_or(options.between_writes_ms);
  options.clock = context.clock;
  options.pause = [raw = made.get()](std::int64_t ms) {
    constexpr std::int64_t kPiece = 60'000;
    for (; ms > 0 && raw->ending() == github::Ending::no; ms -= kPiece) {
      const int piece = static_cast<int>(std::min(ms, kPiece));
      if (raw->signals_ != nullptr && raw->signals_->fd() >= 0)
        static_cast<void>(raw->signals_->come_within(piece));
      else
        poll(nullptr, 0, piece);
    }
  };
  options.ending = [raw = made.get()] { return raw->ending(); };
  options.say = context.note;
  options.progress = context.progress;
  made->pages_ = std::make_unique<github::KeptPages>(*made->engine_);
  options.memory = made->pages_.get();
  made->forge_ = github::make_github(std::move(options));
  return made;
}

github::Ending ForgeFor::ending() const {
  if (signals_ != nullptr && signals_->fd() >= 0 && signals_->come_within(0)) return github::Ending::at_once;
  return hurried_ ? github::Ending::soon : github::Ending::no;
}

Result<RepoRef> repository_here(const Engine& engine, const std::string& host) {
  return repository_in(engine.workspace().here, host);
}

Result<RepoRef> repository_in(const std::string& folder, const std::string& host) {
  PAWL_ASSIGN(const auto remotes, git_remotes(folder));
  for (const Remote& remote : remotes) {
    if (auto repo = github::parse_remote(remote.url, host)) return *repo;
  }
  return fail(ErrorCode::not_found, cat("none of this folder's remotes is on ", printable(host)),
              "say owner/repo#123, or set GH_HOST");
}

std::string usual_host() {
  const char* const host = std::getenv("GH_HOST");
  return host == nullptr || *host == '\0' ? "github.com" : host;
}

Result<std::unique_ptr<ForgeFor>> ForgeFor::open(Context& context, const std::string& typed) {
  auto made = open(context);
  if (made || made.error().code != ErrorCode::unauthorized) return made;
  PAWL_ASSIGN(const Engine* const engine, context.engine());
  if (typed.empty()) PAWL_TRY(git_branch(engine->workspace().here));
  const auto ref = typed.empty() ? Result<PullRef>(fail(ErrorCode::not_found, ""))
                                 : github::parse_pull_ref(typed, usual_host(), nullptr);
  if (ref) return made;
  if (ref.error().code != ErrorCode::not_found) return tl::unexpected(ref.error());
  PAWL_TRY(repository_here(*engine, usual_host()));
  return made;
}

Result<PullRef> ForgeFor::resolve(const std::string& typed) {
  if (typed.empty()) {
    PAWL_ASSIGN(const std::string branch, git_branch(engine_->workspace().here));
    PAWL_ASSIGN(const RepoRef repo, repository_here(*engine_, host_));
    PAWL_ASSIGN(const auto found, forge_->pull_of_branch(repo, branch));
    if (found) return *found;
    return fail(ErrorCode::not_found,
                cat("the branch “", printable(branch), "” has no pull request in ", printable(repo.text())),
                "name one: owner/repo#123");
  }
  // Only a bare number needs to know where it is.
  auto ref = github::parse_pull_ref(typed, host_, nullptr);
  if (ref || ref.error().code != ErrorCode::not_found) return ref;
  PAWL_ASSIGN(const RepoRef here, repository_here(*engine_, host_));
  return github::parse_pull_ref(typed, host_, &here);
}

}  // namespace pawl
