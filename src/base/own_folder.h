// Folders that pawl keeps below one that it trusts: "refused/settled" in the store. What stands there may have come
// with a clone, so they are opened part by part, and a link in place of any of them, also of the trusted one itself, is
// an error that names it (untrusted). Whoever writes into the store gets there by these.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "base/file.h"

namespace pawl {

[[nodiscard]] Result<Fd> open_below(const std::string& root, std::string_view rest);
// What is missing of it is made; the trusted folder is there.
[[nodiscard]] Result<Fd> make_below(const std::string& root, std::string_view rest, mode_t mode);

}  // namespace pawl
