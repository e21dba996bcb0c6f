// What goes to the terminal, the pipe or the file: answers on stdout, everything else on stderr.
//
//   text   answers as the verb renders them; "pawl: MESSAGE", and "  HINT" below it
//   --json an answer as one indented document, items of a stream as one line each; on stderr a line each:
//          {"error":{"code":"not_found","message":"…","hint":"…","retry":false}}    {"note":"…"}
//          {"note":"…","hint":"…","code":"gone","path":"…"}    a note with a code: its fields are in core/note.h
//
// A reader that went away (`pawl log | head`) is no fault: nothing more is written, and the exit code stays the
// command's. A disk that is full is one: exit 5, and it is said that what the command did stays done.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "commands/verb.h"
#include "core/note.h"

namespace pawl::cli {

enum class Wrote { all, reader_gone, failed };

class Output {
 public:
  explicit Output(int out = 1, int err = 2) : out_(out), err_(err) {}

  bool json = false;
  bool no_color = false;

  // Text that is already what a terminal may be shown.
  Wrote text(std::string_view text);
  // The same, laid out for a terminal.
  Wrote help(std::string text);
  // An answer, or one item of a stream, which is written out at once.
  Wrote answer(const Verb& verb, const Json& data, const TextStyle& style);
  Wrote item(const Verb& verb, const Json& data, const TextStyle& style);
  // Bytes of a program that the user has named: as they are. With --json beside the answer, on stderr.
  void live(std::string_view bytes);
  [[nodiscard]] bool live_ready() const;
  // A line from the terminal, without its newline; nothing after Ctrl-D, where stdin or stderr is none,
  // or the answer is JSON.
  std::optional<std::string> ask(std::string_view question);
  void note(std::string_view text);
  void note(const Note& note);
  // One line on a terminal that the next one takes the place of; elsewhere nothing.
  void progress(std::string_view text);
  // Says what went wrong and returns the exit code.
  int error(const Error& error);

  // How text may look on stdout: colours, and the terminal's own width, only where there is one.
  [[nodiscard]] TextStyle style(std::int64_t now_ms) const;

  // 0, or 5 after saying what could not be written.
  int finish();

 private:
  [[nodiscard]] bool color_allowed(int fd) const;
  Wrote write_out(std::string text);
  void write_note(std::string text);  // with --json: a line of it

  int out_;
  int err_;
  std::string in_progress_;
  int failed_with_ = 0;  // errno of the first write that failed
};

// A process may be started with its streams closed. Their numbers must not go to the next file that is opened,
// or an answer would be written into it.
void keep_standard_streams();

// All of stdin; nothing when it is a terminal.
[[nodiscard]] Result<std::string> read_input();

// JSON is escaped by its own rules, which let through what a terminal obeys or is confused by (DEL, C1 controls,
// bidirectional overrides); all of that can only be inside of strings.
[[nodiscard]] std::string terminal_safe(std::string json);

}  // namespace pawl::cli
