// Many processes at once. Each operation of each process leaves exactly one event; revisions have no gaps; files and
// store say the same in the end, whatever another tool did to the files meanwhile.
//
// PAWL_TEST_WORKERS and PAWL_TEST_OPERATIONS set the size (16 and 500 for the whole of it), PAWL_TEST_SEED the dice.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <set>

#include "base/json.h"
#include "base/text.h"
#include "pawl/pawl.h"
#include "support/binary.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

constexpr int kIssues = 6;
constexpr std::array<const char*, 3> kWords = {"running", "complete", "error"};

std::int64_t from_environment(const char* name, std::int64_t standard) {
  const char* value = std::getenv(name);
  return value == nullptr ? standard : std::atoll(value);
}

Json json_of(const std::string& text) {
  const auto parsed = parse_json(text);
  EXPECT_TRUE(parsed) << text.substr(0, 500);
  return parsed ? *parsed : Json();
}

std::string status_file(int issue) { return cat(".worktrees/.status/", issue, ".json"); }

// Work in a process of its own. What it returns is its exit code; what it complains of goes to stderr.
class Process {
 public:
  template <class Work>
  explicit Process(Work work) : pid_(::fork()) {
    if (pid_ == 0) ::_exit(work());
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() {
    if (pid_ > 0 && ::kill(pid_, SIGKILL) == 0) ::waitpid(pid_, nullptr, 0);
  }
  void ask_to_end() const { ::kill(pid_, SIGTERM); }
  int wait() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t pid_;
};

// What a worker calls its n-th operation; it goes into the log as the session.
std::string mark(int worker, std::int64_t operation) { return cat("w", worker, "-", operation); }

// Every third worker is a script that starts pawl each time, every third one lives long, the rest are short programs.
int work(const TempWorkspace& ws, int worker, std::int64_t operations, std::uint64_t seed) {
  std::mt19937_64 dice(seed + static_cast<std::uint64_t>(worker));
  ClientOptions options;
  options.dir = ws.path();
  options.actor = cat("worker ", worker);
  options.long_lived = worker % 3 == 1;
  std::optional<Client> client;
  if (worker % 3 != 0) {
    auto opened = Client::open(options);
    if (!opened) {
      std::fprintf(stderr, "worker %d: %s\n", worker, opened.error().message.c_str());
      return 1;
    }
    client.emplace(std::move(*opened));
  }
  for (std::int64_t i = 0; i < operations; ++i) {
    const std::string number = std::to_string(dice() % kIssues + 1), status = kWords[dice() % kWords.size()];
    if (client) {
      const auto done = client->call(
          "issue set", {{"number", number}, {"status", status}, {"session", mark(worker, i)}}, {"concurrency", {}, 0});
      if (done) continue;
      std::fprintf(stderr, "%s: %s\n", mark(worker, i).c_str(), done.error().message.c_str());
      return 1;
    }
    const Ran ran = ws.run({"issue", "set", number, status, "--session", mark(worker, i), "--reason", "concurrency",
                            "--actor", cat("worker ", worker)});
    if (ran.exit == 0) continue;
    std::fprintf(stderr, "%s: exit %d: %s\n", mark(worker, i).c_str(), ran.exit, ran.err.c_str());
    return 1;
  }
  return 0;
}

volatile sig_atomic_t asked_to_end = 0;

// Another tool: reads a file, changes a field of its own, writes it back, by truncating or by renaming. It may well
// write an old copy; then what it undid is its doing, and shows in the log as such.
int rewrite(const TempWorkspace& ws, std::uint64_t seed) {
  ::signal(SIGTERM, [](int) { asked_to_end = 1; });
  std::mt19937_64 dice(seed);
  for (int round = 0; asked_to_end == 0; ++round) {
    const std::string path = ws.file(status_file(static_cast<int>(dice() % kIssues) + 1));
    const auto parsed = parse_json(read_all(path).value_or(""));
    if (!parsed || !parsed->is_object()) continue;
    Json object = *parsed;
    object["note"] = cat("round ", round);
    const std::string bytes = to_pretty(object) + "\n";
    if (dice() % 2 == 0) {
      const int fd = ::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
      if (fd < 0) continue;
      const std::size_t half = bytes.size() / 2;
      if (::write(fd, bytes.data(), half) < 0 || ::write(fd, bytes.data() + half, bytes.size() - half) < 0) return 1;
      ::close(fd);
    } else {
      const std::string temporary = path + ".tmp." + std::to_string(::getpid());
      write_all(temporary, bytes);
      if (::rename(temporary.c_str(), path.c_str()) != 0) return 1;
    }
  }
  return 0;
}

struct History {
  std::map<std::string, int> marks;                            // sessions set by commands → how often
  std::map<std::string, std::vector<std::int64_t>> revisions;  // by record, oldest first
  std::int64_t outside = 0;
};

History read_history(const TempWorkspace& ws) {
  const Ran ran = ws.run({"log", "--json", "--limit", "1000000"});
  EXPECT_EQ(ran.exit, 0) << ran.err.substr(0, 500);
  History history;
  const Json log = json_of(ran.out);
  for (auto operation = log.rbegin(); operation != log.rend(); ++operation) {
    const bool outside = operation->contains("outside");
    history.outside += outside ? 1 : 0;
    EXPECT_FALSE((*operation)["events"].empty());
    for (const Json& event : (*operation)["events"]) {
      history.revisions[string_or(event, "ref")].push_back(event["revision"].get<std::int64_t>());
      if (!outside) ++history.marks[string_or(event["document"], "session")];
    }
  }
  return history;
}

void expect_in_step(const TempWorkspace& ws) {
  const Ran doctor = ws.run({"doctor", "--json"});
  EXPECT_EQ(doctor.exit, 0) << doctor.out << doctor.err;
  const Json answer = json_of(doctor.out);
  for (const Json& file : answer["files"]) EXPECT_EQ(string_or(file, "state"), "in step") << to_line(file);
  for (int issue = 1; issue <= kIssues; ++issue) {
    const Ran shown = ws.run({"issue", "show", std::to_string(issue), "--json"});
    if (shown.exit == 3) {
      EXPECT_FALSE(ws.exists(status_file(issue)));
      continue;
    }
    Json in_store = json_of(shown.out), in_file = json_of(ws.read(status_file(issue)).value_or(""));
    EXPECT_EQ(nlohmann::json(in_store), nlohmann::json(in_file)) << issue;  // the order of keys is the file's own
  }
  EXPECT_TRUE(fs::is_empty(ws.file(".pawl/tmp"))) << "something was left in .pawl/tmp";
}

TEST(Concurrency, ManyWorkersAndAToolThatRewritesTheirFilesLoseNothing) {
  const auto workers = static_cast<int>(from_environment("PAWL_TEST_WORKERS", 8));
  const std::int64_t operations = from_environment("PAWL_TEST_OPERATIONS", 30);
  const auto seed =
      static_cast<std::uint64_t>(from_environment("PAWL_TEST_SEED", static_cast<std::int64_t>(std::random_device{}())));
  std::printf("%d workers, %lld operations each, PAWL_TEST_SEED=%llu\n", workers, static_cast<long long>(operations),
              static_cast<unsigned long long>(seed));
  std::fflush(stdout);
  const TempWorkspace ws;
  std::vector<std::unique_ptr<Process>> tools, processes;
  for (std::uint64_t tool = 0; tool < 2; ++tool)
    tools.push_back(std::make_unique<Process>([&] { return rewrite(ws, seed + 1000 + tool); }));
  for (int worker = 0; worker < workers; ++worker)
    processes.push_back(std::make_unique<Process>([&] { return work(ws, worker, operations, seed); }));
  for (int worker = 0; worker < workers; ++worker)
    EXPECT_EQ(processes[static_cast<std::size_t>(worker)]->wait(), 0) << "worker " << worker;
  for (const auto& tool : tools) tool->ask_to_end();
  for (const auto& tool : tools) EXPECT_EQ(tool->wait(), 0);

  // What the tool did last is taken over by whoever looks next.
  EXPECT_EQ(ws.run({"status"}).exit, 0);
  const History history = read_history(ws);
  std::printf("%zu operations of workers, %lld of the tool\n", history.marks.size(),
              static_cast<long long>(history.outside));
  for (int worker = 0; worker < workers; ++worker) {
    for (std::int64_t i = 0; i < operations; ++i) {
      const auto found = history.marks.find(mark(worker, i));
      EXPECT_TRUE(found != history.marks.end() && found->second == 1)
          << mark(worker, i) << " is in the log " << (found == history.marks.end() ? 0 : found->second) << " times";
    }
  }
  EXPECT_EQ(history.marks.size(), static_cast<std::size_t>(workers) * static_cast<std::size_t>(operations));
  EXPECT_GT(history.outside, 0) << "the tool never came to anything";
  for (const auto& [ref, revisions] : history.revisions) {
    for (std::size_t i = 0; i < revisions.size(); ++i) ASSERT_EQ(revisions[i], static_cast<std::int64_t>(i + 1)) << ref;
  }
  expect_in_step(ws);
}

TEST(Concurrency, StoreMadeByManyAtOnceIsOneStore) {
  for (int round = 0; round < 10; ++round) {
    const TempWorkspace ws;
    std::vector<std::unique_ptr<Child>> children;
    for (int i = 1; i <= kIssues; ++i) {
      const std::vector<std::string> args =
          i % 3 == 0 ? std::vector<std::string>{"init"}
                     : std::vector<std::string>{"issue", "set", std::to_string(i), "running"};
      children.push_back(std::make_unique<Child>(PAWL_BINARY, args, ws.options()));
    }
    for (const auto& child : children) {
      const Ran ran = child->finish();
      EXPECT_EQ(ran.exit, 0) << ran.err;
    }
    EXPECT_EQ(ws.run({"issue", "list"}).out, "1\trunning\n2\trunning\n4\trunning\n5\trunning\n");
    expect_in_step(ws);
  }
}

// There is none, and then there is one: whoever looks in between is told one or the other, and never an error.
TEST(Concurrency, ReaderOfAStoreInTheMakingSeesNoneOrAll) {
  for (int round = 0; round < 15; ++round) {
    const TempWorkspace ws;
    Process reader([&] {
      auto client = Client::open({ws.path(), {}, false, {}});
      while (client) {
        client = Client::open({ws.path(), {}, false, {}});
        const auto got =
            client ? client->call("issue get", {{"number", "1"}}) : Result<std::string>(tl::unexpected(client.error()));
        if (!got) {
          std::fprintf(stderr, "the reader was told: %s\n", got.error().message.c_str());
          return 1;
        }
        if (got->find("running") != std::string::npos) return 0;
      }
      return 2;
    });
    const Ran ran = ws.run({"issue", "set", "1", "running"});
    EXPECT_EQ(ran.exit, 0) << ran.err;
    EXPECT_EQ(reader.wait(), 0) << "round " << round;
  }
}

// Two states, each with a session and a message of its own: anything else is a mixture.
bool is_one_of_two(const Json& seen) {
  const std::string status = string_or(seen, "status"), session = string_or(seen, "session"),
                    message = string_or(seen, "error_message");
  return (status == "running" && session == "a" && message.empty()) ||
         (status == "error" && session == "b" && message == std::string(5000, 'm'));
}

TEST(Concurrency, ReadersSeeTheOldOrTheNewAndNothingElse) {
  const TempWorkspace ws;
  const std::vector<std::string> first = {"issue", "set", "1", "running", "--session", "a"};
  ASSERT_EQ(ws.run(first).exit, 0);
  std::vector<std::unique_ptr<Process>> readers;
  for (int reader = 0; reader < 8; ++reader) {
    readers.push_back(std::make_unique<Process>([&] {
      ::signal(SIGTERM, [](int) { asked_to_end = 1; });
      auto client = Client::open({ws.path(), {}, false, {}});
      int looks = 0;
      for (; asked_to_end == 0; ++looks) {
        std::string seen;
        if (reader % 3 == 0) seen = ws.read(status_file(1)).value_or("(no file)");
        if (reader % 3 == 1) seen = ws.run({"issue", "show", "1", "--json"}).out;
        if (reader % 3 == 2) {
          const auto shown = client->call("issue show", {{"number", "1"}});
          seen = shown ? *shown : shown.error().message;
        }
        const auto parsed = parse_json(seen);
        if (parsed && is_one_of_two(*parsed)) continue;
        std::fprintf(stderr, "reader %d saw: %s\n", reader, seen.substr(0, 300).c_str());
        return 1;
      }
      return looks > 0 ? 0 : 2;
    }));
  }
  for (int i = 0; i < 25; ++i) {
    EXPECT_EQ(ws.run({"issue", "set", "1", "error", "--session", "b", "--message", std::string(5000, 'm')}).exit, 0);
    EXPECT_EQ(ws.run(first).exit, 0);
  }
  for (const auto& reader : readers) reader->ask_to_end();
  for (const auto& reader : readers) EXPECT_EQ(reader->wait(), 0);
}

TEST(Concurrency, IdempotencyKeyUsedByManyAtOnceDoesTheThingOnce) {
  const TempWorkspace ws;
  for (int round = 0; round < 5; ++round) {
    const std::vector<std::string> args = {"issue", "set", "7", "running", "--idempotency-key", cat("key ", round),
                                           "--json"};
    std::vector<std::unique_ptr<Child>> children;
    for (int i = 0; i < 8; ++i) children.push_back(std::make_unique<Child>(PAWL_BINARY, args, ws.options()));
    std::set<std::string> answers;
    for (const auto& child : children) {
      const Ran ran = child->finish();
      EXPECT_EQ(ran.exit, 0) << ran.err;
      answers.insert(ran.out);
    }
    EXPECT_EQ(answers.size(), 1U) << testing::PrintToString(answers);
    EXPECT_EQ(json_of(ws.run({"log", "--json"}).out).size(), static_cast<std::size_t>(round + 1));
  }
}

}  // namespace
}  // namespace pawl::test
