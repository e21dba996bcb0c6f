// Which issues there are to clean up.
#include "base/clock.h"
#include "base/text.h"
#include "drive/issue_cleanup.h"
#include "drive/issue_run.h"
#include "drive/run_sight.h"
#include "lifecycle/issue/issue.h"

namespace pawl {
namespace {

std::int64_t number_of(const Record& record) { return parse_positive(record.id.key).value_or(0); }

}  // namespace

Result<std::vector<std::int64_t>> orphaned_issues(Engine& engine) {
  std::vector<std::int64_t> found;
  PAWL_ASSIGN(const auto records, read_issues(engine));
  for (const Record& record : records) {
    PAWL_ASSIGN(const std::string worktree, worktree_of(engine, number_of(record)));
    if (worktree.empty()) found.push_back(number_of(record));
  }
  return found;
}

Result<std::vector<std::int64_t>> complete_issues(Engine& engine) {
  std::vector<std::int64_t> found;
  PAWL_ASSIGN(const auto records, read_issues(engine));
  for (const Record& record : records) {
    if (record.status == issue::kComplete) found.push_back(number_of(record));
  }
  return found;
}

Result<std::vector<std::int64_t>> stale_issues(Engine& engine, std::int64_t older_than_ms) {
  std::vector<std::int64_t> found;
  const std::int64_t now = engine.clock().now().wall_ms;
  RunBook book(engine);
  Sessions sessions;
  PAWL_ASSIGN(const auto records, read_issues(engine));
  for (const Record& record : records) {
    const auto when = parse_iso_time(string_or(record.doc, "timestamp"));
    if (!when || now - *when < older_than_ms) continue;
    PAWL_ASSIGN(const auto run, book.find(number_of(record)));
    if (run) {
      PAWL_ASSIGN(const bool alive, sessions.has(*run));
      if (alive && record.status == issue::kRunning) continue;
    }
    found.push_back(number_of(record));
  }
  return found;
}

}  // namespace pawl
