// Where an issue is worked on, as `pawl issue show` and `pawl show` tell it.
#include "drive/issue/advice.h"
#include "drive/issue/run_book.h"
#include "drive/issue/run_issue.h"
#include "engine/engine.h"
#include "lifecycle/issue/issue.h"
#include "verbs/context.h"
#include "verbs/issue_params.h"

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
