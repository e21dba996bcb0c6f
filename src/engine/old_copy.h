// A tool that saves what it had read before pawl's last write, with something edited.
#pragma once

#include "core/mirror_format.h"
#include "store/store.h"

namespace pawl {

// Then everything that pawl changed (from `before` to `written`) stands in `now` as it was before, and something else
// differs: that is the edit.
[[nodiscard]] bool is_old_copy(const Shown& before, const Shown& written, const Shown& now);

// Did the record once stand just as `now` shows it? Whoever saves a copy from before several of pawl's writes says so
// of all of it, and means none.
[[nodiscard]] Result<bool> stood_so_before(Transaction& store, const MirrorFormat& format, const Shown& now);

// A word that pawl put back was never how things stood: whoever writes it again has not saved what was, but says it
// once more. So in `before` that part counts as it was `written`. `member`: which; "": its status, with what tells of
// it.
void take_refused_out(const MirrorFormat& format, const std::string& member, const Shown& written, Shown& before);

}  // namespace pawl
