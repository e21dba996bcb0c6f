#include "runners/issue/unfinished.h"

#include <set>

#include "base/text.h"
#include "engine/effects.h"
#include "lifecycles/issue/issue.h"
#include "runners/issue/run_book.h"
#include "runners/issue/sight.h"

namespace pawl {
namespace {

Result<std::optional<Json>> what_came_of(Sessions& sessions, const Effect& effect) {
  if (effect.kind == kSessionEffect) {  // the session carries the run's id
    PAWL_ASSIGN(const bool there, sessions.has(issue::Run::from(effect.request)));
    return there ? std::optional<Json>(Json{{"session", string_or(effect.request, "session")}}) : std::nullopt;
  }
  return what_came_of_removal(effect);
}

bool is_of_a_run(const Effect& effect) {
  return effect.record.kind == issue::kKind && (effect.kind == kSessionEffect || effect.kind == kWorktreeEffect);
}

}  // namespace

Done close_unfinished(Engine& engine, std::int64_t number) {
  const RecordId id = issue::id_of(number, engine.settings());
  Sessions sessions(engine);
  return close_effects(
      engine, [&](const Effect& effect) { return effect.record == id && is_of_a_run(effect); },
      [&](const Effect& effect) { return what_came_of(sessions, effect); });
}

Result<std::optional<issue::Run>> close_but_start(Engine& engine, std::int64_t number) {
  const RecordId id = issue::id_of(number, engine.settings());
  Sessions sessions(engine);
  PAWL_ASSIGN(auto start, cut_off_start(engine, number));
  if (start) {
    PAWL_ASSIGN(const bool there, sessions.has(*start));
    if (there) start.reset();
  }
  PAWL_TRY(close_effects(
      engine,
      [&](const Effect& effect) {
        return effect.record == id && is_of_a_run(effect) && !(start && effect.marker == start->id);
      },
      [&](const Effect& effect) { return what_came_of(sessions, effect); }));
  return start;
}

Result<std::optional<issue::Run>> cut_off_start(Engine& engine, std::int64_t number) {
  std::optional<issue::Run> found;
  PAWL_TRY(engine.read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(const auto starts, cut_off_starts(engine, view.store()));
    for (const issue::Run& run : starts) {
      if (run.number == number) found = run;
    }
    return done();
  }));
  return found;
}

std::string how_to_take_up(const issue::Run& run, bool made) {
  return made ? cat("pawl issue resume ", run.number, "  # goes on with it\npawl issue cleanup ", run.number,
                    "  # takes it away")
              : cat("pawl issue resume ", run.number, "  # begins it anew\npawl issue remove ", run.number,
                    "  # forgets it");
}

Result<std::vector<issue::Run>> cut_off_starts(Engine& engine, Transaction& store) {
  const RunBook book(engine);
  const std::string scope = issue::id_of(1, engine.settings()).scope;
  std::vector<issue::Run> out;
  PAWL_ASSIGN(const auto waiting, store.effects_in(EffectState::intended));
  for (const Effect& effect : waiting) {
    const bool start = effect.record.kind == issue::kKind && effect.kind == kSessionEffect;
    if (!start || effect.record.scope != scope || effect_is_under_way(store, effect)) continue;
    PAWL_ASSIGN(const auto run, book.starting(store, parse_positive(effect.record.key).value_or(0)));
    if (run && run->id == effect.marker) out.push_back(*run);
  }
  return out;
}

Result<std::vector<std::int64_t>> unfinished_issues(Engine& engine) {
  std::set<std::int64_t> numbers;
  const std::string scope = issue::id_of(1, engine.settings()).scope;
  PAWL_TRY(engine.read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(const auto waiting, view.store().effects_in(EffectState::intended));
    for (const Effect& effect : waiting) {
      if (is_of_a_run(effect) && effect.record.scope == scope && !effect_is_under_way(view.store(), effect))
        numbers.insert(parse_positive(effect.record.key).value_or(0));
    }
    return done();
  }));
  return std::vector<std::int64_t>(numbers.begin(), numbers.end());
}

}  // namespace pawl
