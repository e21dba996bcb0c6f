#include "integrations/github/place.h"

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
    const std::string_view there = host_of(place.api);
    return fail(ErrorCode::unauthorized,
                cat("there is no token for ", printable(there == cat("api.", place.host) ? place.host : there)),
                "give one: export GH_TOKEN=TOKEN, or run: gh auth login");
  }
  for (const char c : place.token) {
    if (c <= ' ' || c == '\x7F')
      return fail(ErrorCode::unauthorized, "the token contains characters that no token has");
  }
  return place;
}

}  // namespace pawl::github
