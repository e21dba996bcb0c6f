#include "lifecycle/table.h"

#include <array>

#include "lifecycle/issue/issue.h"

namespace pawl {

const Lifecycles& builtin_lifecycles() {
  static const std::array kRows = {
      issue::lifecycle(),
  };
  static const Lifecycles kTable{kRows};
  return kTable;
}

}  // namespace pawl
