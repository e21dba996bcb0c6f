#include "runners/ralph_go_on.h"

#include <algorithm>

#include "base/text.h"
#include "engine/claims.h"
#include "lifecycles/loop/advice.h"
#include "lifecycles/loop/identity.h"
#include "lifecycles/loop/move.h"
#include "lifecycles/loop/verification.h"
#include "runners/loop_check.h"
#include "runners/loops.h"

namespace pawl {

tl::unexpected<Error> nothing_to_go_on_with(Engine& engine, const RalphRun& run, const std::vector<Record>& loops,
                                            const Record* ended) {
  const auto other = std::find_if(loops.begin(), loops.end(), loop::is_active);
  if (other == loops.end() && ended == nullptr)
    return fail(ErrorCode::not_found, "there is no loop to go on with",
                loop::to_type("pawl ralph run --prompt P -- AGENT", "begins one"));
  if (other == loops.end()) {
    const auto check = read_check(engine, *ended);
    return fail(ErrorCode::not_found, cat("the loop is ", ended->status, ", and there is no other to go on with"),
                loop::to_begin_anew(*ended, check && *check ? verify_option(**check) : std::string()));
  }
  const auto owner = loop::owner_of(other->doc);
  const std::string prompt = loop::prompt_of(other->doc);
  const std::string go_on = loop::to_go_on(*other);
  const std::string own_session = run.session.empty() ? std::string("NAME") : run.session;
  const std::string beside =
      loop::to_type(cat("pawl ralph run --session ", own_session, " --prompt P -- AGENT"), "begins another beside it");
  // What a run has in hand nobody else goes on with.
  const std::string driver = loop::driver_of(engine, other->id);
  return fail(
      ErrorCode::not_found,
      cat("there is no loop of ", run.session.empty() ? "nobody's" : cat("session ", run.session), " to go on with; ",
          owner ? cat("session ", printable(owner->substr(0, 80)), "'s") : "nobody's", " is under way",
          driver.empty() ? std::string() : cat(", driven by ", driver), ": ",
          printable(prompt.substr(0, std::min<std::size_t>(prompt.find('\n'), 80)))),
      !driver.empty()
          ? cat(loop::to_type(cat("pawl ralph show ", other->id.key), "tells how far it is"), "\n", beside)
          : cat(go_on, go_on.empty() ? "" : "\n",
                loop::to_type(cat("pawl ralph own ", other->id.ref(), " --session ", own_session), "takes it over"),
                "\n", beside));
}

Done must_be_the_same(const RalphRun& run, const Record& loop) {
  const Json doc = loop.doc;
  const auto other = [&](std::string_view what, std::string_view has) {
    return fail(ErrorCode::already_exists,
                cat("a loop with another ", what, " is under way: ", printable(has.substr(0, 80))),
                cat(loop::to_go_on(loop), "\n", loop::to_cancel(loop)));
  };
  if (run.prompt && *run.prompt != loop::prompt_of(doc)) return other("prompt", loop::prompt_of(doc));
  const std::string promise = loop::promise_of(doc);
  if (run.promise && *run.promise != promise) return other("promise", promise);
  const auto prd = doc.find("prd_mode");
  if (run.no_prd && prd != doc.end() && *prd == true) return other("mode", "it goes by a list of stories");
  return done();
}

Result<std::optional<LoopCheck>> check_to_go_on_with(Engine& engine, const RalphRun& run, const Record& loop) {
  PAWL_ASSIGN(auto check, read_check(engine, loop));
  const std::string to_name_one = cat("pawl ralph run", loop::session_option(loop), " --verify <command> -- <agent>");
  if (run.verify) {
    LoopCheck given{.command = *run.verify, .given_here = true};
    if (check) {
      given.attempts = check->attempts;
      given.feedback = check->feedback;
      given.made = check->command == *run.verify ? check->made : 0;
      given.waits = check->waits;
    }
    check = std::move(given);
  } else if (check && !check->given_here) {
    return fail(ErrorCode::untrusted,
                cat("a claim of this loop to be done is checked by a command, and ",
                    check->command.empty() ? std::string("which one is not known here")
                                           : cat("that was not given on this machine: ", printable(check->command))),
                loop::to_type(to_name_one, "names it again, and goes on"));
  } else if (check) {
    PAWL_TRY(must_be_able_to_run(
        *check, cat("install it; or name another check:\n", loop::to_type(to_name_one, "goes on with that one"))));
  }
  if (check) check->attempts = run.attempts.value_or(check->attempts > 0 ? check->attempts : loop::kStandardAttempts);
  return check;
}

Result<std::optional<Claim>> driven_by(const View& view, const Record& current, const Now& now) {
  PAWL_ASSIGN(auto claim, view.store().claim(current.id));
  if (!claim || !claim->worker.starts_with(kRalphRunner) || !claim_lives(*claim, now)) claim.reset();
  return claim;
}

tl::unexpected<Error> driven_already(const RecordId& loop, std::string_view driver) {
  return fail(ErrorCode::conflict,
              cat("the loop ", printable(loop.key), " is driven already, by ",
                  driver.empty() ? std::string("another") : printable(driver)),
              cat(loop::to_type(cat("pawl ralph cancel ", loop.key), "ends it, and what drives it"), "\n",
                  loop::to_type("pawl ralph run --session NAME --prompt P -- AGENT",
                                "begins another beside it, under a new name")));
}

Done must_not_be_counted(const View& view, const Record& current, const Now& now) {
  PAWL_ASSIGN(const auto claim, driven_by(view, current, now));
  if (!claim) return done();
  return fail(ErrorCode::conflict,
              cat("the loop ", printable(current.id.key), " is driven by ", printable(claim->worker),
                  ", which counts its iterations"),
              loop::to_type(cat("pawl ralph show ", current.id.key), "tells how far it is"));
}

}  // namespace pawl
