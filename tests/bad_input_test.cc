// Whatever a user, a script, a broken tool or a broken disk hands to pawl: a clear sentence with the right exit code,
// nothing lost, and the next good command works. Each test ends by asking for the state that stood before.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <memory>

#include "base/json.h"
#include "base/text.h"
#include "pawl/pawl.h"
#include "support/binary.h"

namespace pawl::test {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFile42 = ".worktrees/.status/42.json";
const std::vector<std::string> kSetRunning = {"issue", "set", "42", "running"};

// No signal, no trace of the program's insides, nothing that a terminal would obey.
void expect_decent(const Ran& ran) {
  EXPECT_LT(ran.exit, 128) << "ended by a signal\n" << ran.err;
  for (const std::string_view inside :
       {"terminate called", "Sanitizer", "std::", "Assertion", "Backtrace", "SQLITE_", "src/"}) {
    EXPECT_FALSE(has(ran.err, inside)) << ran.err;
  }
  EXPECT_FALSE(has_control(ran.out) || has_control(ran.err)) << testing::PrintToString(ran.out + ran.err);
  EXPECT_TRUE(is_utf8(ran.out) && is_utf8(ran.err)) << testing::PrintToString(ran.out + ran.err);
}

class BadInput : public testing::Test {
 protected:
  BadInput() { EXPECT_EQ(ws.run({"issue", "set", "42", "error", "--message", "before", "--session", "mine"}).exit, 0); }

  Ran refused(int exit, const std::vector<std::string>& args, RunOptions options = {}) {
    const Ran ran = ws.run(args, std::move(options));
    EXPECT_EQ(ran.exit, exit) << testing::PrintToString(args).substr(0, 300) << "\n" << ran.err;
    EXPECT_NE(ran.err, "");
    EXPECT_LT(ran.err.size(), 2000U) << "an error that nobody reads to its end";
    expect_decent(ran);
    return ran;
  }

  void expect_as_before() {
    const Ran shown = ws.run({"issue", "show", "42", "--json"});
    EXPECT_EQ(shown.exit, 0) << shown.err;
    const auto now = parse_json(shown.out);
    EXPECT_TRUE(now && string_or(*now, "status") == "error" && string_or(*now, "error_message") == "before")
        << shown.out;
    EXPECT_EQ(ws.run({"doctor"}).exit, 0) << ws.run({"doctor"}).out;
    EXPECT_TRUE(!ws.exists(".pawl/tmp") || fs::is_empty(ws.file(".pawl/tmp"))) << "a file was left half done";
  }

  TempWorkspace ws;
};

RunOptions with_env(std::vector<std::string> env) {
  RunOptions options;
  options.env = std::move(env);
  return options;
}

// --- arguments ---

TEST_F(BadInput, IssueNumbersThatAreNoneAreRefused) {
  for (const std::string number : {"0", "-1", "4x", "1e3", "99999999999999999999", "9223372036854775808", "", " ",
                                   "4 2", "+42", "042", "0x2a", "４２", "\xff", "../42", "\x1b[2J"}) {
    for (const std::string verb : {"set", "get", "show", "error", "remove"}) {
      std::vector<std::string> args = {"issue", verb, "--", number};
      if (verb == "set") args.push_back("running");
      EXPECT_TRUE(has(refused(2, args).err, "positive")) << number;
    }
  }
  expect_as_before();
}

TEST_F(BadInput, TheLargestNumberIsANumber) {
  EXPECT_EQ(ws.run({"issue", "set", "9223372036854775807", "running"}).exit, 0);
  EXPECT_EQ(ws.run({"issue", "list"}).out, "42\terror\n9223372036854775807\trunning\n");
}

TEST_F(BadInput, WordsThatAreNoStatusAreRefused) {
  const std::string huge(100'000, 'x');
  for (const std::string word : {"done", "RUNNING", "running ", "", "absent", "unknown", "\x1b[31mrunning", "\xff\xfe",
                                 huge.c_str(), "r\nunning"}) {
    const Ran ran = refused(1, {"issue", "set", "42", word});
    EXPECT_TRUE(has(ran.err, "running, complete or error")) << ran.err;
  }
  expect_as_before();
}

TEST_F(BadInput, MessageThatCanNotBeKeptIsRefusedAndStrippedOnRequest) {
  struct Case {
    std::string message, kept;
  };
  const std::string large(100'000, 'm');  // a single argument cannot be much longer
  const std::vector<Case> cases = {{"a\x1b[31mred\x1b[0m", "ared"},
                                   {"bell\a", "bell"},
                                   {"\x1b]0;title\abody", "body"},
                                   {"bad \xff\xfe bytes", ""},
                                   {"half \xe3\x83", ""},
                                   {"c1 \xc2\x9b[31m", ""},
                                   {"del\x7f", "del"},
                                   {large, ""}};
  for (const Case& one : cases) {
    const Ran ran = refused(2, {"issue", "set", "42", "error", "--message", one.message});
    EXPECT_TRUE(has(ran.err, "--strip")) << ran.err;
    expect_as_before();
  }
  for (const Case& one : cases) {
    const Ran ran = ws.run({"issue", "set", "42", "error", "--strip", "--message", one.message});
    EXPECT_EQ(ran.exit, 0) << ran.err;
    expect_decent(ws.run({"issue", "error", "42"}));
    const std::string file = ws.read(kFile42).value_or("");
    EXPECT_TRUE(is_utf8(file) && !has_control(file)) << testing::PrintToString(file);
    if (!one.kept.empty()) {
      EXPECT_EQ(ws.run({"issue", "error", "42"}).out, one.kept + "\n");
    }
  }
}

TEST_F(BadInput, MessageOfAMebibyteIsRefusedAndCutOnRequest) {
  auto client = Client::open({ws.path(), {}, false, {}});
  ASSERT_TRUE(client) << client.error().message;
  std::string message;
  while (message.size() < (1U << 20U)) message += "失敗";
  const auto whole = client->call("issue set", {{"number", "42"}, {"status", "error"}, {"message", message}});
  ASSERT_FALSE(whole);
  EXPECT_EQ(whole.error().code, ErrorCode::invalid_argument);
  EXPECT_LT(whole.error().message.size(), 300U);
  expect_as_before();
  const auto cut =
      client->call("issue set", {{"number", "42"}, {"status", "error"}, {"message", message}, {"strip", ""}});
  ASSERT_TRUE(cut) << cut.error().message;
  const std::string kept = ws.run({"issue", "error", "42"}).out;
  EXPECT_TRUE(is_utf8(kept)) << "cut inside a character";
  EXPECT_GT(kept.size(), 60'000U);
}

TEST_F(BadInput, BinarySessionIsRefusedOrStripped) {
  for (const std::string session : {"\xff\xfe\x01", "a\x1b[2Jb", "\x01\x02\x03"}) {
    const Ran ran = refused(2, {"issue", "set", "42", "running", "--session", session});
    // What the hint offers has to work.
    if (has(ran.err, "--strip")) {
      EXPECT_EQ(ws.run({"issue", "set", "43", "running", "--strip", "--session", session}).exit, 0)
          << "the hint says --strip\n"
          << ran.err;
    }
  }
  refused(2, {"issue", "set", "42", "running", "--session", std::string(5000, 's')});
  expect_as_before();
}

TEST_F(BadInput, StrangeArgumentsAreUsageErrors) {
  const std::string huge(120'000, 'z');
  const std::vector<std::vector<std::string>> lines = {
      {huge},
      {"issue", huge},
      {"\x1b[31m"},
      {"issue", "set"},
      {"issue", "set", "42"},
      {"issue", "set", "42", "running", "more"},
      {"issue", "get", "42", "--" + huge},
      {"issue", "get", "42", "--at", "x"},
      {"issue", "get", "42", "--at", "-1"},
      {"--actor"},
      {"issue", "set", "42", "running", "--actor", "a\x1b[0m"},
      {"issue", "set", "42", "running", "--idempotency-key", std::string(5000, 'k')},
      {"issue", "set", "42", "running", "--at", "1"},
      {"log", "--limit", "0"},
      {"", "", ""}};
  for (const auto& line : lines) refused(2, line);
  expect_as_before();
}

TEST_F(BadInput, FoldersThatDoNotExistAreNamed) {
  EXPECT_TRUE(has(refused(3, {"-C", "/no/such/folder", "issue", "list"}).err, "/no/such/folder"));
  refused(2, {"-C", ws.file(std::string(kFile42)), "issue", "list"});
  expect_as_before();
}

// --- settings and surroundings ---

TEST_F(BadInput, SettingsThatAreWrongAreNamedWithTheNearest) {
  struct Case {
    std::string toml;
    std::vector<std::string> said;
  };
  const std::vector<Case> cases = {
      {"outsid = \"flag\"", {"line 1", "outsid", "did you mean outside?"}},
      {"[issue]\nbase_dri = \"x\"", {"line 2", "issue.base_dri", "did you mean issue.base_dir?"}},
      {"\ngates = \"recrod\"", {"line 2", "gates", "recrod", "require or record"}},
      {"outside = 3", {"line 1", "outside", "quotes"}},
      {"issue = 3", {"line 1", "issue"}},
      {"[outside]\nx = 1", {"outside"}},
      {"busy_timeout = \"10\"", {"busy_timeout", "10s"}},
      {"outside = ", {"line 1"}},
      {"a = \"\x1b[31m\"", {"line 1"}},
      {"\"a\\u001b[31m\" = 1", {"line 1"}},
      {"\xff\xfe", {"pawl.toml"}}};
  for (const Case& one : cases) {
    ws.write("pawl.toml", one.toml);
    const Ran ran = refused(2, kSetRunning);
    for (const std::string& part : one.said) EXPECT_TRUE(has(ran.err, part)) << part << " is not in: " << ran.err;
  }
  fs::remove(ws.file("pawl.toml"));
  EXPECT_TRUE(has(refused(2, kSetRunning, with_env({"PAWL_GATES=recrod"})).err, "PAWL_GATES"));
  fs::create_directory(ws.file("pawl.toml"));
  EXPECT_TRUE(has(refused(2, kSetRunning).err, "pawl.toml is a folder"));
  fs::remove(ws.file("pawl.toml"));
  fs::create_symlink(ws.home() + "/elsewhere.toml", ws.file("pawl.toml"));
  EXPECT_TRUE(has(refused(2, kSetRunning).err, "pawl.toml is a symbolic link"));
  fs::remove(ws.file("pawl.toml"));
  expect_as_before();
}

TEST_F(BadInput, NoHomeIsNoMatterInARepository) {
  const Ran ran = run_program(
      "env", {"-u", "HOME", "-u", "LOGNAME", "-u", "USER", PAWL_BINARY, "-C", ws.path(), "issue", "get", "42"});
  EXPECT_EQ(ran.out, "error\n") << ran.err;
  const Ran bare =
      run_program("env", {"-u", "HOME", "-u", "XDG_STATE_HOME", PAWL_BINARY, "-C", ws.home(), "issue", "get", "42"});
  EXPECT_EQ(bare.exit, 5);
  EXPECT_TRUE(has(bare.err, "HOME")) << bare.err;
  expect_as_before();
}

TEST_F(BadInput, AnswerThatCanNotBeWrittenIsAnErrorAndTheWorkIsKept) {
  RunOptions full;
  full.out_path = "/dev/full";
  EXPECT_EQ(ws.run({"issue", "list"}, full).exit, 5);
  const Ran ran = ws.run({"issue", "set", "42", "error", "--message", "after"}, full);
  EXPECT_EQ(ran.exit, 5);
  EXPECT_TRUE(has(ran.err, "kept")) << ran.err;
  EXPECT_EQ(ws.run({"issue", "error", "42"}).out, "after\n");
  for (const auto out : {RunOptions::Stdout::closed, RunOptions::Stdout::deaf}) {
    RunOptions options;
    options.out = out;
    EXPECT_EQ(ws.run({"issue", "set", "42", "error", "--message", "before"}, options).exit, 0);
    EXPECT_EQ(ws.run({"issue", "list"}, options).exit, 0);
  }
  expect_as_before();
}

// --- where the status file should be ---

TEST_F(BadInput, DamagedFileIsKeptAsideAndTheLastGoodOneRestored) {
  const std::string good = ws.read(kFile42).value_or("");
  for (const std::string damage : {"", "{", "[]", "null", "{\"status\": \"run", "\xff\xfe\x00\x01", "42"}) {
    ws.write(kFile42, damage);
    const Ran ran = ws.run({"issue", "get", "42"});
    EXPECT_EQ(ran.out, "error\n") << damage;
    EXPECT_TRUE(has(ran.err, "42.json")) << ran.err;
    expect_decent(ran);
    EXPECT_EQ(ws.read(kFile42), good);
    bool found = false;
    for (const auto& entry : fs::directory_iterator(ws.file(".pawl/damaged")))
      found = found || read_all(entry.path()) == damage;
    EXPECT_TRUE(found) << "what was damaged is gone: " << damage;
  }
  expect_as_before();
}

TEST_F(BadInput, FileFullOfEscapesIsShownHarmless) {
  ws.write(".worktrees/.status/7.json",
           "{\"issue\": 7, \"status\": \"\\u001b[31mred\", \"session\": \"\\u009b2J\", \"error_message\": "
           "\"\\u001b]0;x\\u0007\"}");
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{{"issue", "show", "7"},
                                                                                    {"issue", "show", "7", "--json"},
                                                                                    {"issue", "get", "7"},
                                                                                    {"issue", "error", "7"},
                                                                                    {"status"},
                                                                                    {"log"},
                                                                                    {"log", "--json"},
                                                                                    {"show", "issue/7"},
                                                                                    {"doctor"}}) {
    expect_decent(ws.run(args));
  }
}

TEST_F(BadInput, FolderPipeOrLinkInPlaceOfTheFileIsLeftAlone) {
  const std::string path = ws.file(kFile42);
  const std::string kept = ws.read(kFile42).value_or("");
  write_all(ws.home() + "/secret.json", R"({"issue": 42, "status": "running"})");
  const std::vector<std::function<void()>> obstacles = {
      [&] { fs::create_directory(path); },
      [&] { ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0); },
      [&] { fs::create_symlink(ws.home() + "/secret.json", path); },
      [&] { fs::create_symlink("/dev/zero", path); },
      [&] { fs::create_symlink("nothing-there", path); },
      [&] { fs::create_symlink("42.json", path); },
  };
  for (std::size_t i = 0; i < obstacles.size(); ++i) {
    SCOPED_TRACE(i);
    fs::remove(path);
    obstacles[i]();
    RunOptions quick;
    quick.timeout_ms = 10'000;
    const Ran set = ws.run(kSetRunning, quick);
    EXPECT_TRUE(set.exit == 5 || set.exit == 1) << set.exit << set.err;
    EXPECT_TRUE(has(set.err, "42.json")) << set.err;
    expect_decent(set);
    EXPECT_EQ(ws.run({"issue", "list"}, quick).out, "42\terror\n");
    EXPECT_EQ(ws.run({"doctor"}, quick).exit, 1) << "doctor does not see it";
    EXPECT_FALSE(fs::is_regular_file(fs::symlink_status(path))) << "what stood there was replaced";
  }
  EXPECT_EQ(read_all(ws.home() + "/secret.json"), R"({"issue": 42, "status": "running"})");
  fs::remove(path);
  write_all(path, kept);
  expect_as_before();
}

TEST_F(BadInput, LinkInsideTheWorkspaceIsFollowed) {
  fs::rename(ws.file(kFile42), ws.file("elsewhere.json"));
  fs::create_symlink("../../elsewhere.json", ws.file(kFile42));
  EXPECT_EQ(ws.run(kSetRunning).exit, 0);
  EXPECT_TRUE(has(ws.read("elsewhere.json").value_or(""), "running"));
  EXPECT_TRUE(fs::is_symlink(ws.file(kFile42)));
}

TEST_F(BadInput, FileBeyondAllMeasureIsLeftAlone) {
  const std::string huge = R"({"issue": 42, "status": "running", "x": ")" + std::string(2U << 20U, 'x') + "\"}";
  const std::string kept = ws.read(kFile42).value_or("");
  ws.write(kFile42, huge);
  refused(5, kSetRunning);
  EXPECT_EQ(ws.read(kFile42), huge);
  ws.write(kFile42, kept);
  expect_as_before();
}

// --- the store ---

TEST_F(BadInput, StoreHeldByAnotherProcessIsBusyAndNamesIt) {
  const int gate = ::open(ws.file(".pawl/gate").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(gate, LOCK_EX), 0);
  const Ran ran = refused(5, kSetRunning, with_env({"PAWL_BUSY_TIMEOUT=300ms"}));
  EXPECT_TRUE(has(ran.err, cat("process ", ::getpid()))) << ran.err;
  EXPECT_EQ(ws.run({"issue", "get", "42"}).out, "error\n") << "reading needs no gate";
  ::close(gate);
  expect_as_before();
}

TEST_F(BadInput, DatabaseLockedByAnotherProgramIsBusyAndNamesIt) {
  sqlite3* raw = nullptr;
  ASSERT_EQ(sqlite3_open(ws.file(".pawl/pawl.db").c_str(), &raw), SQLITE_OK);
  const std::unique_ptr<sqlite3, int (*)(sqlite3*)> owner(raw, &sqlite3_close);
  ASSERT_EQ(sqlite3_exec(raw, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr), SQLITE_OK);
  const Ran ran = refused(5, kSetRunning, with_env({"PAWL_BUSY_TIMEOUT=300ms"}));
  EXPECT_TRUE(has(ran.err, "in use")) << ran.err;
  EXPECT_TRUE(has(ran.err, cat("process ", ::getpid()))) << "who holds it can be known: /proc/locks\n" << ran.err;
  ASSERT_EQ(sqlite3_exec(raw, "ROLLBACK", nullptr, nullptr, nullptr), SQLITE_OK);
  expect_as_before();
}

TEST_F(BadInput, DatabaseThatIsNoneIsRefusedAndNotTouched) {
  const std::string path = ws.file(".pawl/pawl.db");
  const std::string good = read_all(path).value_or("");
  const std::string journal = read_all(path + "-journal").value_or("");
  const std::string status = ws.read(kFile42).value_or("");
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(ws.file("other.db").c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "CREATE TABLE theirs(x);INSERT INTO theirs VALUES(1)", nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(other);
  std::string newer = good;
  newer[63] = 99;  // user_version, big endian, ends at byte 63
  struct Case {
    std::string name, bytes;
  };
  const std::vector<Case> cases = {{"garbage", std::string(20'000, 'g')},
                                   {"three bytes", "xyz"},
                                   {"cut", good.substr(0, 5000)},
                                   {"cut in the header", good.substr(0, 300)},
                                   {"cut by half", good.substr(0, good.size() / 2)},
                                   {"another's", ws.read("other.db").value_or("")},
                                   {"newer", newer}};
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    write_all(path, one.bytes);
    fs::remove(path + "-journal");
    const Ran ran = ws.run(kSetRunning);
    EXPECT_TRUE(ran.exit == 5 || (ran.exit == 1 && one.name == "another's")) << ran.exit << "\n" << ran.err;
    EXPECT_TRUE(has(ran.err, "pawl.db")) << ran.err;
    EXPECT_TRUE(one.name != "newer" || has(ran.err, "newer")) << ran.err;
    expect_decent(ran);
    expect_decent(ws.run({"doctor"}));
    EXPECT_EQ(ws.run({"doctor"}).exit, 1) << "doctor does not see it";
    EXPECT_TRUE(read_all(path) == one.bytes) << "the file was changed";
    EXPECT_EQ(ws.read(kFile42), status) << "the status file was changed";
    ws.write(kFile42, status);
  }
  write_all(path, good);
  write_all(path + "-journal", journal);
  expect_as_before();
}

TEST_F(BadInput, EmptyDatabaseBeginsAnewFromTheFiles) {
  write_all(ws.file(".pawl/pawl.db"), "");
  fs::remove(ws.file(".pawl/pawl.db-journal"));
  expect_decent(ws.run({"doctor"}));
  const Ran ran = ws.run({"issue", "set", "43", "running"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ws.run({"issue", "list"}).out, "42\terror\n43\trunning\n");
  expect_as_before();
}

TEST_F(BadInput, StoreThatIsAFileIsInTheWay) {
  fs::remove_all(ws.file(".pawl"));
  ws.write(".pawl", "mine");
  EXPECT_TRUE(has(refused(5, kSetRunning).err, ".pawl"));
  expect_decent(ws.run({"issue", "get", "42"}));
  expect_decent(ws.run({"doctor"}));
  EXPECT_EQ(ws.read(".pawl"), "mine");
  EXPECT_TRUE(has(ws.read(kFile42).value_or(""), "before"));
}

// --- the disk ---

TEST_F(BadInput, FolderThatMayNotBeWrittenLosesNothing) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to become somebody else";
  constexpr uid_t kNobody = 65534;
  fs::permissions(fs::path(ws.path()).parent_path(), fs::perms(0755));
  const std::string binary = fs::path(ws.path()).parent_path() / "pawl";
  fs::copy_file(PAWL_BINARY, binary);
  const auto as_nobody = [&](const std::vector<std::string>& args) {
    std::vector<std::string> all = {"--reuid=65534", "--regid=65534", "--clear-groups", binary};
    all.insert(all.end(), args.begin(), args.end());
    return run_program("setpriv", all, ws.options());
  };
  for (const auto& entry : fs::recursive_directory_iterator(ws.path()))
    ASSERT_EQ(::lchown(entry.path().c_str(), kNobody, kNobody), 0);
  ASSERT_EQ(as_nobody({"issue", "set", "42", "error", "--message", "before"}).exit, 0);
  for (const std::string path : {".worktrees/.status", ".pawl/tmp", ".pawl/pawl.db", ".pawl/gate"}) {
    SCOPED_TRACE(path);
    const fs::perms usual = fs::status(ws.file(path)).permissions();
    fs::permissions(ws.file(path), usual & ~fs::perms(0222));
    const Ran set = as_nobody(kSetRunning);
    EXPECT_EQ(set.exit, 5) << set.err;
    EXPECT_TRUE(has(set.err, "ermission denied")) << set.err;
    expect_decent(set);
    EXPECT_EQ(as_nobody({"issue", "get", "42"}).out, "error\n");
    fs::permissions(ws.file(path), usual);
    EXPECT_EQ(as_nobody({"issue", "get", "42"}).out, "error\n");
  }
  // What cannot be recorded is shown, and said to be so.
  ws.write(kFile42, R"({"issue": 42, "status": "running"})");
  for (const std::string name : {".pawl", ".pawl/pawl.db", ".pawl/gate"})
    fs::permissions(ws.file(name), fs::perms(fs::is_directory(ws.file(name)) ? 0555 : 0444));
  const Ran get = as_nobody({"issue", "get", "42"});
  EXPECT_EQ(get.out, "running\n") << get.err;
  EXPECT_TRUE(has(get.err, "not recorded")) << get.err;
}

TEST_F(BadInput, FullDiskLosesNothingAndWorksAgainAfterwards) {
  const std::string disk = ws.home() + "/disk";
  fs::create_directory(disk);
  if (::mount("pawl-test", disk.c_str(), "tmpfs", 0, "size=400k") != 0)
    GTEST_SKIP() << "needs root, to mount a small disk";
  struct Unmount {
    std::string path;
    ~Unmount() { ::umount2(path.c_str(), MNT_DETACH); }
  } const unmount{disk};
  fs::create_directories(disk + "/.git");
  const auto there = [&](std::vector<std::string> args) {
    args.insert(args.begin(), {"-C", disk});
    return ws.run(args);
  };
  const auto fill_but = [&](std::uintmax_t left) {
    fs::remove(disk + "/filler");
    const std::uintmax_t free = fs::space(disk).available;
    if (free > left) write_all(disk + "/filler", std::string(free - left, 'f'));
  };
  // Not even a store can be made.
  fill_but(8192);
  EXPECT_EQ(there({"issue", "set", "42", "running"}).exit, 5);
  fs::remove(disk + "/filler");
  std::string message = "first";
  ASSERT_EQ(there({"issue", "set", "42", "error", "--message", message}).exit, 0);
  int refusals = 0;
  for (std::uintmax_t left = 0; left <= 160 << 10U; left += 4096) {
    SCOPED_TRACE(left);
    fill_but(left);
    const std::string next = cat("with ", left, " left ", std::string(3000, '.'));
    const Ran ran = there({"issue", "set", "42", "error", "--message", next});
    EXPECT_TRUE(ran.exit == 0 || ran.exit == 5) << ran.exit << ran.err;
    expect_decent(ran);
    if (ran.exit == 0) message = next;
    if (ran.exit != 0) {
      ++refusals;
      EXPECT_TRUE(has(ran.err, "space")) << ran.err;
    }
    EXPECT_EQ(there({"issue", "error", "42"}).out, message + "\n");
    fs::remove(disk + "/filler");
    EXPECT_EQ(there({"issue", "error", "42"}).out, message + "\n");
    EXPECT_EQ(there({"doctor"}).exit, 0) << there({"doctor"}).out;
    ASSERT_EQ(there({"compact", "--keep", "0s"}).exit, 0) << "the small disk is to have room for the next";
  }
  EXPECT_GT(refusals, 0) << "the disk was never full";
  EXPECT_EQ(there({"issue", "set", "42", "running"}).exit, 0);
  EXPECT_EQ(there({"issue", "get", "42"}).out, "running\n");
}

}  // namespace
}  // namespace pawl::test
