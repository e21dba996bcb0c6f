#include "frontends/cli/output.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/ascii_text.h"
#include "base/columns.h"
#include "base/fold.h"
#include "base/text.h"
#include "commands/present.h"
#include "frontends/english/outside.h"

namespace pawl::cli {
namespace {

constexpr std::size_t kNarrowest = 10;
constexpr std::size_t kUsualWidth = 80;

// The errno that ended it, or 0.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      if (errno != EAGAIN) return errno;
      // Whoever started this made its end of the stream not to block; that is about them and not about the answer.
      pollfd waiting = {fd, POLLOUT, 0};
      ::poll(&waiting, 1, -1);
      continue;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

std::size_t width_of(int fd) {
  winsize size{};
  return ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col >= kNarrowest ? size.ws_col : kUsualWidth;
}

std::size_t height_of(int fd) {
  winsize size{};
  return ::ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

// By the first of the three that says anything, as the C library reads them.
bool says_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view locale = environment(name);
    if (!locale.empty())
      return locale.find("UTF-8") != std::string_view::npos || locale.find("utf8") != std::string_view::npos ||
             locale.find("UTF8") != std::string_view::npos || locale.find("utf-8") != std::string_view::npos;
  }
  return false;
}

// To a terminal that has no UTF-8, pawl's own signs are spelled out.
std::string for_terminal(int fd, std::string text, bool json) {
  if (::isatty(fd) != 1) return text;
  if (!json) text = folded(text, width_of(fd));
  return says_utf8() ? text : in_ascii(text);
}

Wrote outcome(int error_number) {
  if (error_number == 0) return Wrote::all;
  return error_number == EPIPE ? Wrote::reader_gone : Wrote::failed;
}

std::string as_text(const Verb& verb, const Json& data, const TextStyle& style) {
  std::string text = verb.text == nullptr ? terminal_safe(to_pretty(data)) : verb.text(data, style);
  if (verb.verbatim) return text;
  // One that goes back to the beginning of its line is drawn over.
  if (!text.empty() && text.back() != '\n' && text.back() != '\r') text += '\n';
  const bool for_a_file = verb.for_a_file || (verb.is_for_a_file != nullptr && verb.is_for_a_file(data));
  if (style.terminal && verb.text != nullptr && !for_a_file) text = folded(text, style.width);
  return style.unicode ? text : in_ascii(text);
}

}  // namespace

Wrote Output::write_out(std::string text) {
  if (failed_with_ == 0) failed_with_ = write_all(out_, text);
  return outcome(failed_with_);
}

Wrote Output::text(std::string_view text) { return write_out(std::string(text)); }

Wrote Output::help(std::string text) { return write_out(for_terminal(out_, std::move(text), false)); }

Wrote Output::answer(const Verb& verb, const Json& data, const TextStyle& style) {
  if (data.is_null()) return outcome(failed_with_);
  return write_out(json ? terminal_safe(to_pretty(data)) + "\n" : as_text(verb, data, style));
}

Wrote Output::item(const Verb& verb, const Json& data, const TextStyle& style) {
  return write_out(json ? terminal_safe(to_line(data)) + "\n" : as_text(verb, data, style));
}

void Output::live(std::string_view bytes) {
  if (!json) {
    write_out(std::string(bytes));
  } else {
    write_all(err_, bytes);
  }
}

bool Output::live_ready() const {
  pollfd waiting{json ? err_ : out_, POLLOUT, 0};
  return ::poll(&waiting, 1, 0) != 0;  // a reader that is gone is ready: the write says so
}

void Output::progress(std::string_view text) {
  if (text == in_progress_ || json || ::isatty(err_) != 1) return;
  in_progress_ = text;
  write_all(err_, cat("\r\x1b[K", fitted(printable(text), width_of(err_) - 1, says_utf8())));
}

void Output::note(std::string_view text) { write_note(json ? to_line(Json{{"note", text}}) : std::string(text)); }

void Output::note(const Note& note) { write_note(json ? to_line(english::as_json(note)) : english::in_lines(note)); }

void Output::write_note(std::string text) {
  progress("");
  const std::string line = json ? terminal_safe(std::move(text)) : cat("pawl: ", printable(text, true));
  write_all(err_, for_terminal(err_, line + "\n", json));
}

std::optional<std::string> Output::ask(std::string_view question) {
  if (json || ::isatty(STDIN_FILENO) != 1 || ::isatty(err_) != 1) return std::nullopt;
  progress("");
  write_all(err_, cat(printable(question, true), " "));
  std::string line;
  char c = 0;
  while (true) {
    const ssize_t got = ::read(STDIN_FILENO, &c, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0 && line.empty()) {  // Ctrl-D; the terminal shows no newline for it
      write_all(err_, "\n");
      return std::nullopt;
    }
    if (got <= 0 || c == '\n') return line;
    line += c;
  }
}

int Output::error(const Error& error) {
  const ErrorFacts& facts = facts_of(error.code);
  std::string lines;
  if (json) {
    const Json body = {{"code", facts.name}, {"message", error.message}, {"hint", error.hint}, {"retry", facts.retry}};
    lines = terminal_safe(to_line(Json{{"error", body}})) + "\n";
  } else {
    const bool color = color_allowed(err_);
    lines = cat(color ? "\x1b[31mpawl:\x1b[0m " : "pawl: ", printable(error.message, true), "\n");
    lines += lines_below(error.hint, "  ");
  }
  write_all(err_, for_terminal(err_, std::move(lines), json));
  return facts.exit_code;
}

bool Output::color_allowed(int fd) const {
  if (no_color || json || !environment("NO_COLOR").empty() || environment("TERM") == "dumb") return false;
  return ::isatty(fd) == 1;
}

TextStyle Output::style(std::int64_t now_ms) const {
  TextStyle style;
  style.now_ms = now_ms;
  style.color = color_allowed(out_);
  style.terminal = ::isatty(out_) == 1 && environment("TERM") != "dumb";
  style.unicode = !style.terminal || says_utf8();
  style.width = width_of(out_);
  style.height = height_of(out_);
  return style;
}

int Output::finish() {
  if (outcome(failed_with_) != Wrote::failed) return 0;
  return error({ErrorCode::io, cat("the answer could not be written: ", std::strerror(failed_with_)),
                "what the command did is kept; only its answer is lost"});
}

void keep_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    [[maybe_unused]] const int opened = ::open("/dev/null", O_RDWR);  // the lowest free number, which is `fd`
  }
}

Result<std::string> read_input() {
  constexpr std::size_t kMost = std::size_t{64} << 20U;
  std::string all;
  if (::isatty(STDIN_FILENO) == 1) return all;
  std::string piece(std::size_t{1} << 16U, '\0');
  while (true) {
    const ssize_t got = ::read(STDIN_FILENO, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(ErrorCode::io, cat("stdin cannot be read: ", std::strerror(errno)));
    if (got == 0) return all;
    all.append(piece, 0, static_cast<std::size_t>(got));
    if (all.size() > kMost) return fail(ErrorCode::invalid_argument, "stdin has more than 64 MB");
  }
}

std::string terminal_safe(std::string json) {
  const auto suspicious = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0x7F || byte == 0xC2 || byte == 0xD8 || byte == 0xE2;
  };
  std::string out;
  std::size_t copied = 0;
  for (std::size_t at = 0; at < json.size(); ++at) {
    if (!suspicious(json[at])) continue;
    const auto byte = [&](std::size_t i) {
      return at + i < json.size() ? static_cast<unsigned char>(json[at + i]) : 0U;
    };
    unsigned code = 0;
    std::size_t length = 0;
    if (byte(0) == 0x7F) {
      code = 0x7F, length = 1;
    } else if (byte(0) == 0xC2 && byte(1) <= 0x9F) {
      code = byte(1), length = 2;
    } else if (byte(0) == 0xD8 && byte(1) == 0x9C) {
      code = 0x061C, length = 2;
    } else if (byte(0) == 0xE2 && (byte(1) == 0x80 || byte(1) == 0x81)) {
      const unsigned value = 0x2000U + (byte(1) & 0x3FU) * 64U + (byte(2) & 0x3FU);
      const bool reorders = value == 0x200E || value == 0x200F || (value >= 0x202A && value <= 0x202E) ||
                            (value >= 0x2066 && value <= 0x2069);
      if (reorders) code = value, length = 3;
    }
    if (length == 0) continue;
    constexpr std::string_view kDigits = "0123456789abcdef";
    out.append(json, copied, at - copied);
    out += "\\u";
    for (const unsigned shift : {12U, 8U, 4U, 0U}) out += kDigits[(code >> shift) & 0xFU];
    at += length - 1;
    copied = at + 1;
  }
  if (copied == 0) return json;
  return out.append(json, copied, json.size() - copied);
}

}  // namespace pawl::cli
