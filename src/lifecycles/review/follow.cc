#include "lifecycles/review/follow.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "lifecycles/review/moved_lines.h"
#include "lifecycles/review/review.h"

namespace pawl::review {
namespace {

using Files = std::vector<ChangedFile>;

// What a file was called at the common ancestor.
const std::string& name_before(const ChangedFile& file) {
  return file.previous_path.empty() ? file.path : file.previous_path;
}

const ChangedFile* named(const Files& files, const std::string& path) {
  const auto found = std::find_if(files.begin(), files.end(), [&](const auto& file) { return file.path == path; });
  return found == files.end() ? nullptr : &*found;
}

const ChangedFile* once_named(const Files& files, const std::string& path) {
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const auto& file) { return name_before(file) == path; });
  return found == files.end() ? nullptr : &*found;
}

std::string_view patch_of(const ChangedFile* file) { return file == nullptr ? std::string_view() : file->patch; }

// Its content is as it was, under another name.
bool is_only_renamed(const ChangedFile& file) {
  return file.status == "renamed" && file.changes == 0 && file.patch.empty();
}

// Does its patch tell all that changed in it? A binary file, and one that is too large, have none.
bool is_told(const ChangedFile* file) { return file == nullptr || !file->patch.empty() || is_only_renamed(*file); }

// Was the same done to a file on both ways from the common ancestor?
bool same_on_both(const ChangedFile* before, const ChangedFile* now) {
  if (before == nullptr || now == nullptr) return before == now;
  if (!now->blob.empty() && before->blob == now->blob) return true;
  return is_told(before) && is_told(now) && same_changes(before->patch, now->patch);
}

// What a finding says then: all of its place, or that it is outdated and nothing else. Nothing when it stays as it is.
std::optional<Json> doc_after(const Record& finding, const Moved& moved, Followed& counts) {
  Json doc = finding.doc;
  if (doc.contains("outdated")) return std::nullopt;  // its lines are those of a head before, and follow no other
  const Location at{string_or(doc, "file"), integer_or(doc, "line"), integer_or(doc, "end_line")};
  const auto there = followed(at, moved);
  if (!there) {
    ++counts.outdated;
    doc["outdated"] = true;
    return doc;
  }
  if (*there == at) return std::nullopt;
  ++counts.moved;
  if (there->file != at.file) {
    if (!doc.contains(kWasAt)) doc[kWasAt] = Json::array();
    doc[kWasAt].push_back(at.file);
    doc["file"] = there->file;
  }
  if (there->line > 0) doc["line"] = there->line;
  if (there->end_line > 0) doc["end_line"] = there->end_line;
  return doc;
}

Change to_head(const Record& review, const Moved& moved, const std::string& head, const std::string& time) {
  Change change{review, review, "updated to another head", Json(), false};
  Json doc = review.doc;
  change.evidence = {{"from", doc["head_sha"]}, {"to", head}};
  doc["head_sha"] = head;
  doc.erase(kHeadWritten);
  doc.erase(kHeadMoved);
  doc.erase(kLeftOut);
  if (!moved.left_out.empty()) doc[kLeftOut] = moved.left_out;
  doc["updated"] = time;
  change.after.doc = std::move(doc);
  return change;
}

}  // namespace

Moved moved_between(Files files, std::optional<Comparison> ahead, std::optional<Comparison> back) {
  Moved out;
  for (const ChangedFile& file : files) {
    if (!can_stand(file.path)) out.left_out.push_back(file.path);
  }
  std::erase_if(files, [](const ChangedFile& file) { return !can_stand(file.path); });
  out.lost = !ahead || ahead->cut || (!ahead->straight && !back) || (back && back->cut);
  if (out.lost) {
    for (const ChangedFile& file : files) out.changed.push_back({file.path, file.changes});
    return out;
  }
  const bool straight = ahead->straight;
  out.to_new = std::move(ahead->files);
  if (!straight) out.to_old = std::move(back->files);
  for (const ChangedFile& file : files) {
    const ChangedFile* const now = named(out.to_new, file.path);
    if (straight) {
      if (now != nullptr) out.changed.push_back({file.path, std::max<std::int64_t>(now->changes, 1)});
      continue;
    }
    const ChangedFile* const before = once_named(out.to_old, now == nullptr ? file.path : name_before(*now));
    if (!same_on_both(before, now)) out.changed.push_back({file.path, file.changes});
  }
  return out;
}

std::optional<Location> followed(const Location& at, const Moved& moved) {
  if (moved.lost) return at.line > 0 ? std::nullopt : std::optional(at);
  const ChangedFile* const before = named(moved.to_old, at.file);
  const std::string& once = before == nullptr ? at.file : name_before(*before);
  const ChangedFile* const now = once_named(moved.to_new, once);
  if (now == nullptr && before == nullptr) return at;
  if (now == nullptr && before->status == "added") return std::nullopt;
  if (now != nullptr && (now->status == "removed" || !can_stand(now->path))) return std::nullopt;
  Location out = at;
  out.file = now == nullptr ? once : now->path;
  if (at.line == 0) return out;
  if (before != nullptr && now != nullptr && !now->blob.empty() && before->blob == now->blob) return out;
  if (!is_told(now) || !is_told(before)) return std::nullopt;
  const std::int64_t last = std::max(at.line, at.end_line);
  const auto line = MovedLines(patch_of(before), patch_of(now)).find(at.line, last);
  if (!line) return std::nullopt;
  out.line = *line;
  if (at.end_line > 0) out.end_line = *line + (last - at.line);
  return out;
}

Result<Followed> decide(const Record& review, std::span<const Record> chunks, std::span<const Record> findings,
                        const Moved& moved, const FollowHead& command, const KnownRecords& known, const Now& now) {
  Followed out;
  const std::string& pr = review.id.key;
  const std::string time = iso_time(now.wall_ms);
  out.changes.push_back(to_head(review, moved, command.head, time));
  // What nobody has looked at yet is still to be looked at where it stands.
  std::set<std::string> waiting;
  std::int64_t last = 0;
  for (const Record& chunk : chunks) {
    last = std::max(last, number_of(chunk.id));
    if (chunk.status != kPending || !chunk.doc.contains("files")) continue;
    for (const Json& file : chunk.doc["files"]) waiting.insert(file.is_string() ? file.get<std::string>() : "");
  }
  std::vector<FileChange> again;
  std::copy_if(moved.changed.begin(), moved.changed.end(), std::back_inserter(again),
               [&](const FileChange& file) { return !waiting.contains(file.path); });
  for (const PlannedChunk& chunk : make_plan(std::move(again))) {
    PAWL_ASSIGN(const Record fresh, known.load(chunk_id(pr, ++last)));
    MoveRequest request;
    request.to = kPending;
    request.doc = Doc(Json{{"files", chunk.files}, {"loc", chunk.loc}, {"updated", time}});
    request.what = "planned";
    PAWL_ASSIGN(Change planned, decide_move(chunk_machine(), fresh, std::move(request)));
    planned.after.aside = review.aside;
    out.chunks.push_back(planned.after);
    out.changes.push_back(std::move(planned));
  }
  for (const Record& finding : findings) {
    auto after = doc_after(finding, moved, out);
    if (!after) continue;
    Change change{finding, finding, "followed to another head", Json(), false};
    (*after)["updated"] = time;
    change.after.doc = std::move(*after);
    out.changes.push_back(std::move(change));
  }
  return out;
}

}  // namespace pawl::review
