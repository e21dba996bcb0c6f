// What lies in the places of the formats: each file, what is in it, and what pawl would do with it. The places are
// those that every format tells of itself, and what would be done is what taking the file over comes to, without
// writing anything: there is no second list of either.
#pragma once

#include <vector>

#include "engine/absorb.h"
#include "engine/doctor.h"

namespace pawl {

// Fills in `files` and adds what is wrong with them. The absorber must not write; afterwards its view shows everything
// as the files have it.
[[nodiscard]] Done take_inventory(const MirrorWorld& world, Transaction& store, Absorber& absorber, Checkup& checkup);

}  // namespace pawl
