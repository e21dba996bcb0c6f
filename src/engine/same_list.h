// Is a file another one's now, so that what it showed before is set aside?
#pragma once

#include "base/text.h"
#include "core/mirror_format.h"

namespace pawl {

// A file that says whose it is (a line of its identity for each thing it is called by), and says the same as before, is
// not another's, whatever else is in it: else who rewrites all titles could begin everything anew.
[[nodiscard]] inline bool is_anothers_now(const MirrorFormat& format, const Content& before, const Content& now) {
  if (!format.is_another(before, now)) return false;
  const auto was = split(before.identity, '\n'), is = split(now.identity, '\n');
  bool same = false;
  for (std::size_t i = 0; i < was.size() && i < is.size(); ++i) {
    if (was[i].empty() || is[i].empty()) continue;
    if (was[i] != is[i]) return true;
    same = true;
  }
  return !same;
}

}  // namespace pawl
