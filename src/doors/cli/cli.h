// The command line: words in, an answer on stdout, an exit code out.
#pragma once

namespace pawl {

// May throw what nobody expects (no memory); main turns that into a sentence.
int run_cli(int argc, char** argv);

}  // namespace pawl
