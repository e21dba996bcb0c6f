// The GraphQL API: a document is read, checked against the types below, and carried out against the world. A field that
// a type does not have is an error before anything happens, as on GitHub.
#pragma once

#include "practice/actions.h"
#include "practice/http.h"

namespace pawl::practice {

[[nodiscard]] HttpAnswer answer_graphql(World& world, Actions& actions, const HttpRequest& request, const Token& who,
                                        const std::string& api);

}  // namespace pawl::practice
