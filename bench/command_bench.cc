// A command's whole life: start, work, sync, end.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "bench.h"

namespace pawl::bench {
std::vector<Figure> bench_commands(const Options& options) {
  const std::string work = options.folder + "/project", bare = options.folder + "/bare";
  make_project(work);
  std::filesystem::create_directories(bare);
  const std::string programs = options.folder + "/bin";
  const std::string pawl = installed(PAWL_BINARY, programs), floor_empty = installed(FLOOR_EMPTY, programs),
                    floor_bare = installed(FLOOR_BARE, programs);
  // Another session each time: within a second the file would otherwise say the same as before, and not be written.
  int sessions = 0;
  const auto set = [&] {
    return run_process(
        {pawl, "-C", work, "issue", "set", "42", "running", "--session", "pi-issue-42-" + std::to_string(++sessions)});
  };
  const std::vector<std::string> get = {pawl, "-C", work, "issue", "get", "42"};
  const std::vector<std::string> version = {pawl, "version"};
  set();
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
                                                   [&] { set(); },
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
  for (int i = 0; i < 5; ++i) resident = std::max({resident, set().resident_kb, run_process(get).resident_kb});
  const double mb = static_cast<double>(resident) / 1024;
  figures.push_back(at_most("resident memory of a local verb, MB", mb, 12, "the larger of get and set"));
  return figures;
}

}  // namespace pawl::bench
