#include "world/signing/hmac.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>

namespace pawl {

std::string hmac_sha256(std::string_view key, std::string_view message) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
  unsigned length = 0;
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
           reinterpret_cast<const unsigned char*>(message.data()), message.size(), hash.data(), &length) == nullptr)
    return {};
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (unsigned i = 0; i < length; ++i) out += {kDigits[hash[i] >> 4U], kDigits[hash[i] & 15U]};
  return out;
}

}  // namespace pawl
