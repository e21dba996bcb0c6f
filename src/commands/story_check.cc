// `pawl story check`, `checks`, `attest`: what shows that a story's acceptance criteria hold.
#include <algorithm>
#include <array>

#include "base/file.h"
#include "base/text.h"
#include "commands/context.h"
#include "commands/story.h"
#include "commands/table.h"
#include "engine/claims.h"
#include "lifecycles/story/story.h"
#include "runners/story_check.h"

namespace pawl {
namespace {

constexpr std::size_t kMaxEvidence = 4'096;
constexpr std::size_t kMaxSettings = std::size_t{1} << 20U;

constexpr Param kBranch{
    .name = "branch",
    .value = "B",
    .summary = "the branch that has the work; otherwise the story's, the bot's for it, or the one checked out here",
    .max_bytes = 250,
    .not_empty = true,
    .offer = Offer::branches};

// --- check ---

// What it leads to is written down only while the claim holds; and nothing is run for one that is lost already.
Result<Request> request_for(Context& context, const Arguments& arguments, const Record& story) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  Request request = context.request();
  request.token = arguments.number("token");
  if (!request.token) return request;
  PAWL_TRY(engine->read_store([&](const View& view) -> Done {
    return check_token(view.store(), story.id, *request.token, context.clock->now());
  }));
  return request;
}

Json result_json(const story::CheckResult& result) {
  Json out{{"criterion", result.criterion}, {"ok", result.ok},     {"command", result.command}, {"exit", result.exit},
           {"ms", result.took_ms},          {"tail", result.tail}, {"log", result.log}};
  if (!result.ended.empty()) out["ended"] = result.ended;
  if (!result.not_run.empty()) out["not_run"] = result.not_run;
  return out;
}

Result<Reply> run_check(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(const Record story, story::read_story(context, arguments));
  StopSignals stop;
  PAWL_ASSIGN(const Request request, request_for(context, arguments, story));
  PAWL_ASSIGN(const CheckedStory checked, check_story(*engine, request, story, arguments.text("branch"),
                                                      arguments.list("only"), {context.progress, context.note}, stop));
  if (checked.stop_signal != 0)
    return Reply{Json{{"story", story.id.key}, {"stopped", true}}, 128 + checked.stop_signal};
  Json out{{"story", story.id.key},  {"branch", checked.at.branch}, {"commit", checked.at.commit},
           {"ok", checked.all_ok()}, {"checks", Json::array()},     {"without_command", checked.without}};
  if (!checked.attested.empty()) out["attested"] = checked.attested;
  if (checked.criteria == 0) out["no_criteria"] = true;
  for (const story::CheckResult& result : checked.results) out["checks"].push_back(result_json(result));
  return Reply{std::move(out), checked.all_ok() ? 0 : 1};
}

std::string text_of_check(const Json& data, const TextStyle&) {
  if (data.contains("stopped")) return "stopped; nothing was written down\n";
  std::string out;
  bool not_run = false;
  for (const Json& one : data["checks"]) {
    if (one["ok"] == true) continue;
    not_run = not_run || one.contains("not_run");
    out += cat("\n", printable(string_or(one, "criterion")), "\n    ", printable(string_or(one, "command")), "\n");
    const std::string tail = string_or(one, "tail");
    for (const std::string_view line : split(tail, '\n')) out += cat("    | ", printable(line), "\n");
    if (one.contains("not_run"))
      out +=
          cat("    not run: ", printable(string_or(one, "not_run")),
              "\n    it neither passed nor failed: install what it needs, or correct the command, and check again\n");
    out += cat("    all of it: ", printable(string_or(one, "log")), "\n");
  }
  const Json attested = data.value("attested", Json::array());
  for (const Json& one : attested) out += cat("attested: ", printable(one.get<std::string>()), "\n");
  const Json& without = data["without_command"];
  for (const Json& one : without) out += cat("has no command: ", printable(one.get<std::string>()), "\n");
  if (!without.empty())
    out += cat(
        "  pawl story checks --suggest  # prints lines for pawl.toml, in which you write one; or somebody says so:\n  ",
        story::how_to_attest(string_or(data, "story"), without.front().get<std::string>()), "\n");
  if (data.contains("no_criteria")) out += "it has no acceptance criteria, so nothing can show that it is done\n";
  return cat(out, printable(string_or(data, "story")),
             data["ok"] == true ? " holds"
             : not_run          ? " was not checked completely"
                                : " does not hold",
             " at ", string_or(data, "commit").substr(0, 12), " of ", printable(string_or(data, "branch")), "\n");
}

constexpr std::array kCheckParams = {
    story::kIdParam, kBranch, story::kFileParam,
    Param{.name = "only", .value = "CRITERION", .summary = "check this one only", .many = true, .not_empty = true},
    story::kTokenParam};
constexpr std::array kCheckExamples = {
    Example{"pawl story check US-001", "all criteria that have a command"},
    Example{"pawl story check US-001 --only 'Typecheck passes' --json", "one of them, for a program"},
};

// --- checks ---

Result<std::vector<Record>> open_stories(Engine& engine) {
  std::vector<Record> stories;
  PAWL_TRY(engine.read(look_at_stories(), std::nullopt, [&](const View& view) -> Done {
    PAWL_ASSIGN(auto all, all_stories(view));
    for (Record& record : all) {
      if (record.held || !story::machine_of(record).terminal(record.status)) stories.push_back(std::move(record));
    }
    return done();
  }));
  return stories;
}

Json plan_json(Engine& engine, const Record& story, const story::CheckPlan& plan) {
  Json one{{"criterion", plan.criterion}};
  if (plan.command.is_null()) return one;
  one["command"] = plan.command;
  one["from"] = plan.own ? "the story" : "pawl.toml";
  one["trusted"] = must_be_trusted(engine, story, plan).has_value();
  if (const Done good = story::check_form(plan.command, with_shell(engine)); !good)
    one["wrong"] = cat(good.error().message, good.error().hint.empty() ? "" : cat("; ", good.error().hint));
  return one;
}

story::ChecksTable table_of_checks(const Engine& engine) {
  const auto file = read_file(engine.workspace().root + "/pawl.toml", kMaxSettings);
  return story::checks_table_in(file ? file->bytes : std::string());
}

Result<Reply> run_checks(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  std::vector<Record> stories;
  if (arguments.text("id")) {
    PAWL_ASSIGN(Record story, story::read_story(context, arguments));
    stories.push_back(std::move(story));
  } else {
    PAWL_ASSIGN(stories, open_stories(*engine));
  }
  PAWL_ASSIGN(const Json table, check_table(*engine));
  Json out{{"stories", Json::array()}};
  std::vector<std::string> without;
  bool wrong = false;
  for (const Record& story : stories) {
    Json list = Json::array();
    for (const story::CheckPlan& plan : story::plan_checks(story.doc, table)) {
      list.push_back(plan_json(*engine, story, plan));
      wrong = wrong || list.back().contains("wrong");
      if (plan.command.is_null() && std::find(without.begin(), without.end(), plan.criterion) == without.end())
        without.push_back(plan.criterion);
    }
    out["stories"].push_back({{"id", story.id.key}, {"criteria", std::move(list)}});
  }
  out["without_command"] = without;
  if (arguments.flag("suggest"))
    out["toml"] = without.empty() ? std::string() : story::suggested_toml(without, table_of_checks(*engine));
  return Reply{std::move(out), wrong ? 1 : 0};
}

std::string text_of_checks(const Json& data, const TextStyle&) {
  if (data.contains("toml")) {
    const std::string toml = string_or(data, "toml");
    return toml.empty() ? "# every criterion has a command\n" : toml;
  }
  std::string out;
  for (const Json& story : data["stories"]) {
    out += cat(printable(string_or(story, "id")), "\n");
    for (const Json& one : story["criteria"]) {
      out += cat("    ", printable(string_or(one, "criterion")), "\n");
      if (!one.contains("command")) {
        out += "        has no command\n";
        continue;
      }
      const Json& command = one["command"];
      out += cat("        ", printable(command.is_string() ? command.get<std::string>() : to_line(command)), "  (",
                 string_or(one, "from"), one["trusted"] == true ? "" : ", not trusted", ")\n");
      if (one.contains("wrong")) out += cat("        cannot be run: ", printable(string_or(one, "wrong")), "\n");
    }
  }
  return out.empty() ? "there is no story that waits for checks\n" : out;
}

constexpr std::array kChecksParams = {
    Param{
        .name = "id", .value = "ID", .summary = "of one story; otherwise of all that are not over", .positional = true},
    Param{.name = "suggest", .type = ParamType::flag, .summary = "criteria that have no command, as TOML to paste"},
    story::kFileParam};
constexpr std::array kChecksExamples = {
    Example{"pawl story checks --suggest >> pawl.toml", "then write the commands, read the file, and: pawl trust"},
    Example{"pawl story checks US-001", "which command stands for which criterion"},
};

// --- attest ---

Result<Reply> run_attest(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(const Record story, story::read_story(context, arguments));
  PAWL_ASSIGN(const CheckedOut at, clean_checkout(*engine, story, arguments.text("branch")));
  PAWL_ASSIGN(Request request, request_for(context, arguments, story));
  request.actor = context.flags.actor;  // the name of an account that programs run under names nobody
  Look look;
  look.records.push_back(story.id);
  PAWL_ASSIGN(const Outcome outcome,
              engine->change(request, look, [&](const View& view, const Now& now) -> Result<Decision> {
                PAWL_ASSIGN(const Record current, view.load(story.id));
                PAWL_ASSIGN(const Json exact, exact_commands(*engine, current, at.branch));
                PAWL_ASSIGN(const bool shared, is_shared_branch(*engine, at.branch));
                const story::AttestCriterion attest{arguments.text_or("criterion", ""),
                                                    arguments.text_or("evidence", ""),
                                                    at.branch,
                                                    at.commit,
                                                    request.actor,
                                                    exact,
                                                    shared};
                PAWL_ASSIGN(Change change, story::decide(current, attest, now));
                Decision decision;
                decision.answer = {{"story", story.id.key},
                                   {"criterion", change.evidence["criterion"]},
                                   {"branch", at.branch},
                                   {"commit", at.commit},
                                   {"actor", request.actor}};
                decision.changes.push_back(std::move(change));
                return decision;
              }));
  return Reply{outcome.answer};
}

std::string text_of_attest(const Json& data, const TextStyle&) {
  return cat(printable(string_or(data, "actor")), " attests “", printable(string_or(data, "criterion")), "” of ",
             printable(string_or(data, "story")), " at ", string_or(data, "commit").substr(0, 12), "\n");
}

constexpr std::array kAttestParams = {story::kIdParam,
                                      Param{.name = "criterion",
                                            .value = "CRITERION",
                                            .summary = "its text, or the beginning of it",
                                            .positional = true,
                                            .required = true,
                                            .not_empty = true},
                                      Param{.name = "evidence",
                                            .value = "TEXT",
                                            .summary = "what was seen; kept in the log",
                                            .required = true,
                                            .max_bytes = kMaxEvidence,
                                            .not_empty = true},
                                      kBranch,
                                      story::kFileParam,
                                      story::kTokenParam};
constexpr std::array kAttestExamples = {
    Example{"pawl story attest US-001 'It is blue' --evidence 'seen' --actor ann",
            "for a criterion that no command can check"},
    Example{"PAWL_ACTOR=ann pawl story attest US-001 It --evidence 'see the screenshot'", "its beginning is enough"},
};

}  // namespace

const Verb kStoryCheck = {
    .noun = "story",
    .name = "check",
    .summary = "run the checks of a story's acceptance criteria",
    .manual =
        "Each criterion's command (pawl story checks) is run in the folder where the story's branch is checked out, "
        "with "
        "everything there committed. What it showed holds for that commit: a newer one is checked anew. The commands, "
        "how they ended and the end of what they printed go into the log.\n\n"
        "A command is run without a shell, unless story.shell is set; for story.check_timeout at most; and ends with "
        "all "
        "that it started. It finds PAWL_STORY_ID, PAWL_BRANCH, PAWL_TEST_FILTER and PAWL_COMMIT in its environment, "
        "and "
        "no "
        "token of GitHub's. Commands of a file that nobody has trusted are not run (pawl trust).\n\n"
        "A command that cannot be run (its program is not there, or it exits 126 or 127) neither passed nor failed: "
        "nothing is written down of it.\n\n"
        "The exit code is 0 when every criterion holds, as pawl story move wants it: 1 when one does not, could not be "
        "checked, or has no command and nobody has attested it at this commit, or when there is none at all.",
    .params = kCheckParams,
    .examples = kCheckExamples,
    .read_only = false,
    .run = run_check,
    .text = text_of_check,
};

const Verb kStoryChecks = {
    .noun = "story",
    .name = "checks",
    .summary = "which command stands for which acceptance criterion",
    .manual =
        "Commands stand in pawl.toml under [story.checks], each behind the text of its criterion; * in that text "
        "stands "
        "for anything. A story may have its own, in a member checks. {id}, {branch} and {testFilter} are filled in, "
        "each a word of its own or behind --option=; in what sh -c and its like run they are refused, and "
        "$PAWL_STORY_ID, $PAWL_BRANCH and $PAWL_TEST_FILTER stand for them. The exit code is 1 when a command cannot "
        "be "
        "run as it is written.",
    .params = kChecksParams,
    .examples = kChecksExamples,
    .run = run_checks,
    .text = text_of_checks,
    .is_for_a_file = [](const Json& data) { return data.contains("toml"); },
};

const Verb kStoryAttest = {
    .noun = "story",
    .name = "attest",
    .summary = "say that a criterion holds, where no command can tell",
    .manual =
        "Who says so must be named (--actor or PAWL_ACTOR); that, when, and what was seen is kept in the log. It holds "
        "for the commit that is the head of the story's branch now. A criterion that has a command is checked, and "
        "cannot be attested.",
    .params = kAttestParams,
    .examples = kAttestExamples,
    .read_only = false,
    .run = run_attest,
    .text = text_of_attest,
};

}  // namespace pawl
