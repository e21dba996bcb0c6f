#include "runners/loop_check.h"

#include "base/shell_word.h"
#include "base/text.h"
#include "engine/outside_rules.h"
#include "lifecycles/loop/ralph.h"
#include "lifecycles/loop/verification.h"
#include "runners/check_program.h"
#include "runners/loops.h"
#include "runners/users_seal.h"

namespace pawl {
namespace {

// Of one loop, so that a check cannot be moved to another.
std::string seal_of(const RecordId& loop, const std::string& command) {
  return users_seal(cat("ralph check\n", loop.scope, "\n", loop.key, "\n", command));
}

Result<LoopCheck> kept_check(const FoundGate& found) {
  LoopCheck check;
  if (found.text.empty()) return check;
  PAWL_ASSIGN(const Json kept, parse_json(found.text));
  check.command = string_or(kept, "command");
  check.attempts = integer_or(kept, "attempts", loop::kStandardAttempts);
  check.made = integer_or(kept, "made");
  check.waits = string_or(kept, "waits");
  const std::string seal = string_or(kept, "seal");
  check.given_here = !seal.empty() && seal == seal_of(found.under, check.command);
  return check;
}

}  // namespace

Result<std::optional<LoopCheck>> check_of(const View& view, const Record& loop) {
  PAWL_ASSIGN(const auto found, gate_found(view, loop::ralph_lifecycle(), loop.id));
  if (!found) return std::optional<LoopCheck>();
  PAWL_ASSIGN(LoopCheck check, kept_check(*found));
  PAWL_ASSIGN(const auto verifications, loop::all_loops(view, loop::verification_shape(), loop::Aside::too));
  for (const Record& one : verifications) {
    if (!loop::is_unconfirmed(one, loop.id.key)) continue;
    check.feedback = string_or(one.doc, "oracle_feedback");
  }
  return std::optional(std::move(check));
}

Result<std::optional<LoopCheck>> read_check(Engine& engine, const Record& loop) {
  std::optional<LoopCheck> check;
  PAWL_TRY(engine.read(loop::look_at_all(loop::verification_shape()), std::nullopt, [&](const View& view) -> Done {
    PAWL_ASSIGN(check, check_of(view, loop));
    return done();
  }));
  return check;
}

Done must_be_able_to_run(const LoopCheck& check, std::string hint) {
  const auto why = why_line_cannot_run(check.command, ".");
  if (!why) return done();
  return fail(ErrorCode::not_found, cat("the check ", printable(check.command), " cannot be run: ", *why),
              std::move(hint));
}

std::string verify_option(const LoopCheck& check) {
  const bool one_line = check.command == printable(check.command);
  return cat(" --verify ", check.given_here && one_line ? shell_word(check.command) : std::string("COMMAND"));
}

void keep_check(Decision& decision, const RecordId& loop, const LoopCheck& check) {
  const Json kept{{"command", check.command},
                  {"attempts", check.attempts},
                  {"made", check.made},
                  {"waits", check.waits},
                  {"seal", check.given_here ? seal_of(loop, check.command) : std::string()}};
  decision.kept.emplace_back(loop::check_name(loop), to_line(kept));
}

Done keep_check(Engine& engine, const Request& request, const RecordId& loop, const LoopCheck& check) {
  const auto keep = [&](const View&, const Now&) -> Result<Decision> {
    Decision decision;
    keep_check(decision, loop, check);
    return decision;
  };
  PAWL_TRY(engine.change(request, Look{}, keep));
  return done();
}

}  // namespace pawl
