// A few bytes that stand for many: whether a long file is what it was is told without having at hand what it was.
// XXH3 with a seed of chance: whoever writes a file so that it looks like another would have to know the seed first.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace pawl {

// Of the same bytes another one each time.
[[nodiscard]] std::string fingerprint_of(std::string_view bytes);
[[nodiscard]] bool is_fingerprint(std::string_view text);
[[nodiscard]] bool has_fingerprint(std::string_view bytes, std::string_view fingerprint);
// Whether a regular file stands there, no link, with this one.
[[nodiscard]] Result<bool> has_fingerprint_at(int folder, const std::string& name, std::string_view fingerprint);

}  // namespace pawl
