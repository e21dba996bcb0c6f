// A GraphQL document sent to the stand-in for GitHub: read or refused, however deep it is nested.
#include "practice/graphql_text.h"

#include "targets.h"

namespace pawl {

void fuzz_graphql(std::string_view bytes) {
  const auto document = practice::parse_graphql(bytes);
  if (!document) fuzz_require(!document.error().message.empty(), "a refusal says why");
}

}  // namespace pawl
