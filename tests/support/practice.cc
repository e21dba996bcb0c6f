#include "support/practice.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "base/text.h"

namespace pawl::test {
namespace {

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

// A server that must answer and does not is an error of the test, not a test that never ends.
constexpr timeval kPatience = {20, 0};

void send_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

// Empty when the writer is gone, or says nothing for as long as anybody would wait.
std::string first_line(int fd) {
  std::string line;
  while (!line.ends_with('\n')) {
    pollfd waiting = {fd, POLLIN, 0};
    char c = 0;
    if (::poll(&waiting, 1, 30'000) <= 0 || ::read(fd, &c, 1) != 1) return {};
    line += c;
  }
  return line;
}

HttpReply receive(int fd) {
  HttpReply reply;
  std::string all;
  std::size_t length = 0, head = std::string::npos;
  std::array<char, 65536> buffer{};
  while (true) {
    if (head == std::string::npos && (head = all.find("\r\n\r\n")) != std::string::npos) {
      reply.head = all.substr(0, head);
      reply.status = std::stoi(reply.head.substr(9, 3));
      const std::string promised = reply.header("content-length");
      length = promised.empty() ? 0 : std::stoul(promised);
    }
    if (head != std::string::npos && all.size() - head - 4 >= length) {
      reply.whole = true;
      break;
    }
    const ssize_t got = ::recv(fd, buffer.data(), buffer.size(), 0);
    if (got <= 0) break;
    all.append(buffer.data(), static_cast<std::size_t>(got));
  }
  if (head != std::string::npos) reply.body = all.substr(head + 4);
  return reply;
}

}  // namespace

std::string HttpReply::header(std::string_view name) const {
  for (const std::string_view line : split(head, '\n')) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos || lower_case(line.substr(0, colon)) != lower_case(name)) continue;
    std::string_view value = line.substr(colon + 2);
    if (value.ends_with('\r')) value.remove_suffix(1);
    return std::string(value);
  }
  return {};
}

Json HttpReply::json() const {
  auto parsed = parse_json(body);
  if (!parsed) throw std::runtime_error("not JSON: " + body.substr(0, 200));
  return *parsed;
}

Practice::Practice(const Json& seed, Door door, std::vector<std::string> more) {
  std::vector<std::string> args = {"practice", "--json"};
  if (door == Door::socket) {
    socket_ = place_.home() + "/gh.sock";
    args.insert(args.end(), {"--socket", socket_});
  }
  if (!seed.is_null()) {
    place_.write("world.json", to_line(seed));
    args.insert(args.end(), {"--world", place_.file("world.json")});
  }
  args.insert(args.end(), more.begin(), more.end());
  // What it prints comes through a named pipe, so that the test can read the first line while the server runs on.
  RunOptions options = place_.options();
  options.out_path = place_.home() + "/said";
  options.env.push_back("TMPDIR=" + place_.home());  // killed with -9, it leaves its repositories there
  if (::mkfifo(options.out_path.c_str(), 0600) != 0) throw std::runtime_error("mkfifo " + options.out_path);
  said_ = Fd(::open(options.out_path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  child_ = std::make_unique<Child>(PAWL_BINARY, args, options);
  const std::string first = first_line(said_.get());
  const auto line = parse_json(first);
  if (!line) {
    const Ran ran = child_->finish();
    throw std::runtime_error(cat("pawl practice did not start: ", first, ran.err));
  }
  token_ = string_or(*line, "token");
  folder_ = string_or(*line, "folder");
  const std::string at = string_or(*line, "at");
  if (door == Door::port) {
    url_ = at;
    port_ = static_cast<std::uint16_t>(std::stoi(at.substr(at.rfind(':') + 1)));
  }
}

Practice::~Practice() = default;

int Practice::connect_to() const {
  int fd = -1;
  int failed = 0;
  if (!socket_.empty()) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, socket_.c_str(), sizeof address.sun_path - 1);
    fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    failed = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  } else {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port_);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    failed = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  }
  if (failed != 0) throw std::runtime_error("cannot reach pawl practice");
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  return fd;
}

HttpReply Practice::request(const std::string& method, const std::string& path, const Json& body,
                            const std::vector<std::string>& headers) const {
  return request_as(token_, method, path, body, headers);
}

std::string Practice::text_of(const std::string& token, const std::string& method, const std::string& path,
                              const Json& body, const std::vector<std::string>& headers) const {
  const std::string content = body.is_null() ? std::string() : to_line(body);
  std::string text =
      cat(method, " ", path,
          " HTTP/1.1\r\nHost: ", socket_.empty() ? cat("127.0.0.1:", port_) : std::string("api.github.com"),
          "\r\nConnection: close\r\nContent-Length: ", content.size(), "\r\n");
  if (!token.empty()) text += cat("Authorization: Bearer ", token, "\r\n");
  for (const std::string& header : headers) text += header + "\r\n";
  return text + "\r\n" + content;
}

HttpReply Practice::request_as(const std::string& token, const std::string& method, const std::string& path,
                               const Json& body, const std::vector<std::string>& headers) const {
  const Fd connection(connect_to());
  send_all(connection.get(), text_of(token, method, path, body, headers));
  return receive(connection.get());
}

bool Practice::send_only(const std::string& method, const std::string& path) const {
  const Fd connection(connect_to());
  const std::size_t before = requests().size();
  send_all(connection.get(), text_of(token_, method, path, {}, {}));
  // Each look is a round trip to the server, which reads what came earlier on other connections before it answers.
  for (int look = 0; look < 10'000; ++look) {
    if (requests().size() > before) return true;
  }
  return false;
}

Json Practice::graphql(const std::string& query, const Json& variables) const {
  return request("POST", "/graphql", {{"query", query}, {"variables", variables}}).json();
}

Json Practice::control(const std::string& method, const std::string& path, const Json& body) const {
  const HttpReply reply = request_as("", method, "/_practice" + path, body);
  if (reply.status != 200) throw std::runtime_error(cat(method, " ", path, ": ", reply.status, " ", reply.body));
  return reply.json();
}

Ran Practice::gh(const std::vector<std::string>& args) const {
  const std::string config = place_.home() + "/gh";
  std::filesystem::create_directories(config);
  write_all(config + "/config.yml", cat("http_unix_socket: ", socket_, "\n"));
  RunOptions options;
  options.cwd = place_.path();
  options.env = {"GH_CONFIG_DIR=" + config, "GH_TOKEN=" + token_, "GH_PROMPT_DISABLED=1", "NO_COLOR=1",
                 "GH_NO_UPDATE_NOTIFIER=1"};
  return run_program("gh", args, options);
}

Ran Practice::stop(int signal) {
  child_->send(signal);
  return child_->finish();
}

bool has_gh() {
  static const bool kHas = [] {
    try {
      return run_program("gh", {"--version"}).exit == 0;
    } catch (const std::exception&) {
      return false;
    }
  }();
  return kHas;
}

}  // namespace pawl::test
