#include "verbs/leave_export.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/file.h"
#include "base/text.h"
#include "lifecycle/review/review.h"
#include "lifecycle/review/state_file.h"
#include "verbs/present.h"

namespace pawl {
namespace {

constexpr std::int64_t kBatch = 500;

// Oldest first, a line each.
Result<std::string> log_lines(Transaction& store, std::int64_t& count) {
  std::vector<std::string> lines;
  OperationQuery query;
  query.limit = kBatch;
  for (;;) {
    PAWL_ASSIGN(const auto operations, store.operations(query));
    for (const Operation& operation : operations) {
      PAWL_ASSIGN(const Json row, to_json(store, operation));
      lines.push_back(to_line(row));
      query.before = operation.id;
    }
    if (static_cast<std::int64_t>(operations.size()) < kBatch) break;
  }
  count = static_cast<std::int64_t>(lines.size());
  std::string out;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) out += cat(*line, "\n");
  return out;
}

std::string file_name_of(std::string_view key) {
  std::string name;
  for (const char c : key) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_';
    name += plain ? c : '-';
  }
  while (name.starts_with('.')) name.erase(0, 1);
  return name;
}

// What is set aside shows in no file: all of it as JSON, and reviews as the file that they were.
Done add_set_aside(const View& view, const Lifecycles& lifecycles, Export& out) {
  std::map<std::string, std::vector<Record>> reviews;
  for (const Lifecycle& row : lifecycles.rows()) {
    Query query;
    query.kind = row.kind;
    query.include_aside = true;
    PAWL_ASSIGN(const auto records, view.list(query));
    for (Record record : records) {
      if (!record.aside) continue;
      out.set_aside += cat(to_line(to_json(record)), "\n");
      if (!review::is_of_review(record.id.kind)) continue;
      const std::string pr(review::pr_of(record.id.key));
      record.aside = false;
      reviews[pr].push_back(std::move(record));
    }
  }
  for (const auto& [pr, records] : reviews) {
    // Of one that was posted nothing is left but that, which is in the other file.
    const auto over = [](const Record& one) { return one.id.kind == review::kReview && one.status == review::kPosted; };
    if (std::any_of(records.begin(), records.end(), over)) continue;
    if (auto bytes = review::state_file().render(std::nullopt, records))
      out.reviews.emplace_back(cat(file_name_of(pr), ".md"), *std::move(bytes));
  }
  return done();
}

}  // namespace

Result<Export> what_only_pawl_has(const View& view, const Lifecycles& lifecycles) {
  Export out;
  PAWL_ASSIGN(out.log, log_lines(view.store(), out.operations));
  PAWL_TRY(add_set_aside(view, lifecycles, out));
  return out;
}

Done write_out(const std::string& folder, const Export& content) {
  PAWL_ASSIGN(const Fd top, open_folder(folder));
  PAWL_TRY(write_synced_at(top.get(), "log.jsonl", content.log));
  if (!content.set_aside.empty()) PAWL_TRY(write_synced_at(top.get(), "set-aside.jsonl", content.set_aside));
  std::error_code why;
  if (!content.reviews.empty()) {
    std::filesystem::create_directory(folder + "/reviews", why);
    PAWL_ASSIGN(const Fd reviews, open_folder(folder + "/reviews"));
    for (const auto& [name, bytes] : content.reviews) PAWL_TRY(write_synced_at(reviews.get(), name, bytes));
  }
  for (const Behind& one : content.behind) {
    if (!one.known) continue;
    std::filesystem::create_directory(cat(folder, "/", kKnown), why);
    PAWL_ASSIGN(const Fd known, open_folder(cat(folder, "/", kKnown)));
    PAWL_TRY(write_synced_at(known.get(), one.copy, *one.known));
  }
  return done();
}

}  // namespace pawl
