#include "runners/issue/run_seal.h"

#include "base/text.h"
#include "runners/users_seal.h"

namespace pawl {

std::string seal_of(const issue::Run& run) {
  std::string text = cat(run.number, "\n", run.worktree, "\n");
  for (const std::string& word : run.command) text += cat(word.size(), ":", word);
  return users_seal(text);
}

bool is_sealed_here(const issue::Run& run) { return !run.seal.empty() && run.seal == seal_of(run); }

}  // namespace pawl
