#include <array>

#include "verbs/table.h"
#include "verbs/world.h"
#include "verbs/world/handlers.h"

namespace pawl {
namespace {

constexpr std::array kWorldVerbs = {
    WorldVerb{&kPrView, run_pr_view},
    WorldVerb{&kPractice, run_practice},
};

}  // namespace

std::span<const WorldVerb> world_verbs() { return kWorldVerbs; }

}  // namespace pawl
