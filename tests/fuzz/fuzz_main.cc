// What libFuzzer calls. Built once for each target, which PAWL_FUZZ_TARGET names.
#include <cstddef>
#include <cstdint>

#include "targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pawl::PAWL_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
