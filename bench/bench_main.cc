// ./dev bench: prints the table that docs/benchmarks.md keeps. Exit 1 when a bar is missed.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "bench.h"

int main(int argc, char** argv) {
  using namespace pawl::bench;
  Options options;
  std::string only;
  if (argc == 4 && std::strcmp(argv[1], "--read-comments") == 0) {  // called by this program itself
    read_comments_and_tell(argv[2], argv[3]);
    return 0;
  }
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--quick") {
      options.runs = 60;
      options.scale = 0.1;
    } else if (word == "--runs" && i + 1 < argc) {
      options.runs = std::atoi(argv[++i]);
    } else if (word == "--only" && i + 1 < argc) {
      only = argv[++i];
    } else if (word == "--folder" && i + 1 < argc) {
      options.folder = argv[++i];
    } else {
      std::fprintf(stderr,
                   "usage: bench [--quick] [--runs N] [--only "
                   "commands|long-lived|many|hooks|comments|watch|review|story|first-day] "
                   "[--folder DIR]\n");
      return 2;
    }
  }
  const std::string base = options.folder.empty() ? std::filesystem::temp_directory_path().string() : options.folder;
  std::string made = base + "/pawl-bench-XXXXXX";
  if (mkdtemp(made.data()) == nullptr) give_up("cannot make a folder in " + base);
  options.folder = made;

  std::printf(
      "Processes: median of %d runs, taken in turns. Commands work in the rollback journal (PERSIST) that they find;\n"
      "what lives on works in WAL. synchronous=FULL throughout.\n\n| figure | ratio | bar | measured "
      "|\n|---|---|---|---|\n",
      options.runs);
  bool met = true;
  const auto print = [&](const std::vector<Figure>& figures) {
    for (const Figure& figure : figures) {
      std::printf("| %s | %.2f | %s%s | %s |\n", figure.what.c_str(), figure.value,
                  figure.bound.empty() ? "–" : figure.bound.c_str(), figure.met ? "" : " MISSED",
                  figure.measured.c_str());
      std::fflush(stdout);
      met = met && figure.met;
    }
  };
  if (only.empty() || only == "commands") print(bench_commands(options));
  if (only.empty() || only == "long-lived") print(bench_long_lived(options));
  if (only.empty() || only == "many") print(bench_many(options));
  if (only.empty() || only == "hooks") print(bench_hooks(options));
  if (only.empty() || only == "comments") print(bench_comments(options));
  if (only.empty() || only == "watch") print(bench_watch(options));
  if (only.empty() || only == "review") print(bench_review(options));
  if (only.empty() || only == "story") print(bench_story(options));
  if (only.empty() || only == "first-day") print(bench_first_day(options));
  std::filesystem::remove_all(made);
  return met ? 0 : 1;
}
