#include "integrations/github/kept_pages.h"

#include "base/log.h"
#include "base/text.h"

namespace pawl::github {
namespace {

// What is larger is asked for anew: the store is for work, not for other people's texts.
constexpr std::size_t kMostKept = std::size_t{4} << 20U;

// compact() drops what is kept under such a name.
std::string name_of(const std::string& url) { return cat(kCacheNames, "github:", url); }

Done write_kept(Engine& engine, const std::string& url, const std::string& value) {
  PAWL_ASSIGN(Store* const store, engine.store());
  PAWL_ASSIGN(const auto gate, store->gate());
  PAWL_ASSIGN(const auto tx, store->begin(Access::write));
  PAWL_TRY(tx->keep(name_of(url), value));
  PAWL_TRY(tx->commit({}));
  return done();
}

}  // namespace

std::optional<KnownPage> KeptPages::find(const std::string& url) {
  if (!engine_.has_store()) return std::nullopt;
  std::optional<std::string> value;
  const Done read = engine_.read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(value, view.store().kept(name_of(url)));
    return done();
  });
  if (!read || !value) return std::nullopt;
  // Two lines, the ETag and the Link header, and the body.
  const std::size_t first = value->find('\n');
  const std::size_t second = first == std::string::npos ? first : value->find('\n', first + 1);
  if (second == std::string::npos) return std::nullopt;
  return KnownPage{value->substr(0, first), value->substr(first + 1, second - first - 1), value->substr(second + 1)};
}

void KeptPages::keep(const std::string& url, const KnownPage& page) {
  // Of a commit there is a new address with every push, and nobody asks for the old one again.
  if (!engine_.has_store() || page.body.size() > kMostKept || page.etag.find('\n') != std::string::npos ||
      url.find("/commits/") != std::string::npos)
    return;
  const Done kept = write_kept(engine_, url, cat(page.etag, "\n", page.link, "\n", page.body));
  if (!kept) log_info("github page not kept", "why", kept.error().message);  // it costs a request more next time
}

void KeptPages::forget(const std::string& url) {
  if (!engine_.has_store()) return;
  if (const Done forgotten = write_kept(engine_, url, ""); !forgotten)
    log_info("github page not forgotten", "why", forgotten.error().message);
}

}  // namespace pawl::github
