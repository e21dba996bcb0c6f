// A verb's answer as JSON, for the typed halves of the library.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/json.h"
#include "pawl/client.h"

namespace pawl {

[[nodiscard]] inline Result<Json> call(Client& client, std::string_view verb,
                                       const std::map<std::string, std::string>& arguments,
                                       const CallOptions& options = {}) {
  PAWL_ASSIGN(const std::string answer, client.call(verb, arguments, options));
  return parse_json(answer);
}

}  // namespace pawl
