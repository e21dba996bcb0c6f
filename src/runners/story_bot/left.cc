#include "runners/story_bot/left.h"

#include <algorithm>
#include <array>

#include "base/local_time.h"
#include "base/text.h"
#include "lifecycles/story/rank.h"
#include "lifecycles/story/story.h"

namespace pawl {
namespace {

using story::Tier;

void add(LeftUntil& to, std::int64_t due_ms, const Now& now) {
  const std::int64_t due = due_ms > now.wall_ms ? due_ms : 0;
  to.due_ms = to.count == 0 ? due : std::min(to.due_ms, due);
  ++to.count;
}

Result<std::vector<Record>> in_range(const View& view, std::string_view kind, const story::RankRange& range) {
  Query query;
  query.kind = kind;
  query.rank_from = range.from;
  query.rank_below = range.below;
  return view.list(query);
}

}  // namespace

Result<StoriesLeft> stories_left(const View& view, const Now& now, bool idle) {
  StoriesLeft left;
  for (const std::string_view kind : {story::kKind, story::kPasses}) {
    for (const Tier tier : {Tier::reviewer, Tier::waiting, Tier::committed, Tier::pending}) {
      PAWL_ASSIGN(const auto later, in_range(view, kind, story::later(tier)));
      for (const Record& one : later) {
        const story::Own own = story::own_of(one.doc);
        add(own.failures > 0        ? left.failed
            : tier == Tier::waiting ? left.waiting
                                    : left.put_off,
            story::due_of(one), now);
      }
      if (!idle) continue;
      PAWL_ASSIGN(const auto ready, in_range(view, kind, story::ready(tier)));
      for (const Record& one : ready) {
        if (tier == Tier::waiting) {
          add(left.waiting, story::due_of(one), now);
        } else {
          ++left.blocked;
        }
      }
    }
    PAWL_ASSIGN(const auto held, in_range(view, kind, story::not_picked()));
    for (const Record& one : held) {
      // Whoever paused it knows of it, as on the board.
      const bool paused = !one.held && story::own_of(one.doc).stuck_for == story::Stuck::paused;
      ++(paused ? left.paused : left.need_you);
    }
  }
  return left;
}

std::string left_until(const Record& story, const Now& now) {
  const story::Own own = story::own_of(story.doc);
  const std::int64_t due = story::due_of(story);
  if (due <= now.wall_ms) return {};
  return cat(own.failures > 0 ? cat("failed ", own.failures, "×, and is tried again from ")
                              : std::string("is looked at again at "),
             local_time(due), " (pawl story retry ", story::as_typed(story.id.key), ": now)");
}

}  // namespace pawl
