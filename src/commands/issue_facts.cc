// Where an issue is worked on, as `pawl issue show` and `pawl show` tell it.
#include "commands/context.h"
#include "commands/issue_params.h"
#include "engine/engine.h"
#include "lifecycles/issue/issue.h"
#include "runners/issue/advice.h"
#include "runners/issue/run_book.h"
#include "runners/issue/run_issue.h"

namespace pawl {

Result<Json> run_facts(Context& context, const Record& record) {
  Json out;
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const std::int64_t number = issue::number_of(record);
  if (record.id != issue::id_of(number, engine->settings())) return out;  // below another base folder
  PAWL_ASSIGN(const auto run, RunBook(*engine).find(number));
  PAWL_ASSIGN(const std::string worktree, worktree_of(*engine, number));
  if (run && !run->title.empty()) out["title"] = run->title;
  if (run && !run->branch.empty()) out["branch"] = run->branch;
  if (!worktree.empty()) out["worktree"] = engine->world().roots->shortened(worktree);
  if (!run || run->branch.empty() || record.status != issue::kComplete) return out;
  if (const auto next = next_for(*engine, *run)) out["next"] = *next;
  return out;
}

}  // namespace pawl
