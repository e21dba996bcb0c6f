#include "lifecycle/loop/choose.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "base/text.h"
#include "lifecycle/loop/identity.h"
#include "lifecycle/loop/move.h"

namespace pawl::loop {
namespace {

std::string named(const Record& loop) {
  const auto owner = owner_of(loop.doc);
  return owner ? cat("session ", printable(owner->substr(0, 80)), "'s") : std::string("nobody's");
}

std::string named(std::span<const Record> loops) {
  constexpr std::size_t kMost = 5;
  std::string out;
  for (std::size_t i = 0; i < std::min(loops.size(), kMost); ++i) out += cat(i == 0 ? "" : ", ", named(loops[i]));
  return loops.size() > kMost ? cat(out, " and ", loops.size() - kMost, " more") : out;
}

}  // namespace

Result<Record> choose(const Machine& machine, std::span<const Record> loops, std::string_view session,
                      Purpose purpose) {
  std::vector<Record> fit;
  const auto gather = [&](const auto& wanted) {
    std::copy_if(loops.begin(), loops.end(), std::back_inserter(fit), wanted);
  };
  const auto own = [&](const Record& loop) { return is_owned_by(loop.doc, session); };
  if (session.empty() && purpose == Purpose::drive) {
    gather([](const Record& loop) { return !owner_of(loop.doc); });
  } else if (session.empty()) {
    fit.assign(loops.begin(), loops.end());
  } else if (purpose == Purpose::take) {
    gather([&](const Record& loop) { return is_live(machine, loop) && !own(loop); });
    if (fit.empty()) gather(own);  // it has it already, which is then said
  } else {
    gather(own);
    const bool none = std::none_of(fit.begin(), fit.end(), [&](const Record& r) { return is_live(machine, r); });
    if (purpose == Purpose::stop && none) gather([](const Record& loop) { return !owner_of(loop.doc); });
  }
  if (fit.empty() && loops.empty()) return fail(ErrorCode::not_found, cat("there is no ", machine.name, " here"));
  if (fit.empty() && session.empty()) {
    return fail(ErrorCode::not_found, cat("what there is is ", named(loops), ", and is driven by nobody else"),
                "say with --session ID that it is yours, or take it over with pawl ralph own --session ID");
  }
  if (fit.empty()) {
    return fail(ErrorCode::not_found,
                cat("session ", printable(session), " has no ", machine.name, " here; what there is is ", named(loops)),
                machine.name != "ralph" ? "name another session with --session"
                : std::any_of(loops.begin(), loops.end(), [&](const Record& r) { return is_live(machine, r); })
                    ? "pawl ralph own takes it over"
                    : "pawl ralph start begins one");
  }
  // Under way first, then the newest.
  std::sort(fit.begin(), fit.end(), [&](const Record& a, const Record& b) {
    const auto rank = [&](const Record& r) {
      return std::tuple(is_live(machine, r), start_in(r.id.key), r.id.scope.empty());
    };
    return rank(a) > rank(b);
  });
  const auto live = static_cast<std::size_t>(
      std::count_if(fit.begin(), fit.end(), [&](const Record& r) { return is_live(machine, r); }));
  const bool unclear = session.empty() || purpose == Purpose::take;
  if (live > 1 && unclear) {
    return fail(ErrorCode::invalid_argument, cat(live, " are under way: ", named(std::span(fit).first(live))),
                purpose == Purpose::take ? "end the others first" : "name one with --session ID");
  }
  return fit.front();
}

Result<std::vector<Record>> choose_all(const Machine& machine, std::span<const Record> loops,
                                       std::string_view session) {
  std::vector<Record> own;
  if (!session.empty()) {
    std::copy_if(loops.begin(), loops.end(), std::back_inserter(own),
                 [&](const Record& loop) { return is_live(machine, loop) && is_owned_by(loop.doc, session); });
  }
  if (!own.empty()) return own;
  PAWL_ASSIGN(Record one, choose(machine, loops, session, Purpose::stop));
  return std::vector{std::move(one)};
}

}  // namespace pawl::loop
