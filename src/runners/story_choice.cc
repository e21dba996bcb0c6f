#include "runners/story_choice.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/text.h"
#include "core/held_word.h"
#include "engine/claims.h"
#include "lifecycles/story/story.h"
#include "runners/story_list.h"

namespace pawl {
namespace {

using story::RankRange;
using story::Tier;

constexpr std::int64_t kFirstPage = 4, kLargestPage = 256;
constexpr std::int64_t kFewTies = 32;
constexpr std::size_t kMostToldOf = 20;

bool has_ended(const Record& record) { return !record.held && story::machine_of(record).terminal(record.status); }

// Of either kind; absent when there is none in that file.
Result<Record> load_by_key(const View& view, const std::string& scope, const std::string& key) {
  PAWL_ASSIGN(Record record, view.load({std::string(story::kKind), scope, key}));
  if (record.present() && !record.aside) return record;
  PAWL_ASSIGN(Record other, view.load({std::string(story::kPasses), scope, key}));
  return other.present() && !other.aside ? other : absent_record(record.id);
}

class Chooser {
 public:
  Chooser(const Engine& engine, const View& view, const Now& now, const std::string& worker)
      : engine_(engine), view_(view), now_(now), worker_(worker), cycles_(view), order_(engine) {}

  Result<StoryChoice> choose() {
    for (const Tier tier : story::order(engine_.settings())) {
      std::optional<Record> best;
      for (const std::string_view kind : {story::kKind, story::kPasses}) {
        if (kind == story::kPasses && tier != Tier::pending) continue;
        PAWL_ASSIGN(auto ready, first_ready(kind, tier));
        PAWL_TRY(take_better(best, std::move(ready)));
        PAWL_ASSIGN(auto due, first_due(kind, tier));
        PAWL_TRY(take_better(best, std::move(due)));
      }
      if (!best) continue;
      choice_.story = std::move(best);
      choice_.tier = tier;
      return std::move(choice_);
    }
    for (const std::string_view kind : {story::kKind, story::kPasses}) {
      Query query = query_of(kind, story::not_picked());
      query.limit = 1;
      PAWL_ASSIGN(const auto some, view_.list(query));
      choice_.paused = choice_.paused || !some.empty();
    }
    return std::move(choice_);
  }

 private:
  static Query query_of(std::string_view kind, const RankRange& range) {
    Query query;
    query.kind = kind;
    query.rank_from = range.from;
    query.rank_below = range.below;
    return query;
  }

  Result<std::optional<Record>> first_ready(std::string_view kind, Tier tier) {
    return first_free(kind, tier, story::ready(tier), INT64_MAX);
  }

  // Within a priority they stand by the time when they are due: when the first is not, none is.
  Result<std::optional<Record>> first_due(std::string_view kind, Tier tier) {
    RankRange range = story::later(tier);
    const std::string below = range.below;
    while (true) {
      Query query = query_of(kind, {range.from, below});
      query.status = story::status_of(tier);
      query.limit = 1;
      PAWL_ASSIGN(const auto first, view_.list(query));
      if (first.empty()) return std::optional<Record>();
      const std::string behind = story::behind_priority(first.front().rank);
      const std::int64_t due = story::due_of(first.front());
      if (due > now_.wall_ms) {
        choice_.due_ms = std::min(choice_.due_ms.value_or(due), due);
      } else {
        PAWL_ASSIGN(auto found, first_free(kind, tier, {first.front().rank, behind}, now_.wall_ms));
        if (found) return found;
      }
      range.from = behind;
    }
  }

  // The first in the range that may be had and is due by `due_by`, and of those that stand at the same place in it the
  // first in its file.
  Result<std::optional<Record>> first_free(std::string_view kind, Tier tier, const RankRange& range,
                                           std::int64_t due_by) {
    Query query = query_of(kind, range);
    query.status = story::status_of(tier);
    query.limit = kFirstPage;
    while (true) {
      PAWL_ASSIGN(const auto page, view_.list(query));
      for (const Record& record : page) {
        if (story::due_of(record) > due_by) return std::optional<Record>();
        PAWL_ASSIGN(const bool mine, may_have(record));
        if (mine) return first_in_file(query, record);
      }
      if (static_cast<std::int64_t>(page.size()) < query.limit) return std::optional<Record>();
      query.after = page.back().id;
      query.limit = std::min(query.limit * 2, kLargestPage);
    }
  }

  Result<std::optional<Record>> first_in_file(const Query& searched, const Record& found) {
    Query query = searched;
    query.after = found.id;  // those before it may not be had
    query.rank_from = found.rank;
    query.rank_below = found.rank + ' ';
    query.limit = kFewTies;
    PAWL_ASSIGN(const auto ties, view_.list(query));
    if (ties.empty()) return std::optional(found);
    if (static_cast<std::int64_t>(ties.size()) < kFewTies) {
      Record best = found;
      for (const Record& tie : ties) {
        if (order_.position(tie.id) >= order_.position(best.id)) continue;
        PAWL_ASSIGN(const bool mine, may_have(tie));
        if (mine) best = tie;
      }
      return std::optional(best);
    }
    for (const std::string& key : order_.ids(found.id.scope)) {
      PAWL_ASSIGN(const Record record, view_.load({found.id.kind, found.id.scope, key}));
      if (!record.present() || record.aside || record.rank != found.rank) continue;
      PAWL_ASSIGN(const bool mine, may_have(record));
      if (mine) return std::optional(record);
    }
    return std::optional(found);  // no file shows them
  }

  Done take_better(std::optional<Record>& best, std::optional<Record> other) {
    if (!other) return done();
    const auto place = [&](const Record& record) {
      return std::make_tuple(story::priority_of(record.doc), story::own_of(record.doc).looked_ms,
                             order_.position(record.id));
    };
    if (!best || place(*other) < place(*best)) best = std::move(other);
    return done();
  }

  Result<bool> may_have(const Record& record) {
    PAWL_ASSIGN(const auto claim, view_.store().claim(record.id));
    if (claim && claim_lives(*claim, now_) && claim->worker != worker_) {
      if (choice_.held.size() < kMostToldOf) choice_.held[record.id.key] = claim->worker;
      return false;
    }
    std::vector<std::string> nameless;
    PAWL_ASSIGN(auto waits_for, open_dependencies(view_, record, &nameless));
    if (!nameless.empty() && choice_.nameless.size() < kMostToldOf)
      choice_.nameless[record.id.key] = std::move(nameless);
    if (waits_for.empty()) return true;
    if (choice_.waiting.size() < kMostToldOf) {
      choice_.waiting[record.id.key] = std::move(waits_for);
      PAWL_ASSIGN(const auto cycle, cycles_.from(record));
      // Whichever of them it is found from, it is one cycle.
      if (cycle && told_cycles_.insert(cycle).second)
        choice_.cycles.push_back(cycle->from(record.id.key, story::kCycleNamed));
    }
    return false;
  }

  const Engine& engine_;
  const View& view_;
  const Now& now_;
  const std::string& worker_;
  StoryChoice choice_;
  DependencyCycles cycles_;
  std::set<std::shared_ptr<const story::Cycle>> told_cycles_;
  StoryOrder order_;
};

}  // namespace

Result<std::vector<std::string>> open_dependencies(const View& view, const Record& record,
                                                   std::vector<std::string>* nameless) {
  std::vector<std::string> open;
  if (has_ended(record)) return open;
  for (std::string& id : story::depends_on(record.doc)) {
    PAWL_ASSIGN(const Record other, load_by_key(view, record.id.scope, id));
    if (!other.present()) {
      if (nameless != nullptr && other.revision == 0) nameless->push_back(std::move(id));
    } else if (!has_ended(other)) {
      open.push_back(std::move(id));
    }
  }
  return open;
}

Result<std::shared_ptr<const story::Cycle>> DependencyCycles::from(const Record& record) {
  std::optional<Error> failed;
  const auto waits_for = [&](const std::string& id) {
    const auto other = load_by_key(view_, record.id.scope, id);
    auto open = other && other->present() ? open_dependencies(view_, *other)
                                          : Result<std::vector<std::string>>(std::vector<std::string>());
    if (!other) failed = other.error();
    if (!open) failed = open.error();
    return open ? std::move(*open) : std::vector<std::string>();
  };
  auto cycle = story::cycle_from(record.id.key, waits_for, known_[record.id.scope]);
  if (failed) return tl::unexpected(*failed);
  return cycle;
}

Done look_at_dependencies(const View& view, std::vector<Finding>& findings) {
  PAWL_ASSIGN(const auto stories, all_stories(view));
  DependencyCycles cycles(view);
  std::set<std::shared_ptr<const story::Cycle>> told;  // whichever of them it is found from, it is one circle
  for (const Record& story : stories) {
    std::vector<std::string> nameless;
    PAWL_ASSIGN(const auto others, open_dependencies(view, story, &nameless));
    const std::string file = printable(story.id.scope.empty() ? std::string_view("prd.json") : story.id.scope);
    for (const std::string& id : nameless)
      findings.push_back({false,
                          cat(printable(story.id.ref()), " waits for ", in_quotes(id), ", which is no story in ", file,
                              "; that is not waited for"),
                          ""});
    if (others.empty()) continue;
    PAWL_ASSIGN(const auto cycle, cycles.from(story));
    if (!cycle || !cycle->has(story.id.key) || !told.insert(cycle).second) continue;
    findings.push_back({true,
                        cat("stories in ", file, " wait for each other: ", printable(cycle->in_words(story.id.key))),
                        cat("# take one of these dependencies out of ", file)});
  }
  return done();
}

Result<StoryChoice> choose_story(const Engine& engine, const View& view, const Now& now, const std::string& worker) {
  return Chooser(engine, view, now, worker).choose();
}

}  // namespace pawl
