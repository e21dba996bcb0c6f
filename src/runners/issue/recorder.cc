#include "runners/issue/recorder.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "runners/issue/output_log.h"

namespace pawl {
namespace {

constexpr std::string_view kSaid = "said.json";
constexpr const char* kLockFile =
    "recorder";  // locked as long as the recorder lives; the kernel tells other containers
constexpr std::size_t kBuffer = std::size_t{256} << 10U;
constexpr std::size_t kMaxPrompt = std::size_t{4} << 20U;
constexpr std::size_t kMaxSaid = std::size_t{64} << 10U;
constexpr int kPauseMs = 150;      // a marker without a newline counts after it
constexpr int kMessageMs = 1'000;  // how long the line after an error marker is waited for
// Under a flood the pipe is emptied in large portions instead of as each comes: a wake-up costs more than its bytes.
// Where so much has come that the pipe was full, more waits behind it, in tmux's memory: then there is no nap.
constexpr std::size_t kFlood = std::size_t{4} << 10U, kBacklog = std::size_t{60} << 10U;
constexpr int kFloodNapMs = 2;
constexpr int kFirstNapMs = 10;

Json number_or_null(const std::optional<std::int64_t>& value) { return value ? Json(*value) : Json(); }

std::optional<std::int64_t> number_in(const Json& json, std::string_view name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_number_integer() ? std::optional(found->get<std::int64_t>()) : std::nullopt;
}

Fd open_lock(int folder) { return Fd(openat(folder, kLockFile, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)); }

bool is_locked(const std::string& folder) {
  const Fd file(open(cat(folder, "/", kLockFile).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  return file.valid() && flock(file.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

Done write_said(int folder, const issue::Said& said, const ProcessIdentity& recorder, bool locked, bool ended) {
  Json out = to_json(recorder);
  out.update({{"locked", locked},
              {"ended", ended},
              {"ended_ms", ended ? SystemClock().now().wall_ms : 0},
              {"complete", number_or_null(said.complete)},
              {"error", number_or_null(said.error)},
              {"phase", number_or_null(said.phase)},
              {"message", said.message},
              {"message_open", said.message_open},
              {"completes", said.completes},
              {"errors", said.errors}});
  const std::string next = cat(kSaid, ".new");
  PAWL_TRY(write_synced_at(folder, next, to_line(out) + "\n", {0600, {}}));
  return move_over_at(folder, next, folder, std::string(kSaid));
}

// What the screen may repeat is in the run's folder: what the agent was told, and the issue's title.
Result<issue::MarkerReader> reader_for(std::int64_t number, const std::string& folder, const issue::Said& before,
                                       std::int64_t offset) {
  PAWL_ASSIGN(const FileImage prompt, read_file(cat(folder, "/prompt"), kMaxPrompt));
  PAWL_ASSIGN(const FileImage title, read_file(cat(folder, "/title"), kMaxPrompt));
  issue::MarkerReader reader(number, prompt.bytes, before, offset);
  reader.leave_out(title.bytes);
  return reader;
}

class Recorder {
 public:
  Recorder(Fd folder, OutputLog log, issue::MarkerReader reader)
      : folder_(std::move(folder)), lock_(open_lock(folder_.get())), log_(std::move(log)), reader_(std::move(reader)) {
    // Whoever looks at it holds it for a moment. Without it the process alone tells that it lives.
    locked_ = lock_.valid() && lock_within(lock_.get(), LOCK_EX, kMessageMs, kLockFile).value_or(false);
  }

  Done run(int input);

 private:
  Done publish(bool ended);
  Done tell_the_end();
  [[nodiscard]] int patience() const;

  Fd folder_, lock_;
  bool locked_ = false;
  OutputLog log_;
  issue::MarkerReader reader_;
  issue::Said told_;
  std::int64_t opened_ms_ = 0;  // when the message began to be waited for
  bool late_ = false;           // what is new could not be written
  SystemClock clock_;
};

Done Recorder::publish(bool ended) {
  PAWL_TRY(write_said(folder_.get(), reader_.said(), this_process(), locked_, ended));
  told_ = reader_.said();
  return done();
}

int Recorder::patience() const {
  if (late_) return kMessageMs;
  if (reader_.said().message_open)
    return static_cast<int>(std::max<std::int64_t>(0, kMessageMs - (clock_.now().boot_ms - opened_ms_)));
  return reader_.waiting() ? kPauseMs : -1;
}

// The last words. A full disk gets room again: until then this process lives, so that whoever watches does not take the
// session for lost. (A folder that was taken away has no name any more.)
Done Recorder::tell_the_end() {
  for (int nap_ms = kFirstNapMs;; nap_ms = std::min(2 * nap_ms, kMessageMs)) {
    const Done told = publish(true);
    struct stat info {};
    const bool removed = fstat(folder_.get(), &info) != 0 || info.st_nlink == 0;
    if (told || told.error().code != ErrorCode::io || removed) return told;
    poll(nullptr, 0, nap_ms);
  }
}

Done Recorder::run(int input) {
  late_ = !publish(false).has_value();
  std::string buffer(kBuffer, '\0');
  while (true) {
    pollfd waiting{input, POLLIN, 0};
    bool flood = false;
    const int ready = poll(&waiting, 1, patience());
    if (ready < 0 && errno == EINTR) continue;
    if (ready < 0) return tl::unexpected(io_error("read", "the pane", errno));
    if (ready == 0) {
      reader_.pause();
      if (reader_.said().message_open && clock_.now().boot_ms - opened_ms_ >= kMessageMs) reader_.close_message();
    } else {
      const ssize_t got = read(input, buffer.data(), buffer.size());
      if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (got <= 0) break;
      const std::string_view bytes(buffer.data(), static_cast<std::size_t>(got));
      log_.append(bytes);  // a full disk costs the log, and not what the markers say
      reader_.feed(bytes);
      flood = bytes.size() >= kFlood && bytes.size() < kBacklog;
    }
    if (reader_.said().message_open && !told_.message_open) opened_ms_ = clock_.now().boot_ms;
    if (late_ || !(reader_.said() == told_)) late_ = !publish(false).has_value();
    if (flood) poll(nullptr, 0, kFloodNapMs);
  }
  reader_.end();
  return tell_the_end();
}

}  // namespace

namespace {

Result<std::optional<Json>> read_said(const std::string& folder) {
  PAWL_ASSIGN(const FileImage image, read_file(cat(folder, "/", kSaid), kMaxSaid));
  auto json = image.exists ? parse_json(image.bytes) : Result<Json>(Json());
  return json && json->is_object() ? std::optional(std::move(*json)) : std::nullopt;
}

bool still_records(const Json& said, const std::string& folder) {
  if (bool_or(said, "ended")) return false;
  const Held lock = is_locked(folder) ? Held::yes : bool_or(said, "locked") ? Held::no : Held::unknown;
  return life_of(process_in(said), lock) != Life::ended;
}

}  // namespace

Result<std::optional<Recorded>> read_recorded(const std::string& folder) {
  PAWL_ASSIGN(auto json, read_said(folder));
  if (!json) return std::optional<Recorded>();
  Recorded found;
  found.recorder_lives = still_records(*json, folder);
  if (!found.recorder_lives) {  // its last words may have come between the two
    PAWL_ASSIGN(json, read_said(folder));
    if (!json) return std::optional<Recorded>();
  }
  found.recorder = process_in(*json);
  found.ended = bool_or(*json, "ended");
  found.ended_ms = integer_or(*json, "ended_ms");
  found.said.complete = number_in(*json, "complete");
  found.said.error = number_in(*json, "error");
  found.said.phase = number_in(*json, "phase");
  found.said.message = string_or(*json, "message");
  found.said.message_open = bool_or(*json, "message_open");
  found.said.completes = integer_or(*json, "completes");
  found.said.errors = integer_or(*json, "errors");
  return std::optional(found);
}

std::int64_t last_place(const issue::Said& said) {
  return std::max({said.complete.value_or(0), said.error.value_or(0), said.phase.value_or(0)});
}

Done write_said_before(const std::string& folder, const issue::Said& said) {
  PAWL_ASSIGN(const Fd opened, open_real_folder(folder));
  return write_said(opened.get(), said, {}, false, false);
}

Result<issue::Said> said_in(std::int64_t number, const std::string& folder, std::string_view text) {
  PAWL_ASSIGN(issue::MarkerReader reader, reader_for(number, folder, {}, 0));
  reader.feed(text);
  reader.end();
  return reader.said();
}

Done record_output(std::int64_t number, const std::string& folder, int input) {
  if (access(folder.c_str(), F_OK) != 0 && errno == ENOENT)
    return fail(ErrorCode::not_found, cat("there is no run in ", printable(folder)),
                "pawl issue run calls this by itself, with the folder that it made for the run");
  PAWL_ASSIGN(Fd opened, open_real_folder(folder));
  PAWL_ASSIGN(const auto before, read_recorded(folder));
  const issue::Said said = before ? before->said : issue::Said{};
  PAWL_ASSIGN(OutputLog log, OutputLog::open(folder, last_place(said)));
  PAWL_ASSIGN(issue::MarkerReader reader, reader_for(number, folder, said, log.offset()));
  return Recorder(std::move(opened), std::move(log), std::move(reader)).run(input);
}

}  // namespace pawl
