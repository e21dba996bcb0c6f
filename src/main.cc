#include "doors/cli/guarded_main.h"

int main(int argc, char** argv) { return pawl::guarded_main(argc, argv, {}); }
