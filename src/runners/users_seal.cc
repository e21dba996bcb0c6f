#include "runners/users_seal.h"

#define XXH_INLINE_ALL

#include <fcntl.h>
#include <sys/random.h>
#include <xxhash.h>

#include <array>
#include <cstdint>

#include "base/file.h"
#include "base/hex.h"
#include "base/text.h"
#include "engine/workspace.h"

namespace pawl {
namespace {

constexpr std::size_t kSecretBytes = 32;

// Made when it is first needed. Two processes at once: the file that is there counts.
Result<std::string> secret() {
  if (state_home().empty()) return fail(ErrorCode::unavailable, "HOME is not set");
  const std::string path = cat(state_home(), "/run-secret");
  PAWL_ASSIGN(FileImage image, read_file(path, 4096));
  if (!image.exists) {
    std::array<char, kSecretBytes> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
      return fail(ErrorCode::io, "no random bytes could be had");
    PAWL_TRY(make_folders(state_home(), 0700));
    const std::string mine = cat(path, ".", in_hex({bytes.data(), 8}));
    PAWL_TRY(write_synced_at(AT_FDCWD, mine, in_hex({bytes.data(), bytes.size()}), {0600, {}}));
    if (!move_new_at(AT_FDCWD, mine, AT_FDCWD, path)) PAWL_TRY(remove_at(AT_FDCWD, mine));
    PAWL_ASSIGN(image, read_file(path, 4096));
  }
  if (image.bytes.size() < kSecretBytes) return fail(ErrorCode::corruption, cat(path, " is too short"));
  return image.bytes;
}

}  // namespace

std::string users_seal(std::string_view what) {
  const auto key = secret();
  if (!key) return {};
  const std::string text = cat(*key, "\n", what);
  const XXH128_hash_t hash = XXH3_128bits_withSeed(text.data(), text.size(), XXH64(key->data(), key->size(), 0));
  return cat(std::to_string(hash.high64), "-", std::to_string(hash.low64));
}

}  // namespace pawl
