// The second executable: the same command line, and what its verbs need of the network.
#include "doors/cli/cli.h"
#include "doors/cli/guarded_main.h"
#include "verbs/world.h"

int main(int argc, char** argv) { return pawl::guarded_main(argc, argv, pawl::world_verbs()); }
