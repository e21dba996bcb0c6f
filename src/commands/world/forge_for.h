// The forge as a verb needs it: where and who from the environment, patience from the settings, memory in the store,
// its notes on stderr.
#pragma once

#include <memory>
#include <string>

#include "base/stop_signals.h"
#include "commands/context.h"
#include "engine/engine.h"
#include "integrations/forge.h"
#include "integrations/github/kept_pages.h"

namespace pawl {

// The repository of the folder that pawl runs in, by its remotes.
[[nodiscard]] Result<RepoRef> repository_in(const std::string& folder, const std::string& host);
[[nodiscard]] Result<RepoRef> repository_here(const Engine& engine, const std::string& host);
// GH_HOST, or github.com.
[[nodiscard]] std::string usual_host();

class ForgeFor {
 public:
  static Result<std::unique_ptr<ForgeFor>> open(Context& context);
  // For the pull request that was typed: what keeps it from being known here is said before a token is asked for.
  static Result<std::unique_ptr<ForgeFor>> open(Context& context, const std::string& typed);

  [[nodiscard]] Forge& forge() { return *forge_; }
  // What a user typed, or the current branch's where that is nothing.
  [[nodiscard]] Result<PullRef> resolve(const std::string& typed);
  [[nodiscard]] const std::string& host() const { return host_; }
  // From now on a signal to stop ends every wait for GitHub. What it points to outlives this.
  void heed(const StopSignals& signals) { signals_ = &signals; }
  // The signal was taken: one last call may be made, and nothing is waited for.
  void hurry() { hurried_ = true; }

 private:
  [[nodiscard]] github::Ending ending() const;

  Engine* engine_ = nullptr;
  const StopSignals* signals_ = nullptr;
  bool hurried_ = false;
  std::string host_;
  std::unique_ptr<github::KeptPages> pages_;
  std::unique_ptr<Forge> forge_;
};

}  // namespace pawl
