#include "lifecycles/table.h"

#include <array>

#include "lifecycles/issue/issue.h"
#include "lifecycles/loop/ralph.h"
#include "lifecycles/loop/ultrawork.h"
#include "lifecycles/loop/verification.h"
#include "lifecycles/pr/pr.h"
#include "lifecycles/review/review.h"
#include "lifecycles/story/story.h"

namespace pawl {

const Lifecycles& builtin_lifecycles() {
  static const std::array kRows = {
      issue::lifecycle(),          loop::ralph_lifecycle(),
      loop::ultrawork_lifecycle(), loop::verification_lifecycle(),
      review::review_lifecycle(),  review::chunk_lifecycle(),
      review::finding_lifecycle(), pr::finding_lifecycle(),
      pr::question_lifecycle(),    pr::manual_review_lifecycle(),
      pr::auto_review_lifecycle(), story::lifecycle(),
      story::passes_lifecycle(),
  };
  static const Lifecycles kTable{kRows};
  return kTable;
}

const Lifecycles& users_lifecycles() {
  static const std::array kRows = {
      loop::users_ultrawork_lifecycle(),
  };
  static const Lifecycles kTable{kRows};
  return kTable;
}

}  // namespace pawl
