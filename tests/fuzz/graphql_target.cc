// A GraphQL document from whoever asks the stand-in: read or refused, whatever it is, and however deep.
#include "practice/graphql_text.h"

#include "targets.h"

namespace pawl {

void fuzz_graphql(std::string_view bytes) {
  const auto document = practice::parse_graphql(bytes);
  if (!document) fuzz_require(!document.error().message.empty(), "a refusal says why");
}

}  // namespace pawl
