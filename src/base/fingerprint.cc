#include "base/fingerprint.h"

#define XXH_INLINE_ALL
#include <sys/random.h>
#include <xxhash.h>

#include <array>
#include <cstdint>
#include <cstring>

#include "base/file.h"

namespace pawl {
namespace {

// As it is kept: the seed, the size, and the hash in the order of bytes that is the same on every machine.
struct Parts {
  std::uint64_t seed = 0;
  std::uint64_t size = 0;
  XXH128_canonical_t hash{};
};
static_assert(sizeof(Parts) == 32);

std::string as_text(const Parts& parts) {
  std::string text(sizeof parts, '\0');
  std::memcpy(text.data(), &parts, sizeof parts);
  return text;
}

Parts parts_of(std::string_view fingerprint) {
  Parts parts;
  std::memcpy(&parts, fingerprint.data(), sizeof parts);
  return parts;
}

XXH128_canonical_t canonical(XXH128_hash_t hash) {
  XXH128_canonical_t out;
  XXH128_canonicalFromHash(&out, hash);
  return out;
}

bool equals(const XXH128_canonical_t& a, const XXH128_canonical_t& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace

std::string fingerprint_of(std::string_view bytes) {
  Parts parts;
  // Where there is no chance to be had, one seed for all is as good against everything but malice.
  if (getrandom(&parts.seed, sizeof parts.seed, GRND_NONBLOCK) != static_cast<ssize_t>(sizeof parts.seed))
    parts.seed = 0;
  parts.size = bytes.size();
  parts.hash = canonical(XXH3_128bits_withSeed(bytes.data(), bytes.size(), parts.seed));
  return as_text(parts);
}

bool is_fingerprint(std::string_view text) { return text.size() == sizeof(Parts); }

bool has_fingerprint(std::string_view bytes, std::string_view fingerprint) {
  if (!is_fingerprint(fingerprint)) return false;
  const Parts parts = parts_of(fingerprint);
  return parts.size == bytes.size() &&
         equals(parts.hash, canonical(XXH3_128bits_withSeed(bytes.data(), bytes.size(), parts.seed)));
}

Result<bool> has_fingerprint_at(int folder, const std::string& name, std::string_view fingerprint) {
  if (!is_fingerprint(fingerprint)) return false;
  const Parts parts = parts_of(fingerprint);
  XXH3_state_t state{};  // GCC does not see that the next line fills it
  XXH3_128bits_reset_withSeed(&state, parts.seed);
  PAWL_ASSIGN(const bool whole, each_piece_at(folder, name, parts.size, [&](std::string_view piece) {
                XXH3_128bits_update(&state, piece.data(), piece.size());
                return true;
              }));
  return whole && equals(parts.hash, canonical(XXH3_128bits_digest(&state)));
}

}  // namespace pawl
