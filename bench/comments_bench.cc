// Reading a busy pull request: pages of comments from a file, made into values; and finding what is pending in them.
#include <simdjson.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "bench.h"
#include "integrations/github/read_json.h"
#include "lifecycles/pr/mention.h"
#include "lifecycles/pr/plan.h"
#include "runners/pr/scene.h"

namespace pawl::bench {
namespace {

constexpr int kPages = 200, kComments = 100;

// About 2.5 kB a comment, as GitHub sends them: a third of it is what pawl wants.
std::string page_of_comments(int page) {
  std::string out = "[";
  for (int i = 0; i < kComments; ++i) {
    const long id = 1'700'000'000L + page * kComments + i;
    const std::string number = std::to_string(id), user = "https://api.github.com/users/octocat";
    out += i == 0 ? "" : ",";
    out +=
        R"({"url":"https://api.github.com/repos/octo/cat/issues/comments/)" + number +
        R"(","html_url":"https://github.com/octo/cat/pull/7#issuecomment-)" + number +
        R"(","issue_url":"https://api.github.com/repos/octo/cat/issues/7","id":)" + number +
        R"(,"node_id":"IC_kwDOABCDEF5m","user":{"login":"octocat","id":583231,"node_id":"MDQ6VXNlcjU4MzIzMQ==","avatar_url":"https://avatars.githubusercontent.com/u/583231?v=4","gravatar_id":"","url":")" +
        user + "\"";
    for (const char* what : {"followers", "following", "gists", "starred", "subscriptions", "organizations", "repos",
                             "events", "received_events"})
      out += std::string(",\"") + what + "_url\":\"" + user + "/" + what + "{/x}\"";
    out +=
        R"(,"type":"User","site_admin":false},"created_at":"2024-01-30T09:00:00Z","updated_at":"2024-01-30T09:05:00Z","author_association":"MEMBER","body":")";
    // One in fifty asks the bot something.
    if (i % 50 == 7) out += "@rmc-bot why is that so? ";
    for (int line = 0; line < 12; ++line)
      out += "The quick brown fox jumps over the lazy dog, \\\"again\\\" and \\u00fcber \\n";
    out +=
        R"(","reactions":{"url":"https://api.github.com/repos/octo/cat/issues/comments/)" + number +
        R"(/reactions","total_count":0,"+1":0,"-1":0,"laugh":0,"hooray":0,"confused":0,"heart":0,"rocket":0,"eyes":0},"performed_via_github_app":null})";
  }
  return out + "]";
}

std::vector<std::string> read_pages(const std::string& file) {
  std::vector<std::string> pages;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) pages.push_back(std::move(line));
  return pages;
}

// What `pawl pr detect` does with pages that it has: values, then what they say, then what is pending.
std::size_t detect(const std::string& file) {
  Scene scene;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!github::read_comments(std::move(line), scene.comments)) give_up("a page cannot be read");
    line.clear();
  }
  scene.pull.ref = {{"octo", "cat"}, 7};
  scene.pull.head_sha = "f00";
  scene.bot = "rmc-bot";
  make_talk(scene);
  pr::Rules rules;
  rules.mentions = {"review-my-code-bot", "rmc-bot"};
  const pr::Picture picture = pr::read_talk(scene.talk, rules, {}, pr::wants_review);
  return pr::plan_of(picture, scene.talk, {}, rules).tasks.size();
}

double median_of(int runs, const std::function<double()>& once) {
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) times.push_back(once());
  return median(std::move(times));
}

void read_file_of_comments(const std::string& file) {
  std::vector<Comment> comments;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!github::read_comments(std::move(line), comments)) give_up("a page cannot be read");
    line.clear();
  }
}

// The peak of a process that does nothing but read this file: this program again, started anew.
double peak_mb(const std::string& file, const std::string& told) {
  run_process({"/proc/self/exe", "--read-comments", file, told});
  double kb = 0;
  std::ifstream(told) >> kb;
  return kb / 1024;
}

}  // namespace

void read_comments_and_tell(const std::string& file, const std::string& told) {
  read_file_of_comments(file);
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) std::ofstream(told) << line.substr(6);
  }
}

std::vector<Figure> bench_comments(const Options& options) {
  const std::string file = options.folder + "/comments.ndjson";
  std::size_t bytes = 0, largest = 0;
  {
    std::ofstream out(file);
    for (int page = 0; page < kPages; ++page) {
      const std::string text = page_of_comments(page);
      bytes += text.size();
      largest = std::max(largest, text.size());
      out << text << "\n";
    }
  }
  const auto ours = [&] { read_file_of_comments(file); };
  const auto floor = [&] {
    simdjson::dom::parser parser;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      if (parser.parse(line).error()) give_up("a page cannot be parsed");
    }
  };
  const double base = peak_mb("/dev/null", options.folder + "/peak"),
               used = peak_mb(file, options.folder + "/peak") - base;
  const int runs = std::max(3, static_cast<int>(11 * options.scale));
  const auto timed = [](const auto& work) {
    const double start = now_us();
    work();
    return now_us() - start;
  };
  const double mine = median_of(runs, [&] { return timed(ours); }),
               parse = median_of(runs, [&] { return timed(floor); });
  char text[96];
  std::snprintf(text, sizeof text, "%.0f ms : %.0f ms, %.0f MB", mine / 1000, parse / 1000,
                static_cast<double>(bytes) / 1e6);
  std::vector<Figure> figures;
  figures.push_back(
      at_most("20,000 comments made into values : simdjson's DOM parsing the same", mine / parse, 3.0, text));

  std::size_t found = 0;
  const double detected = median_of(runs, [&] { return timed([&] { found = detect(file); }); });
  std::snprintf(text, sizeof text, "%.0f ms : %.0f ms, %zu questions found", detected / 1000, parse / 1000, found);
  figures.push_back(at_most("all that is pending found in 20,000 comments : simdjson's DOM parsing the same",
                            detected / parse, 3.0, text));

  // What is kept is the values themselves: their texts and the vector.
  const double kept_mb = [&] {
    std::vector<Comment> comments;
    for (std::string& page : read_pages(file)) static_cast<void>(github::read_comments(std::move(page), comments));
    std::size_t sum = comments.capacity() * sizeof(Comment);
    for (const Comment& one : comments)
      sum += one.body.capacity() + one.url.capacity() + one.created_at.capacity() + one.updated_at.capacity() + 5 * 16;
    return static_cast<double>(sum) / 1048576;
  }();
  const double allowed = 3 * static_cast<double>(largest) / 1048576 + kept_mb;
  std::snprintf(text, sizeof text, "%.1f MB used, %.1f MB kept, largest page %.1f MB", used, kept_mb,
                static_cast<double>(largest) / 1048576);
  figures.push_back(at_most("memory for that : 3 times the largest page and what is kept", used / allowed, 1.0, text));
  return figures;
}

}  // namespace pawl::bench
