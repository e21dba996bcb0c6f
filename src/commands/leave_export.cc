#include "commands/leave_export.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "base/file.h"
#include "base/letters.h"
#include "base/text.h"
#include "commands/present.h"
#include "engine/recorded_before.h"
#include "engine/spelling.h"
#include "lifecycles/review/export_file.h"
#include "lifecycles/review/review.h"
#include "lifecycles/review/state_file.h"
#include "lifecycles/review/todo_file.h"

namespace pawl {
namespace {

constexpr std::int64_t kBatch = 200;

// "octo/cat#7" → "octo-cat-7", and another name where that is taken: also in capitals, which some disks do not tell
// apart.
std::string folder_name_of(std::string_view key, std::set<std::string>& taken) {
  std::string name;
  for (const char c : key) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_';
    name += plain ? c : '-';
  }
  while (name.starts_with('.')) name.erase(0, 1);
  for (int i = 1;; ++i) {
    std::string one = i == 1 ? name : cat(name, "_", i);
    if (taken.insert(ascii_lower(one)).second) return one;
  }
}

// A file of a review that is set aside, as it would stand there again: what it looked like when it went, with what was
// changed since. Where that cannot be made, the one or the other.
std::optional<std::string> as_it_was(Transaction& store, const MirrorFormat& format,
                                     const std::optional<std::string>& kept, const std::vector<Record>& records) {
  const auto base = kept ? std::optional<std::string_view>(*kept) : std::nullopt;
  auto made = format.rendered(base, records, RecordedBefore(store));
  if (made && *made) return *std::move(made);
  return kept ? kept : format.render(std::nullopt, records);
}

Done add_review(Transaction& store, const std::string& pr, const std::vector<Record>& records,
                const std::string& folder, Export& out) {
  const auto add = [&](std::string_view path, std::optional<std::string> bytes) {
    if (bytes) out.reviews.emplace_back(cat(folder, path.substr(path.rfind('/'))), *std::move(bytes));
  };
  PAWL_ASSIGN(const auto state, left_as(store, std::string(review::kStatePath), pr));
  add(review::kStatePath, as_it_was(store, review::state_file(), state, records));
  // A list that is not there is none of the review's; what is to be exported is in its record.
  PAWL_ASSIGN(const auto todo, left_as(store, std::string(review::kTodoPath), pr));
  if (todo) add(review::kTodoPath, as_it_was(store, review::todo_file(), todo, records));
  add(review::kExportPath, review::export_file().render(std::nullopt, records));
  return done();
}

// What is set aside shows in no file: all of it as JSON, and reviews as the files that they were.
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
  std::set<std::string> taken;
  for (const auto& [pr, records] : reviews) {
    // Of one that was posted nothing is left but that, which is in the other file.
    const auto over = [](const Record& one) { return one.id.kind == review::kReview && one.status == review::kPosted; };
    if (std::any_of(records.begin(), records.end(), over)) continue;
    PAWL_TRY(add_review(view.store(), pr, records, folder_name_of(pr, taken), out));
  }
  return done();
}

}  // namespace

Result<std::int64_t> write_log(Transaction& store, const std::string& folder) {
  std::optional<NewFile> log;
  if (!folder.empty()) {
    PAWL_ASSIGN(const Fd top, open_folder(folder));
    PAWL_ASSIGN(log, NewFile::make_at(top.get(), std::string(kLogFile)));
  }
  std::int64_t count = 0;
  OperationQuery query;
  query.limit = kBatch;
  query.after = 0;
  for (bool more = true; more;) {
    PAWL_ASSIGN(const auto operations, store.operations(query));
    more = static_cast<std::int64_t>(operations.size()) == kBatch;
    count += static_cast<std::int64_t>(operations.size());
    if (!operations.empty()) query.after = operations.back().id;
    for (const Operation& operation : operations) {
      if (!log) break;
      PAWL_ASSIGN(const Json row, to_json(store, operation));
      PAWL_TRY(log->append(cat(to_line(row), "\n")));
    }
  }
  if (log) PAWL_TRY(log->finish());
  return count;
}

Result<Export> what_only_pawl_has(const View& view, const Lifecycles& lifecycles) {
  Export out;
  PAWL_TRY(add_set_aside(view, lifecycles, out));
  return out;
}

Done write_out(const std::string& folder, const Export& content) {
  PAWL_ASSIGN(const Fd top, open_folder(folder));
  if (!content.set_aside.empty()) PAWL_TRY(write_synced_at(top.get(), std::string(kSetAsideFile), content.set_aside));
  std::error_code why;
  for (const auto& [path, bytes] : content.reviews) {
    const std::filesystem::path whole = cat(folder, "/", kReviews, "/", path);
    std::filesystem::create_directories(whole.parent_path(), why);
    PAWL_ASSIGN(const Fd place, open_folder(whole.parent_path()));
    PAWL_TRY(write_synced_at(place.get(), whole.filename(), bytes));
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
