#include "engine/refused_copy.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "engine/aside.h"

namespace pawl {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20U;

std::string name_in(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// The folder of the store that `path`, as the roots spell it, lies in. Empty: none that copies are kept in.
std::string folder_of(const Engine& engine, const std::string& path) {
  for (const char* name : {"/refused", "/damaged"}) {
    std::string folder = engine.workspace().store + name;
    if (path.starts_with(cat(engine.world().roots->shortened(folder), "/"))) return folder;
  }
  return {};
}

}  // namespace

std::optional<MirrorFile> original_of(const Engine& engine, Transaction& store, const std::string& copy) {
  const std::string name = name_in(copy);
  for (const MirrorFormat* format : engine.lifecycles().formats()) {
    const auto rows = rows_in_place(engine.world(), store, *format);
    for (const MirrorRow& known : rows ? *rows : std::vector<MirrorRow>{}) {
      if (is_copy_of(name, known.path)) return MirrorFile{known.path, known.scope, format};
    }
  }
  return std::nullopt;
}

std::string find_copy(const Engine& engine, const std::string& path) {
  const std::string folder = folder_of(engine, path);
  if (folder.empty()) return {};
  for (const std::string& place : {cat(folder, "/", name_in(path)), cat(folder, "/settled/", name_in(path))}) {
    if (faccessat(AT_FDCWD, place.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0)
      return engine.world().roots->shortened(place);
  }
  return {};
}

bool would_be_accepted(const Engine& engine, Transaction& store, const std::string& copy) {
  const auto file = original_of(engine, store, copy);
  if (!file) return false;
  const MirrorWorld world = engine.world();
  auto image = read_file(world.roots->absolute(copy), kMaxFileBytes);
  if (!image || !image->exists || image->too_large || !file->format->parse(file->path, file->scope, image->bytes))
    return false;
  Absorber absorber(world, store, engine.clock().now().wall_ms);
  absorber.read_only();
  absorber.accept("a person");
  absorber.substitute(file->path, std::move(image->bytes));
  return absorber.look(*file).has_value();
}

std::vector<RecordId> refused_in(const Engine& engine, Transaction& store, const std::string& copy) {
  std::vector<RecordId> out;
  const auto file = original_of(engine, store, copy);
  if (!file) return out;
  const MirrorWorld world = engine.world();
  auto image = read_file(world.roots->absolute(copy), kMaxFileBytes);
  if (!image || !image->exists || image->too_large || !file->format->parse(file->path, file->scope, image->bytes))
    return out;
  Absorber absorber(world, store, engine.clock().now().wall_ms);
  absorber.read_only();
  absorber.substitute(file->path, std::move(image->bytes));
  if (!absorber.look(*file)) return out;
  for (const Refusal& refusal : absorber.result().refusals) out.push_back(refusal.id);
  return out;
}

Done settle_copy(const Engine& engine, const std::string& copy) {
  const std::string folder = folder_of(engine, copy), name = name_in(copy);
  if (faccessat(AT_FDCWD, cat(folder, "/", name).c_str(), F_OK, AT_SYMLINK_NOFOLLOW) != 0) return done();
  PAWL_TRY(make_folders(folder + "/settled", 0777));
  PAWL_ASSIGN(const Fd from, open_real_folder(folder));
  PAWL_ASSIGN(const Fd to, open_real_folder(folder + "/settled"));
  // Two of one second have one name; the later one is settled beside the earlier.
  constexpr int kMost = 1000;
  for (int i = 1;; ++i) {
    const Done moved = move_new_at(from.get(), name, to.get(), i == 1 ? name : cat(name, "-", i));
    if (moved || moved.error().code != ErrorCode::already_exists || i == kMost) return moved;
  }
}

}  // namespace pawl
