// `pawl review validate` and `pawl review comments`: the review and what became of the pull request meanwhile.
#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "lifecycle/review/finding_text.h"
#include "verbs/world/handlers.h"
#include "verbs/world/review_letter.h"
#include "world/moved_lines.h"

namespace pawl {
namespace {

using namespace review;

// What changed between two heads of a pull request.
struct Moved {
  std::vector<ChangedFile> to_old, to_new;  // from the common ancestor; the first is empty where nothing was rewritten
  std::vector<FileChange> changed;          // files of the pull request that are not what they were
  std::vector<std::string> left_out;        // its files that no plan can name
  bool lost = false;                        // nobody knows the old head any more, so nothing can be followed from it

  [[nodiscard]] static const ChangedFile* find(const std::vector<ChangedFile>& files, const std::string& path) {
    const auto found = std::find_if(files.begin(), files.end(), [&](const ChangedFile& file) {
      return file.path == path || (!file.previous_path.empty() && file.previous_path == path);
    });
    return found == files.end() ? nullptr : &*found;
  }
};

Result<Moved> moved_between(Forge& forge, const PullRef& ref, const std::string& from, const std::string& to) {
  Moved out;
  PAWL_ASSIGN(auto files, forge.files(ref));
  for (const ChangedFile& file : files) {
    if (!can_stand(file.path)) out.left_out.push_back(file.path);
  }
  std::erase_if(files, [](const ChangedFile& file) { return !can_stand(file.path); });
  auto compared = forge.compare(ref.repo, from, to);
  if (!compared && compared.error().code == ErrorCode::not_found) {
    // Pushed over, and swept away since: the whole of it is new.
    out.lost = true;
    for (const ChangedFile& file : files) out.changed.push_back({file.path, file.changes});
    return out;
  }
  if (!compared) return tl::unexpected(compared.error());
  Comparison& ahead = *compared;
  out.to_new = std::move(ahead.files);
  if (!ahead.straight) {
    PAWL_ASSIGN(Comparison back, forge.compare(ref.repo, to, from));
    out.to_old = std::move(back.files);
  }
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

// A finding's place in the new head; nothing where that can not be told, or it is gone.
std::optional<Location> followed(const Location& at, const Moved& moved) {
  if (moved.lost) return at.line > 0 ? std::nullopt : std::optional(at);
  const ChangedFile* const now = Moved::find(moved.to_new, at.file);
  const ChangedFile* const before = Moved::find(moved.to_old, at.file);
  if (now == nullptr && before == nullptr) return at;
  if (now != nullptr && (now->status == "removed" || !can_stand(now->path))) return std::nullopt;
  Location out = at;
  if (now != nullptr) out.file = now->path;
  if (at.line == 0) return out;
  const auto known = [](const ChangedFile* file) {
    return file == nullptr || !file->patch.empty() || file->changes == 0;
  };
  if (!known(now) || !known(before)) return std::nullopt;
  const MovedLines lines(before == nullptr ? std::string_view() : std::string_view(before->patch),
                         now == nullptr ? std::string_view() : std::string_view(now->patch));
  const auto line = lines.find(at.line);
  if (!line) return std::nullopt;
  out.line = *line;
  if (at.end_line <= at.line) return out;
  const auto end = lines.find(at.end_line);
  if (!end || *end - *line != at.end_line - at.line) return std::nullopt;  // something in between changed
  out.end_line = *end;
  return out;
}

// What it says then: all of its place, or that it is outdated and nothing else. Nothing when it stays as it is.
std::optional<Json> doc_after(const Record& finding, const Moved& moved, Updated& counts) {
  Json doc = finding.doc;
  const Location at{string_or(doc, "file"), integer_or(doc, "line"), integer_or(doc, "end_line")};
  const auto there = followed(at, moved);
  if (!there) {
    if (doc.contains("outdated")) return std::nullopt;
    ++counts.outdated;
    doc["outdated"] = true;
    return doc;
  }
  if (*there == at) return std::nullopt;
  ++counts.moved;
  doc["file"] = there->file;
  if (there->line > 0) doc["line"] = there->line;
  if (there->end_line > 0) doc["end_line"] = there->end_line;
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
  doc.erase(kHeadWritten);
  doc.erase(kLeftOut);
  if (!moved.left_out.empty()) doc[kLeftOut] = moved.left_out;
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
    auto after = doc_after(finding, moved, out);
    if (!after) continue;
    Change change{finding, finding, "followed to another head", Json(), false};
    (*after)["updated"] = time;
    change.after.doc = std::move(*after);
    out.changes.push_back(std::move(change));
  }
  return out;
}

enum class Choice { none, keep, restart, update };

Done one_choice(const Arguments& arguments) {
  int given = 0;
  for (const char* flag : {"continue", "restart", "update"}) given += arguments.flag(flag) ? 1 : 0;
  if (given < 2) return done();
  return fail(ErrorCode::invalid_argument, "--continue, --restart and --update exclude each other", "give one of them");
}

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

Done forget_head_written(Context& context, const std::string& pr) {
  Request request = context.request();
  request.idempotency_key.clear();
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_TRY(engine->change(request, look_at_files(), [&](const View& view, const Now&) -> Result<Decision> {
    PAWL_ASSIGN(const Record review, view.load(review_id(pr)));
    Decision decision;
    if (!review.present() || !review.doc.contains(kHeadWritten)) return decision;
    Change change{review, review, "looked at", Json(), false};
    Json doc = review.doc;
    doc.erase(kHeadWritten);
    change.after.doc = std::move(doc);
    decision.changes.push_back(std::move(change));
    return decision;
  }));
  return done();
}

}  // namespace

Result<Reply> run_review_validate(Context& context, const Arguments& arguments) {
  PAWL_TRY(one_choice(arguments));
  PAWL_ASSIGN(const Subject found, subject(context, arguments));
  if (!found.review) return Reply{found.answer, found.exit_code};
  const Record& review = *found.review;
  const std::string pr = review.id.key, state = string_or(review.doc, "head_sha");
  PAWL_ASSIGN(const auto open, ForgeFor::open(context));
  PAWL_ASSIGN(const PullRequest pull, open->forge().pull(pull_of(pr)));
  Json answer{{"valid", true}, {"pr", pr}, {"state_sha", state}, {"current_sha", pull.head_sha}};
  if (pull.state != PullState::open) {
    answer["closed"] = true;
    context.note(cat(printable(pr), " is ", pull.state == PullState::merged ? "merged" : "closed",
                     "; its review can be kept, exported or cleaned, but not posted"));
  }
  if (review.doc.contains(kHeadWritten)) {
    say_head_written(context, review);
    PAWL_TRY(forget_head_written(context, pr));
  }
  // A state that was begun with a short hash means the head that it begins.
  if (pull.head_sha.starts_with(state) && !arguments.flag("restart")) return Reply{std::move(answer)};
  switch (chosen(context, arguments, state, pull.head_sha)) {
    case Choice::keep:
      answer["continued"] = true;
      return Reply{std::move(answer)};
    case Choice::restart: {
      PAWL_TRY(review::clean(context, pr));
      return Reply{Json{{"valid", false}, {"reason", "user_restart"}, {"pr", pr}}};
    }
    case Choice::update: {
      PAWL_ASSIGN(const Moved moved, moved_between(open->forge(), pull_of(pr), state, pull.head_sha));
      for (const std::string& file : moved.left_out) context.note(why_left_out(file));
      if (moved.lost)
        context.note(cat("GitHub does not know ", state,
                         " any more: every file is to be looked at again, and findings ",
                         "on lines are marked outdated"));
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
  PAWL_TRY(must_be_active(whole.review));
  PAWL_ASSIGN(const auto open, ForgeFor::open(context));
  PAWL_ASSIGN(const auto threads, open->forge().threads(pull_of(whole.pr())));
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
                      PAWL_TRY(must_be_active(review));
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
                      if (review.doc.contains("comments") && comments == review.doc["comments"]) return decision;
                      doc["updated"] = iso_time(now.wall_ms);
                      Change change{review, review, "comments fetched", Json(), false};
                      change.after.doc = std::move(doc);
                      decision.changes.push_back(std::move(change));
                      return decision;
                    }));
  return Reply{std::move(outcome.answer)};
}

}  // namespace pawl
