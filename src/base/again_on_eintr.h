// A system call that a signal interrupts is made again.
#pragma once

#include <cerrno>

namespace pawl {

template <class Call>
auto again_on_eintr(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace pawl
