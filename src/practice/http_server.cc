#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <memory>
#include <optional>

#include "base/file.h"
#include "base/text.h"
#include "practice/http.h"

namespace pawl::practice {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using Socket = asio::generic::stream_protocol::socket;
using Code = boost::system::error_code;

constexpr std::uint64_t kMaxRequest = 16UL << 20U;
constexpr std::chrono::seconds kForARequest{60};

// One connection. It lives as long as something is under way on it.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(Socket socket, const HttpHandler& handler)
      : socket_(std::move(socket)), timer_(socket_.get_executor()), handler_(handler) {}

  void read() {
    parser_.emplace();
    parser_->body_limit(kMaxRequest);
    // Whoever does not finish a request in time makes room for others.
    timer_.expires_after(kForARequest);
    timer_.async_wait([self = weak_from_this()](Code error) {
      const auto session = self.lock();
      if (!error && session != nullptr) session->close();
    });
    http::async_read(socket_, buffer_, *parser_, [self = shared_from_this()](Code error, std::size_t) {
      self->timer_.cancel();
      if (!error) self->answer();
    });
  }

 private:
  void answer() {
    const auto& message = parser_->get();
    HttpRequest request;
    const auto header = [&](http::field field) { return std::string(message[field]); };
    head_only_ = message.method() == http::verb::head;
    request.method = head_only_ ? std::string("GET") : std::string(message.method_string());
    const std::string target(message.target());
    const std::size_t mark = target.find('?');
    request.path = target.substr(0, mark);
    if (mark != std::string::npos) request.query = target.substr(mark + 1);
    request.host = header(http::field::host);
    request.authorization = header(http::field::authorization);
    request.if_none_match = header(http::field::if_none_match);
    request.accept = header(http::field::accept);
    request.body = message.body();
    try {
      answer_ = handler_(request);
    } catch (const std::exception&) {
      // One request that could not be thought of must not end the server for all others.
      answer_ = HttpAnswer{500, {{"Content-Type", "application/json"}}, "{\"message\":\"Server Error\"}"};
    }
    keep_alive_ = message.keep_alive();
    if (answer_.delay_ms <= 0) return send();
    timer_.expires_after(std::chrono::milliseconds(answer_.delay_ms));
    timer_.async_wait([self = shared_from_this()](Code error) {
      if (!error) self->send();
    });
  }

  void send() {
    if (answer_.delivery == Delivery::lost) return close();
    if (answer_.delivery == Delivery::never) return wait_for_end();
    response_ = {};
    response_.version(11);
    response_.result(static_cast<unsigned>(answer_.status));
    for (const auto& [name, value] : answer_.headers) response_.set(name, value);
    response_.keep_alive(keep_alive_ && answer_.delivery == Delivery::whole);
    response_.body() = std::move(answer_.body);
    if (answer_.delivery == Delivery::cut) return send_half();
    if (answer_.status != 204 && answer_.status != 304) response_.prepare_payload();
    if (head_only_) response_.body().clear();  // its length was told
    http::async_write(socket_, response_, [self = shared_from_this()](Code error, std::size_t) {
      if (error) return;
      if (self->keep_alive_) return self->read();
      self->close();
    });
  }

  // The header promises the whole body; half of it comes.
  void send_half() {
    response_.content_length(response_.body().size() + 1);
    std::string half = response_.body();
    half.resize(half.size() / 2);
    response_.body().clear();
    half_ = cat("HTTP/1.1 ", answer_.status, " OK\r\n");
    for (const auto& field : response_.base()) {
      half_ += cat(std::string_view(field.name_string().data(), field.name_string().size()), ": ",
                   std::string_view(field.value().data(), field.value().size()), "\r\n");
    }
    half_ += "\r\n" + half;
    asio::async_write(socket_, asio::buffer(half_), [self = shared_from_this()](Code, std::size_t) { self->close(); });
  }

  void wait_for_end() {
    socket_.async_read_some(asio::buffer(&silence_, 1), [self = shared_from_this()](Code error, std::size_t) {
      if (!error) self->wait_for_end();
    });
  }

  void close() {
    Code ignored;
    socket_.shutdown(Socket::shutdown_both, ignored);
    socket_.close(ignored);
  }

  Socket socket_;
  asio::steady_timer timer_;
  const HttpHandler& handler_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  http::response<http::string_body> response_;
  HttpAnswer answer_;
  std::string half_;
  char silence_ = 0;
  bool keep_alive_ = true;
  bool head_only_ = false;
};

template <class Acceptor>
void accept(Acceptor& acceptor, const HttpHandler& handler) {
  acceptor.async_accept([&](Code error, auto socket) {
    if (error == asio::error::operation_aborted) return;
    if (!error) {
      if constexpr (std::is_same_v<Acceptor, asio::ip::tcp::acceptor>) socket.set_option(asio::ip::tcp::no_delay(true));
      std::make_shared<Session>(Socket(std::move(socket)), handler)->read();
    }
    accept(acceptor, handler);
  });
}

// A socket whose server died may be taken over; anything else that stands there may not.
Done clear_dead_socket(const std::string& path) {
  struct stat found {};
  if (lstat(path.c_str(), &found) != 0) return done();
  const auto taken = [&](std::string_view why) {
    return fail(ErrorCode::already_exists, cat(path, " ", why), "name a path where nothing stands");
  };
  if (!S_ISSOCK(found.st_mode)) return taken("exists and is not a socket");
  asio::io_context context;
  asio::local::stream_protocol::socket probe(context);
  Code error;
  probe.connect(asio::local::stream_protocol::endpoint(path), error);
  if (error != asio::error::connection_refused) return taken("is in use by another server");
  if (unlink(path.c_str()) != 0) return tl::unexpected(io_error("remove", path, errno));
  return done();
}

}  // namespace

HeldSignals::HeldSignals() {
  sigset_t ours;
  sigemptyset(&ours);
  sigaddset(&ours, SIGINT);
  sigaddset(&ours, SIGTERM);
  sigaddset(&ours, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &ours, nullptr);
}

Done serve(const Listen& where, const HttpHandler& handler, const std::function<bool(const std::string&)>& listening) {
  try {
    asio::io_context context(1);
    asio::signal_set signals(context, SIGINT, SIGTERM, SIGHUP);
    signals.async_wait([&](Code, int) { context.stop(); });
    // What came while the world was being made, and was held back (HeldSignals), is heard now.
    sigset_t ours;
    sigemptyset(&ours);
    sigaddset(&ours, SIGINT);
    sigaddset(&ours, SIGTERM);
    sigaddset(&ours, SIGHUP);
    pthread_sigmask(SIG_UNBLOCK, &ours, nullptr);
    std::optional<asio::ip::tcp::acceptor> tcp;
    std::optional<asio::local::stream_protocol::acceptor> local;
    std::string at;
    if (where.socket.empty()) {
      tcp.emplace(context, asio::ip::tcp::endpoint(asio::ip::address_v4::loopback(), where.port));
      at = cat("http://127.0.0.1:", tcp->local_endpoint().port());
      accept(*tcp, handler);
    } else {
      PAWL_TRY(clear_dead_socket(where.socket));
      const mode_t before = umask(0177);
      local.emplace(context, asio::local::stream_protocol::endpoint(where.socket));
      umask(before);
      at = "unix:" + where.socket;
      accept(*local, handler);
    }
    if (listening(at)) context.run();
    if (local) unlink(where.socket.c_str());
    return done();
  } catch (const boost::system::system_error& error) {
    return fail(ErrorCode::io, cat("cannot listen: ", error.code().message()),
                "choose another --port or --socket, or leave the port to the system");
  }
}

}  // namespace pawl::practice
