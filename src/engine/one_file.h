// One file by two names. Whoever moves a file to another place of its format may leave a symbolic link where it was, so
// that older tools find it: both names are places of the format, and what they show is no copy but the same file.
#pragma once

#include <vector>

#include "engine/mirror.h"

namespace pawl {

// Leaves out of `files`, all of one format, the other names of a file: the name under which pawl keeps it stays, and of
// one that is not known the name that is no link. Files that pawl keeps under both names are left as they are.
[[nodiscard]] Done leave_out_other_names(const MirrorWorld& world, Transaction& store, std::vector<MirrorFile>& files);

}  // namespace pawl
