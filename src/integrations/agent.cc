#include "integrations/agent.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

#include "base/text.h"
#include "integrations/process_group.h"

namespace pawl {
namespace {

constexpr int kAskEveryMs = 500;
constexpr int kNotReadyMs = 20;           // until it is asked again whether output is taken
constexpr std::size_t kPiece = 4'096;     // what a pipe that is ready takes without waiting
constexpr std::int64_t kGraceMs = 5'000;  // between "please" and the end

std::int64_t now_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

struct Ends {
  Fd ours, theirs;
};

// Our end does not block; theirs is an ordinary pipe's.
Result<Ends> make_pipe(bool we_write) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return tl::unexpected(io_error("make", "a pipe", errno));
  Ends pipe{Fd(ends[we_write ? 1 : 0]), Fd(ends[we_write ? 0 : 1])};
  fcntl(pipe.ours.get(), F_SETFL, O_NONBLOCK | (we_write ? O_WRONLY : O_RDONLY));
  return pipe;
}

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> out;
  for (const std::string& word : words) out.push_back(const_cast<char*>(word.c_str()));
  return out;
}

// Those of the call, and pawl's own but for the names that it replaces or keeps back.
std::vector<char*> environment_of(const AgentCall& call) {
  std::vector<std::string> names = call.not_passed_on;
  for (const std::string& variable : call.environment) names.push_back(variable.substr(0, variable.find('=')));
  std::vector<char*> environment = pointers_to(call.environment);
  for (char* variable : inherited_environment(call.secrets)) {
    const std::string_view text = variable == nullptr ? std::string_view() : std::string_view(variable);
    const std::string_view name = text.substr(0, text.find('='));
    if (variable == nullptr || std::find(names.begin(), names.end(), name) == names.end())
      environment.push_back(variable);
  }
  return environment;
}

// The agent while it runs.
class Running {
 public:
  Running(const AgentCall& call, StopSignals& stop, ProcessGroup group, Fd input, Fd output, Fd errors)
      : call_(call),
        stop_(stop),
        group_(std::move(group)),
        input_(std::move(input)),
        output_(std::move(output)),
        errors_(std::move(errors)) {
    if (call.input.empty()) input_.reset();
  }

  AgentRan finish() {
    while (!step()) {
    }
    if (ran_.end == AgentEnd::exited || call_.ready()) {  // one that was to end waits for no reader
      drain(output_, call_.output);
      drain(errors_, call_.errors);
    }
    const int status = group_.finish(call_.alone || ran_.end != AgentEnd::exited);
    ran_.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    ran_.took_ms = now_ms() - began_;
    return ran_;
  }

 private:
  using Sink = std::function<void(std::string_view)>;

  // True once it is over. When it was asked to end, what it started has the rest of the grace to end as well, which
  // shows in its streams being closed.
  bool step() {
    const bool ready = call_.ready();
    std::array<pollfd, 5> fds{{{exited_ ? -1 : group_.exited_fd(), POLLIN, 0},
                               {stop_.fd(), POLLIN, 0},
                               {ready ? output_.get() : -1, POLLIN, 0},
                               {ready ? errors_.get() : -1, POLLIN, 0},
                               {input_.get(), POLLOUT, 0}}};  // one that is closed is -1, and left out
    if (poll(fds.data(), fds.size(), ready ? wait_ms() : std::min(wait_ms(), kNotReadyMs)) < 0 && errno != EINTR)
      end(AgentEnd::unwanted, SIGTERM);
    if (fds[2].revents != 0) read_some(output_, call_.output);
    if (fds[3].revents != 0) read_some(errors_, call_.errors);
    if (fds[4].revents != 0) write_some();
    while (const auto signal = stop_.next()) end(AgentEnd::stopped, *signal);
    if (call_.limit_ms > 0 && now_ms() - began_ >= call_.limit_ms) end(AgentEnd::too_long, SIGTERM);
    if (now_ms() - asked_ >= kAskEveryMs) {
      asked_ = now_ms();
      if (!call_.wanted()) end(AgentEnd::unwanted, SIGTERM);
    }
    exited_ = exited_ || fds[0].revents != 0;
    const bool grace_over = ending_since_ != 0 && now_ms() - ending_since_ >= kGraceMs;
    if (grace_over) group_.send(SIGKILL);
    if (!exited_) return false;
    return ending_since_ == 0 || grace_over || (!output_.valid() && !errors_.valid());
  }

  [[nodiscard]] int wait_ms() const {
    std::int64_t wait = asked_ + kAskEveryMs - now_ms();
    if (call_.limit_ms > 0 && ending_since_ == 0) wait = std::min(wait, began_ + call_.limit_ms - now_ms());
    return static_cast<int>(std::max<std::int64_t>(wait, 0));
  }

  void end(AgentEnd why, int signal) {
    if (ending_since_ != 0) {
      if (why == AgentEnd::stopped) ending_since_ = now_ms() - kGraceMs;  // asked twice: at once
      return;
    }
    if (exited_) return;
    ending_since_ = now_ms();
    ran_.end = why;
    if (why == AgentEnd::stopped) ran_.stop_signal = signal;
    group_.send(SIGTERM);
    group_.send(SIGCONT);  // one that is stopped hears nothing
  }

  static void read_some(Fd& from, const Sink& into) {
    std::array<char, kPiece> buffer;
    const ssize_t got = read(from.get(), buffer.data(), buffer.size());
    if (got > 0) return into({buffer.data(), static_cast<std::size_t>(got)});
    if (got == 0 || (errno != EINTR && errno != EAGAIN)) from.reset();
  }

  // What it left in the pipe, and no more: a child of its that lives on may print for ever.
  static void drain(Fd& from, const Sink& into) {
    int left = 0;
    if (!from.valid() || ioctl(from.get(), FIONREAD, &left) != 0) return;
    while (left > 0 && from.valid()) {
      const auto before = left;
      read_some(from, [&](std::string_view bytes) {
        into(bytes);
        left -= static_cast<int>(bytes.size());
      });
      if (left == before) return;
    }
  }

  void write_some() {
    const std::string_view rest = std::string_view(call_.input).substr(written_);
    const ssize_t wrote = write(input_.get(), rest.data(), rest.size());
    if (wrote < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (wrote > 0) written_ += static_cast<std::size_t>(wrote);
    if (wrote <= 0 || written_ == call_.input.size()) input_.reset();  // it need not read what it does not want
  }

  const AgentCall& call_;
  StopSignals& stop_;
  ProcessGroup group_;
  Fd input_, output_, errors_;
  AgentRan ran_;
  std::size_t written_ = 0;
  bool exited_ = false;
  std::int64_t began_ = now_ms();
  std::int64_t asked_ = began_;
  std::int64_t ending_since_ = 0;
};

}  // namespace

Result<AgentRan> run_agent(const AgentCall& call, StopSignals& stop) {
  if (stop.fd() < 0) return fail(ErrorCode::io, "cannot wait for signals: too many files are open");
  PAWL_ASSIGN(Ends in, make_pipe(true));
  PAWL_ASSIGN(Ends out, make_pipe(false));
  PAWL_ASSIGN(Ends err, make_pipe(false));
  ProgramStart program;
  program.argv = pointers_to(call.argv);
  program.argv.push_back(nullptr);
  program.environment = environment_of(call);
  program.folder = call.folder.empty() ? nullptr : call.folder.c_str();
  program.input = in.theirs.get();
  program.output = out.theirs.get();
  program.errors = err.theirs.get();
  program.signals = &stop.before();
  PAWL_ASSIGN(ProcessGroup group, ProcessGroup::start(program));
  in.theirs.reset();
  out.theirs.reset();
  err.theirs.reset();
  return Running(call, stop, std::move(group), std::move(in.ours), std::move(out.ours), std::move(err.ours)).finish();
}

std::string filled(std::string_view word, std::string_view name, std::string_view value) {
  const std::string mark = cat("{", name, "}");
  std::string out;
  while (true) {
    const std::size_t at = word.find(mark);
    out += word.substr(0, at);
    if (at == std::string_view::npos) return out;
    out += value;
    word.remove_prefix(at + mark.size());
  }
}

}  // namespace pawl
