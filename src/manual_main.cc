// Prints what an installed pawl brings with it besides the program. Run by the build, and by `./dev manual`.
//
//   pawl-manual share DIR    man pages and completions, as they lie below /usr/share
//   pawl-manual markdown     docs/cli.md, on stdout
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "commands/table.h"
#include "frontends/manual/manual.h"

namespace {

bool write(const std::filesystem::path& path, std::string_view text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << text;
  return static_cast<bool>(file.flush());
}

bool write_share(const std::filesystem::path& share) {
  bool good = true;
  for (const pawl::manual::Page& page : pawl::manual::man_pages(pawl::version()))
    good = write(share / "man/man1" / page.name, page.text) && good;
  good = write(share / "bash-completion/completions/pawl", pawl::completion_script("bash")) && good;
  // Where zsh looks by itself; what Debian packages comes from the second.
  for (const char* folder : {"zsh/site-functions", "zsh/vendor-completions"})
    good = write(share / folder / "_pawl", pawl::completion_script("zsh")) && good;
  return write(share / "fish/vendor_completions.d/pawl.fish", pawl::completion_script("fish")) && good;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "markdown") {
    const std::string page = pawl::manual::markdown();
    return std::fwrite(page.data(), 1, page.size(), stdout) == page.size() && std::fflush(stdout) == 0 ? 0 : 1;
  }
  if (what == "share" && argc > 2) return write_share(argv[2]) ? 0 : 1;
  std::fputs("usage: pawl-manual share DIR | markdown\n", stderr);
  return 2;
}
