// The status file: whatever stands in it, reading it never fails badly, and writing back what was read changes nothing.
#include "lifecycles/issue/status_file.h"

#include <array>

#include "base/json_same.h"
#include "core/machine.h"
#include "core/outside.h"
#include "lifecycles/issue/issue.h"
#include "targets.h"

namespace pawl {

void fuzz_status_file(std::string_view bytes) {
  const issue::StatusFile format;
  constexpr std::string_view kPath = ".worktrees/.status/42.json";
  const auto content = format.parse(kPath, "", bytes);
  if (!content) {
    fuzz_require(!content.error().message.empty(), "damage is named");
    return;
  }
  fuzz_require(content->shown.size() == 1 && content->shown[0].id.key == "42", "one issue, named by the file");

  const Change adopted = adopt(issue::lifecycle(), absent_record(content->shown[0].id), content->shown[0]);
  const bool known = issue::machine().status(adopted.after.status) != nullptr;
  fuzz_require(known != adopted.after.held.has_value(), "a status is in the table, or it is held");
  fuzz_require(format.render(bytes, std::array{adopted.after}) == bytes, "what is unchanged stays to the byte");

  // A set through the rules, shown in the same file, reads back as what was set.
  const issue::SetStatus command{42, "error", std::nullopt, "went wrong", "fuzzing"};
  Settings settings;
  const auto set = issue::decide(adopted.after, command, Now{1'700'000'000'000, 0}, settings);
  fuzz_require(set.has_value(), "any issue can be set to error, with a reason");
  const auto written = format.render(bytes, std::array{set->after});
  fuzz_require(written.has_value(), "a present record has a file");
  const auto again = format.parse(kPath, "", *written);
  fuzz_require(again && again->shown[0].status == "error", "what is written can be read");
  fuzz_require(same_value(again->shown[0].doc, set->after.doc), "and says the same");
  fuzz_require(!format.render(*written, std::array{absent_record(set->after.id)}), "a removed one leaves no file");
}

}  // namespace pawl
