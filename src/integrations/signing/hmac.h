// The keyed hash by which the bot's blocks are signed: HMAC-SHA-256 of OpenSSL's libcrypto.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace pawl {

// In hex. An empty text: the library refused.
[[nodiscard]] std::string hmac_sha256(std::string_view key, std::string_view message);

}  // namespace pawl
