// A workspace with reviews, and the stand-in for GitHub with three pull requests: one of ann's, one of one's own, one
// that is closed.
#pragma once

#include <gtest/gtest.h>

#include "support/practice.h"
#include "support/review_project.h"

namespace pawl::test {

inline std::string lines(int from, int to, const std::string& word) {
  std::string out;
  for (int i = from; i <= to; ++i) out += word + " " + std::to_string(i) + "\n";
  return out;
}

inline Json seed_of_pulls() {
  const std::string engine = lines(1, 400, "engine");
  return Json{
      {"token", "t0ken"},
      {"login", "octocat"},
      {"repositories",
       Json::array(
           {{{"owner", "o"},
             {"name", "r"},
             {"pulls",
              Json::array(
                  {{{"number", 1},
                    {"title", "One"},
                    {"author", "ann"},
                    {"head", "topic"},
                    {"files",
                     {{"core/engine.c", {{"before", nullptr}, {"after", engine}}},
                      {"core/engine.h", {{"before", "int a;\n"}, {"after", "int b;\n"}}},
                      {"ui/form.c", {{"before", nullptr}, {"after", lines(1, 200, "form")}}},
                      {"tests/engine_test.c", {{"before", nullptr}, {"after", lines(1, 60, "test")}}}}},
                    {"threads", Json::array({{{"path", "core/engine.c"},
                                              {"line", 2},
                                              {"resolved", true},
                                              {"comments", Json::array({{{"author", "bob"}, {"body", "why?"}}})}}})}},
                   {{"number", 2},
                    {"title", "Mine"},
                    {"author", "octocat"},
                    {"head", "own"},
                    {"files", {{"b.c", {{"before", "x\n"}, {"after", "y\n"}}}}}},
                   {{"number", 3},
                    {"title", "Over"},
                    {"author", "ann"},
                    {"head", "over"},
                    {"state", "closed"},
                    {"files", {{"c.c", {{"before", "x\n"}, {"after", "y\n"}}}}}}})}}})}};
}

class ReviewOnGithub : public testing::Test {
 protected:
  [[nodiscard]] std::vector<std::string> env() const {
    return {"GH_CONFIG_DIR=" + project.file("../gh"), "GH_TOKEN=" + practice.token()};
  }
  void SetUp() override { project.write("../gh/config.yml", "http_unix_socket: " + practice.socket() + "\n"); }

  [[nodiscard]] Ran run(std::vector<std::string> args, const std::string& input = {}) const {
    RunOptions options;
    options.env = env();
    options.input = input;
    args.insert(args.begin(), "review");
    return project.run(args, options);
  }
  Json json(std::vector<std::string> args) const {
    args.emplace_back("--json");
    const Ran ran = run(args);
    EXPECT_EQ(ran.exit, 0) << ran.err;
    return Json::parse(ran.out, nullptr, false);
  }
  void add(const std::string& file, int line, const std::string& severity, const std::string& title,
           const std::vector<std::string>& more = {}) const {
    std::vector<std::string> args = {"finding",    "add",    "--file",  file, "--line", std::to_string(line),
                                     "--severity", severity, "--title", title};
    args.insert(args.end(), more.begin(), more.end());
    const Ran ran = run(args);
    EXPECT_EQ(ran.exit, 0) << ran.err;
  }
  void mark_all() const {
    const Json state = json({"status"});
    for (const Json& chunk : state["chunks"]) {
      const std::string number = std::to_string(chunk["chunk"].get<int>());
      EXPECT_EQ(run({"mark", number, "skipped"}).exit, 0);
    }
  }
  std::string push(int pull, const Json& files) const {
    return string_or(practice.control("POST", "/repos/o/r/pulls/" + std::to_string(pull) + "/push", {{"files", files}}),
                     "sha");
  }
  // Those that this project's token posted.
  [[nodiscard]] Json reviews(int pull) const {
    const Json all = practice.request("GET", "/repos/o/r/pulls/" + std::to_string(pull) + "/reviews").json();
    Json ours = Json::array();
    for (const Json& one : all) {
      if (one["user"]["login"] == "octocat") ours.push_back(one);
    }
    return ours;
  }
  [[nodiscard]] Json inline_comments(int pull) const {
    return practice.request("GET", "/repos/o/r/pulls/" + std::to_string(pull) + "/comments?per_page=100").json();
  }

  Practice practice{seed_of_pulls()};
  ReviewProject project;
};

}  // namespace pawl::test
