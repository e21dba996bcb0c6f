// Who writes to a file? pawl neither judges nor replaces one while somebody has it open for writing: what that program
// writes next would go to a file that has lost its name.
#pragma once

#include <string>

namespace pawl {

// Whether any process has the file open for writing. Writers get a moment to finish first.
enum class Writers {
  none,
  some,
  unknown,  // the kernel does not say: the file belongs to another user, or to a file system without leases
};
[[nodiscard]] Writers writers_of_at(int folder, const std::string& name);
// The same as a yes or no. Where the kernel does not say, a file counts as being written until it has been unchanged
// for two seconds.
[[nodiscard]] bool is_being_written_at(int folder, const std::string& name);

}  // namespace pawl
