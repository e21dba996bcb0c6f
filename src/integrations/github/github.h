// The forge, by GitHub's REST and GraphQL.
#pragma once

#include <memory>

#include "integrations/forge.h"
#include "integrations/github/client.h"

namespace pawl::github {

[[nodiscard]] std::unique_ptr<Forge> make_github(ClientOptions options);

}  // namespace pawl::github
