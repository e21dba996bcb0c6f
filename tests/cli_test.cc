// The command line as a user meets it, through the real binary. What is asked of every verb is asked of the table, so
// that a verb added later is held to it.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "commands/verb.h"
#include "frontends/cli/help.h"
#include "frontends/cli/wrap.h"
#include "support/binary.h"

namespace pawl::test {
namespace {

std::vector<std::string> words(std::string_view line) {
  std::vector<std::string> out;
  for (const std::string_view word : split(line, ' ')) {
    if (!word.empty()) out.emplace_back(word);
  }
  return out;
}

// What stderr says to a line of words.
std::string complaint(std::string_view line, int exit = 2) {
  const Ran ran = run_pawl(words(line));
  EXPECT_EQ(ran.exit, exit) << line << "\n" << ran.err;
  EXPECT_EQ(ran.out, "") << line;
  return ran.err;
}

bool has_word(std::string_view text, std::string_view word) {
  const auto letter = [&](std::size_t i) {
    return i < text.size() && ((text[i] | 32) >= 'a' && (text[i] | 32) <= 'z');
  };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    if ((at == 0 || !letter(at - 1)) && !letter(at + word.size())) return true;
  }
  return false;
}

// Something that the param accepts.
std::string_view some_value(const Param& param) {
  if (!param.choices.empty()) return param.choices.front();
  return param.type == ParamType::duration ? "1h" : "1";
}

void expect_fits(std::string_view text) {
  for (const std::string_view line : split(text, '\n')) EXPECT_LE(cli::columns(line), cli::kHelpWidth) << line;
}

TEST(Help, OfEveryVerbIsItsManual) {
  for (const Verb* verb : all_verbs()) {
    SCOPED_TRACE(full_name(*verb));
    const Ran ran = run_pawl(words("help " + full_name(*verb)));
    ASSERT_EQ(ran.exit, 0) << ran.err;
    EXPECT_EQ(ran.err, "");
    const std::string& help = ran.out;
    EXPECT_TRUE(help.starts_with(cli::wrapped(cat("pawl ", full_name(*verb), " — ", verb->summary), 0))) << help;
    EXPECT_TRUE(has(help, cat("\nUsage\n  pawl ", full_name(*verb)))) << help;
    for (const Param& param : cli::offered_params(verb)) {
      EXPECT_FALSE(param.summary.empty()) << param.name;
      EXPECT_TRUE(has(help, param.positional ? std::string(param.value) : cat("--", param.name))) << param.name;
    }
    EXPECT_GE(verb->examples.size(), 2U);
    bool shows_itself = false;
    for (const Example& example : verb->examples) {
      EXPECT_TRUE(has(help, cat("\n  ", example.command, "\n"))) << example.command;
      EXPECT_FALSE(example.comment.empty()) << example.command;
      shows_itself = shows_itself || has(example.command, cat("pawl ", full_name(*verb)));
    }
    EXPECT_TRUE(shows_itself);
    for (const cli::ExitCode& row : cli::exit_codes()) EXPECT_TRUE(has(help, row.meaning)) << row.code;
    EXPECT_FALSE(verb->manual.empty());
    expect_fits(help);
  }
}

TEST(Help, SpeaksPlainly) {
  for (const Verb* verb : all_verbs()) {
    const Ran ran = run_pawl(words("help " + full_name(*verb)));
    for (const std::string_view jargon : {"absorb", "absorbed", "mirror", "mirrors", "forge", "door"}) {
      EXPECT_FALSE(has_word(ran.out, jargon)) << full_name(*verb) << " says " << jargon;
    }
  }
}

TEST(Help, IsTheSameFromEverySide) {
  for (const Verb* verb : all_verbs()) {
    const std::string name = full_name(*verb);
    const Ran ran = run_pawl(words("help " + name));
    EXPECT_EQ(run_pawl(words(name + " --help")).out, ran.out);
    EXPECT_EQ(run_pawl(words(name + " -h")).out, ran.out);
    EXPECT_EQ(run_pawl(words("-h " + name)).out, ran.out);
    EXPECT_EQ(run_pawl(words("--json " + name + " --help")).out, ran.out);
  }
}

TEST(Help, OverviewListsEveryVerbAndExitCode) {
  const Ran ran = run_pawl({"help"});
  EXPECT_EQ(ran.exit, 0);
  const Ran alone = run_pawl({});  // a screen of it, that leads to the rest
  EXPECT_EQ(alone.exit, 0);
  EXPECT_LE(std::count(alone.out.begin(), alone.out.end(), '\n'), 45) << alone.out;
  EXPECT_TRUE(has(alone.out, "pawl help")) << alone.out;
  EXPECT_EQ(run_pawl({"--help"}).out, ran.out);
  EXPECT_EQ(run_pawl({"-h"}).out, ran.out);
  for (const Verb* verb : all_verbs()) {
    EXPECT_TRUE(has(ran.out, cat("\n  ", full_name(*verb), " "))) << full_name(*verb);
    if (verb->noun.empty()) continue;
    const Ran noun = run_pawl({"help", std::string(verb->noun)});
    EXPECT_EQ(noun.exit, 0);
    EXPECT_TRUE(has(noun.out, cat("\n  ", full_name(*verb), " ")));
    EXPECT_EQ(run_pawl({std::string(verb->noun), "--help"}).out, noun.out);
    expect_fits(noun.out);
  }
  for (const Param& param : common_params()) EXPECT_TRUE(has(ran.out, cat("--", param.name)));
  for (const cli::ExitCode& row : cli::exit_codes()) EXPECT_TRUE(has(ran.out, row.meaning));
  expect_fits(ran.out);
}

TEST(Help, KnowsEveryExitCodeOfTheErrors) {
  for (int code = 0; code <= static_cast<int>(ErrorCode::internal); ++code) {
    const int exit = facts_of(static_cast<ErrorCode>(code)).exit_code;
    const auto rows = cli::exit_codes();
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.code == exit; })) << exit;
  }
}

TEST(Suggestion, WrongVerbOfANoun) {
  EXPECT_TRUE(has(complaint("machine lst"), "did you mean `pawl machine list`?"));
  EXPECT_TRUE(has(complaint("machine ls"), "did you mean `pawl machine list`?"));
  EXPECT_TRUE(has(complaint("machine zebra"), "there is list, show or check"));
  EXPECT_TRUE(has(complaint("machine version"), "did you mean `pawl version`?"));
}

TEST(Suggestion, WrongNounOrCommand) {
  EXPECT_TRUE(has(complaint("machin show issue"), "did you mean `pawl machine show`?"));
  EXPECT_TRUE(has(complaint("vresion"), "did you mean `pawl version`?"));
  EXPECT_TRUE(has(complaint("hlep"), "did you mean `pawl help`?"));
  EXPECT_TRUE(has(complaint("zebra"), "`pawl help` lists the commands"));
  EXPECT_TRUE(has(complaint("help machin"), "did you mean `pawl machine`?"));
}

// `pawl set 42 running`, `pawl set issue 42`, `pawl issue-set 42`
TEST(Suggestion, EveryVerbIsFoundWithoutItsNoun) {
  for (const Verb* verb : all_verbs()) {
    if (verb->noun.empty()) continue;
    const std::string name(verb->name), noun(verb->noun);
    EXPECT_TRUE(has(complaint(cat(noun, "-", name)), cat("`pawl ", noun, " ", name, "`")));
    if (find_verb("", name) != nullptr) continue;
    EXPECT_TRUE(has(complaint(cat(name, " ", noun)), cat("`pawl ", noun, " ", name, "`")));
    EXPECT_TRUE(has(complaint(cat(name, " 42")), cat("`pawl ", noun, " ", name, "`")));
  }
}

TEST(Suggestion, EveryOptionIsFoundWithALetterMissing) {
  for (const Verb* verb : all_verbs()) {
    for (const Param& param : cli::offered_params(verb)) {
      if (param.positional || param.name.size() < 5 || verb->never_fails) continue;
      const std::string typed = cat("--", param.name.substr(0, 2), param.name.substr(3));
      EXPECT_TRUE(has(complaint(cat(full_name(*verb), " ", typed)), cat("did you mean `--", param.name, "`?")))
          << full_name(*verb) << " " << typed;
    }
  }
}

TEST(Suggestion, WordGivenAsAnOption) {
  EXPECT_TRUE(has(complaint("machine show --name issue"), "it is given as a word: pawl machine show NAME"));
}

TEST(ExitCodes, SayWhatKindOfFailure) {
  EXPECT_EQ(run_pawl({"version"}).exit, 0);
  complaint("machine show", 2);
  complaint("machine show zebra", 3);
  complaint("machine check no-such-file.json", 3);
  complaint("-C no-such-folder version", 3);
  complaint("version --at 0", 2);
}

TEST(Options, StandAnywhere) {
  TempWorkspace workspace;
  workspace.write("mine.json",
                  R"({"name":"m","statuses":[{"name":"a","terminal":true}],"moves":[{"from":"absent","to":"a"}]})");
  for (const std::string line :
       {"-C DIR machine check mine.json", "machine -C DIR check mine.json", "machine check -C DIR mine.json",
        "machine check mine.json -C DIR", "machine check mine.json --directory=DIR"}) {
    auto args = words(line);
    for (std::string& arg : args) {
      if (arg.ends_with("DIR")) arg = arg.substr(0, arg.size() - 3) + workspace.path();
    }
    const Ran ran = run_pawl(args);
    EXPECT_EQ(ran.exit, 0) << line << ran.err;
    EXPECT_EQ(ran.out, "m: sound, 1 statuses, 1 moves\n");
  }
}

TEST(Options, AtIsForReadingOnly) {
  for (const Verb* verb : all_verbs()) {
    if (verb->read_only || verb->never_fails) continue;
    std::string line = full_name(*verb);
    for (const Param& param : verb->params) {
      if (!param.required) continue;
      if (!param.positional) line += cat(" --", param.name);
      line += cat(" ", some_value(param));
    }
    EXPECT_TRUE(has(complaint(line + " --at 5"), "--at is for commands that only read")) << line;
  }
}

TEST(Json, ErrorsAreJsonOnStderr) {
  for (const std::string line : {"machine show zebra --json", "--json machine shw", "machine show --json --bogus"}) {
    const Ran ran = run_pawl(words(line));
    EXPECT_EQ(ran.out, "");
    const auto error = parse_json(ran.err);
    ASSERT_TRUE(error) << ran.err;
    const Json& body = (*error)["error"];
    EXPECT_EQ(facts_of(ErrorCode::not_found).exit_code == ran.exit ? "not_found" : "invalid_argument",
              string_or(body, "code"));
    EXPECT_NE(string_or(body, "message"), "");
    EXPECT_TRUE(body.contains("hint"));
    EXPECT_FALSE(body["retry"].get<bool>());
  }
}

TEST(Json, VersionSaysWhatItIs) {
  const auto answer = parse_json(run_pawl({"version", "--json"}).out);
  ASSERT_TRUE(answer);
  EXPECT_EQ(string_or(*answer, "name"), "pawl");
  EXPECT_TRUE(answer->contains("schema"));
  EXPECT_EQ(run_pawl({"--version"}).out, cat("pawl ", string_or(*answer, "version"), "\n"));
  EXPECT_NE(string_or(*answer, "compiler"), "");
}

TEST(Color, OnlyOnATerminalThatWantsIt) {
  RunOptions terminal;
  terminal.out = RunOptions::Stdout::terminal;
  terminal.env = {"TERM=xterm"};
  const auto colored = [](const RunOptions& options, std::vector<std::string> args) {
    return has(run_pawl(args, options).out, "\x1b[");
  };
  EXPECT_TRUE(colored(terminal, {"help"}));
  EXPECT_FALSE(colored(terminal, {"help", "--no-color"}));
  EXPECT_FALSE(colored({}, {"help"}));
  terminal.env = {"TERM=xterm", "NO_COLOR=1"};
  EXPECT_FALSE(colored(terminal, {"help"}));
  terminal.env = {"TERM=xterm", "NO_COLOR="};
  EXPECT_TRUE(colored(terminal, {"help"}));
  terminal.env = {"TERM=dumb"};
  EXPECT_FALSE(colored(terminal, {"help"}));
}

TEST(Streams, ReaderThatWentAwayIsNoFault) {
  RunOptions deaf;
  deaf.out = RunOptions::Stdout::deaf;
  const Ran ran = run_pawl({"help"}, deaf);
  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(run_pawl({"machine", "check", "/dev/null"}, deaf).err, run_pawl({"machine", "check", "/dev/null"}).err);
}

TEST(Streams, FullDiskIsSaid) {
  RunOptions full;
  full.out_path = "/dev/full";
  const Ran ran = run_pawl({"version"}, full);
  EXPECT_EQ(ran.exit, 5);
  EXPECT_TRUE(has(ran.err, "No space left on device")) << ran.err;
}

TEST(Streams, ClosedStdoutIsAWishForNoAnswer) {
  RunOptions closed;
  closed.out = RunOptions::Stdout::closed;
  const Ran ran = run_pawl({"version"}, closed);
  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(ran.err, "");
}

TEST(Streams, LargeAnswersAreWhole) {
  TempWorkspace workspace;
  Json moves = Json::array(), statuses = Json::array();
  for (int i = 0; i < 60; ++i) statuses.push_back({{"name", cat("s", i)}});
  const std::string_view long_name = "a-status-with-a-long-name-that-is-not-in-the-table-and-fills-a-pipe-";
  for (int i = 0; i < 4000; ++i) moves.push_back({{"from", cat(long_name, "x", i)}, {"to", cat(long_name, "y", i)}});
  workspace.write("big.json", to_line(Json{{"name", "big"}, {"statuses", statuses}, {"moves", moves}}));
  const Ran ran = workspace.run({"machine", "check", "big.json"});
  EXPECT_EQ(ran.exit, 1);
  EXPECT_GT(ran.out.size(), std::size_t{512} << 10U);
  EXPECT_TRUE(ran.out.ends_with("y3999”, which is not a status\n"));
}

TEST(Log, TellsStepsOnStderrAndNowhereElse) {
  const Ran silent = run_pawl({"version"});
  EXPECT_EQ(silent.err, "");
  const Ran verbose = run_pawl({"version", "-v"});
  EXPECT_EQ(verbose.out, silent.out);
  EXPECT_TRUE(has(verbose.err, "level=info step=run verb=version outcome=ok us="));
  RunOptions options;
  options.env = {"PAWL_LOG=info"};
  EXPECT_TRUE(has(run_pawl({"version"}, options).err, "step=run"));
  options.env = {"PAWL_LOG=loud"};
  const Ran wrong = run_pawl({"version"}, options);
  EXPECT_EQ(wrong.exit, 0);
  EXPECT_EQ(wrong.err, "pawl: PAWL_LOG is “loud”, which says nothing: it can be info or debug\n");
}

TEST(Escapes, NeverReachTheTerminal) {
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{{"\x1b[2J"},
                                                                                    {"machine", "\x1b[2J"},
                                                                                    {"machine", "show", "\x1b[2J\x9b"},
                                                                                    {"machine", "show", "a", "\x1b[2J"},
                                                                                    {"machine", "check", "\x1b[2J"},
                                                                                    {"version", "--\x1b[2J"},
                                                                                    {"version", "--actor", "\x1b[2J"},
                                                                                    {"-C", "\x1b[2J", "version"}}) {
    const Ran ran = run_pawl(args);
    EXPECT_NE(ran.exit, 0);
    EXPECT_FALSE(has(ran.out + ran.err, "\x1b")) << ran.err;
    EXPECT_TRUE(is_utf8(ran.err)) << ran.err;
  }
}

// Folding is for people.
TEST(Errors, InJsonAreOneLineOnATerminalToo) {
  const TempWorkspace ws;
  RunOptions options;
  options.out = RunOptions::Stdout::terminal;
  options.env = {"TERM=xterm", "LANG=C.UTF-8"};
  const Ran ran = run_program("sh",
                              {"-c", cat("cd '", ws.path(), "' && stty cols 40 <&1; '", PAWL_BINARY,
                                         "' --json issue set 7 nonsense 2>&1; exit 0")},
                              options);
  const auto error = parse_json(trim(ran.out));
  ASSERT_TRUE(error) << ran.out;
  EXPECT_EQ((*error)["error"]["code"], "illegal_move") << ran.out;
}

}  // namespace
}  // namespace pawl::test
