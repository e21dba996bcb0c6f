#include "integrations/signing/hmac.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>

#include "base/hex.h"

namespace pawl {

std::string hmac_sha256(std::string_view key, std::string_view message) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
  unsigned length = 0;
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
           reinterpret_cast<const unsigned char*>(message.data()), message.size(), hash.data(), &length) == nullptr)
    return {};
  return in_hex({reinterpret_cast<const char*>(hash.data()), length});
}

}  // namespace pawl
