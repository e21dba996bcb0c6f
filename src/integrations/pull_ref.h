// How people name a pull request and a repository.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "integrations/forge.h"

namespace pawl::github {

// "owner/repo#12", "https://github.com/owner/repo/pull/12", or "12" with `here`.
[[nodiscard]] Result<PullRef> parse_pull_ref(const std::string& text, const std::string& host, const RepoRef* here);

// "git@github.com:owner/repo.git", "https://github.com/owner/repo" → the repository; not_found for another host's.
[[nodiscard]] Result<RepoRef> parse_remote(const std::string& url, const std::string& host);

// "github.com" of "https://me@github.com/…".
[[nodiscard]] std::string_view host_of(std::string_view url);

}  // namespace pawl::github
