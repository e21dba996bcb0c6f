#include "tidy/tree.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace pawl::tidy {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> paths_by_git(const fs::path& root) {
  // A hook that runs the tests has GIT_DIR set, and git would look there instead of here.
  const std::string listing =
      output_of("env -u GIT_DIR -u GIT_WORK_TREE -u GIT_INDEX_FILE git -C " + shell_word(root.string()) +
                " ls-files -z --cached --others --exclude-standard 2>/dev/null");
  std::vector<std::string> paths;
  for (std::size_t at = 0; at < listing.size();) {
    const std::size_t end = std::min(listing.find('\0', at), listing.size());
    paths.push_back(listing.substr(at, end - at));
    at = end + 1;
  }
  return paths;
}

std::vector<std::string> paths_by_walking(const fs::path& root) {
  std::vector<std::string> paths;
  for (auto it = fs::recursive_directory_iterator(root); it != fs::recursive_directory_iterator(); ++it) {
    const std::string name = it->path().filename().string();
    if (it->is_directory() && (name == ".git" || name == ".pawl" || name.rfind("build", 0) == 0)) {
      it.disable_recursion_pending();
    } else if (it->is_regular_file()) {
      paths.push_back(fs::relative(it->path(), root).generic_string());
    }
  }
  return paths;
}

}  // namespace

Tree load_tree(const fs::path& root) {
  std::vector<std::string> paths = paths_by_git(root);
  if (paths.empty()) paths = paths_by_walking(root);
  std::sort(paths.begin(), paths.end());
  Tree tree;
  for (const std::string& path : paths) {
    if (!fs::is_regular_file(root / path)) continue;  // removed, and not yet committed
    std::ifstream in(root / path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (text.find('\0') == std::string::npos) tree.push_back({path, std::move(text)});
  }
  return tree;
}

const File* find(const Tree& tree, std::string_view path) {
  const auto found = std::find_if(tree.begin(), tree.end(), [&](const File& file) { return file.path == path; });
  return found == tree.end() ? nullptr : &*found;
}

bool exists(const Tree& tree, std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  return path.empty() || path == "." || std::any_of(tree.begin(), tree.end(), [&](const File& file) {
           return file.path.starts_with(path) && (file.path.size() == path.size() || file.path[path.size()] == '/');
         });
}

std::string output_of(const std::string& shell_command) {
  std::string output;
  FILE* pipe = popen(shell_command.c_str(), "r");
  if (pipe == nullptr) return output;
  std::array<char, 4096> buffer{};
  while (const std::size_t got = fread(buffer.data(), 1, buffer.size(), pipe)) output.append(buffer.data(), got);
  return pclose(pipe) == 0 ? output : std::string();
}

std::string shell_word(std::string_view text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string listed(const Offences& offences) {
  std::string text;
  for (const Offence& offence : offences) {
    text += offence.path;
    if (offence.line != 0) text += ":" + std::to_string(offence.line);
    text += ": " + offence.message + "\n";
  }
  return text;
}

}  // namespace pawl::tidy
