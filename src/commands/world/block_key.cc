#include "commands/world/block_key.h"

#include <cstdlib>
#include <string>

#include "base/text.h"
#include "integrations/signing/hmac.h"

namespace pawl {
namespace {

constexpr std::size_t kShortestKey = 32;

}  // namespace

Result<pr::Mac> mac_of_environment() {
  const char* key = getenv("PAWL_BLOCK_KEY");
  if (key == nullptr || *key == '\0' || key == kNoKey) return pr::Mac();
  pr::Mac mac;
  for (const std::string_view word : split(key, '\n')) {
    const std::string text(trim(word));
    if (text.empty()) continue;
    if (text.size() < kShortestKey) {
      return fail(ErrorCode::invalid_argument, cat("PAWL_BLOCK_KEY is shorter than ", kShortestKey, " characters"),
                  "pawl pr key new makes one");
    }
    mac.add([text](std::string_view message) { return hmac_sha256(text, message); }, pr::key_made_ms(text));
  }
  return mac;
}

}  // namespace pawl
