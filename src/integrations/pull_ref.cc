#include "integrations/pull_ref.h"

#include <algorithm>

#include "base/text.h"

namespace pawl::github {
namespace {

// A name may hold what GitHub allows; it goes into a path.
bool is_name(std::string_view text) {
  if (text.empty() || text.size() > 100 || text == "." || text == "..") return false;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!plain && c != '-' && c != '_' && c != '.') return false;
  }
  return true;
}

Error not_a_ref(const std::string& text) {
  return {ErrorCode::invalid_argument, cat("“", printable(text.substr(0, 200)), "” does not name a pull request"),
          "it can be owner/repo#123, a URL, or a number"};
}

}  // namespace

std::string_view host_of(std::string_view url) {
  const std::size_t scheme = url.find("://");
  std::string_view rest = scheme == std::string_view::npos ? url : url.substr(scheme + 3);
  rest = rest.substr(0, rest.find_first_of("/?#"));
  if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) rest = rest.substr(at + 1);
  return rest;
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
