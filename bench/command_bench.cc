// A command's whole life: start, work, sync, end.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "bench.h"

namespace pawl::bench {
namespace {

std::string both(double ours, double floor) {
  char text[96];
  std::snprintf(text, sizeof text, "%.2f ms : %.2f ms", ours / 1000, floor / 1000);
  return text;
}

// A program as it is installed, copied from end to end. What a linker leaves behind lies in the page cache in single
// pages, and mapping them costs a fifth of a short process's life; after a copy, or after the next boot, it does not.
std::string installed(const std::string& program, const std::string& folder) {
  std::filesystem::create_directories(folder);
  std::string copy = folder + "/" + std::filesystem::path(program).filename().string();
  std::ifstream from(program, std::ios::binary);
  std::ofstream to(copy, std::ios::binary);
  // In pieces: what this process holds would count as its children's memory.
  for (std::string piece(std::size_t{256} << 10U, '\0'); from;) {
    from.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    to.write(piece.data(), from.gcount());
  }
  to.close();
  std::filesystem::permissions(copy, std::filesystem::perms::owner_all);
  return copy;
}

}  // namespace

std::vector<Figure> bench_commands(const Options& options) {
  const std::string work = options.folder + "/project", bare = options.folder + "/bare";
  for (const char* folder : {"/.git/objects", "/.git/refs/heads"}) std::filesystem::create_directories(work + folder);
  std::ofstream(work + "/.git/HEAD") << "ref: refs/heads/main\n";
  std::filesystem::create_directories(bare);
  const std::string programs = options.folder + "/bin";
  const std::string pawl = installed(PAWL_BINARY, programs), floor_empty = installed(FLOOR_EMPTY, programs),
                    floor_bare = installed(FLOOR_BARE, programs);
  const std::vector<std::string> set = {pawl, "-C", work, "issue", "set", "42", "running"};
  const std::vector<std::string> get = {pawl, "-C", work, "issue", "get", "42"};
  const std::vector<std::string> version = {pawl, "version"};
  run_process(set);
  run_process({floor_bare, bare});

  const auto m = medians_in_turn(options.runs, {
                                                   [&] { run_process({floor_empty}); },
                                                   [&] { run_process(version); },
                                                   [&] {
                                                     run_process({floor_bare, bare, "get"});
                                                   },
                                                   [&] { run_process(get); },
                                                   [&] {
                                                     run_process({floor_bare, bare});
                                                   },
                                                   [&] { run_process(set); },
                                               });
  const double empty = m[0];
  std::vector<Figure> figures;
  figures.push_back(shown("`pawl version` : start of an empty static program", m[1] / empty, both(m[1], empty)));
  figures.push_back(shown("bare SQLite get : empty start", m[2] / empty, both(m[2], empty)));
  figures.push_back(at_most("`pawl issue get` : empty start", m[3] / empty, 2.0, both(m[3], empty)));
  figures.push_back(shown("bare SQLite set and file : empty start", m[4] / empty, both(m[4], empty)));
  figures.push_back(
      at_most("`pawl issue set`, synced, file included : empty start", m[5] / empty, 4.5, both(m[5], empty)));

  long resident = 0;
  for (int i = 0; i < 5; ++i)
    resident = std::max({resident, run_process(set).resident_kb, run_process(get).resident_kb});
  const double mb = static_cast<double>(resident) / 1024;
  figures.push_back(at_most("resident memory of a local verb, MB", mb, 12, "the larger of get and set"));
  return figures;
}

}  // namespace pawl::bench
