// `pawl pr …`: the rows; what talks to GitHub is in verbs/world/.
#include <array>

#include "base/text.h"
#include "verbs/table.h"

namespace pawl {
namespace {

constexpr std::array kViewParams = {
    Param{.name = "ref",
          .value = "REF",
          .summary = "owner/repo#123, a URL, a number, or nothing: the current branch's",
          .positional = true,
          .max_bytes = 1024},
};

constexpr std::array kViewExamples = {
    Example{"pawl pr view", "the pull request of the current branch"},
    Example{"pawl pr view octo/cat#7 --json", "another one, for a script"},
};

std::string view_text(const Json& data, const TextStyle&) { return cat(to_line(data), "\n"); }

}  // namespace

const Verb kPrView = {
    .noun = "pr",
    .name = "view",
    .summary = "show a pull request: state, checks, reviews, threads, who went last",
    .manual = "Asks GitHub. The token is PAWL_GITHUB_TOKEN, GH_TOKEN or GITHUB_TOKEN, or what `gh auth token` says.",
    .params = kViewParams,
    .examples = kViewExamples,
    .world = true,
    .text = view_text,
};

}  // namespace pawl
