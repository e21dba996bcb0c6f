// Where GitHub is, and as whom: from the environment, as `gh` and GitHub Actions have it.
#pragma once

#include <string>

#include "base/result.h"
#include "integrations/forge.h"
#include "integrations/pull_ref.h"

namespace pawl::github {

struct Place {
  std::string api;      // "https://api.github.com"
  std::string graphql;  // "https://api.github.com/graphql"
  std::string host;     // "github.com", as people and remotes spell it
  std::string unix_socket;
  std::string token;
};

// GITHUB_API_URL and GITHUB_GRAPHQL_URL, GH_HOST, or github.com; gh's http_unix_socket. PAWL_GITHUB_TOKEN, GH_TOKEN,
// GITHUB_TOKEN (for another host than github.com GH_ENTERPRISE_TOKEN, GITHUB_ENTERPRISE_TOKEN), or what
// `gh auth token` says. unauthorized: there is none, or it would go over an open line.
[[nodiscard]] Result<Place> find_place();

}  // namespace pawl::github
