// The desk at which a pull request is worked on, opened from flags, settings and environment.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "commands/world/forge_for.h"
#include "runners/pr/actions.h"
#include "runners/pr/run.h"

namespace pawl {

// What makes pawl run a command, or how long, may come from the command line, the environment or a file that its user
// has trusted; never from a checkout.
[[nodiscard]] std::string trusted_text(const Settings& settings, std::string_view key);

// What was done with a task, as a step answers.
[[nodiscard]] Reply did(const std::string& id, std::string_view what);

inline constexpr std::string_view kNotAboutAPull = "the event is not about a pull request";

class Desk {
 public:
  enum class Use { work, look };
  static Result<std::unique_ptr<Desk>> open(Context& context, const Arguments& arguments, std::string_view ref,
                                            Use use = Use::work);

  Result<std::unique_ptr<Sight>> look() { return worker_->look(event_.event); }

  // Among what is pending.
  Result<const pr::Task*> find(const Sight& sight, const std::string& id) const;

  [[nodiscard]] PrWorker& worker() { return *worker_; }
  [[nodiscard]] Engine& engine() { return *engine_; }
  [[nodiscard]] const pr::Event& event() const { return event_.event; }
  [[nodiscard]] const PullRef& pull() const { return pull_; }
  // As it is to be typed: where it was named, the folder may have no remote that tells which one is meant.
  [[nodiscard]] std::string named() const { return printable(pull_.text()); }
  // From now on signals are something to be waited for, and end nothing by themselves.
  [[nodiscard]] StopSignals& stop() {
    if (!stop_) forge_->heed(stop_.emplace());
    return *stop_;
  }
  void hurry() { forge_->hurry(); }
  [[nodiscard]] std::int64_t limit_ms() const { return limit_ms_; }  // for one answer of an agent
  [[nodiscard]] const PrStreams& streams() const { return streams_; }
  void set_live(std::function<void(std::string_view)> live) { streams_.live = std::move(live); }

 private:
  explicit Desk(Context& context);
  void warn_of_shared_account(const Scene& scene);
  void pass_over_event_of_another(const PullRef& named);
  bool is_review(std::string_view text);

  Context& context_;
  EventFile event_;
  Engine* engine_ = nullptr;
  std::optional<StopSignals> stop_;
  std::unique_ptr<ForgeFor> forge_;
  PullRef pull_;
  bool has_key_ = false;
  std::int64_t limit_ms_ = 0;
  std::map<std::string, bool> by_rules_;  // what the intent's agent could not tell: it is asked once in a run
  PrStreams streams_;
  std::unique_ptr<PrWorker> worker_;
};

}  // namespace pawl
