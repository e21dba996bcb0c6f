#include "engine/watcher.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/text.h"

namespace pawl {
namespace {

constexpr std::uint32_t kChanges = IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE |
                                   IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
constexpr std::int64_t kPage = 500;

// Readers open and close the database too; only what is written to it is news.
constexpr std::uint32_t kWrites = IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

// The folder, or the nearest one above it that exists: where it will appear.
Result<int> watch_nearest(int fd, std::string folder, std::uint32_t what) {
  while (true) {
    const int watch = inotify_add_watch(fd, folder.c_str(), what | IN_MASK_ADD);
    if (watch >= 0) return watch;
    if ((errno != ENOENT && errno != ENOTDIR) || folder.rfind('/') == 0)
      return tl::unexpected(io_error("watch", folder, errno));
    folder.resize(folder.rfind('/'));
  }
}

// In WAL the bytes of a commit are written, which is all that wakes anybody, and synced, before they can be read. Their
// writer holds the gate until then; so each look takes it once. Where it cannot be had, a look is better than none.
void wait_for_commit_under_way(Engine& engine) {
  const auto store = engine.store();
  if (store) static_cast<void>((*store)->gate());
}

}  // namespace

Result<ChangeWaiter> ChangeWaiter::open(const Engine& engine) {
  ChangeWaiter waiter;
  waiter.fd_ = Fd(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!waiter.fd_.valid()) return tl::unexpected(io_error("watch", engine.workspace().root, errno));
  PAWL_TRY(waiter.watch_folders(engine));
  return waiter;
}

// Whether one is watched now that was not before.
Result<bool> ChangeWaiter::watch_folders(const Engine& engine) {
  const MirrorWorld world = engine.world();
  PAWL_ASSIGN(const int store, watch_nearest(fd_.get(), engine.workspace().store, kWrites));
  bool more = watches_.insert(store).second;
  Folders folders(*world.roots);
  for (const Lifecycle& row : engine.lifecycles().rows()) {
    for (const MirrorFormat* format : row.formats) {
      for (const MirrorPlace& place : format->places(engine.settings())) {
        // Of a place that stands for many folders the one above them: a new one shows there.
        std::string folder = world.roots->absolute(place.folder);
        if (folder.ends_with("/*")) folder.resize(folder.size() - 2);
        PAWL_ASSIGN(const int watch, watch_nearest(fd_.get(), folder, kChanges));
        more = watches_.insert(watch).second || more;
      }
      const auto places = places_of(world, *format, folders);
      for (const MirrorPlace& place : places ? *places : std::vector<MirrorPlace>{}) {
        PAWL_ASSIGN(const int watch, watch_nearest(fd_.get(), world.roots->absolute(place.folder), kChanges));
        more = watches_.insert(watch).second || more;
      }
    }
  }
  return more;
}

Result<ChangeWaiter::Woken> ChangeWaiter::wait(const Engine& engine, int timeout_ms, int reader) {
  PAWL_ASSIGN(const bool more, watch_folders(engine));
  if (more) return Woken::change;  // what came into it before it was watched has not been told
  std::array<pollfd, 2> waiting{pollfd{fd_.get(), POLLIN, 0}, pollfd{reader, 0, 0}};  // -1 is passed over
  int ready = 0;
  do {
    ready = poll(waiting.data(), waiting.size(), timeout_ms);
  } while (ready < 0 && errno == EINTR);
  if (ready < 0) return tl::unexpected(io_error("watch", engine.workspace().root, errno));
  if (ready == 0) return Woken::time;
  if ((waiting[1].revents & (POLLERR | POLLHUP)) != 0) return Woken::nobody_reads;
  // All that has come is one reason to look.
  std::array<char, 65536> drained{};
  while (read(fd_.get(), drained.data(), drained.size()) > 0) {
  }
  return Woken::change;
}

Done follow(Engine& engine, ChangeWaiter& waiter, std::int64_t since,
            const std::function<bool(const Event&, const Operation&)>& tell, int reader) {
  Look look;
  look.all = true;
  while (true) {
    engine.see_whether_left();
    if (engine.left()) PAWL_TRY(engine.store());  // which says so
    // Read first and tell afterwards: whoever listens may be slow, and a transaction held open holds up every writer.
    if (const auto store = engine.store(); store && (*store)->replaced())
      return fail(ErrorCode::unavailable,
                  cat("the store of ", printable(engine.workspace().root), " was moved or replaced"), "start again");
    wait_for_commit_under_way(engine);
    std::vector<std::pair<Event, Operation>> news;
    PAWL_TRY(engine.read(look, std::nullopt, [&](const View& view) -> Done {
      PAWL_ASSIGN(const auto events, view.store().events_since(since, kPage));
      for (const Event& event : events) {
        PAWL_ASSIGN(const auto operation, view.store().operation(event.operation));
        news.emplace_back(event, operation.value_or(Operation{}));
      }
      return done();
    }));
    for (const auto& [event, operation] : news) {
      since = event.id;
      if (!tell(event, operation)) return done();
    }
    if (news.size() == static_cast<std::size_t>(kPage)) continue;
    PAWL_ASSIGN(const auto woken, waiter.wait(engine, -1, reader));
    if (woken == ChangeWaiter::Woken::nobody_reads) return done();
  }
}

}  // namespace pawl
