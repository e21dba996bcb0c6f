// What an agent must know to use pawl here: a page of examples, of the kinds of work that are in use.
#pragma once

#include <string>

#include "base/json.h"
#include "base/result.h"

namespace pawl {

class Context;
class View;

inline constexpr std::size_t kMostGuideLines = 60;

// {"kinds": [...], "guide": "..."}
[[nodiscard]] Result<Json> guide(Context& context);
// By what the store has, without a look at files.
[[nodiscard]] Result<Json> guide_by(const Context& context, const View& view);

}  // namespace pawl
