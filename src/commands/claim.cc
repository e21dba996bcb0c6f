// `pawl claim …`: one worker's hold on a thing.
#include <array>

#include "base/text.h"
#include "commands/context.h"
#include "commands/named.h"
#include "commands/table.h"
#include "engine/claims.h"
#include "engine/engine.h"

namespace pawl {
namespace {

Json claim_json(const Claim& claim, const Now& now) {
  Json out{{"ref", claim.record.ref()}, {"worker", claim.worker}, {"token", claim.token}};
  if (claim.process.pid != 0) out["pid"] = claim.process.pid;
  if (claim.lease_until_ms != 0) out["lease_left_ms"] = std::max<std::int64_t>(0, claim.lease_until_ms - now.boot_ms);
  const Life life = life_of(claim, now);
  out["alive"] = life != Life::ended;
  if (life == Life::unknown) out["unseen"] = true;
  return out;
}

Result<RecordId> resolve(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  RecordId id;
  Look look;
  look.all = true;
  PAWL_TRY(engine->read(look, std::nullopt, [&](const View& view) -> Done {
    PAWL_ASSIGN(id, named(*engine, view, arguments));
    return done();
  }));
  return id;
}

Result<Reply> run_take(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(const RecordId id, resolve(context, arguments));
  const std::string worker = arguments.text_or("worker", "");
  if (worker.find_first_of("\n\t") != std::string::npos)
    return fail(ErrorCode::invalid_argument, "--worker: a name is one line, without tabs");
  const ClaimRequest request{id, worker, arguments.number("pid").value_or(0),
                             arguments.duration_ms("lease").value_or(0), arguments.flag("take-over")};
  PAWL_ASSIGN(const Claim claim, take_claim(*engine, context.request(), request));
  return Reply{claim_json(claim, context.clock->now())};
}

Result<Reply> run_renew(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(const RecordId id, resolve(context, arguments));
  PAWL_ASSIGN(const Claim claim, renew_claim(*engine, context.request(), id, arguments.number("token").value_or(0),
                                             arguments.duration_ms("lease").value_or(0)));
  return Reply{claim_json(claim, context.clock->now())};
}

Result<Reply> run_release(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(const RecordId id, resolve(context, arguments));
  const auto token = arguments.number("token");
  if (token.has_value() == arguments.flag("take-over"))
    return fail(ErrorCode::invalid_argument, "a claim is released with --token T, or with --take-over");
  PAWL_TRY(token ? release_claim(*engine, context.request(), id, *token)
                 : take_over_claim(*engine, context.request(), id));
  return Reply{Json{{"ref", id.ref()}, {"released", true}}};
}

Result<Reply> run_list(Context& context, const Arguments&) {
  if (context.flags.at) return fail(ErrorCode::invalid_argument, "claims have no past: --at cannot be used here");
  PAWL_ASSIGN(Engine* const engine, context.engine());
  Json list = Json::array();
  PAWL_TRY(engine->read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(const auto claims, view.store().claims());
    for (const Claim& claim : claims) list.push_back(claim_json(claim, context.clock->now()));
    return done();
  }));
  return Reply{std::move(list)};
}

std::string line_of_claim(const Json& claim) {
  std::string out = cat(printable(string_or(claim, "ref")), "\t", printable(string_or(claim, "worker")), "\ttoken ",
                        to_line(claim["token"]));
  if (claim.contains("pid")) out += cat("\tprocess ", to_line(claim["pid"]));
  if (claim.contains("lease_left_ms")) out += cat("\t", claim["lease_left_ms"].get<std::int64_t>() / 1000, " s left");
  if (claim.contains("unseen")) out += "\tcannot be seen from here";
  return cat(out, claim["alive"].get<bool>() ? "\n" : "\tfree: its holder is gone\n");
}

// A script wants the token alone.
std::string text_of_token(const Json& claim, const TextStyle&) { return cat(to_line(claim["token"]), "\n"); }
std::string text_of_release(const Json& data, const TextStyle&) {
  return cat(printable(string_or(data, "ref")), " is free\n");
}
std::string text_of_list(const Json& list, const TextStyle&) {
  std::string out;
  for (const Json& claim : list) out += line_of_claim(claim);
  return out;
}

constexpr Param kRef{.name = "ref",
                     .value = "REF",
                     .summary = "KIND/KEY such as issue/42, or the key alone where it is unique",
                     .positional = true,
                     .required = true};
constexpr Param kToken{.name = "token",
                       .type = ParamType::positive,
                       .value = "T",
                       .summary = "the token that the claim was given",
                       .required = true};
constexpr Param kTakeOver{
    .name = "take-over",
    .type = ParamType::flag,
    .summary = "also from a worker whose process cannot be seen from here, if you know that it ended"};
constexpr std::array kTakeParams = {
    kRef,
    Param{.name = "worker",
          .value = "W",
          .summary = "who takes it",
          .required = true,
          .max_bytes = 200,
          .not_empty = true},
    Param{.name = "pid",
          .type = ParamType::positive,
          .value = "P",
          .summary = "held while this process lives; free within a second of its death"},
    Param{.name = "lease", .type = ParamType::duration, .value = "TIME", .summary = "held for this long: 10m"},
    kTakeOver,
    kNamedIn,
};
constexpr std::array kRenewParams = {
    kRef, kToken,
    Param{
        .name = "lease", .type = ParamType::duration, .value = "TIME", .summary = "from now on: 10m", .required = true},
    kNamedIn};
constexpr std::array kReleaseParams = {
    kRef,
    Param{.name = "token", .type = ParamType::positive, .value = "T", .summary = "the token that the claim was given"},
    kTakeOver, kNamedIn};

constexpr std::array kTakeExamples = {
    Example{"token=$(pawl claim take issue/42 --worker bot-1 --pid $$)", "in a script: held while the script lives"},
    Example{"pawl claim take issue/42 --worker bot-1 --lease 10m", "for ten minutes"},
};
constexpr std::array kRenewExamples = {
    Example{"pawl claim renew issue/42 --token \"$token\" --lease 10m", "ten more minutes from now"},
    Example{"pawl claim renew issue/42 --token 7 --lease 10m || exit 1", "stop when it was lost"},
};
constexpr std::array kReleaseExamples = {
    Example{"pawl claim release issue/42 --token \"$token\"", "done with it"},
    Example{"pawl issue set 42 complete --token \"$token\"", "a move that is made only by the holder"},
};
constexpr std::array kListExamples = {Example{"pawl claim list", "who holds what"},
                                      Example{"pawl claim list --json", "for a program"}};

}  // namespace

const Verb kClaimTake = {
    .noun = "claim",
    .name = "take",
    .summary = "take something for one worker; prints the token",
    .manual =
        "One worker at a time holds it; another one is told who does, with exit code 4. The token grows with every "
        "grant: a move that carries a "
        "token which is no longer the newest is refused. The same worker asking again keeps its token. A process that "
        "cannot be seen from here (in another container, say) keeps its claim until its lease ends, or until a person "
        "says --take-over.",
    .params = kTakeParams,
    .examples = kTakeExamples,
    .read_only = false,
    .run = run_take,
    .text = text_of_token,
};

const Verb kClaimRenew = {
    .noun = "claim",
    .name = "renew",
    .summary = "hold it longer",
    .manual = "The exit code is 4 when the claim was lost.",
    .params = kRenewParams,
    .examples = kRenewExamples,
    .read_only = false,
    .run = run_renew,
    .text = text_of_token,
};

const Verb kClaimRelease = {
    .noun = "claim",
    .name = "release",
    .summary = "give it back",
    .manual =
        "The exit code is 4 when it was lost before. With --take-over instead of the token, for a claim whose process "
        "cannot be seen from here, and for what it had begun to do outside (post, push): that counts as interrupted "
        "from then on. Refused while the process is seen to live.",
    .params = kReleaseParams,
    .examples = kReleaseExamples,
    .read_only = false,
    .run = run_release,
    .text = text_of_release,
};

const Verb kClaimList = {
    .noun = "claim",
    .name = "list",
    .summary = "list who holds what",
    .manual = "A claim whose process has died, or whose time is over, is shown as free until somebody takes it.",
    .examples = kListExamples,
    .run = run_list,
    .text = text_of_list,
};

}  // namespace pawl
