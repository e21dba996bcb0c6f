// Beginning a review and ending it: which other one makes room, and what becomes of the files.
#include "base/file.h"
#include "base/text.h"
#include "commands/review.h"
#include "engine/aside.h"
#include "lifecycles/review/todo_file.h"

namespace pawl::review {
namespace {

// The review that would have to make room, if any.
Result<std::optional<Record>> in_the_way(const View& view, const std::string& pr) {
  PAWL_ASSIGN(auto current, current_review(view));
  if (current && current->id.key == pr) current.reset();
  return current;
}

Done may_make_room(Context& context, const std::string& old, const std::string& pr) {
  const auto yes =
      asked_yes(context, cat("An existing review session was found for ", old, ".\nStarting a new review for ", pr,
                             " will set the previous session aside.\n\nContinue?"));
  const std::string go_on = cat("go on with it: pawl review continue ", printable(old));
  if (!yes)
    return fail(ErrorCode::gate_failed, cat("a review of ", printable(old), " is open"),
                cat("--yes sets it aside and starts this one; or ", go_on));
  return *yes ? done() : Done(fail(ErrorCode::gate_failed, "nothing was started", go_on));
}

Result<std::vector<Change>> begun(const View& view, const std::string& pr, const StartReview& command, const Now& now) {
  PAWL_ASSIGN(const Record review, view.load(review_id(pr)));
  std::vector<Record> chunks;
  for (std::size_t i = 0; i < command.chunks.size(); ++i) {
    PAWL_ASSIGN(Record chunk, view.load(chunk_id(pr, static_cast<std::int64_t>(i) + 1)));
    chunks.push_back(std::move(chunk));
  }
  return decide(review, chunks, command, now);
}

// That of a review which pawl knows comes back with it. One that does not say whose it is is that of the review which
// makes room.
Done look_at_todo(const View& view, const std::string& path, const std::string& pr, std::size_t chunks,
                  const std::optional<Record>& makes_room, std::string& bytes, std::string& taken) {
  taken.clear();
  auto image = read_file(path, kMaxStateBytes);
  if (!image || !image->exists || image->too_large) return done();
  bytes = std::move(image->bytes);
  const std::string whose = todo_file().identity_in(bytes).value_or(makes_room ? makes_room->id.key : "");
  if (!whose.empty() && whose != pr) {
    PAWL_ASSIGN(const Record other, view.load(review_id(whose)));
    if (other.present()) return done();
  }
  taken = taken_at_start(bytes, pr, chunks);
  return done();
}

}  // namespace

Result<Reply> start(Context& context, const StartReview& command, bool yes) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const std::string pr = pr_key(command.owner, command.repo, command.number);
  if (!yes) {
    std::optional<Record> other;
    PAWL_TRY(engine->read(look_at_files(), std::nullopt, [&](const View& view) -> Done {
      PAWL_TRY(begun(view, pr, command, engine->clock().now()));  // nobody is asked about what cannot be
      PAWL_ASSIGN(other, in_the_way(view, pr));
      return done();
    }));
    if (other) PAWL_TRY(may_make_room(context, other->id.key, pr));
  }
  const std::string todo_path = cat(engine->workspace().root, "/", kTodoPath);
  std::string todo, taken;  // what others have in the todo file that does not stay in it
  PAWL_ASSIGN(
      Outcome outcome,
      engine->change(context.request(), look_at_files(), [&](const View& view, const Now& now) -> Result<Decision> {
        Decision decision;
        PAWL_ASSIGN(const auto other, in_the_way(view, pr));
        PAWL_TRY(look_at_todo(view, todo_path, pr, command.chunks.size(), other, todo, taken));
        PAWL_ASSIGN(decision.changes, begun(view, pr, command, now));
        if (other) {
          PAWL_ASSIGN(const Whole old, whole_of(view, *other));
          for (Change& change : put_aside(old.all())) decision.changes.push_back(std::move(change));
        }
        decision.answer = Json{{"pr", pr}, {"head_sha", command.head_sha}, {"mode", command.mode}};
        decision.answer["set_aside"] = other ? Json(other->id.key) : Json();
        decision.answer["chunks"] = Json::array();
        for (const Change& change : decision.changes) {
          if (change.after.id.kind == kChunk && pr_of(change.after.id.key) == pr)
            decision.answer["chunks"].push_back(chunk_json(change.after));
        }
        return decision;
      }));
  if (!taken.empty() && !outcome.repeated) {
    PAWL_ASSIGN(const std::string copy,
                keep_aside(engine->world(), "refused", std::string(kTodoPath), todo, engine->clock().now().wall_ms));
    context.note(cat(kTodoPath, " ", taken, "; as it was it is kept in ", printable(copy)));
  }
  return Reply{std::move(outcome.answer)};
}

Result<Reply> clean(Context& context, const std::string& pr) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(Outcome outcome,
              engine->change(context.request(), look_at_files(), [&](const View& view, const Now&) -> Result<Decision> {
                Decision decision;
                decision.answer = Json{{"cleaned", nullptr}};
                const auto review = review_meant(view, pr);
                if (!review) {  // gone is as good as cleaned, unless another one was named
                  if (!pr.empty() || review.error().code != ErrorCode::not_found) return tl::unexpected(review.error());
                  return decision;
                }
                PAWL_ASSIGN(const Whole whole, whole_of(view, *review));
                decision.changes = cleaned(whole.all());
                decision.answer = Json{{"cleaned", whole.pr()}};
                return decision;
              }));
  return Reply{std::move(outcome.answer)};
}

}  // namespace pawl::review
