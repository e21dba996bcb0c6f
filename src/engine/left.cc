#include "engine/left.h"

#include <sys/stat.h>

#include <algorithm>

#include "base/ago.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "engine/claims.h"
#include "engine/engine.h"
#include "store/sqlite/sqlite_store.h"

namespace pawl {
namespace {

constexpr const char* kMark = "left";
constexpr std::size_t kMaxMark = 4096;
constexpr std::int64_t kGateMs = 10'000;
constexpr std::string_view kLeftFolder = "pawl-left";

}  // namespace

std::string left_folder_name(int i) { return i == 1 ? std::string(kLeftFolder) : cat(kLeftFolder, "-", i); }

bool is_left_folder_name(std::string_view name) {
  if (name == kLeftFolder) return true;
  if (!name.starts_with(cat(kLeftFolder, "-"))) return false;
  const auto number = parse_positive(name.substr(kLeftFolder.size() + 1));
  return number && *number < kMostLeftFolders && name == left_folder_name(static_cast<int>(*number));
}

std::optional<LeftMark> read_left(const std::string& store) {
  const auto image = read_file(cat(store, "/", kMark), kMaxMark);
  if (!image || (!image->exists && !image->too_large)) return std::nullopt;
  LeftMark left;  // whatever stands in it
  left.bytes = image->bytes;
  if (const auto mark = parse_json(image->bytes); mark && mark->is_object()) {
    left.at_ms = parse_iso_time(string_or(*mark, "at")).value_or(0);
    left.folder = string_or(*mark, "folder");
    const Json hooks = mark->value("hooks", Json::array());
    for (const std::string_view name : kHookNames) {
      if (hooks.is_array() && std::find(hooks.begin(), hooks.end(), name) != hooks.end()) left.hooks.emplace_back(name);
    }
  }
  return left;
}

Done mark_left(const Engine& engine, const std::string& folder, const std::vector<std::string>& hooks) {
  PAWL_ASSIGN(const Fd store, open_folder(engine.workspace().store));
  const Json mark{{"at", iso_time(engine.clock().now().wall_ms)}, {"folder", folder}, {"hooks", hooks}};
  const std::string next = cat(kMark, ".new");
  PAWL_TRY(remove_at(store.get(), next));
  PAWL_TRY(write_synced_at(store.get(), next, cat(to_line(mark), "\n")));
  PAWL_TRY(move_over_at(store.get(), next, store.get(), kMark));
  return sync_folder(store.get());
}

Done can_mark_left(const Engine& engine) {
  const std::string path = cat(engine.workspace().store, "/", kMark);
  struct stat info {};
  if (lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode))
    return fail(ErrorCode::io, cat(printable(path), " is a folder, and pawl notes there that it was left"),
                "move it away, and leave again");
  // By doing it: a folder may refuse for many reasons, and hooks are not taken out of a project that is not left.
  PAWL_ASSIGN(const Fd store, open_folder(engine.workspace().store));
  const std::string next = cat(kMark, ".new");
  const Done tried = write_synced_at(store.get(), next, "");
  if (!tried)
    return fail(tried.error().code, cat("pawl could not note that it was left: ", tried.error().message),
                cat("nothing was changed; let ", printable(engine.workspace().store), " be written, and leave again"));
  return remove_at(store.get(), next);
}

std::vector<Claim> claims_that_go_on(const Engine& engine) {
  SqliteOptions sqlite;
  sqlite.folder = engine.workspace().store;
  sqlite.read_only = true;
  const auto store = open_sqlite(sqlite);
  if (!store) return {};
  const auto tx = (*store)->begin(Access::read);
  auto claims = tx ? (*tx)->claims() : Result<std::vector<Claim>>(std::vector<Claim>{});
  if (!claims) return {};
  const Now now = engine.clock().now();
  std::erase_if(*claims, [&](const Claim& one) { return one.process.pid == 0 || !claim_lives(one, now); });
  return *std::move(claims);
}

std::string left_in_words(const LeftMark& left, std::int64_t now_ms) {
  return left.at_ms == 0 ? std::string("pawl was left here") : cat("pawl was left here ", ago(left.at_ms, now_ms));
}

Done take_mark_away(const Engine& engine, const LeftMark& left) {
  // Whoever leaves holds the gate until the mark stands.
  PAWL_ASSIGN(const auto gate, take_sqlite_gate(engine.workspace().store, kGateMs));
  const auto now = read_left(engine.workspace().store);
  if (now && now->bytes != left.bytes)
    return fail(ErrorCode::conflict, "somebody came back and left pawl again in this moment", "pawl init comes back");
  PAWL_ASSIGN(const Fd store, open_folder(engine.workspace().store));
  PAWL_TRY(remove_at(store.get(), kMark));
  return sync_folder(store.get());
}

}  // namespace pawl
