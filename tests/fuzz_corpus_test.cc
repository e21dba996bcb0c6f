// Every file that a fuzzer once found, or that seemed worth a try, through its target: a broken promise aborts.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "fuzz/targets.h"

namespace pawl::test {
namespace {

const std::filesystem::path kFuzz = std::filesystem::path(PAWL_SOURCE_DIR) / "tests" / "fuzz";

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::set<std::string> names_in_table() {
  std::set<std::string> names;
  for (const FuzzTarget& target : kFuzzTargets) names.emplace(target.name);
  return names;
}

TEST(FuzzCorpus, EveryFileKeepsItsTargetsPromises) {
  for (const FuzzTarget& target : kFuzzTargets) {
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(kFuzz / "corpus" / target.name)) {
      SCOPED_TRACE(entry.path().string());
      std::string bytes = content(entry.path());
      target.run(bytes);
      // Cut short anywhere: files are found that way.
      for (std::size_t length = std::min<std::size_t>(bytes.size(), 2000); length-- > 0;)
        target.run({bytes.data(), length});
      ++files;
    }
    EXPECT_GT(files, 0) << "tests/fuzz/corpus/" << target.name << " has no files";
  }
}

TEST(FuzzCorpus, TableNamesEveryTargetAndFolder) {
  std::set<std::string> sources, folders;
  for (const auto& entry : std::filesystem::directory_iterator(kFuzz)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with("_target.cc")) sources.insert(name.substr(0, name.size() - std::string("_target.cc").size()));
  }
  for (const auto& entry : std::filesystem::directory_iterator(kFuzz / "corpus"))
    folders.insert(entry.path().filename());
  EXPECT_EQ(sources, names_in_table()) << "tests/fuzz/targets.h and the *_target.cc files differ";
  EXPECT_EQ(folders, names_in_table()) << "tests/fuzz/targets.h and the folders in corpus/ differ";
}

}  // namespace
}  // namespace pawl::test
