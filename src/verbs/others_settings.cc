#include "verbs/others_settings.h"

#include "base/place.h"
#include "base/text.h"

namespace pawl {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20U;

tl::unexpected<Error> not_read(std::string message) {
  return fail(ErrorCode::corruption, std::move(message), "mend it, or leave it alone: pawl init --no-settings");
}

}  // namespace

Result<FileImage> read_others_settings(const Workspace& workspace, std::string_view name) {
  const Roots roots(workspace.root, {}, {}, {workspace.git_dir, workspace.store});
  const auto place = roots.find(name, false);
  if (!place) return not_read(place.error().message);
  if (!*place) return FileImage{};
  auto image = read_file_at((*place)->folder.get(), (*place)->name, kMostBytes);
  if (!image) return not_read(image.error().message);
  if (image->too_large) return not_read(cat(printable(name), " is larger than 1 MiB, and was not read"));
  return *std::move(image);
}

}  // namespace pawl
