#include "lifecycles/loop/choose.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <vector>

#include "base/text.h"
#include "lifecycles/loop/advice.h"
#include "lifecycles/loop/identity.h"
#include "lifecycles/loop/move.h"
#include "lifecycles/loop/ralph.h"
#include "lifecycles/loop/verification.h"

namespace pawl::loop {
namespace {

std::string named(const Record& loop) {
  const auto owner = owner_of(loop.doc);
  return owner ? cat("session ", printable(owner->substr(0, 80)), "'s") : std::string("nobody's");
}

std::string named(std::span<const Record> loops) {
  return first_few(loops, 5, [](const Record& one) { return named(one); });
}

// Those whose key begins so and has a session in it: what is under way, or else what was last.
std::vector<Record> of_session(const Machine& machine, std::span<const Record> loops, const std::string& begin) {
  std::vector<Record> under_way;
  const Record* last = nullptr;
  for (const Record& loop : loops) {
    if (!loop.id.key.starts_with(begin) || loop.id.key.find('@') == std::string::npos) continue;
    if (is_live(machine, loop)) under_way.push_back(loop);
    if (last == nullptr || last->id.key < loop.id.key) last = &loop;
  }
  if (under_way.empty() && last != nullptr) under_way.push_back(*last);
  return under_way;
}

// What `pawl status` calls so. A session's name stands for what is under way in it, or else for what was last; so does
// the beginning of one.
Result<std::vector<Record>> called(const Machine& machine, std::span<const Record> loops, std::string_view name) {
  const std::string kind = cat(machine.name, "/");
  const std::string_view wanted = name.starts_with(kind) ? name.substr(kind.size()) : name;
  std::vector<Record> by_key;
  std::copy_if(loops.begin(), loops.end(), std::back_inserter(by_key),
               [&](const Record& loop) { return loop.id.key == wanted; });
  if (!by_key.empty()) return by_key;
  if (auto named = of_session(machine, loops, cat(wanted, "@")); !named.empty()) return named;
  if (wanted.size() >= kShortestSessionName) {
    auto begins = of_session(machine, loops, std::string(wanted));
    const auto session = [](const Record& loop) { return loop.id.key.substr(0, loop.id.key.find('@')); };
    const bool several = std::any_of(begins.begin(), begins.end(),
                                     [&](const Record& loop) { return session(loop) != session(begins.front()); });
    if (several)
      return fail(ErrorCode::invalid_argument,
                  cat("“", printable(wanted), "” may be ", named(begins), "; nothing was changed"),
                  "type more of the name");
    if (!begins.empty()) return begins;
  }
  return fail(ErrorCode::not_found, cat("there is no ", machine.name, " ", printable(wanted), " here"),
              "pawl status --all shows what there is");
}

Result<Record> called_alone(const Machine& machine, std::span<const Record> loops, std::string_view name) {
  PAWL_ASSIGN(auto so, called(machine, loops, name));
  if (so.size() == 1) return std::move(so.front());
  std::string refs;
  for (const Record& loop : so) refs += cat(refs.empty() ? "" : ", ", printable(loop.id.ref()));
  return fail(ErrorCode::invalid_argument, cat("“", printable(name), "” may be ", refs), "name one of these");
}

std::vector<Record> not_aside(std::span<const Record> loops) {
  std::vector<Record> out;
  std::copy_if(loops.begin(), loops.end(), std::back_inserter(out), [](const Record& loop) { return !loop.aside; });
  return out;
}

// Nobody who typed a part of a session's id is told to take the loop away from it.
tl::unexpected<Error> none_of_session(const Machine& machine, std::span<const Record> loops, std::string_view session) {
  std::vector<Record> live;
  std::copy_if(loops.begin(), loops.end(), std::back_inserter(live),
               [&](const Record& loop) { return is_live(machine, loop); });
  const std::string none = cat("session ", printable(session), " has no ", machine.name, " here; ");
  if (live.empty())
    return fail(ErrorCode::not_found, cat(none, "what there is has ended: ", named(loops)),
                machine.name == kRalph
                    ? to_type(cat("pawl ralph start --session ", printable(session), " --prompt P"), "begins one")
                    : std::string("name another session with --session"));
  std::string meant;
  for (const Record& loop : live) {
    const auto owner = owner_of(loop.doc);
    if (owner && is_session_id(*owner) && owner->starts_with(session))
      meant += cat(meant.empty() ? "did you mean --session " : ", or ", *owner);
  }
  if (!meant.empty()) meant += "?";
  return fail(ErrorCode::not_found, cat(none, "under way is ", named(live)),
              !meant.empty()           ? meant
              : machine.name == kRalph ? to_type(cat("pawl ralph own --session ", printable(session)), "takes it over")
                                       : std::string("name another session with --session"));
}

}  // namespace

Result<Record> choose(const Machine& machine, std::span<const Record> all, std::string_view session, Purpose purpose,
                      std::string_view name) {
  if (!name.empty()) return called_alone(machine, all, name);
  const std::vector<Record> loops = not_aside(all);
  std::vector<Record> fit;
  const auto gather = [&](const auto& wanted) {
    std::copy_if(loops.begin(), loops.end(), std::back_inserter(fit), wanted);
  };
  const auto own = [&](const Record& loop) { return is_owned_by(loop.doc, session); };
  if (session.empty() && purpose == Purpose::drive) {
    gather([](const Record& loop) { return !owner_of(loop.doc); });
    // One that ended long ago is not meant while somebody's is under way: whoever asks is told of that.
    const auto live = [&](const Record& loop) { return is_live(machine, loop); };
    if (std::none_of(fit.begin(), fit.end(), live) && std::any_of(loops.begin(), loops.end(), live)) fit.clear();
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
  // What the check of a run keeps beside another is answered by that check.
  if (purpose == Purpose::drive && std::any_of(fit.begin(), fit.end(), std::not_fn(is_in_check_folder)))
    std::erase_if(fit, is_in_check_folder);
  if (fit.empty() && loops.empty()) return fail(ErrorCode::not_found, cat("there is no ", machine.name, " here"));
  if (fit.empty() && session.empty()) {
    std::vector<Record> theirs;
    std::copy_if(loops.begin(), loops.end(), std::back_inserter(theirs),
                 [&](const Record& loop) { return is_live(machine, loop); });
    if (theirs.empty()) theirs.assign(loops.begin(), loops.end());
    return fail(ErrorCode::not_found, cat("what there is is ", named(theirs), ", and is driven by nobody else"),
                machine.name == kRalph ? cat("say with --session ID that it is yours, or take it over\npawl ralph own ",
                                             theirs.front().id.ref(), " --session NAME")
                                       : std::string("say with --session ID that it is yours"));
  }
  if (fit.empty()) return none_of_session(machine, loops, session);
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
                purpose == Purpose::take
                    ? cat("name one: pawl ralph own ", printable(fit.front().id.ref()), " --session ", session)
                : purpose == Purpose::drive ? std::string("name one with --session ID")
                                            : std::string("name one as pawl status shows it, or with --session ID"));
  }
  return fit.front();
}

Result<std::vector<Record>> choose_all(const Machine& machine, std::span<const Record> loops, std::string_view session,
                                       std::string_view name) {
  if (!name.empty()) return called(machine, loops, name);
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
