// A review's files: what is read is written back to the byte where nothing changes, and what is written is read again.
#include "lifecycles/review/export_file.h"
#include "lifecycles/review/interchange.h"
#include "lifecycles/review/plan.h"
#include "lifecycles/review/review.h"
#include "lifecycles/review/state_file.h"
#include "lifecycles/review/state_text.h"
#include "lifecycles/review/state_write.h"
#include "lifecycles/review/todo_file.h"
#include "targets.h"

namespace pawl {

void fuzz_review(std::string_view bytes) {
  using namespace review;
  const auto content = state_file().parse(kStatePath, "", bytes);
  if (content) {
    std::vector<Record> records, before;
    std::int64_t number = 0;
    for (const Shown& shown : content->shown) {
      Record record;
      record.id = shown.id;
      if (record.id.kind == kFinding && part_of_key(record.id.key).front() == '?')
        record.id = finding_id(content->identity, "L" + std::to_string(1'000'000 + ++number));
      const bool known = shown.id.kind != kChunk || chunk_machine().status(*shown.status) != nullptr;
      if (known) record.status = *shown.status;
      if (!known) record.held = *shown.status;
      record.doc = Doc(shown.doc);
      record.revision = 1;
      if (record.id.kind == kFinding) before.push_back(record);
      records.push_back(std::move(record));
    }
    const auto scanned = scan_state(bytes);
    const auto same = scanned ? edit_state(*scanned, records, before).text : std::nullopt;
    fuzz_require(same && *same == bytes, "nothing changed is the same to the byte");
    fuzz_require(pr_in_state(bytes) == content->identity, "both ways name the same pull request");
    if (const auto fresh = new_state(records)) {
      const auto again = state_file().parse(kStatePath, "", *fresh);
      fuzz_require(again && again->shown.size() == content->shown.size(), "a new file says as much");
    }
  }
  static_cast<void>(todo_file().parse(kTodoPath, "", bytes));
  static_cast<void>(read_export(bytes));
  static_cast<void>(read_plan(bytes));
  static_cast<void>(read_findings(bytes));
  const std::string body = fit_body(bytes);
  fuzz_require(fit_body(body) == body, "what fits is left as it is");
  static_cast<void>(without_comments(bytes));
}

}  // namespace pawl
