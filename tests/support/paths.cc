#include "support/paths.h"

namespace pawl::test {

const char* binary_path() { return PAWL_BINARY_PATH; }
const char* example_path() { return PAWL_EXAMPLE_PATH; }
const char* source_folder() { return PAWL_SOURCE_FOLDER; }

}  // namespace pawl::test
