#include "frontends/cli/cli.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "commands/context.h"
#include "frontends/cli/complete.h"
#include "frontends/cli/help.h"
#include "frontends/cli/output.h"
#include "frontends/cli/parse.h"
#include "frontends/english/outside.h"

namespace pawl {
namespace {

using cli::CommandLine;
using cli::Output;
using cli::Wrote;

// A closed pipe shall be an error of write and not the end of the process in the midst of its work. A handler that
// does nothing, because what is ignored stays ignored in the programs that a verb starts, and a handler does not.
void outlive_closed_pipes() {
  for (const int signal : {SIGPIPE, SIGXFSZ}) {  // the second: a file became longer than `ulimit -f` allows
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_DFL) continue;
    action.sa_handler = [](int) {};
    action.sa_flags = SA_RESTART;
    ::sigaction(signal, &action, nullptr);
  }
}

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

void start_log(const CommandLine& request, Output& output) {
  const std::string_view word = environment("PAWL_LOG");
  const auto level = parse_log_level(word);
  if (!level) output.note(cat("PAWL_LOG is “", word.substr(0, 80), "”, which says nothing: it can be info or debug"));
  set_log_level(std::max(level.value_or(LogLevel::off), request.flags.verbose ? LogLevel::info : LogLevel::off));
}

Done go_to(const std::string& directory) {
  if (directory.empty() || ::chdir(directory.c_str()) == 0) return done();
  const int why = errno;
  const auto code = why == ENOENT ? ErrorCode::not_found : why == ENOTDIR ? ErrorCode::invalid_argument : ErrorCode::io;
  return fail(code, cat("-C ", printable(directory), ": ", std::strerror(why)), "it names the folder to work in");
}

Done actor_from_environment(CommandLine& request) {
  if (!request.flags.actor.empty()) return done();
  const std::string_view actor = environment("PAWL_ACTOR");
  for (const Param& param : common_params()) {
    if (param.name != "actor") continue;
    if (const Done good = check_value(param, actor); !good) {
      return fail(ErrorCode::invalid_argument, cat("PAWL_ACTOR: ", good.error().message), good.error().hint);
    }
  }
  // Who only looks acts on nothing; with `pawl log` --actor is whom it is about.
  if (!request.verb->read_only) request.flags.actor = actor;
  return done();
}

std::string own_path() {
  std::array<char, PATH_MAX> path{};
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
  if (length > 0) return {path.data(), static_cast<std::size_t>(length)};
  // Without /proc: as it was started.
  const auto* const started_as = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
  return started_as != nullptr && ::realpath(started_as, path.data()) != nullptr ? path.data() : "pawl";
}

// The second executable lies beside this one (as it is built), or where it was installed.
Error hand_over(char** argv) {
  const std::string self = own_path();
  const std::string folder = self.substr(0, self.find_last_of('/') + 1);
  int why = ENOENT;
  for (const std::string& path :
       {folder + std::string(kWorldProgram), cat(folder, "../libexec/pawl/", kWorldProgram)}) {
    ::execv(path.c_str(), argv);
    if (errno != ENOENT && errno != ENOTDIR) why = errno;
  }
  return {ErrorCode::unavailable, cat("cannot start ", kWorldProgram, ", which talks to GitHub: ", std::strerror(why)),
          cat("it belongs beside ", printable(self), "; install pawl again")};
}

Result<int> run_verb(CommandLine& request, Output& output, std::span<const WorldVerb> world, char** argv) {
  auto run = request.verb->run;
  for (const WorldVerb& row : world) {
    if (row.verb == request.verb) run = row.run;
  }
  if (run == nullptr) return fail(ErrorCode::internal, cat("nothing carries out ", full_name(*request.verb)));
  if (request.json && request.verb->text == nullptr)
    return fail(ErrorCode::invalid_argument,
                cat("`pawl ", full_name(*request.verb), "` gives no answer, so there is none in JSON"),
                "leave --json out");

  // Where the command was typed: whoever takes it over goes to -C from there.
  const Fd typed_in(request.directory.empty() ? -1 : ::open(".", O_PATH | O_DIRECTORY | O_CLOEXEC));
  PAWL_TRY(go_to(request.directory));
  PAWL_TRY(actor_from_environment(request));
  const Verb& verb = *request.verb;
  const SystemClock clock;
  Context context;
  context.flags = request.flags;
  context.verb = full_name(verb);
  context.verb_request = request.arguments.canonical();
  context.self = own_path;
  context.hand_over = [&] {
    if (!typed_in.valid()) return hand_over(argv);
    const Fd here(::open(".", O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!here.valid() || ::fchdir(typed_in.get()) != 0) return io_error("go back to", ".", errno);
    Error error = hand_over(argv);
    // Some go on without it, and that is here.
    return ::fchdir(here.get()) == 0 ? error : io_error("go back to", request.directory, errno);
  };
  context.one_shot = true;
  context.text_only = !request.json;
  context.reader = STDOUT_FILENO;
  context.draws = context.text_only && output.style(0).terminal;
  context.clock = &clock;
  // Each as the terminal is by then, and at its own time.
  context.emit = [&](const Json& item) {
    return output.item(verb, item, output.style(clock.now().wall_ms)) == Wrote::all;
  };
  context.note = [&](std::string_view text) { output.note(text); };
  context.tell = [&](const Note& note) { output.note(note); };
  context.in_words = english::in_lines;
  context.live = [&](std::string_view bytes) { output.live(bytes); };
  context.live_ready = [&] { return output.live_ready(); };
  context.progress = [&](std::string_view text) { output.progress(text); };
  context.ask = [&](std::string_view question) { return output.ask(question); };
  context.input = cli::read_input;
  const StepTimer timer;
  const auto reply = run(context, request.arguments);
  const std::string_view outcome = reply ? "ok" : facts_of(reply.error().code).name;
  log_info("run", "verb", context.verb, "outcome", outcome, "us", timer.us());
  if (!reply) return tl::unexpected(reply.error());
  output.answer(verb, reply->data, output.style(clock.now().wall_ms));
  const int lost = output.finish();
  return lost != 0 ? lost : reply->exit_code;
}

int show_help(const CommandLine& request, Output& output) {
  const bool color = output.style(0).color;
  if (request.verb != nullptr) {
    output.help(cli::help_on_verb(*request.verb, color));
  } else if (!request.noun.empty()) {
    output.help(cli::help_on_noun(request.noun, color));
  } else {
    output.help(request.help ? cli::help_on_everything(color) : cli::overview(color));
  }
  return output.finish();
}

// Of a line that cannot be read: does it call something that never fails? By its first word that is no option.
bool must_not_fail(std::span<const std::string_view> words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "-C" || words[i] == "--directory") {
      ++i;
    } else if (!words[i].starts_with('-')) {
      return std::any_of(all_verbs().begin(), all_verbs().end(),
                         [&](const Verb* verb) { return verb->never_fails && verb->noun == words[i]; });
    }
  }
  return false;
}

int run_words(std::span<const std::string_view> words, char** argv, std::span<const WorldVerb> world) {
  Output output;
  if (!words.empty() && words.front() == cli::kComplete) {
    words = words.subspan(words.size() > 1 && words[1] == "--" ? 2 : 1);
    output.text(cli::complete(words));
    return 0;
  }
  auto request = cli::parse(words);
  if (!request) {
    output.json = cli::mentions(words, "--json");
    output.no_color = cli::mentions(words, "--no-color");
    return output.error(request.error());
  }
  output.json = request->json;
  output.no_color = request->no_color;
  if (request->help || request->verb == nullptr) return show_help(*request, output);
  if (request->verb->world && world.empty()) return output.error(hand_over(argv));
  start_log(*request, output);
  const auto exit_code = run_verb(*request, output, world, argv);
  return exit_code ? *exit_code : output.error(exit_code.error());
}

}  // namespace

int run_cli(int argc, char** argv, std::span<const WorldVerb> world) {
  cli::keep_standard_streams();
  outlive_closed_pipes();
  std::vector<std::string_view> words;
  for (int i = 1; i < argc; ++i) words.emplace_back(argv[i]);
  const int exit_code = run_words(words, argv, world);
  return exit_code != 0 && must_not_fail(words) ? 0 : exit_code;
}

}  // namespace pawl
