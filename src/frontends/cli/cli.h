// The command line: words in, an answer on stdout, an exit code out.
#pragma once

#include <span>

#include "commands/world.h"

namespace pawl {

// May throw what nobody expects (no memory); main turns that into a sentence.
// `world`: what the verbs of the second executable do; where it is empty, they are handed over to that one.
int run_cli(int argc, char** argv, std::span<const WorldVerb> world = {});

}  // namespace pawl
