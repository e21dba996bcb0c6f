// The checkout as the rules see it: every file that git tracks or is about to, with its text. A rule takes a File or a
// Tree and gives back what it does not like, so that it can be shown a bad example as easily as the real thing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::tidy {

struct File {
  std::string path;  // from the root, with forward slashes: "src/core/decide.h"
  std::string text;
};

using Tree = std::vector<File>;

struct Offence {
  std::string path;
  std::size_t line = 0;  // 0: the file as a whole
  std::string message;   // what is wrong, why it matters here, what to do instead
};

using Offences = std::vector<Offence>;

// Binary files are left out. Without git, or where git refuses (another user's checkout): all that is not a build's.
[[nodiscard]] Tree load_tree(const std::filesystem::path& root);

[[nodiscard]] const File* find(const Tree& tree, std::string_view path);

// Is there a file or a folder of this name? "" is the root.
[[nodiscard]] bool exists(const Tree& tree, std::string_view path);

// What the program says on stdout, or an empty string when it fails.
[[nodiscard]] std::string output_of(const std::string& shell_command);

// 'it'\''s': one word to a shell.
[[nodiscard]] std::string shell_word(std::string_view text);

// One line each, "path:line: message", the way compilers say it, so that an editor can jump there.
[[nodiscard]] std::string listed(const Offences& offences);

}  // namespace pawl::tidy
