// A tool that saves what it had read before pawl's last write, with something edited.
#pragma once

#include "core/mirror_format.h"

namespace pawl {

// Then everything that pawl changed (from `before` to `written`) stands in `now` as it was before, and something else
// differs: that is the edit.
[[nodiscard]] bool is_old_copy(const Shown& before, const Shown& written, const Shown& now);

// A word that pawl put back was never how things stood: whoever writes it again has not saved what was, but says it
// once more. So in `before` that part counts as it was `written`. `member`: which; "": its status, with what tells of
// it.
void take_refused_out(const MirrorFormat& format, const std::string& member, const Shown& written, Shown& before);

}  // namespace pawl
