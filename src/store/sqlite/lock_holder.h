// Who is in the way: asked only after waiting was in vain.
#pragma once

#include <string>
#include <string_view>

namespace pawl::sqlite {

// "process 1234 (pawl)", or "another process" when that cannot be told. `kind` as /proc/locks spells it: "FLOCK" or
// "POSIX". The file is not opened: closing it again would drop this process's own locks on it.
[[nodiscard]] std::string lock_holder(const std::string& path, std::string_view kind);

}  // namespace pawl::sqlite
