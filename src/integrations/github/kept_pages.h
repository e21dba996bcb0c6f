// Pages of GitHub's that the store remembers, so that asking again costs a 304 and no part of the hourly limit.
#pragma once

#include "engine/engine.h"
#include "integrations/github/client.h"

namespace pawl::github {

class KeptPages final : public PageMemory {
 public:
  // Where there is no store, nothing is remembered: looking makes none.
  explicit KeptPages(Engine& engine) : engine_(engine) {}

  [[nodiscard]] std::optional<KnownPage> find(const std::string& url) override;
  void keep(const std::string& url, const KnownPage& page) override;
  void forget(const std::string& url) override;

 private:
  Engine& engine_;
};

}  // namespace pawl::github
