#include "frontends/cli/guarded_main.h"

// In place of glibc's in the static build (CMakeLists.txt): SQLite could load extensions by it, and pawl has none.
extern "C" void* __wrap_dlopen(const char* /*file*/, int /*mode*/) { return nullptr; }

int main(int argc, char** argv) { return pawl::guarded_main(argc, argv, {}); }
