#include "frontends/cli/output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <array>

namespace pawl::cli {
namespace {

struct Streams {
  Streams() {
    if (::pipe(out.data()) != 0 || ::pipe(err.data()) != 0) throw std::runtime_error("pipe");
  }
  ~Streams() {
    for (const int fd : {out[0], out[1], err[0], err[1]}) ::close(fd);
  }
  static std::string read_now(int fd) {
    std::array<char, 4096> buffer{};
    ::fcntl(fd, F_SETFL, O_NONBLOCK);
    const ssize_t got = ::read(fd, buffer.data(), buffer.size());
    return got > 0 ? std::string(buffer.data(), static_cast<std::size_t>(got)) : std::string();
  }
  std::array<int, 2> out{}, err{};
};

constexpr Verb kSpoken = {.name = "spoken", .streams = true, .text = [](const Json& data, const TextStyle&) {
                            return "item " + string_or(data, "name");
                          }};
constexpr Verb kUnspoken = {.name = "unspoken"};

TEST(Output, ItemsAreWrittenAtOnceAndALineEach) {
  Streams streams;
  Output output(streams.out[1], streams.err[1]);
  EXPECT_EQ(output.item(kSpoken, Json{{"name", "a"}}, {}), Wrote::all);
  EXPECT_EQ(Streams::read_now(streams.out[0]), "item a\n");
  output.json = true;
  EXPECT_EQ(output.item(kSpoken, Json{{"name", "b"}}, {}), Wrote::all);
  EXPECT_EQ(Streams::read_now(streams.out[0]), "{\"name\":\"b\"}\n");
}

TEST(Output, AnswerIsIndentedJsonOrText) {
  Streams streams;
  Output output(streams.out[1], streams.err[1]);
  output.answer(kUnspoken, Json{{"name", "a"}}, {});
  EXPECT_EQ(Streams::read_now(streams.out[0]), "{\n  \"name\": \"a\"\n}\n");
  output.answer(kSpoken, Json(), {});
  EXPECT_EQ(Streams::read_now(streams.out[0]), "");
  EXPECT_EQ(output.finish(), 0);
}

TEST(Output, ReaderGoneIsToldToTheVerbAndIsNoFault) {
  ::signal(SIGPIPE, SIG_IGN);
  Streams streams;
  ::close(streams.out[0]);
  Output output(streams.out[1], streams.err[1]);
  EXPECT_EQ(output.item(kSpoken, Json{{"name", "a"}}, {}), Wrote::reader_gone);
  EXPECT_EQ(output.finish(), 0);
  EXPECT_EQ(Streams::read_now(streams.err[0]), "");
  streams.out[0] = ::open("/dev/null", O_RDONLY);
}

TEST(Output, FullDiskIsAFaultAndSaysThatTheDeedIsDone) {
  Streams streams;
  const int full = ::open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  Output output(full, streams.err[1]);
  EXPECT_EQ(output.item(kSpoken, Json{{"name", "a"}}, {}), Wrote::failed);
  EXPECT_EQ(output.finish(), 5);
  EXPECT_EQ(Streams::read_now(streams.err[0]),
            "pawl: the answer could not be written: No space left on device\n"
            "  what the command did is kept; only its answer is lost\n");
  ::close(full);
}

TEST(Output, NoteWithACodeIsASentenceOrItsFields) {
  Streams streams;
  Output output(streams.out[1], streams.err[1]);
  const Note note{NoteCode::moved, "b.json", {{"issue", "", "1"}}, {{"from", "a.json"}}, 7};
  output.note(note);
  EXPECT_EQ(Streams::read_now(streams.err[0]),
            "pawl: a.json was moved to b.json, and its records moved with it.\n  Undo: pawl undo 7\n");
  output.json = true;
  output.note(note);
  EXPECT_EQ(Streams::read_now(streams.err[0]),
            R"({"note":"a.json was moved to b.json, and its records moved with it.","hint":"Undo: pawl undo 7",)"
            R"("code":"moved","path":"b.json","ids":["issue/1"],"operation":7,"from":"a.json"})"
            "\n");
}

TEST(Output, ErrorsAndNotesShowNoEscapes) {
  Streams streams;
  Output output(streams.out[1], streams.err[1]);
  EXPECT_EQ(output.error({ErrorCode::conflict, "bad \x1b[2J", "see \x07"}), 4);
  EXPECT_EQ(Streams::read_now(streams.err[0]), "pawl: bad \\x1b[2J\n  see \\x07\n");
  output.note("a\x9b");
  EXPECT_EQ(Streams::read_now(streams.err[0]), "pawl: a\xEF\xBF\xBD\n");
  output.json = true;
  EXPECT_EQ(output.error({ErrorCode::busy, "held\xC2\x9B", ""}), 5);
  EXPECT_EQ(Streams::read_now(streams.err[0]),
            "{\"error\":{\"code\":\"busy\",\"message\":\"held\\u009b\",\"hint\":\"\",\"retry\":true}}\n");
  output.note("so");
  EXPECT_EQ(Streams::read_now(streams.err[0]), "{\"note\":\"so\"}\n");
}

TEST(TerminalSafe, EscapesWhatJsonLetsThroughAndChangesNoValue) {
  const std::string odd =
      "a\x7F\xC2\x80\xC2\x9F\xC2\xA0\xE2\x80\x8E\xE2\x80\xAE\xE2\x81\xA6\xE2\x80\x93\xD8\x9C\xD8\x9Bz\xE2\x82\xAC";
  const std::string safe = terminal_safe(to_line(Json(odd)));
  EXPECT_EQ(safe, "\"a\\u007f\\u0080\\u009f\xC2\xA0\\u200e\\u202e\\u2066\xE2\x80\x93\\u061c\xD8\x9Bz\xE2\x82\xAC\"");
  EXPECT_EQ(parse_json(safe)->get<std::string>(), odd);
  EXPECT_EQ(terminal_safe("{}"), "{}");
}

}  // namespace
}  // namespace pawl::cli
