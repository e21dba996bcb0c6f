#include "verbs/world/handlers.h"

namespace pawl {

Result<Reply> run_practice(Context&, const Arguments&) { return Reply{}; }

}  // namespace pawl
