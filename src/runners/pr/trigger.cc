// The part of PrWorker that keeps the comment on automatic reviews: one for a pull request, changed in place. Whoever
// runs next reads from it which head is being reviewed and since when, and what of earlier reviews is still open; and
// it may be another run that wrote it last. So it is read again before it is changed.
#include <algorithm>

#include "base/text.h"
#include "lifecycles/pr/open_list.h"
#include "runners/pr/worker.h"

namespace pawl {
namespace {

// A head may be reviewed, pushed over, and be the head again: the time tells one review of it from the next, so it is
// always a later one, whatever the clock of this machine says.
std::string later_than(const std::string& last, std::int64_t now_ms) {
  return iso_time(std::max(now_ms, parse_iso_time(last).value_or(0) + 1), true);
}

// What is not said anew stays: since when it is signed, and what is open while the next review is under way.
void keep_members(Json& data, const Json& before) {
  for (const std::string& member : {std::string("signature"), std::string("signedAt"), std::string(pr::kOpenList)}) {
    if (!data.contains(member) && before.contains(member)) data[member] = before[member];
  }
}

}  // namespace

Result<Json> PrWorker::trigger_data(const Sight& sight, const pr::Task& task) {
  const auto& last = sight.picture.auto_review;
  const std::string seen = last ? last->triggered_at : std::string();
  PAWL_ASSIGN(const Record current, load(task.record));
  const std::string kept = string_or(current.doc, "triggeredAt");
  const bool same = last && last->is_of(sight.scene.talk);
  // It may have been begun after this was seen.
  const bool begun = current.present() && current.status != pr::kCompleted && kept > seen;
  return Json{{"action", task.triggered_by},
              {"sha", sight.scene.talk.head},
              {"base", sight.scene.talk.base},
              {"triggeredAt", same    ? seen
                              : begun ? kept
                                      : later_than(seen, engine_.clock().now().wall_ms)},
              {"cancelled", false}};
}

Result<Json> PrWorker::enter(const Sight& sight, const pr::Task& task) {
  PAWL_ASSIGN(Json data, trigger_data(sight, task));
  PAWL_ASSIGN(const Record current, load(task.record));
  if (!current.present() || current.doc.contains(pr::kOnlySeen) || pr::auto_review_machine().terminal(current.status))
    PAWL_TRY(move(task.record, pr::kTriggered, data, "triggered"));
  return data;
}

Result<Json> PrWorker::raise(const Sight& sight, const pr::Task& task, std::string_view text) {
  PAWL_ASSIGN(Json data, enter(sight, task));
  PAWL_ASSIGN(const std::string since, write_trigger(sight, data, text));
  data["triggeredAt"] = since;
  PAWL_ASSIGN(const Record now, load(task.record));
  PAWL_TRY(move(task.record, now.status, data, "triggered"));
  return data;
}

Result<std::unique_ptr<Sight>> PrWorker::trigger_now(const Sight& sight, std::uint64_t id) {
  if (id == 0) return nullptr;
  auto comment = forge_.comment(setup_.pull.repo, id);
  if (!comment && comment.error().code == ErrorCode::not_found) return nullptr;
  if (!comment) return tl::unexpected(comment.error());
  auto now = std::make_unique<Sight>();
  now->scene.pull = sight.scene.pull;
  now->scene.bot = sight.scene.bot;
  now->scene.comments.push_back(std::move(*comment));
  make_talk(now->scene);
  now->picture = pr::read_talk(now->scene.talk, setup_.rules, setup_.mac, setup_.is_review);
  const auto& last = sight.picture.auto_review;
  const bool changed = !last || last->remark == nullptr || last->remark->body != now->scene.comments.front().body;
  // Whether it is from before the key is told by the whole talk; alone and changed it counts signed, or not at all.
  auto& read = now->picture.auto_review;
  if (read && changed && setup_.mac && !read->data.contains("signature")) read.reset();
  return now;
}

Result<std::string> PrWorker::write_trigger(const Sight& sight, Json data, std::string_view text) {
  const auto& seen = sight.picture.auto_review;
  const bool ours = seen && seen->remark != nullptr && seen->remark->by_bot;
  const RecordId record = pr::id_of(sight.scene.talk, pr::kAutoReviewKind, string_or(data, "sha"));
  const std::string identity = cat("trigger ", record.key);
  const std::string whole = cat(pr::kTriggerHead, "\n", text);
  const bool completes = data.contains("completedAt");
  const auto body_of = [&](const Json& before) {
    Json kept = data;
    keep_members(kept, before);
    return pr::comment_with(posts_.pen(), whole, pr::block_type::kAutoReview, std::move(kept), 0, "trigger");
  };
  std::uint64_t id = ours ? seen->remark->id : 0;
  for (;;) {
    PAWL_ASSIGN(const auto now, trigger_now(sight, id));
    const auto last = now ? now->picture.auto_review : std::optional<pr::AutoReview>();
    if (last && last->sha != record.key && last->triggered_at > string_or(data, "triggeredAt"))
      return fail(ErrorCode::conflict, "another run is at a newer head");
    if (last && last->sha == record.key && last->triggered_at >= string_or(data, "triggeredAt")) {
      data["triggeredAt"] = last->triggered_at;  // it is the same review, whoever began it
      if (last->status == pr::kCompleted && !completes)
        return fail(ErrorCode::conflict, "another run has reviewed this head");
      if (last->status == pr::kTriggered && !completes && data["cancelled"] == false)
        return last->triggered_at;  // it says so already
    }
    PAWL_ASSIGN(const std::string body, body_of(last ? last->data : seen ? seen->data : Json::object()));
    if (now) {
      const Done changed = posts_.change_comment(id, body, identity);
      if (changed) return string_or(data, "triggeredAt");
      if (changed.error().code != ErrorCode::not_found) return tl::unexpected(changed.error());
    }
    // There is none yet, or somebody has removed it.
    PAWL_ASSIGN(const Json posted, posts_.comment(record, body, identity));
    const bool found = posted.is_object() && posted.contains("found");
    if (!found || posted["id"] == id) return string_or(data, "triggeredAt");
    id = posted["id"].get<std::uint64_t>();  // another run's, or one that somebody has spoilt
  }
}

}  // namespace pawl
