// The second executable: the same command line, and what its verbs need of the network.
#include "commands/world.h"
#include "frontends/cli/cli.h"
#include "frontends/cli/guarded_main.h"

int main(int argc, char** argv) { return pawl::guarded_main(argc, argv, pawl::world_verbs()); }
