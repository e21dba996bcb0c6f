#include "base/conversation.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

#include "base/process.h"
#include "base/text.h"

namespace pawl {

Conversation::Conversation(std::vector<std::string> argv, std::vector<std::string> also, std::size_t max_bytes,
                           int timeout_ms)
    : argv_(std::move(argv)), also_(std::move(also)), max_bytes_(max_bytes), timeout_ms_(timeout_ms) {}

// A socket, not two pipes: who writes to a program that has died gets an error, and no signal.
Done Conversation::start() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return tl::unexpected(io_error("start", argv_.front(), errno));
  Fd ours(ends[0]);
  const Fd its(ends[1]);
  PAWL_ASSIGN(pid_, start_program(argv_, {its.get(), its.get(), -1},
                                  inherited_environment(Secrets::dropped, GitVariables::dropped, also_)));
  line_ = std::move(ours);
  return done();
}

void Conversation::end() {
  line_.reset();
  if (pid_ == 0) return;
  kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
}

Result<std::string> Conversation::ask(std::string_view question,
                                      const std::function<bool(std::string_view)>& is_whole) {
  if (pid_ == 0) PAWL_TRY(start());
  auto answer = answer_to(question, is_whole);
  if (!answer) end();
  return answer;
}

Result<std::string> Conversation::answer_to(std::string_view question,
                                            const std::function<bool(std::string_view)>& is_whole) {
  while (!question.empty()) {
    const ssize_t sent = send(line_.get(), question.data(), question.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return tl::unexpected(io_error("ask", argv_.front(), errno));
    question.remove_prefix(static_cast<std::size_t>(sent));
  }
  std::string answer;
  std::array<char, 65536> buffer{};
  const auto began = std::chrono::steady_clock::now();
  while (!is_whole(answer)) {
    const auto passed =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began).count();
    pollfd waiting{line_.get(), POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(std::max<std::int64_t>(timeout_ms_ - passed, 0)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return fail(ErrorCode::busy, cat(argv_.front(), " did not answer in ", timeout_ms_ / 1000, " s"));
    const ssize_t got = read(line_.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return fail(ErrorCode::io, cat(argv_.front(), " ended before it had answered"));
    answer.append(buffer.data(), static_cast<std::size_t>(got));
    if (answer.size() > max_bytes_)
      return fail(ErrorCode::io, cat(argv_.front(), " printed more than ", max_bytes_, " bytes"));
  }
  return answer;
}

}  // namespace pawl
