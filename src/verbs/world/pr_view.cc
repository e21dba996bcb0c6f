#include "verbs/world/handlers.h"

namespace pawl {

Result<Reply> run_pr_view(Context&, const Arguments&) { return Reply{}; }

}  // namespace pawl
