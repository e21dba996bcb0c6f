// Where the things under test lie. Known to one file only, so that all others compile to the same wherever the checkout
// is, and a compiler's cache serves every checkout of a machine.
#pragma once

namespace pawl::test {

[[nodiscard]] const char* binary_path();
[[nodiscard]] const char* example_path();
[[nodiscard]] const char* source_folder();

}  // namespace pawl::test

#define PAWL_BINARY (::pawl::test::binary_path())
#define PAWL_EXAMPLE (::pawl::test::example_path())
#define PAWL_SOURCE_DIR (::pawl::test::source_folder())
