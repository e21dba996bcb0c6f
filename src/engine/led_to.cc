#include "engine/led_to.h"

#include <sys/stat.h>

#include "base/text.h"

namespace pawl {
namespace {

std::string led_to_name(const std::string& path) { return cat("led_to.", path); }

// "" where that cannot be told.
std::string spelled(const Place& place) {
  struct stat folder {};
  if (fstat(place.folder.get(), &folder) != 0) return {};
  return cat(std::to_string(folder.st_dev), ":", std::to_string(folder.st_ino), "/", place.name);
}

}  // namespace

Done keep_led_to(Transaction& store, const std::string& path, const Place& place) {
  return store.keep(led_to_name(path), spelled(place));
}

Result<bool> leads_as_before(Transaction& store, const std::string& path, const Place& place) {
  PAWL_ASSIGN(const auto known, store.kept(led_to_name(path)));
  return known && !known->empty() && *known == spelled(place);
}

}  // namespace pawl
