// The reader of Markdown (base/markdown.h), by the names that reviews know it under.
#pragma once

#include "base/markdown.h"

namespace pawl::review {

using namespace markdown;

}  // namespace pawl::review
