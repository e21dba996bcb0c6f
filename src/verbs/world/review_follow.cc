// `pawl review validate` and `pawl review comments`: the review and what became of the pull request meanwhile.
#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "verbs/review.h"
#include "verbs/world/forge_for.h"
#include "verbs/world/handlers.h"
#include "world/moved_lines.h"

namespace pawl {
namespace {

using namespace review;

PullRef ref_of(const Record& review) {
  return {{string_or(review.doc, "pr_owner"), string_or(review.doc, "pr_repo")}, integer_or(review.doc, "pr_number")};
}

// What changed between two heads of a pull request.
struct Moved {
  std::vector<ChangedFile> to_old, to_new;  // from the common ancestor; the first is empty where nothing was rewritten
  std::vector<FileChange> changed;          // files of the pull request that are not what they were

  [[nodiscard]] static const ChangedFile* find(const std::vector<ChangedFile>& files, const std::string& path) {
    const auto found = std::find_if(files.begin(), files.end(), [&](const ChangedFile& file) {
      return file.path == path || (!file.previous_path.empty() && file.previous_path == path);
    });
    return found == files.end() ? nullptr : &*found;
  }
};

Result<Moved> moved_between(Forge& forge, const PullRef& ref, const std::string& from, const std::string& to) {
  Moved out;
  PAWL_ASSIGN(Comparison ahead, forge.compare(ref.repo, from, to));
  out.to_new = std::move(ahead.files);
  if (!ahead.straight) {
    PAWL_ASSIGN(Comparison back, forge.compare(ref.repo, to, from));
    out.to_old = std::move(back.files);
  }
  PAWL_ASSIGN(const auto files, forge.files(ref));
  for (const ChangedFile& file : files) {
    const ChangedFile* const now = Moved::find(out.to_new, file.path);
    if (ahead.straight) {
      if (now != nullptr) out.changed.push_back({file.path, std::max<std::int64_t>(now->changes, 1)});
      continue;
    }
    const ChangedFile* const before = Moved::find(out.to_old, file.path);
    const std::string_view was = before == nullptr ? std::string_view() : std::string_view(before->patch);
    if (now != nullptr && !same_changes(was, now->patch)) out.changed.push_back({file.path, file.changes});
  }
  return out;
}

struct Updated {
  std::vector<Change> changes;
  std::int64_t moved = 0, outdated = 0;
  Json chunks = Json::array();
};

// A finding's place in the new head; nothing when it is where it was.
std::optional<Json> followed(const Record& finding, const Moved& moved, Updated& counts) {
  Json doc = finding.doc;
  const std::string path = string_or(doc, "file");
  const ChangedFile* const now = Moved::find(moved.to_new, path);
  const ChangedFile* const before = Moved::find(moved.to_old, path);
  if (now == nullptr && before == nullptr) return std::nullopt;
  const auto outdated = [&]() -> std::optional<Json> {
    if (doc.contains("outdated")) return std::nullopt;
    ++counts.outdated;
    doc["outdated"] = true;
    return doc;
  };
  if (now != nullptr && now->status == "removed") return outdated();
  const std::int64_t line = integer_or(doc, "line");
  if (now != nullptr && now->path != path) doc["file"] = now->path;
  if (line > 0) {
    const bool known = (now == nullptr || !now->patch.empty() || now->changes == 0) &&
                       (before == nullptr || !before->patch.empty() || before->changes == 0);
    const MovedLines lines(before == nullptr ? std::string_view() : std::string_view(before->patch),
                           now == nullptr ? std::string_view() : std::string_view(now->patch));
    const auto there = known ? lines.find(line) : std::nullopt;
    if (!there) return outdated();
    doc["line"] = *there;
    if (const std::int64_t end = integer_or(doc, "end_line"); end > line) {
      const auto end_there = lines.find(end);
      if (!end_there || *end_there - *there != end - line) return outdated();  // something in between changed
      doc["end_line"] = *end_there;
    }
  }
  if (doc == finding.doc.json()) return std::nullopt;
  ++counts.moved;
  return doc;
}

Result<Updated> updated(const View& view, const Whole& whole, const Moved& moved, const std::string& head,
                        const Now& now) {
  Updated out;
  const std::string time = iso_time(now.wall_ms);
  Change about{whole.review, whole.review, "updated to another head", Json(), false};
  Json doc = whole.review.doc;
  about.evidence = {{"from", doc["head_sha"]}, {"to", head}};
  doc["head_sha"] = head;
  doc["updated"] = time;
  about.after.doc = std::move(doc);
  out.changes.push_back(std::move(about));

  // What nobody has looked at yet is still to be looked at where it stands.
  std::set<std::string> waiting;
  std::int64_t last = 0;
  for (const Record& chunk : whole.chunks) {
    last = std::max(last, number_of(chunk.id));
    if (chunk.status != kPending || !chunk.doc.contains("files")) continue;
    for (const Json& file : chunk.doc["files"]) waiting.insert(file.is_string() ? file.get<std::string>() : "");
  }
  std::vector<FileChange> again;
  std::copy_if(moved.changed.begin(), moved.changed.end(), std::back_inserter(again),
               [&](const FileChange& file) { return !waiting.contains(file.path); });
  for (const PlannedChunk& chunk : make_plan(std::move(again))) {
    PAWL_ASSIGN(const Record fresh, view.load(chunk_id(whole.pr(), ++last)));
    MoveRequest request;
    request.to = kPending;
    request.doc = Doc(Json{{"files", chunk.files}, {"loc", chunk.loc}, {"updated", time}});
    request.what = "planned";
    PAWL_ASSIGN(Change planned, decide_move(chunk_machine(), fresh, std::move(request)));
    planned.after.aside = whole.review.aside;
    out.chunks.push_back(chunk_json(planned.after));
    out.changes.push_back(std::move(planned));
  }
  for (const Record& finding : whole.findings) {
    auto after = followed(finding, moved, out);
    if (!after) continue;
    Change change{finding, finding, "followed to another head", Json(), false};
    (*after)["updated"] = time;
    change.after.doc = std::move(*after);
    out.changes.push_back(std::move(change));
  }
  return out;
}

enum class Choice { none, keep, restart, update };

Choice chosen(Context& context, const Arguments& arguments, const std::string& state, const std::string& current) {
  if (arguments.flag("continue")) return Choice::keep;
  if (arguments.flag("restart")) return Choice::restart;
  if (arguments.flag("update")) return Choice::update;
  const auto answer = context.ask(cat(
      "Warning: PR head has changed since the review started.\n  State SHA:   ", state, "\n  Current SHA: ", current,
      "\n\nOptions:\n  1. Continue with existing state (findings may reference outdated line numbers)\n"
      "  2. Restart the review from scratch\n  3. Update the review: new chunks for what changed, findings follow\n\n"
      "Which would you prefer? [1/2/3]"));
  if (!answer) return Choice::none;
  const std::string_view word = trim(*answer);
  return word == "1" ? Choice::keep : word == "2" ? Choice::restart : word == "3" ? Choice::update : Choice::none;
}

// The review that is to be looked at, or why there is none.
struct Subject {
  std::optional<Record> review;
  Json answer;
  int exit_code = 0;
};

Result<Subject> subject(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const std::string typed = arguments.text_or("pr", "");
  Subject out;
  PAWL_TRY(engine->read(look_at_files(), std::nullopt, [&](const View& view) -> Done {
    auto meant = review_meant(view, typed);
    if (meant && meant->status == kActive) {
      out.review = std::move(*meant);
      return done();
    }
    if (!meant && meant.error().code != ErrorCode::not_found) return tl::unexpected(meant.error());
    PAWL_ASSIGN(const auto current, current_review(view));
    out.answer = Json{{"valid", false}, {"reason", "no_state"}};
    out.exit_code = 3;
    if (current && !typed.empty()) {
      out.answer = Json{{"valid", false}, {"reason", "other_pr"}, {"pr", current->id.key}, {"asked", typed}};
      out.exit_code = 1;
    }
    return done();
  }));
  return out;
}

}  // namespace

Result<Reply> run_review_validate(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const Subject found, subject(context, arguments));
  if (!found.review) return Reply{found.answer, found.exit_code};
  const Record& review = *found.review;
  const std::string pr = review.id.key, state = string_or(review.doc, "head_sha");
  PAWL_ASSIGN(const auto open, ForgeFor::open(context));
  PAWL_ASSIGN(const PullRequest pull, open->forge().pull(ref_of(review)));
  Json answer{{"valid", true}, {"pr", pr}, {"state_sha", state}, {"current_sha", pull.head_sha}};
  if (pull.state != PullState::open) {
    answer["closed"] = true;
    context.note(cat(printable(pr), " is ", pull.state == PullState::merged ? "merged" : "closed",
                     "; its review can be kept, exported or cleaned, but not posted"));
  }
  // A state that was begun with a short hash means the head that it begins.
  if (pull.head_sha.starts_with(state)) return Reply{std::move(answer)};
  switch (chosen(context, arguments, state, pull.head_sha)) {
    case Choice::keep:
      answer["continued"] = true;
      return Reply{std::move(answer)};
    case Choice::restart: {
      PAWL_TRY(review::clean(context, pr));
      return Reply{Json{{"valid", false}, {"reason", "user_restart"}, {"pr", pr}}};
    }
    case Choice::update: {
      PAWL_ASSIGN(const Moved moved, moved_between(open->forge(), ref_of(review), state, pull.head_sha));
      PAWL_ASSIGN(
          Outcome outcome,
          change_review(context, pr, look_at_files(),
                        [&](const View& view, const Record& now_there, const Now& now) -> Result<Decision> {
                          if (string_or(now_there.doc, "head_sha") != state)
                            return fail(ErrorCode::conflict, "the review was updated by somebody else meanwhile",
                                        "pawl review validate again");
                          PAWL_ASSIGN(const Whole whole, whole_of(view, now_there));
                          PAWL_ASSIGN(Updated made, updated(view, whole, moved, pull.head_sha, now));
                          Decision decision;
                          decision.changes = std::move(made.changes);
                          decision.answer = Json{
                              {"chunks", std::move(made.chunks)}, {"moved", made.moved}, {"outdated", made.outdated}};
                          return decision;
                        }));
      answer["updated"] = std::move(outcome.answer);
      return Reply{std::move(answer)};
    }
    case Choice::none:
      break;
  }
  context.note(cat("Warning: PR head has changed since the review started.\n  State SHA:   ", state,
                   "\n  Current SHA: ", pull.head_sha));
  answer["valid"] = false;
  answer["reason"] = "head_moved";
  answer["choices"] = {"--continue", "--restart", "--update"};
  return Reply{std::move(answer), 1};
}

Result<Reply> run_review_comments(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(const Whole whole, read_whole(context, arguments));
  PAWL_ASSIGN(const auto open, ForgeFor::open(context));
  PAWL_ASSIGN(const auto threads, open->forge().threads(ref_of(whole.review)));
  std::map<std::string, Json> by_file;
  std::int64_t count = 0;
  for (const ReviewThread& thread : threads) {
    Json& list = by_file.try_emplace(thread.path, Json::array()).first->second;
    for (const Comment& comment : thread.comments) {
      list.push_back({{"author", comment.author},
                      {"line", thread.line},
                      {"body", comment.body},
                      {"created_at", comment.created_at}});
      ++count;
    }
  }
  PAWL_ASSIGN(
      Outcome outcome,
      change_review(context, whole.pr(), look_at_files(),
                    [&](const View& view, const Record& review, const Now& now) -> Result<Decision> {
                      PAWL_ASSIGN(const auto chunks, chunks_of(view, review.id.key));
                      Json doc = review.doc;
                      Json& comments = doc["comments"];
                      if (!comments.is_object()) comments = Json::object();
                      for (const Record& chunk : chunks) {
                        for (const Json& file : chunk.doc.contains("files") ? chunk.doc["files"] : Json::array()) {
                          if (file.is_string() && !comments.contains(file.get<std::string>()))
                            comments[file.get<std::string>()] = Json::array();
                        }
                      }
                      for (const auto& [path, list] : by_file) {
                        Json& there = comments[path];
                        if (!there.is_array()) there = Json::array();
                        for (const Json& one : list) {
                          const bool known = std::any_of(there.begin(), there.end(), [&](const Json& old) {
                            return string_or(old, "author") == string_or(one, "author") &&
                                   string_or(old, "body") == string_or(one, "body");
                          });
                          if (!known) there.push_back(one);
                        }
                      }
                      Decision decision;
                      decision.answer = Json{{"pr", review.id.key}, {"comments", count}, {"files", by_file.size()}};
                      if (comments == review.doc["comments"]) return decision;
                      doc["updated"] = iso_time(now.wall_ms);
                      Change change{review, review, "comments fetched", Json(), false};
                      change.after.doc = std::move(doc);
                      decision.changes.push_back(std::move(change));
                      return decision;
                    }));
  return Reply{std::move(outcome.answer)};
}

}  // namespace pawl
