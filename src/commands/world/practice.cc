#include <stdlib.h>

#include <filesystem>

#include "base/file.h"
#include "base/text.h"
#include "commands/context.h"
#include "commands/world/handlers.h"
#include "practice/seed.h"
#include "practice/service.h"

namespace pawl {
namespace {

constexpr std::size_t kMaxSeed = 256UL << 20U;
constexpr std::int64_t kMaxPort = 65'535;

// The folder of the git repositories: the user's, which stays, or one of our own, which goes when the server does.
class GitFolder {
 public:
  static Result<std::unique_ptr<GitFolder>> make(const std::optional<std::string>& wanted) {
    auto folder = std::make_unique<GitFolder>();
    if (wanted) {
      PAWL_TRY(make_folders(*wanted, 0755));
      folder->path_ = std::filesystem::absolute(*wanted).lexically_normal().string();
      return folder;
    }
    PAWL_ASSIGN(folder->path_, make_temporary_folder("pawl-practice"));
    folder->temporary_ = true;
    return folder;
  }
  GitFolder() = default;
  ~GitFolder() {
    std::error_code ignored;
    if (temporary_) std::filesystem::remove_all(path_, ignored);
  }
  GitFolder(const GitFolder&) = delete;
  GitFolder& operator=(const GitFolder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool temporary_ = false;
};

Result<Json> seed_in(const std::optional<std::string>& path) {
  if (!path) return practice::demo_seed();
  PAWL_ASSIGN(const FileImage image, read_file(*path, kMaxSeed));
  if (!image.exists) return fail(ErrorCode::not_found, cat("there is no file ", *path), "--world takes a JSON file");
  auto seed = parse_json(image.bytes);
  if (!seed || !seed->is_object()) {
    return fail(ErrorCode::invalid_argument,
                cat(*path, " is not a world: ", seed ? std::string("it is no JSON object") : seed.error().message));
  }
  if (const Done good = practice::check_seed(*seed); !good)
    return fail(ErrorCode::invalid_argument, cat(*path, " is not a world: ", good.error().message), good.error().hint);
  return *seed;
}

}  // namespace

Result<Reply> run_practice(Context& context, const Arguments& arguments) {
  practice::Listen where;
  const std::int64_t port = arguments.number("port").value_or(0);
  if (port > kMaxPort) return fail(ErrorCode::invalid_argument, cat("--port ", port, " is not a port"), "1 to 65535");
  where.port = static_cast<std::uint16_t>(port);
  where.socket = arguments.text_or("socket", "");
  if (port != 0 && !where.socket.empty()) {
    return fail(ErrorCode::invalid_argument, "--port and --socket exclude each other", "give one of them");
  }
  PAWL_ASSIGN(const Json seed, seed_in(arguments.text("world")));
  const practice::HeldSignals held;
  PAWL_ASSIGN(const auto folder, GitFolder::make(arguments.text("folder")));
  practice::World world;
  practice::Actions actions(world);
  practice::Service service(world, actions);
  world.folder = folder->path();
  if (const auto record = arguments.text("record")) PAWL_TRY(service.record_to(*record));
  PAWL_TRY(practice::plant(world, actions, seed));
  PAWL_TRY(practice::serve(
      where, [&](const practice::HttpRequest& request) { return service.handle(request); },
      [&](const std::string& at) {
        return context.emit({{"at", at}, {"token", world.token}, {"folder", world.folder}});
      }));
  return Reply{Json()};
}

}  // namespace pawl
