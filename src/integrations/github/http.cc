#include "integrations/github/http.h"

#include <curl/curl.h>

#include <algorithm>
#include <mutex>

#include "base/text.h"

namespace pawl::github {
namespace {

struct Receiving {
  HttpResponse response;
  std::size_t max_bytes = 0;
  bool too_large = false;
  const std::function<bool()>* waiting = nullptr;
};

std::size_t on_body(char* bytes, std::size_t size, std::size_t count, void* into) {
  auto& receiving = *static_cast<Receiving*>(into);
  if (receiving.response.body.size() + size * count > receiving.max_bytes) {
    receiving.too_large = true;
    return 0;  // curl gives up
  }
  receiving.response.body.append(bytes, size * count);
  return size * count;
}

std::size_t on_header(char* bytes, std::size_t size, std::size_t count, void* into) {
  auto& response = static_cast<Receiving*>(into)->response;
  const std::string_view line(bytes, size * count);
  if (line.starts_with("HTTP/")) response.headers.clear();  // of the last answer, where there were redirections
  const std::size_t colon = line.find(':');
  if (colon != std::string_view::npos && response.headers.size() < 2000) {
    std::string name(line.substr(0, colon));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
    std::string_view value = line.substr(colon + 1);
    while (!value.empty() && (value.front() == ' ' || value.front() == '\t')) value.remove_prefix(1);
    while (!value.empty() && (value.back() == '\r' || value.back() == '\n' || value.back() == ' '))
      value.remove_suffix(1);
    std::string& known = response.headers[std::move(name)];
    if (!known.empty()) known += ", ";  // one that comes twice is one list
    known += value;
  }
  return size * count;
}

int on_progress(void* into, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return (*static_cast<Receiving*>(into)->waiting)() ? 0 : 1;
}

}  // namespace

struct Http::Handle {
  CURL* curl = nullptr;
};

std::string_view HttpResponse::header(std::string_view name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

std::optional<std::int64_t> http_date(const std::string& text) {
  const time_t when = curl_getdate(text.c_str(), nullptr);
  return when < 0 ? std::nullopt : std::optional<std::int64_t>(when);
}

Http::Http(HttpOptions options) : options_(std::move(options)), handle_(std::make_unique<Handle>()) {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  handle_->curl = curl_easy_init();
}

Http::~Http() { curl_easy_cleanup(handle_->curl); }

tl::expected<HttpResponse, Broken> Http::send(const HttpRequest& request) {
  CURL* const curl = handle_->curl;
  if (curl == nullptr) return tl::unexpected(Broken{"libcurl could not be started", true, false});
  curl_easy_reset(curl);
  Receiving receiving;
  receiving.max_bytes = options_.max_bytes;
  receiving.waiting = &options_.waiting;

  curl_slist* headers = nullptr;
  const auto add = [&](const std::string& line) { headers = curl_slist_append(headers, line.c_str()); };
  for (const std::string& line : request.headers) add(line);
  if (!options_.token.empty()) add("Authorization: Bearer " + options_.token);
  add("Expect:");
  const std::unique_ptr<curl_slist, void (*)(curl_slist*)> owner(headers, &curl_slist_free_all);

  curl_easy_setopt(curl, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "pawl");
  curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "");  // whatever curl can unpack; the limit counts unpacked bytes
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  // On a connection that was used before and closes without an answer, libcurl sends the request again by itself.
  if (request.writes) curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, 1L);
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);  // the client follows where it may
  // In the clear only to this machine (github/place.cc), so not by way of another one.
  if (request.url.starts_with("http://")) curl_easy_setopt(curl, CURLOPT_PROXY, "");
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(options_.timeout_ms));
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS,
                   static_cast<long>(std::min<std::int64_t>(options_.timeout_ms, 10'000)));
  if (!options_.unix_socket.empty()) curl_easy_setopt(curl, CURLOPT_UNIX_SOCKET_PATH, options_.unix_socket.c_str());
  if (!request.body.empty()) {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request.body.data());
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  } else if (request.method == "POST" || request.method == "PUT" || request.method == "PATCH") {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, "");
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, 0L);
  }
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &receiving);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, on_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &receiving);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_progress);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &receiving);

  const CURLcode code = curl_easy_perform(curl);
  if (code != CURLE_OK) {
    if (receiving.too_large) {
      return tl::unexpected(Broken{cat("the answer is larger than ", options_.max_bytes >> 20U, " MiB"), false, true});
    }
    const bool permanent = code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_URL_MALFORMAT ||
                           code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_SSL_CACERT_BADFILE;
    const bool never_sent = permanent || code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_CONNECT ||
                            code == CURLE_COULDNT_RESOLVE_PROXY || code == CURLE_SSL_CONNECT_ERROR;
    return tl::unexpected(Broken{curl_easy_strerror(code), never_sent, permanent});
  }
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  receiving.response.status = static_cast<int>(status);
  return std::move(receiving.response);
}

}  // namespace pawl::github
