// Care of the store itself: `pawl backup` and `pawl compact`.
#include <array>

#include "base/text.h"
#include "commands/context.h"
#include "commands/table.h"
#include "engine/engine.h"

namespace pawl {
namespace {

Result<Reply> run_backup(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(Store* const store, engine->store());
  const std::string file = arguments.text_or("file", "");
  const std::size_t slash = file.rfind('/');
  if (std::string_view(file).substr(slash == std::string::npos ? 0 : slash + 1).starts_with("pawl.db"))
    return fail(ErrorCode::invalid_argument,
                cat(printable(file), ": names that begin with pawl.db are the store's own"), "choose another name");
  PAWL_TRY(store->backup(file));
  return Reply{Json{{"file", file}}};
}

std::string text_of_backup(const Json& data, const TextStyle&) {
  return cat(printable(string_or(data, "file")), " is a copy of the store as it stood\n");
}

Result<Reply> run_compact(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(Store* const store, engine->store());
  const std::int64_t keep_ms = arguments.duration_ms("keep").value_or(0);
  std::int64_t gone = 0;
  {
    PAWL_ASSIGN(const auto gate, store->gate());
    PAWL_ASSIGN(const auto tx, store->begin(Access::write));
    PAWL_ASSIGN(gone, tx->compact(context.clock->now().wall_ms - keep_ms));
    PAWL_TRY(tx->commit({}));
  }
  if (const Done shrunk = store->shrink(); !shrunk)
    context.note(
        cat("the history is forgotten, but its room was not given back to the disk: ", shrunk.error().message));
  return Reply{Json{{"events_removed", gone}}};
}

std::string text_of_compact(const Json& data, const TextStyle&) {
  return cat(to_line(data["events_removed"]),
             " old events removed; what stands now, and the newest event of each thing, is kept\n");
}

constexpr std::array kBackupParams = {Param{.name = "file",
                                            .value = "FILE",
                                            .summary = "where to; it must not exist",
                                            .positional = true,
                                            .required = true,
                                            .not_empty = true}};
constexpr std::array kCompactParams = {Param{.name = "keep",
                                             .type = ParamType::duration,
                                             .value = "TIME",
                                             .summary = "how much history stays: 90d, 12h",
                                             .required = true}};
constexpr std::array kBackupExamples = {
    Example{"pawl backup ~/pawl-$(date +%F).db", "a copy, also while others write"},
    Example{"sqlite3 copy.db 'select * from operation'", "it is an ordinary SQLite file"}};
constexpr std::array kCompactExamples = {Example{"pawl compact --keep 90d", "forget history older than 90 days"},
                                         Example{"pawl compact --keep 0s", "keep only what stands now"}};

}  // namespace

const Verb kBackup = {
    .name = "backup",
    .summary = "copy the store to a file, also while others write",
    .manual = "The copy is of one moment, synced, and an ordinary SQLite database.",
    .params = kBackupParams,
    .examples = kBackupExamples,
    .read_only = false,
    .run = run_backup,
    .text = text_of_backup,
};

const Verb kCompact = {
    .name = "compact",
    .summary = "forget old history",
    .manual =
        "Operations older than the time are removed from the log; where things stand never is. What is removed cannot "
        "be undone or shown with --at.",
    .params = kCompactParams,
    .examples = kCompactExamples,
    .read_only = false,
    .run = run_compact,
    .text = text_of_compact,
};

}  // namespace pawl
