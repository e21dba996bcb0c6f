#include "world/github/place.h"

#include <cstdlib>
#include <string_view>

#include "base/file.h"
#include "base/process.h"
#include "base/text.h"

namespace pawl::github {
namespace {

constexpr std::size_t kMaxWords = std::size_t{1} << 20U;
constexpr int kPatienceMs = 20'000;

std::string environment(const char* name) {
  const char* value = getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::string first_of(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (std::string value = environment(name); !value.empty()) return value;
  }
  return {};
}

// A name may hold what GitHub allows; it goes into a path.
bool is_name(std::string_view text) {
  if (text.empty() || text.size() > 100 || text == "." || text == "..") return false;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!plain && c != '-' && c != '_' && c != '.') return false;
  }
  return true;
}

std::string_view host_of(std::string_view url) {
  const std::size_t scheme = url.find("://");
  std::string_view rest = scheme == std::string_view::npos ? url : url.substr(scheme + 3);
  rest = rest.substr(0, rest.find_first_of("/?#"));
  if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) rest = rest.substr(at + 1);
  return rest;
}

bool is_loopback(std::string_view host) {
  const std::string_view name =
      host.starts_with('[') ? host.substr(0, host.find(']') + 1) : host.substr(0, host.find(':'));
  return name == "localhost" || name == "127.0.0.1" || name == "[::1]";
}

// gh's own settings: "http_unix_socket: /path" in config.yml.
std::string socket_of_gh() {
  std::string folder = environment("GH_CONFIG_DIR");
  if (folder.empty() && !environment("XDG_CONFIG_HOME").empty()) folder = environment("XDG_CONFIG_HOME") + "/gh";
  if (folder.empty() && !environment("HOME").empty()) folder = environment("HOME") + "/.config/gh";
  if (folder.empty()) return {};
  const auto file = read_file(folder + "/config.yml", kMaxWords);
  if (!file || !file->exists) return {};
  constexpr std::string_view kKey = "http_unix_socket:";
  for (const std::string_view line : split(file->bytes, '\n')) {
    if (!line.starts_with(kKey)) continue;
    std::string_view value = trim(line.substr(kKey.size()));
    if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'')) value = value.substr(1, value.size() - 2);
    return std::string(value);
  }
  return {};
}

bool is_githubs_own(std::string_view host) { return host == "github.com" || host.ends_with(".ghe.com"); }

// A token goes where it was made for. GH_TOKEN is github.com's, as for gh itself; where the address of the API is given
// beside it (GitHub Actions, a stand-in), that is what it is for. What gh knows of a host is for that host alone.
std::string token_for(const Place& place, bool address_given) {
  std::string token = environment("PAWL_GITHUB_TOKEN");
  if (token.empty() && !is_githubs_own(place.host))
    token = first_of({"GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"});
  if (token.empty() && (is_githubs_own(place.host) || address_given)) token = first_of({"GH_TOKEN", "GITHUB_TOKEN"});
  if (!token.empty()) return token;
  const std::string_view there = host_of(place.api);
  if (there != place.host && there != cat("api.", place.host)) return {};
  const auto ran = run_program({"gh", "auth", "token", "--hostname", place.host}, kMaxWords, StandardError::dropped,
                               GitVariables::kept, kPatienceMs);
  if (!ran || ran->exit_code != 0) return {};
  return ran->out;
}

Error not_a_ref(const std::string& text) {
  return {ErrorCode::invalid_argument, cat("“", printable(text.substr(0, 200)), "” does not name a pull request"),
          "it can be owner/repo#123, a URL, or a number"};
}

}  // namespace

Result<Place> find_place() {
  Place place;
  place.host = environment("GH_HOST").empty() ? "github.com" : environment("GH_HOST");
  place.unix_socket = socket_of_gh();
  place.api = environment("GITHUB_API_URL");
  if (place.api.empty())
    place.api = is_githubs_own(place.host) ? cat("https://api.", place.host) : cat("https://", place.host, "/api/v3");
  while (place.api.ends_with('/')) place.api.pop_back();
  place.graphql = environment("GITHUB_GRAPHQL_URL");
  if (place.graphql.empty()) {
    constexpr std::string_view kRest = "/api/v3";
    place.graphql = place.api.ends_with(kRest)
                        ? cat(place.api.substr(0, place.api.size() - kRest.size()), "/api/graphql")
                        : cat(place.api, "/graphql");
  }
  if (!place.unix_socket.empty()) {  // as gh does: in the clear, as it does not leave the machine
    for (std::string* url : {&place.api, &place.graphql}) {
      if (url->starts_with("https://")) url->erase(4, 1);
    }
  }
  for (const std::string& url : {place.api, place.graphql}) {
    if (!url.starts_with("https://") && !url.starts_with("http://"))
      return fail(ErrorCode::invalid_argument, "GITHUB_API_URL or GITHUB_GRAPHQL_URL is not an address of GitHub's API",
                  "it begins with https://");
    if (url.starts_with("http://") && place.unix_socket.empty() && !is_loopback(host_of(url)))
      return fail(ErrorCode::unauthorized, cat("a token would go over an open line to ", printable(host_of(url))),
                  "use https:// in GITHUB_API_URL");
  }
  place.token = trim(token_for(place, !environment("GITHUB_API_URL").empty()));
  if (place.token.empty()) {
    return fail(ErrorCode::unauthorized, cat("there is no token for ", printable(place.host)),
                "set GH_TOKEN, or run: gh auth login");
  }
  for (const char c : place.token) {
    if (c <= ' ' || c == '\x7F')
      return fail(ErrorCode::unauthorized, "the token contains characters that no token has");
  }
  return place;
}

Result<RepoRef> parse_remote(const std::string& url, const std::string& host) {
  std::string_view rest = trim(url);
  std::string_view there = host_of(rest);
  if (rest.find("://") == std::string_view::npos) {  // git@github.com:owner/repo.git
    const std::size_t colon = rest.find(':');
    if (colon == std::string_view::npos)
      return fail(ErrorCode::not_found, cat(printable(url), " is not a repository on ", printable(host)));
    there = host_of(rest.substr(0, colon));
    rest = rest.substr(colon + 1);
  } else {
    rest = rest.substr(rest.find("://") + 3);
    rest = rest.substr(std::min(rest.find('/'), rest.size()));
  }
  const std::string_view bare = there.substr(0, there.find(':'));
  if (bare != host && bare != cat("ssh.", host) && there != host)
    return fail(ErrorCode::not_found, cat(printable(url), " is not a repository on ", printable(host)));
  while (rest.starts_with('/')) rest.remove_prefix(1);
  while (rest.ends_with('/')) rest.remove_suffix(1);
  if (rest.ends_with(".git")) rest.remove_suffix(4);
  const auto parts = split(rest, '/');
  if (parts.size() != 2 || !is_name(parts[0]) || !is_name(parts[1]))
    return fail(ErrorCode::not_found, cat(printable(url), " is not a repository on ", printable(host)));
  return RepoRef{std::string(parts[0]), std::string(parts[1])};
}

Result<PullRef> parse_pull_ref(const std::string& text, const std::string& host, const RepoRef* here) {
  PullRef ref;
  std::string_view number = text;
  if (text.starts_with('#')) number.remove_prefix(1);
  if (const auto plain = parse_positive(number)) {
    if (here == nullptr)
      return fail(ErrorCode::not_found, cat("it is not known which repository ", printable(text), " belongs to"),
                  "say owner/repo#123, or run this in a clone of it");
    return PullRef{*here, *plain};
  }
  std::string_view rest = text;
  char mark = '#';
  if (const std::size_t scheme = rest.find("://"); scheme != std::string_view::npos) {
    if (!rest.starts_with("https://") && !rest.starts_with("http://")) return tl::unexpected(not_a_ref(text));
    if (host_of(rest) != host)
      return fail(ErrorCode::invalid_argument, cat(printable(text.substr(0, 200)), " is not on ", printable(host)),
                  cat("for another host: GH_HOST=", printable(host_of(rest))));
    rest = rest.substr(scheme + 3);
    rest = rest.substr(std::min(rest.find('/') + 1, rest.size()));
    rest = rest.substr(0, rest.find_first_of("?#"));
    mark = '/';
  }
  const std::size_t slash = rest.find('/');
  if (slash == std::string_view::npos) return tl::unexpected(not_a_ref(text));
  ref.repo.owner = rest.substr(0, slash);
  rest = rest.substr(slash + 1);
  const std::size_t end = rest.find(mark);
  if (end == std::string_view::npos) return tl::unexpected(not_a_ref(text));
  ref.repo.name = rest.substr(0, end);
  rest = rest.substr(end + 1);
  if (mark == '/') {
    if (!rest.starts_with("pull/")) return tl::unexpected(not_a_ref(text));
    rest = rest.substr(5);
    rest = rest.substr(0, rest.find('/'));  // …/pull/12/files
  }
  const auto value = parse_positive(rest);
  if (!value || !is_name(ref.repo.owner) || !is_name(ref.repo.name)) return tl::unexpected(not_a_ref(text));
  ref.number = *value;
  return ref;
}

}  // namespace pawl::github
