#include "drive/output_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/terminal_lines.h"
#include "base/text.h"
#include "drive/recorder.h"

namespace pawl {
namespace {

constexpr std::string_view kPieceName = "output.";
constexpr std::int64_t kKeptPieces = 2;
constexpr std::int64_t kTail = 16 << 10;

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

Result<OutputLog> OutputLog::open(const std::string& path) {
  OutputLog log;
  PAWL_ASSIGN(log.folder_, open_real_folder(path));
  PAWL_ASSIGN(const auto pieces, pieces_in(log.folder_.get()));
  log.piece_ = pieces.empty() ? 0 : pieces.back() + 1;
  PAWL_TRY(log.begin_piece());
  return log;
}

Done OutputLog::begin_piece() {
  file_ = Fd(
      openat(folder_.get(), piece_name(piece_).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file_.valid()) return tl::unexpected(io_error("write", piece_name(piece_), errno));
  size_ = 0;
  if (piece_ >= kKeptPieces) return remove_at(folder_.get(), piece_name(piece_ - kKeptPieces));
  return done();
}

Done OutputLog::append(std::string_view bytes) {
  while (!bytes.empty()) {
    if (size_ == kOutputPiece) {
      ++piece_;
      PAWL_TRY(begin_piece());
    }
    const auto room = static_cast<std::size_t>(kOutputPiece - size_);
    const std::string_view now = bytes.substr(0, room);
    PAWL_TRY(write_all(file_.get(), now, piece_name(piece_)));
    size_ += static_cast<std::int64_t>(now.size());
    bytes.remove_prefix(now.size());
  }
  return done();
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
  const auto all = recorded_bytes(folder);
  if (!all) return {};
  std::int64_t from = std::max<std::int64_t>(0, *all - kTail);
  TerminalLines lines;
  std::string last;
  const auto see = [&](std::string_view line) {
    if (const std::string text = stripped(trim(line), TerminalLines::kMaxLine); !text.empty()) last = text;
  };
  while (true) {
    const auto bytes = read_output(folder, from, kTail);
    if (!bytes || bytes->empty()) break;
    lines.feed(*bytes, [&](std::string_view line, bool) { see(line); });
  }
  see(lines.unfinished());
  return last;
}

}  // namespace pawl
