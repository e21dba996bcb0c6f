#include "lifecycles/review/conclude.h"

#include "lifecycles/review/command.h"
#include "lifecycles/review/export_file.h"
#include "lifecycles/review/review.h"

namespace pawl::review {

Result<std::vector<Change>> decide(const Record& review, std::span<const Record> chunks,
                                   std::span<const Record> findings, const ConcludePost& command, const Now& now) {
  const bool over = command.stays.empty();
  std::vector<Change> changes;
  for (Change& change : cleaned(findings)) {
    if (!command.stays.contains(change.before.id)) changes.push_back(std::move(change));
  }
  Json doc = review.doc;
  doc.erase(kPosting);
  doc["updated"] = iso_time(now.wall_ms);
  if (!over) {
    Change change{review, review, "posted", command.evidence, false};
    change.after.doc = std::move(doc);
    changes.push_back(std::move(change));
    return changes;
  }
  for (Change& change : cleaned(chunks)) changes.push_back(std::move(change));
  for (const char* member : {kExportMember, kExportEdited, kExportOthers, "comments"}) doc.erase(member);
  doc["posted"] = command.evidence;
  MoveRequest move;
  move.to = kPosted;
  move.doc = Doc(std::move(doc));
  move.what = "posted";
  move.evidence = command.evidence;
  PAWL_ASSIGN(Change about, decide_move(review_machine(), review, std::move(move)));
  about.after.aside = true;  // kept, but no file shows it
  changes.push_back(std::move(about));
  return changes;
}

}  // namespace pawl::review
