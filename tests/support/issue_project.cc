#include "support/issue_project.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/traced_process.h"

extern char** environ;  // NOLINT: POSIX

namespace pawl::test {

namespace fs = std::filesystem;

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) {
    ADD_FAILURE() << "“" << from << "” does not stand in\n" << text;
    return text;
  }
  return text.replace(at, from.size(), to);
}

std::string IssueProject::path_of(int number) { return ".worktrees/.status/" + std::to_string(number) + ".json"; }

std::string IssueProject::out(const std::vector<std::string>& args) const {
  const Ran ran = run(args);
  std::string line = "pawl";
  for (const std::string& arg : args) line += " " + arg;
  EXPECT_EQ(ran.exit, 0) << line << "\n" << ran.err;
  return ran.out;
}

std::string IssueProject::get(int number) const {
  std::string word = out({"issue", "get", std::to_string(number)});
  while (word.ends_with('\n')) word.pop_back();
  return word;
}

// By pawl's own reader: the library's has no room for some numbers that users write.
Json IssueProject::log() const { return parse_json(out({"log", "--limit", "1000", "--json"})).value_or(Json()); }

Json IssueProject::shown(int number) const {
  return Json::parse(out({"issue", "show", std::to_string(number), "--json"}), nullptr, false);
}

std::string IssueProject::bytes(int number) const { return read(path_of(number)).value_or("(none)"); }

Json IssueProject::content(int number) const { return Json::parse(bytes(number), nullptr, false); }

void IssueProject::edit(int number, std::string_view from, std::string_view to) const {
  put(number, replaced(bytes(number), from, to));
}

void IssueProject::drop(int number) const { EXPECT_TRUE(fs::remove(file(path_of(number)))); }

std::vector<std::string> IssueProject::kept(std::string_view folder) const {
  std::vector<std::string> names;
  const fs::path where = file(".pawl/" + std::string(folder));
  if (!fs::exists(where)) return names;
  for (const auto& entry : fs::directory_iterator(where)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string IssueProject::only_kept(std::string_view folder) const {
  const auto names = kept(folder);
  EXPECT_EQ(names.size(), 1U) << folder;
  return names.empty() ? std::string("(none)") : ".pawl/" + std::string(folder) + "/" + names.front();
}

std::string IssueProject::store_image() const {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(file(".pawl"))) {
    const auto written = entry.last_write_time().time_since_epoch().count();
    files.push_back(entry.path().string() + " " + std::to_string(written) + "\n" +
                    (entry.is_regular_file() ? read_all(entry.path().string()).value_or("?") : std::string()));
  }
  std::sort(files.begin(), files.end());
  std::string whole;
  for (const std::string& one : files) whole += one + "\n";
  return whole;
}

namespace {

bool traced(const IssueProject& project, long system_call, const std::function<CallVerdict()>& act,
            const std::vector<std::string>& args) {
  TracedCommand command;
  command.arguments = {PAWL_BINARY};
  command.arguments.insert(command.arguments.end(), args.begin(), args.end());
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (!text.starts_with("HOME=") && !text.starts_with("PAWL_") && !text.starts_with("XDG_"))
      command.environment.emplace_back(text);
  }
  command.environment.push_back("HOME=" + project.home());
  command.folder = project.path();
  bool met = false;
  CallWatch watch;
  watch.entering = [&](const SystemCall& call) {
    if (met || call.number != system_call) return CallVerdict::proceed();
    met = true;
    return act();
  };
  const auto ended = run_traced(command, watch);
  if (!ended && ended.error().code == ErrorCode::unavailable) return false;
  EXPECT_TRUE(ended) << ended.error().message;
  EXPECT_TRUE(met) << "the call was never made: " << (ended ? ended->err : "");
  return met;
}

}  // namespace

bool IssueProject::killed_at(long system_call, const std::vector<std::string>& args) const {
  return traced(
      *this, system_call, [] { return CallVerdict::kill(); }, args);
}

bool IssueProject::run_with(long system_call, const std::function<void()>& meanwhile,
                            const std::vector<std::string>& args) const {
  const auto act = [&] {
    meanwhile();
    return CallVerdict::proceed();
  };
  return traced(*this, system_call, act, args);
}

void IssueProject::start_git() const {
  fs::remove_all(file(".git"));
  git({"init", "-q", "-b", "main", "."});
  write("README", "a project\n");
  commit_all("first");
}

Ran IssueProject::try_git(const std::vector<std::string>& args) const {
  std::vector<std::string> whole = {"-c", "user.name=tester",     "-c", "user.email=tester@example.org",
                                    "-c", "commit.gpgsign=false", "-c", "core.editor=true"};
  whole.insert(whole.end(), args.begin(), args.end());
  RunOptions base;
  base.env = {"GIT_CONFIG_NOSYSTEM=1"};
  return run_program("git", whole, options(base));
}

std::string IssueProject::git(const std::vector<std::string>& args) const {
  const Ran ran = try_git(args);
  EXPECT_EQ(ran.exit, 0) << "git " << (args.empty() ? "" : args.front()) << "\n" << ran.out << ran.err;
  return ran.out;
}

void IssueProject::commit_all(const std::string& message) const {
  git({"add", "-A"});
  git({"commit", "-q", "--allow-empty", "-m", message});
}

}  // namespace pawl::test
