// Findings that went from a review's file by somebody's edit. An agent that rewrites the file may have meant it or not:
// nothing is approved over such a one until it is back, or somebody has dropped it by name.
#include <algorithm>
#include <limits>

#include "base/shell_word.h"
#include "base/text.h"
#include "commands/review.h"
#include "lifecycles/review/severity.h"

namespace pawl::review {
namespace {

constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();

// The operation with which this review began, or the oldest that is known of it: what a review of the same pull request
// had before is not its own.
Result<std::int64_t> began_with(Transaction& store, const Record& review) {
  const std::string started = string_or(review.doc, "started");
  std::int64_t out = 0;
  PAWL_ASSIGN(auto event, store.event_at(review.id, kLast));
  while (event) {
    if (event->after.present()) {
      if (string_or(event->after.doc, "started") != started) break;
      out = event->operation;
    }
    PAWL_ASSIGN(event, store.event_before(review.id, event->id));
  }
  return out;
}

// As it was when an edit took it out, if that is how it went.
Result<std::optional<Vanished>> gone_by_edit(Transaction& store, const RecordId& id) {
  const std::optional<Vanished> nothing;
  PAWL_ASSIGN(auto last, store.event_at(id, kLast));
  // Dropped since, and not taken back: then it is let go of.
  std::optional<Operation> operation;
  for (int taken_back = 0; last && !last->after.present();) {
    if (!last->from.empty()) {
      PAWL_ASSIGN(operation, store.operation(last->operation));
      if (!operation || !operation->undoes) break;
      // Taken back was that it had come back: it is gone as it was before that.
      PAWL_ASSIGN(last, store.event_at(id, *operation->undoes - 1));
      continue;
    }
    taken_back += last->what == "undone" ? 1 : -1;
    if (taken_back < 0) return nothing;
    PAWL_ASSIGN(last, store.event_before(id, last->id));
  }
  if (!last || last->after.present() || !operation || !operation->outside) return nothing;
  PAWL_ASSIGN(const auto before, store.event_before(id, last->id));
  if (!before || !before->after.present()) return nothing;
  return std::optional<Vanished>({before->after, operation->id});
}

bool says_the_same(const Record& a, const Record& b) {
  return string_or(a.doc, "title") == string_or(b.doc, "title") && string_or(a.doc, "file") == string_or(b.doc, "file");
}

// The edit that took it out brought the same in by another number.
Result<bool> was_renumbered(Transaction& store, const Vanished& gone, const std::vector<RecordId>& ids) {
  for (const RecordId& id : ids) {
    if (id.kind != kFinding) continue;
    PAWL_ASSIGN(const auto event, store.event_at(id, gone.operation));
    const bool came = event && event->operation == gone.operation && event->from.empty() && event->after.present();
    if (came && says_the_same(event->after, gone.finding)) return true;
  }
  return false;
}

}  // namespace

Result<std::vector<Vanished>> vanished_of(const View& view, const Record& review, const std::vector<Record>& findings) {
  std::vector<Vanished> out;
  if (review.status != kActive) return out;
  // Somebody may have written any number into the file, so what there ever was is asked for, and not counted up to.
  const KeysOfParts keys = keys_of_parts(review.id.key);
  PAWL_ASSIGN(const auto ids, view.store().find_keys(keys.from, keys.below));
  for (const RecordId& id : ids) {
    if (id.kind != kFinding) continue;
    PAWL_ASSIGN(const Record record, view.load(id, RecordPart::without_doc));
    if (record.present()) continue;
    PAWL_ASSIGN(auto gone, gone_by_edit(view.store(), id));
    // A minor one would have kept nothing from being approved.
    if (!gone || string_or(gone->finding.doc, "severity") == kSeverities.back().word) continue;
    const bool is_back = std::any_of(findings.begin(), findings.end(),
                                     [&](const Record& one) { return says_the_same(one, gone->finding); });
    if (is_back) continue;
    PAWL_ASSIGN(const bool renumbered, was_renumbered(view.store(), *gone, ids));
    if (!renumbered) out.push_back(std::move(*gone));
  }
  if (out.empty()) return out;
  std::stable_sort(out.begin(), out.end(), [](const Vanished& a, const Vanished& b) {
    return finding_number(part_of_key(a.finding.id.key)) < finding_number(part_of_key(b.finding.id.key));
  });
  PAWL_ASSIGN(const std::int64_t began, began_with(view.store(), review));
  std::erase_if(out, [&](const Vanished& one) { return one.operation < began; });
  return out;
}

Result<Record> finding_as_it_was(const View& view, const Record& review, const std::string& id) {
  const RecordId wanted = finding_id(review.id.key, id);
  PAWL_ASSIGN(const Record now, view.load(wanted, RecordPart::without_doc));
  const std::string named = cat(printable(id.substr(0, 80)), " of ", printable(review.id.key));
  if (now.present())
    return fail(ErrorCode::already_exists, cat("the finding ", named, " is there"),
                "pawl review finding list shows it");
  PAWL_ASSIGN(const std::int64_t began, began_with(view.store(), review));
  PAWL_ASSIGN(auto event, view.store().event_at(wanted, kLast));
  while (event && !event->after.present()) {
    PAWL_ASSIGN(event, view.store().event_before(wanted, event->id));
  }
  if (!event || event->operation < began)
    return fail(ErrorCode::not_found, cat("there was no finding ", named),
                cat("pawl log ", shell_word(review.id.ref()), "  # what happened to it"));
  return event->after;
}

Json vanished_json(const std::vector<Vanished>& list) {
  Json out = Json::array();
  for (const Vanished& one : list)
    out.push_back({{"id", part_of_key(one.finding.id.key)},
                   {"severity", string_or(one.finding.doc, "severity")},
                   {"title", string_or(one.finding.doc, "title")},
                   {"operation", one.operation}});
  return out;
}

std::string vanished_text(const Json& list, const std::string& pr) {
  std::string out;
  for (const Json& one : list) {
    const Severity* const how = severity(string_or(one, "severity"));
    const std::string id = string_or(one, "id");
    out += cat("[!] went from the review's file by an edit: ", printable(id), "  ", how == nullptr ? "" : how->sign,
               "  ", printable(string_or(one, "title")), "\n    pawl review finding restore ", shell_word(id), " --pr ",
               shell_word(pr), "  # brings it back\n    pawl undo ", integer_or(one, "operation"),
               "  # takes back all of that edit\n    pawl review finding drop ", shell_word(id), " --pr ",
               shell_word(pr), "  # lets it go\n");
  }
  return out;
}

}  // namespace pawl::review
