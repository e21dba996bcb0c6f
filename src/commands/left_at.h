// When pawl was left, as answers have it.
#pragma once

#include "base/clock.h"
#include "base/json.h"
#include "engine/left.h"

namespace pawl {

// null: the mark does not say.
[[nodiscard]] inline Json left_at(const LeftMark& left) {
  return left.at_ms == 0 ? Json() : Json(iso_time(left.at_ms, true));
}

}  // namespace pawl
