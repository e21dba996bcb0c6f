// Locks that the kernel frees with the process that holds them: one file, one byte for each name. They are open file
// description locks, which are told across containers and do not end when the process closes another file.
#pragma once

#include <string>
#include <string_view>

#include "store/store.h"

namespace pawl::sqlite {

[[nodiscard]] Result<Lock> take_lock(const std::string& folder, std::string_view name);
[[nodiscard]] Held is_held(const std::string& folder, std::string_view name, std::int64_t place);

}  // namespace pawl::sqlite
