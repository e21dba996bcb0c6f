#include "runners/story_waits.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "base/text.h"
#include "lifecycles/story/rank.h"
#include "lifecycles/story/story.h"
#include "runners/story_choice.h"

namespace pawl {
namespace {

constexpr std::size_t kNamed = 3;

}  // namespace

bool WaitingStories::may_wait(const RecordId& id) {
  if (asked_ != nullptr && asked_->first == id.scope) return asked_->second;  // mostly as the story before
  auto known = by_scope_.find(id.scope);
  if (known == by_scope_.end()) {
    known = by_scope_.emplace(id.scope, in_files_.glance(id.scope).names_others).first;
  }
  asked_ = &*known;
  return asked_->second;
}

Done WaitingStories::see(const Record& record, Placed& row) {
  if (row.stand.place != BoardPlace::next && row.stand.place != BoardPlace::waiting) return done();
  if (!story::tier_in(record.rank)) return done();  // paused: nobody picks it
  PAWL_TRY(see_time(record, row));
  if (row.stand.place != BoardPlace::next) return done();
  PAWL_TRY(see_others(record, row));
  if (row.stand.place != BoardPlace::next) return done();
  std::string order = story::picked_as(record.rank, tiers_);
  if (order != record.rank) row.order = std::move(order);
  return done();
}

// One that was put off is next when its time has come.
Done WaitingStories::see_time(const Record& record, Placed& row) {
  const std::int64_t due = story::due_in(record.rank);
  if (due == 0) return done();
  row.stand.place = due <= now_.wall_ms ? BoardPlace::next : BoardPlace::waiting;
  return done();
}

// By tier and priority, whichever of the two kinds it is; then the one looked at least recently, then as the file has
// them.
Done WaitingStories::sort(std::vector<Placed>& rows, std::size_t most) {
  struct Next {
    std::string picked;
    std::int64_t looked_ms = 0;
    std::size_t position = 0;  // in its file; told only where two are alike
    std::size_t row = 0;

    [[nodiscard]] bool ties(const Next& other) const { return looked_ms == other.looked_ms && picked == other.picked; }
    bool operator<(const Next& other) const {
      return std::tie(picked, looked_ms, position) < std::tie(other.picked, other.looked_ms, other.position);
    }
  };
  std::vector<Next> order;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Record& record = rows[i].record;
    if (rows[i].stand.place != BoardPlace::next || !story::is_story(record.id.kind)) continue;
    places.push_back(i);
    Next next{.picked = story::without_time(story::picked_as(record.rank, tiers_)), .row = i};
    if (story::due_in(record.rank) != 0) {  // its rank tells when it was due instead
      PAWL_ASSIGN(const Record whole, view_.load(record.id));
      next.looked_ms = story::own_of(whole.doc).looked_ms;
    } else {
      next.looked_ms = story::looked_in(record.rank);
    }
    order.push_back(std::move(next));
  }
  std::stable_sort(order.begin(), order.end());
  for (std::size_t from = 0; from < order.size() && from < most;) {
    std::size_t to = from + 1;
    std::vector<RecordId> alike = {rows[order[from].row].record.id};
    for (; to < order.size() && order[from].ties(order[to]); ++to) alike.push_back(rows[order[to].row].record.id);
    if (alike.size() > 1) {
      const std::vector<std::size_t> positions = in_files_.first_positions(alike, most - from);
      for (std::size_t i = from; i < to; ++i) order[i].position = positions[i - from];
      std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(from),
                       order.begin() + static_cast<std::ptrdiff_t>(to));
    }
    from = to;
  }
  std::vector<Placed> sorted;
  sorted.reserve(order.size());
  for (const Next& next : order) sorted.push_back(std::move(rows[next.row]));
  for (std::size_t i = 0; i < places.size(); ++i) rows[places[i]] = std::move(sorted[i]);
  return done();
}

Done WaitingStories::see_others(const Record& record, Placed& row) {
  if (!may_wait(record.id)) return done();
  std::optional<Record> whole;
  if (!record.doc.is_known()) {
    PAWL_ASSIGN(whole, view_.load(record.id));
  }
  const Record& story = whole ? *whole : record;
  PAWL_ASSIGN(const auto others, open_dependencies(view_, story));
  if (others.empty()) return done();
  PAWL_ASSIGN(const auto cycle, cycles_.from(story));
  if (cycle && cycle->has(story.id.key)) {  // nothing but a person ends that
    row.stand.place = BoardPlace::needs_person;
    row.stand.why = cat("waits for itself: ", cycle->in_words(story.id.key));
    row.stand.advice =
        cat("# take one of these dependencies out of ", story.id.scope.empty() ? "prd.json" : story.id.scope);
    return done();
  }
  row.stand.place = BoardPlace::waiting;
  row.stand.why = cat("waits for ", first_few(others, kNamed, [](const std::string& id) { return id; }));
  return done();
}

}  // namespace pawl
