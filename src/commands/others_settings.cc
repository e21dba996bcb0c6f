#include "commands/others_settings.h"

#include "base/place.h"
#include "base/text.h"
#include "runners/install/neighbours.h"

namespace pawl {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20U;

tl::unexpected<Error> not_read(std::string message) {
  return fail(ErrorCode::corruption, std::move(message), "mend it, or leave it alone: pawl init --no-settings");
}

}  // namespace

Result<OthersSettings> with_bot_settings(const Workspace& workspace, const Lifecycles& lifecycles,
                                         OthersSettings others) {
  // Many things are called config.json: one that cannot be read is somebody else's.
  const auto bot = read_others_settings(workspace, install::kBotSettings);
  if (bot && install::is_bot_settings(bot->bytes)) {
    PAWL_ASSIGN(const auto taken, install::read_bot_settings(bot->bytes, others.left));
    others.taken.insert(others.taken.end(), taken.begin(), taken.end());
    others.files.emplace_back(install::kBotSettings);
  }
  others.taken = install::differing(std::move(others.taken), lifecycles);
  return others;
}

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
