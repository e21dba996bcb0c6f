// Which issues there are to clean up.
#include "base/clock.h"
#include "base/text.h"
#include "lifecycles/issue/issue.h"
#include "runners/issue/cleanup.h"
#include "runners/issue/run_issue.h"
#include "runners/issue/sight.h"

namespace pawl {

Result<std::vector<std::int64_t>> orphaned_issues(Engine& engine) {
  std::vector<std::int64_t> found;
  PAWL_ASSIGN(const auto records, read_issues(engine));
  for (const Record& record : records) {
    PAWL_ASSIGN(const std::string worktree, worktree_of(engine, issue::number_of(record)));
    if (worktree.empty()) found.push_back(issue::number_of(record));
  }
  return found;
}

Result<std::vector<std::int64_t>> complete_issues(Engine& engine) {
  std::vector<std::int64_t> found;
  PAWL_ASSIGN(const auto records, read_issues(engine));
  for (const Record& record : records) {
    if (record.status == issue::kComplete) found.push_back(issue::number_of(record));
  }
  return found;
}

Result<std::vector<std::int64_t>> stale_issues(Engine& engine, std::int64_t older_than_ms) {
  std::vector<std::int64_t> found;
  const std::int64_t now = engine.clock().now().wall_ms;
  RunBook book(engine);
  Sessions sessions(engine);
  PAWL_ASSIGN(const auto records, read_issues(engine));
  for (const Record& record : records) {
    const auto when = parse_iso_time(string_or(record.doc, "timestamp"));
    if (!when || now - *when < older_than_ms) continue;
    PAWL_ASSIGN(const auto run, book.find(issue::number_of(record)));
    if (record.status == issue::kRunning) {
      PAWL_ASSIGN(const auto session, sessions.of(record, run));
      if (session) continue;
    }
    found.push_back(issue::number_of(record));
  }
  return found;
}

}  // namespace pawl
