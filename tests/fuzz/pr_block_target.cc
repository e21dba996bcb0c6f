// A comment by anybody: its blocks are where they are said to be, an added one is found again, an update leaves the
// rest as it was, and what goes out has none.
#include "base/text.h"
#include "lifecycles/pr/block.h"
#include "lifecycles/pr/defuse.h"
#include "lifecycles/pr/mention.h"
#include "targets.h"

namespace pawl {

void fuzz_pr_block(std::string_view bytes) {
  const std::vector<std::string> names = {"rmc-bot"};
  for (const pr::Block& block : pr::blocks_in(bytes)) {
    fuzz_require(block.begin <= block.end && block.end <= bytes.size(), "a block is inside of its text");
    fuzz_require(block.data.is_object(), "a block is an object");
  }
  for (const pr::Block& any : pr::blocks_in(bytes)) {
    const auto last = pr::block_of(bytes, any.type);
    const auto changed = pr::with_block_changed(bytes, any.type, {{"n", 3}});
    if (!changed) continue;  // of a type that pawl does not write, or longer than GitHub takes
    fuzz_require(changed->starts_with(bytes.substr(0, last->begin)), "an update keeps the text before it");
    fuzz_require(changed->ends_with(bytes.substr(last->end)), "an update keeps the text behind it");
  }
  const Json data = {{"n", 1}};
  const auto added = pr::with_block(bytes, "question", data);
  if (added) {
    const auto found = pr::block_of(*added, "question");
    fuzz_require(found && found->data["n"] == 1, "a block that was added is found");
    fuzz_require(added->starts_with(bytes), "adding keeps the text");
    const auto changed = pr::with_block_changed(*added, "question", {{"n", 2}});
    fuzz_require(changed && changed->size() == added->size(), "an update changes one digit");
    fuzz_require(pr::block_of(*changed, "question")->data["n"] == 2, "an update is found");
  }
  if (const auto asked = pr::asked_of(bytes, names)) static_cast<void>(pr::wants_review(*asked));
  fuzz_require(pr::characters_in(pr::first_characters(bytes, 7)) <= 7, "no more than so many");
  const std::string out = pr::defused(bytes, names);
  for (const pr::Block& block : pr::blocks_in(out)) fuzz_require(!block.fenced, "nothing is smuggled out");
  fuzz_require(!pr::asked_of(out, names), "the bot does not call itself");
}

}  // namespace pawl
