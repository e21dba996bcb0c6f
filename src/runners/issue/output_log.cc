#include "runners/issue/output_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/terminal_lines.h"
#include "base/text.h"
#include "runners/issue/recorder.h"

namespace pawl {
namespace {

constexpr std::string_view kPieceName = "output.";
constexpr std::int64_t kKeptPieces = 2;
constexpr std::int64_t kReadTail = 16 << 10;

std::string piece_name(std::int64_t piece) { return cat(kPieceName, piece); }

// By number; none when there is no log.
Result<std::vector<std::int64_t>> pieces_in(int folder) {
  std::vector<std::int64_t> pieces;
  PAWL_ASSIGN(const auto names, names_in(folder));
  for (const std::string& name : names) {
    if (!name.starts_with(kPieceName)) continue;
    const std::string_view rest = std::string_view(name).substr(kPieceName.size());
    if (rest == "0") pieces.push_back(0);
    if (const auto number = parse_positive(rest)) pieces.push_back(*number);
  }
  std::sort(pieces.begin(), pieces.end());
  return pieces;
}

std::int64_t size_of(int folder, std::int64_t piece) {
  struct stat info {};
  return fstatat(folder, piece_name(piece).c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 ? info.st_size : 0;
}

}  // namespace

Result<OutputLog> OutputLog::open(const std::string& path, std::int64_t at_least) {
  OutputLog log;
  PAWL_ASSIGN(log.folder_, open_real_folder(path));
  PAWL_ASSIGN(const auto pieces, pieces_in(log.folder_.get()));
  std::int64_t piece = (at_least + kOutputPiece - 1) / kOutputPiece;
  if (!pieces.empty()) piece = std::max(piece, pieces.back() + 1);
  log.offset_ = piece * kOutputPiece;
  for (const std::int64_t old : pieces) {
    if (old <= piece - kKeptPieces) PAWL_TRY(remove_at(log.folder_.get(), piece_name(old)));
  }
  log.write_at(piece, 0, {});  // it is there, so that its number tells that somebody began anew
  return log;
}

void OutputLog::write_at(std::int64_t piece, std::int64_t at, std::string_view bytes) {
  if (piece != piece_ && piece >= kKeptPieces && !remove_at(folder_.get(), piece_name(piece - kKeptPieces))) return;
  if (piece != piece_ || !file_.valid())
    file_ = Fd(openat(folder_.get(), piece_name(piece).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  piece_ = piece;
  while (!bytes.empty() && file_.valid()) {
    const ssize_t wrote = pwrite(file_.get(), bytes.data(), bytes.size(), at);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return;
    at += wrote;
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

void OutputLog::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::int64_t piece = offset_ / kOutputPiece, at = offset_ % kOutputPiece;
    const std::string_view now = bytes.substr(0, static_cast<std::size_t>(kOutputPiece - at));
    write_at(piece, at, now);
    offset_ += static_cast<std::int64_t>(now.size());
    bytes.remove_prefix(now.size());
  }
}

Result<std::int64_t> recorded_bytes(const std::string& folder) {
  const auto opened = open_real_folder(folder);
  if (!opened) return 0;
  PAWL_ASSIGN(const auto pieces, pieces_in(opened->get()));
  return pieces.empty() ? 0 : pieces.back() * kOutputPiece + size_of(opened->get(), pieces.back());
}

Result<std::string> read_output(const std::string& folder, std::int64_t& from, std::size_t max_bytes) {
  const auto opened = open_real_folder(folder);
  if (!opened) return std::string();
  PAWL_ASSIGN(const auto pieces, pieces_in(opened->get()));
  for (const std::int64_t piece : pieces) {
    const std::int64_t begin = piece * kOutputPiece;
    if (from >= begin + size_of(opened->get(), piece)) continue;
    from = std::max(from, begin);
    const Fd file(openat(opened->get(), piece_name(piece).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!file.valid()) continue;  // it has become too old just now
    std::string bytes(max_bytes, '\0');
    const ssize_t got = pread(file.get(), bytes.data(), bytes.size(), from - begin);
    if (got < 0) return tl::unexpected(io_error("read", piece_name(piece), errno));
    bytes.resize(static_cast<std::size_t>(got));
    from += got;
    return bytes;
  }
  return std::string();
}

std::string last_line(const std::string& folder) {
  const auto opened = open_real_folder(folder);
  const auto pieces =
      opened ? pieces_in(opened->get()) : Result<std::vector<std::int64_t>>(std::vector<std::int64_t>{});
  if (!pieces) return {};
  // A recorder that has just begun has a piece of its own, still empty: the words are in the one before.
  std::int64_t from = 0;
  for (const std::int64_t piece : *pieces) {
    if (const std::int64_t size = size_of(opened->get(), piece); size > 0)
      from = std::max<std::int64_t>(0, piece * kOutputPiece + size - kReadTail);
  }
  TerminalLines lines;
  std::string last;
  const auto see = [&](std::string_view line) {
    if (const std::string text = stripped(trim(line), TerminalLines::kMaxLine); !text.empty()) last = text;
  };
  while (true) {
    const auto bytes = read_output(folder, from, kReadTail);
    if (!bytes || bytes->empty()) break;
    lines.feed(*bytes, [&](std::string_view line, bool) { see(line); });
  }
  see(lines.unfinished());
  return last;
}

}  // namespace pawl
