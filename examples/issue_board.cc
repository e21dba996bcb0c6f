// A small program on libpawl: records a few issues of a project and prints them as a board.
//
//   g++ -std=c++20 issue_board.cc -lpawl -lsqlite3 -lutf8proc -o issue_board && ./issue_board /path/to/project
#include <pawl/pawl.h>

#include <cstdio>
#include <string>

namespace {

int complain(const pawl::Error& error) {
  std::fprintf(stderr, "issue_board: %s\n", error.message.c_str());
  if (!error.hint.empty()) std::fprintf(stderr, "  %s\n", error.hint.c_str());
  return pawl::facts_of(error.code).exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  pawl::ClientOptions options;
  options.dir = argc > 1 ? argv[1] : ".";
  options.actor = "issue_board";
  options.note = [](std::string_view text) {
    std::fprintf(stderr, "note: %.*s\n", static_cast<int>(text.size()), text.data());
  };
  auto client = pawl::Client::open(options);
  if (!client) return complain(client.error());

  // Three agents report.
  if (auto set = pawl::set_issue(*client, 7, "running"); !set) return complain(set.error());
  if (auto set = pawl::set_issue(*client, 8, "complete"); !set) return complain(set.error());
  pawl::SetIssue failed;
  failed.message = "tests fail";
  if (auto set = pawl::set_issue(*client, 9, "error", failed); !set) return complain(set.error());

  // One invents a status, and is told what is allowed.
  const auto invented = pawl::set_issue(*client, 7, "finished");
  std::printf("refused: %s\n", invented ? "no" : invented.error().message.c_str());

  const auto issues = pawl::list_issues(*client);
  if (!issues) return complain(issues.error());
  for (const pawl::IssueStatus& issue : *issues) {
    std::printf("%-4lld %-10s %s\n", static_cast<long long>(issue.number), issue.status.c_str(),
                issue.error_message.c_str());
  }

  // Everything that the command line can do, by the same names.
  const auto log = client->call("log", {{"limit", "1"}});
  if (!log) return complain(log.error());
  std::printf("newest operation: %s\n", log->substr(0, 60).c_str());
  return invented ? 1 : 0;
}
