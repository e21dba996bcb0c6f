#include <stdlib.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "support/binary.h"

namespace pawl::test {

namespace fs = std::filesystem;

TempWorkspace::TempWorkspace() {
  std::string pattern = (fs::temp_directory_path() / "pawl-test-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error(pattern + ": " + std::strerror(errno));
  root_ = fs::canonical(pattern).string();
  path_ = root_ + "/repo";
  home_ = root_ + "/home";
  fs::create_directories(home_);
  fs::create_directories(path_ + "/.git/objects");
  fs::create_directories(path_ + "/.git/refs/heads");
  write(".git/HEAD", "ref: refs/heads/main\n");
}

TempWorkspace::~TempWorkspace() {
  // A test may have taken away the right to write; whoever removes needs it back.
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(root_, ignored)) {
    if (entry.is_directory(ignored) && !entry.is_symlink(ignored)) {
      fs::permissions(entry, fs::perms::owner_all, fs::perm_options::add, ignored);
    }
  }
  fs::remove_all(root_, ignored);
}

RunOptions TempWorkspace::options(RunOptions base) const {
  if (base.cwd.empty()) base.cwd = path_;
  base.env.insert(base.env.begin(), "HOME=" + home_);
  return base;
}

Ran TempWorkspace::run(const std::vector<std::string>& args, RunOptions run_options) const {
  return run_pawl(args, options(std::move(run_options)));
}

void TempWorkspace::write(std::string_view name, std::string_view bytes) const {
  const fs::path target = file(name);
  fs::create_directories(target.parent_path());
  write_all(target.string(), bytes);
}

std::optional<std::string> TempWorkspace::read(std::string_view name) const { return read_all(file(name)); }

bool TempWorkspace::exists(std::string_view name) const { return fs::exists(fs::symlink_status(file(name))); }

std::optional<std::string> read_all(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::string bytes;
  std::array<char, 8192> part{};
  do {
    in.read(part.data(), part.size());  // unlike an iterator, it does not throw where a process has just ended (/proc)
    bytes.append(part.data(), static_cast<std::size_t>(in.gcount()));
  } while (in);
  return bytes;
}

void write_all(const std::string& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) throw std::runtime_error("cannot write " + path);
}

}  // namespace pawl::test
