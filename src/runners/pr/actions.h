// GitHub Actions: what a run is told there, and how it tells what came of it.
#pragma once

#include <optional>
#include <string>

#include "integrations/forge.h"
#include "lifecycles/pr/talk.h"
#include "runners/pr/run.h"

namespace pawl {

[[nodiscard]] bool in_actions();

// The file of the workflow that this is a run of, ".github/workflows/pawl.yml"; empty elsewhere.
[[nodiscard]] std::string own_workflow();

// What the file of an event says. A plain issue's comment has no pull request.
struct EventFile {
  pr::Event event;
  std::optional<PullRef> pull;
  std::string sender;
  std::string repository;   // "octo/cat"; "": it does not say
  std::int64_t number = 0;  // of the pull request or issue; 0: the same
  // Does it name another one than this?
  [[nodiscard]] bool is_of_another_than(const PullRef& pull) const;
  // Is it surely none of a pull request's? One that ought to say which, and does not, is not.
  [[nodiscard]] bool is_of_no_pull() const;
};
// `path` empty: GITHUB_EVENT_PATH, and nothing where there is none. The name of the event comes from GITHUB_EVENT_NAME,
// or from what the file is about.
[[nodiscard]] Result<EventFile> read_event(const std::string& path);

// $GITHUB_OUTPUT and $GITHUB_STEP_SUMMARY, where they are set.
[[nodiscard]] Done write_results(const PrRan& ran, const std::string& pull);
// The same of a run that was refused whole, without its key or with a token that is none: later steps see that it has
// failed. Where that cannot be written, the step's own end says it.
void write_refusal(const Error& why);
// The same where there was nothing to do for it.
[[nodiscard]] Done write_nothing_to_do(std::string_view why);
// `::error file=…::` lines for what is open.
[[nodiscard]] std::string annotations(const PrRan& ran);
// has_blocking_issues, failed, passed or none.
[[nodiscard]] std::string_view review_status(const PrRan& ran);
[[nodiscard]] std::string summary_table(const PrRan& ran, const std::string& pull);

// A workflow command's value and property, as GitHub unescapes them.
[[nodiscard]] std::string command_data(std::string_view text);
[[nodiscard]] std::string command_property(std::string_view text);

}  // namespace pawl
