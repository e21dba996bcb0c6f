// The merge through the engine, on real files and a real store: what is in a file, what a command does, what git did,
// kills and concurrent writers, and what the records, conflicts and files are afterwards. tests/model/scenarios.jsonl
// has a line for each; its lifecycles are those of tests/support/model_lifecycles.h.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "base/text.h"
#include "model/world.h"
#include "support/model.h"
#include "support/paths.h"

namespace pawl::model {
namespace {

std::vector<Json> scenarios() {
  std::ifstream file(cat(test::source_folder(), "/tests/model/scenarios.jsonl"));
  std::vector<Json> out;
  for (std::string line; std::getline(file, line);) out.push_back(parse_json(line).value());
  return out;
}

std::string sorted_line(const Json& value) { return nlohmann::json::parse(to_line(value)).dump(); }

// "KEY STATUS MEMBERS", "conflict CODE KEY MEMBER THEIRS", "file CONTENT".
std::vector<std::string> lines_of(const std::string& result, const Json& state) {
  std::vector<std::string> lines{result};
  if (state.contains("error")) lines.push_back(state["error"]);
  for (const Json& one : state["records"]) {
    const std::string key = one["key"], place = one["state"];
    lines.push_back(place == "removed" ? key + " removed"
                                       : cat(key, " ", string_or(one, "status"), one["unverified"] ? " unverified" : "",
                                             place == "active" ? "" : " " + place, " ", sorted_line(one["members"])));
  }
  std::vector<std::string> conflicts;
  for (const Json& one : state["conflicts"]) {
    const std::string key = one["key"], member = one["member"];
    const bool whole = key.empty() || one["code"] == "unread", absent = one["theirs"] == Json{{"absent", true}};
    conflicts.push_back(cat("conflict ", string_or(one, "code"), whole ? "" : cat(" ", key),
                            member.empty() ? "" : " " + member,
                            whole || member.empty() ? "" : " " + (absent ? std::string() : sorted_line(one["theirs"])),
                            one["blocks"] ? " blocks" : ""));
  }
  std::sort(conflicts.begin(), conflicts.end());
  lines.insert(lines.end(), conflicts.begin(), conflicts.end());
  for (const auto& [path, text] : state["files"].items()) {
    const auto value = text.is_string() ? parse_json(text.get<std::string>()) : Result<Json>(Json());
    lines.push_back(text.is_null() ? "no file" : "file " + (value ? sorted_line(*value) : text.get<std::string>()));
  }
  return lines;
}

class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / cat("pawl-merge-", ::getpid())) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

class MergeScenario : public testing::TestWithParam<Json> {};

TEST_P(MergeScenario, EndsAsTheModelSays) {
  const Folder folder;
  World world(GetParam()["head"], folder.path());
  std::string result;
  for (const Json& step : GetParam()["steps"]) result = world.apply(step);
  std::vector<std::string> expected;
  for (const Json& line : GetParam()["expected"]) expected.push_back(line);
  EXPECT_EQ(lines_of(result, world.state(GetParam()["known"])), expected);
}

INSTANTIATE_TEST_SUITE_P(Table, MergeScenario, testing::ValuesIn(scenarios()),
                         [](const auto& one) { return one.param["name"].template get<std::string>(); });

// `./dev histories` runs more of them.
class MergeHistories : public test::ModelTest {};

TEST_F(MergeHistories, EndAsInTheModel) {
  const auto seed = test::number_from("PAWL_MODEL_SEED", 1), count = test::number_from("PAWL_MODEL_COUNT", 60);
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  const Folder folder;
  const std::string file = folder.path() + "-histories";
  const std::string command =
      cat("python3 -B '", test::source_folder(), "/tests/model/histories.py' \"$PAWL_MODEL\" --kind issue --seed ",
          seed, " --count ", count, " > '", file, "'");
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(compare_histories(file), 0);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace pawl::model
