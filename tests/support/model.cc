#include "support/model.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "base/text.h"
#include "support/paths.h"

namespace pawl::test {

std::uint64_t number_from(const char* variable, std::uint64_t fallback) {
  const char* text = std::getenv(variable);
  return text == nullptr ? fallback : std::strtoull(text, nullptr, 10);
}

void ModelTest::SetUp() {
  if (std::getenv("PAWL_MODEL") == nullptr) GTEST_SKIP() << "PAWL_MODEL, the folder of the model, is not set";
  if (std::system("python3 --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "python3 is not installed";
  folder_ = std::filesystem::temp_directory_path() / cat("pawl-model-", ::getpid());
  std::filesystem::create_directories(folder_);
}

void ModelTest::TearDown() {
  if (!folder_.empty()) std::filesystem::remove_all(folder_);
}

std::vector<Json> ModelTest::ask(std::string_view script, const std::vector<Json>& cases) const {
  std::ofstream lines(folder_ / "cases");
  for (const Json& one : cases) lines << to_line(one) << '\n';
  lines.close();
  const std::string command = cat("python3 -B '", source_folder(), "/tests/support/", script, "' \"$PAWL_MODEL\" < '",
                                  (folder_ / "cases").string(), "' > '", (folder_ / "answers").string(), "'");
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::ifstream answers(folder_ / "answers");
  std::vector<Json> out;
  for (std::string line; std::getline(answers, line);) out.push_back(parse_json(line).value());
  return out;
}

}  // namespace pawl::test
