#include "runners/story_check.h"

#include <algorithm>
#include <filesystem>

#include "base/capped_log.h"
#include "base/output_tail.h"
#include "base/text.h"
#include "integrations/agent.h"
#include "integrations/git_worktree.h"
#include "lifecycles/story/gates.h"
#include "lifecycles/story/naming.h"
#include "lifecycles/story/story.h"
#include "runners/check_program.h"
#include "runners/story_list.h"

namespace pawl {
namespace {

constexpr std::size_t kCheckLogCap = std::size_t{1} << 20U;
constexpr std::size_t kTail = 4'000;
constexpr std::size_t kShownLine = 60;
constexpr int kNotStarted = 127;  // as a shell says it

std::string seconds(std::int64_t ms) { return ms < 10'000 ? cat(ms, " ms") : cat(ms / 1000, " s"); }

story::CheckValues values_for(const Record& story, const std::string& branch) {
  return {story.id.key, branch, string_or(story.doc, "testFilter")};
}

// Those of `only` that the story does not have: “x” or “y”.
std::string unknown_criteria(const Record& story, const std::vector<std::string>& only) {
  const auto known = story::criteria_of(story.doc);
  std::vector<std::string> named;
  for (const std::string& one : only) {
    std::string shown = cat("“", printable(one), "”");
    const bool there = std::find(known.begin(), known.end(), one) != known.end();
    if (!there && std::find(named.begin(), named.end(), shown) == named.end()) named.push_back(std::move(shown));
  }
  return join_or(std::vector<std::string_view>(named.begin(), named.end()));
}

Done must_have_form(std::string_view where, std::string_view key, const Json& command, bool shell) {
  const Done good = story::check_form(command, shell);
  if (good) return good;
  return fail(ErrorCode::invalid_argument,
              cat("the check for “", printable(key), "” in ", where, " cannot be run: ", good.error().message),
              good.error().hint);
}

class Checking {
 public:
  Checking(Engine& engine, const Record& story, CheckedOut at, const CheckStreams& streams, StopSignals& stop)
      : engine_(engine), story_(story), at_(std::move(at)), streams_(streams), stop_(stop) {
    values_ = values_for(story, at_.branch);
  }

  Result<story::CheckResult> run(const story::CheckPlan& plan, std::size_t number, std::size_t count, int& stopped) {
    PAWL_TRY(must_be_trusted(engine_, story_, plan));
    const Settings& settings = engine_.settings();
    const bool shell = with_shell(engine_);
    PAWL_ASSIGN(const story::CheckCommand command, story::fill_check(plan.command, values_, shell));
    story::CheckResult result;
    result.criterion = plan.criterion;
    result.commit = at_.commit;
    result.command = command.text;
    result.exact = story::exact_command(plan.command, values_, shell);
    PAWL_ASSIGN(const std::string store, engine_.folder_to_write());
    const std::string log_name = cat("logs/story-", story::file_name_of(story_.id), "-check-", number, ".log");
    result.log = cat(store, "/", log_name);
    PAWL_ASSIGN(CappedLog log, CappedLog::open(store, log_name, kCheckLogCap));
    log.append(cat("--- ", command.text, "\n--- ", at_.branch, " at ", at_.commit, "\n"));
    OutputTail tail(kTail);
    AgentCall call;
    call.argv = command.argv;
    call.folder = at_.folder;
    call.environment = story::check_environment(values_);
    call.environment.push_back(cat("PAWL_COMMIT=", at_.commit));
    call.limit_ms = parse_duration_ms(settings.text("story.check_timeout")).value_or(0);
    call.secrets = Secrets::dropped;
    call.alone = true;
    const std::int64_t began = engine_.clock().now().boot_ms;
    const std::string head = cat(number, "/", count, "  ", printable(plan.criterion).substr(0, kShownLine));
    call.wanted = [&] {
      streams_.progress(cat(head, "  ", (engine_.clock().now().boot_ms - began) / 1000, " s  ",
                            last_line_of(tail.raw(), kShownLine)));
      return true;
    };
    call.output = call.errors = [&](std::string_view bytes) {
      tail.add(bytes);
      log.append(bytes);
    };
    if (const auto why = why_it_cannot_run(command.argv, at_.folder)) {
      result.exit = kNotStarted;
      result.not_run = *why;
      return told(result);
    }
    static_cast<void>(call.wanted());
    auto ran = run_agent(call, stop_);
    streams_.progress("");
    if (!ran) {
      result.exit = kNotStarted;
      result.not_run = ran.error().message;
      return told(result);
    }
    stopped = ran->end == AgentEnd::stopped ? ran->stop_signal : 0;
    result.exit = ran->exit_code;
    result.took_ms = ran->took_ms;
    result.tail = tail.text();
    if (ran->end == AgentEnd::too_long)
      result.ended = cat("it took longer than ", settings.text("story.check_timeout"), " and was ended");
    if (ran->end == AgentEnd::stopped) result.ended = "it was stopped";
    result.ok = ran->end == AgentEnd::exited && ran->exit_code == 0;
    result.not_run = why_it_did_not_run(*ran).value_or("");
    PAWL_TRY(look_behind(result));
    return told(result);
  }

 private:
  // What a check changes is not in the commit that it is to say something about.
  Done look_behind(story::CheckResult& result) {
    PAWL_ASSIGN(const auto ours, files_kept_in_step(engine_));
    PAWL_ASSIGN(const CheckedOut now, git_checked_out(at_.folder, at_.branch, ours));
    if (now.commit != at_.commit)
      return fail(ErrorCode::conflict,
                  cat("the branch ", printable(at_.branch), " moved while its checks were running"),
                  "nothing was written down; check again");
    if (now.dirty.empty()) return done();
    result.ok = false;
    if (result.ended.empty())
      result.ended = cat("it left changes behind: ", printable(now.dirty.front()),
                         now.dirty.size() > 1 ? cat(" and ", now.dirty.size() - 1, " more") : std::string(),
                         "; .gitignore can name what checks write");
    return put_back(result);
  }

  // It is in nobody's way then: not in the next check's, and not in the next commit. In somebody's own checkout it
  // stays, as what came in while the check ran may be theirs.
  Done put_back(story::CheckResult& result) const {
    PAWL_ASSIGN(const bool bots, is_bots_worktree(engine_, story_.id, at_.folder));
    if (!bots) return done();
    PAWL_ASSIGN(const bool is_on, git_is_on(at_.folder, at_.branch));
    const Done back = is_on ? git_put_back(at_.folder) : done();
    if (!back) result.ended += cat("; it could not be put back: ", back.error().message);
    return done();
  }

  story::CheckResult told(const story::CheckResult& result) const {
    std::string line = cat(!result.not_run.empty() ? "not run "
                           : result.ok             ? "passed  "
                                                   : "failed  ",
                           printable(result.criterion));
    if (!result.not_run.empty()) {
      line += cat("  (", printable(result.not_run), ")");
    } else if (!result.ended.empty()) {
      line += cat("  (", result.ended, ")");
    } else {
      line += cat("  (", result.ok ? std::string() : cat("exit ", result.exit, ", "), seconds(result.took_ms), ")");
    }
    streams_.tell(line);
    return result;
  }

  Engine& engine_;
  const Record& story_;
  const CheckedOut at_;
  const CheckStreams& streams_;
  StopSignals& stop_;
  story::CheckValues values_;
};

}  // namespace

bool with_shell(const Engine& engine) { return engine.settings().text("story.shell") == "true"; }

Result<Json> check_table(const Engine& engine) {
  const std::string& text = engine.settings().text("story.checks");
  return text.empty() ? Result<Json>(Json::object()) : parse_json(text);
}

std::string how_to_show(const Engine& engine, const Record& story) {
  // Neither a check nor a word of somebody's has a commit to be about. (A board asks this of many: no git here.)
  if (!engine.settings().text("story.repo").empty()) {
    const auto repository = story_repository(engine);
    std::error_code error;
    if (repository && !std::filesystem::is_directory(*repository, error)) return std::string(story::kRepositoryToSet);
  }
  const auto table = check_table(engine);
  const auto plans = story::plan_checks(story.doc, table ? *table : Json::object());
  const bool any =
      std::any_of(plans.begin(), plans.end(), [](const story::CheckPlan& plan) { return !plan.command.is_null(); });
  std::string by_check = story::lifecycle().verify(story);
  if (any || plans.empty() || !by_check.starts_with("pawl story check ")) return by_check;
  return cat(story::how_to_attest(story.id.key, plans.front().criterion), "  # no criterion of it has a command");
}

Done check_forms(const Engine& engine) {
  PAWL_ASSIGN(const Json table, check_table(engine));
  for (const auto& [key, command] : table.items())
    PAWL_TRY(must_have_form("pawl.toml", key, command, with_shell(engine)));
  return done();
}

Done check_forms(const Engine& engine, const Record& story) {
  PAWL_ASSIGN(const Json table, check_table(engine));
  for (const story::CheckPlan& plan : story::plan_checks(story.doc, table)) {
    if (plan.command.is_null()) continue;
    PAWL_TRY(must_have_form(plan.own ? "the story" : "pawl.toml", plan.key, plan.command, with_shell(engine)));
  }
  return done();
}

std::string trust_path_of_stories(const Engine& engine) { return engine.workspace().root + "/prd.json#checks"; }

Done must_be_trusted(Engine& engine, const Record& story, const story::CheckPlan& plan) {
  // That lines are given to a shell is pawl.toml's word too, whosever the line is.
  const bool for_a_shell = plan.command.is_string() && with_shell(engine);
  if ((!plan.own && !engine.settings().trusted("story.checks")) ||
      (for_a_shell && !engine.settings().trusted("story.shell")))
    return fail(ErrorCode::untrusted, "the commands in pawl.toml are run only after somebody has read them",
                "read pawl.toml, then: pawl trust");
  if (!plan.own) return done();
  const std::string trusted = trusted_content(trust_path_of_stories(engine)).value_or("");
  const std::string wanted = story::own_check_line(story.id.key, plan.key, plan.command);
  for (const std::string_view line : split(trusted, '\n')) {
    if (line == wanted) return done();
  }
  return fail(
      ErrorCode::untrusted,
      cat("the story's own command for “", printable(plan.criterion), "” is run only after somebody has read it"),
      "pawl story checks shows them; then: pawl trust --stories");
}

Done must_be_trusted(Engine& engine, const Record& story) {
  PAWL_ASSIGN(const Json table, check_table(engine));
  for (const story::CheckPlan& plan : story::plan_checks(story.doc, table)) {
    if (!plan.command.is_null()) PAWL_TRY(must_be_trusted(engine, story, plan));
  }
  return done();
}

Result<std::optional<std::string>> check_that_cannot_run(const Engine& engine, const Record& story,
                                                         const std::string& branch, const std::string& folder) {
  PAWL_ASSIGN(const Json table, check_table(engine));
  for (const story::CheckPlan& plan : story::plan_checks(story.doc, table)) {
    if (plan.command.is_null()) continue;
    const auto command = story::fill_check(plan.command, values_for(story, branch), with_shell(engine));
    if (const auto why = command ? why_it_cannot_run(command->argv, folder) : std::nullopt)
      return std::optional(cat("the check of “", printable(plan.criterion), "” cannot be run: ", *why));
  }
  return std::optional<std::string>();
}

Done checks_must_run(const Engine& engine, const std::vector<Record>& stories) {
  if (!engine.settings().trusted("story.checks")) return done();
  PAWL_ASSIGN(const Json table, check_table(engine));
  for (const Record& story : stories) {
    for (const story::CheckPlan& plan : story::plan_checks(story.doc, table)) {
      if (plan.own || plan.command.is_null()) continue;
      // What a story's values make of it is looked at when its turn has come.
      const auto command = story::fill_check(plan.command, {"id", "branch", "filter"}, with_shell(engine));
      const auto why = command ? why_it_cannot_run(command->argv, "") : std::nullopt;
      if (why)
        return fail(ErrorCode::not_found,
                    cat("the check for “", printable(plan.key), "” in pawl.toml cannot be run: ", *why),
                    "install it, or correct the command in pawl.toml; then: pawl trust");
    }
  }
  return done();
}

const story::CheckResult* CheckedStory::not_run() const {
  const auto found =
      std::find_if(results.begin(), results.end(), [](const story::CheckResult& one) { return !one.not_run.empty(); });
  return found == results.end() ? nullptr : &*found;
}

bool CheckedStory::all_ok() const {
  return criteria > 0 && without.empty() &&
         std::all_of(results.begin(), results.end(), [](const story::CheckResult& one) { return one.ok; });
}

Result<CheckedStory> check_story(Engine& engine, const Request& request, const Record& story,
                                 const std::optional<std::string>& branch, const std::vector<std::string>& only,
                                 const CheckStreams& streams, StopSignals& stop) {
  PAWL_ASSIGN(const Json table, check_table(engine));
  std::vector<story::CheckPlan> plans;
  CheckedStory out;
  for (const story::CheckPlan& plan : story::plan_checks(story.doc, table)) {
    if (!only.empty() && std::find(only.begin(), only.end(), plan.criterion) == only.end()) continue;
    if (plan.command.is_null()) {
      out.without.push_back(plan.criterion);
    } else {
      PAWL_TRY(must_be_trusted(engine, story, plan));  // before the first of them runs
      PAWL_TRY(must_have_form(plan.own ? "the story" : "pawl.toml", plan.key, plan.command, with_shell(engine)));
      plans.push_back(plan);
    }
  }
  if (const std::string unknown = unknown_criteria(story, only); !unknown.empty())
    return fail(ErrorCode::not_found, cat("story ", printable(story.id.key), " has no criterion ", unknown),
                cat("pawl story checks ", story::as_typed(story.id.key), " lists them"));
  PAWL_ASSIGN(out.at, clean_checkout(engine, story, branch));
  out.criteria = story::criteria_of(story.doc).size();
  PAWL_ASSIGN(const Json exact, exact_commands(engine, story, out.at.branch));
  for (const story::CriterionState& state : story::criteria_at(story.doc, exact, out.at.commit)) {
    if (state.kind != story::CriterionState::Kind::attested || std::erase(out.without, state.criterion) == 0) continue;
    out.attested.push_back(state.criterion);
  }
  Checking checking(engine, story, out.at, streams, stop);
  for (const story::CheckPlan& plan : plans) {
    PAWL_ASSIGN(story::CheckResult result, checking.run(plan, out.results.size() + 1, plans.size(), out.stop_signal));
    if (out.stop_signal != 0) return out;
    out.results.push_back(std::move(result));
  }
  Look look;
  look.records.push_back(story.id);
  std::vector<story::CheckResult> verdicts;
  std::copy_if(out.results.begin(), out.results.end(), std::back_inserter(verdicts),
               [](const story::CheckResult& one) { return one.not_run.empty(); });
  if (verdicts.empty()) {  // nothing was run; what people said may be what its move lacked
    bool doubted = false;
    PAWL_TRY(engine.read(look, std::nullopt, [&](const View& view) -> Done {
      PAWL_ASSIGN(doubted, is_unverified(view, story));
      return done();
    }));
    if (!doubted || !out.all_ok()) return out;
  }
  PAWL_TRY(engine.change(request, look, [&](const View& view, const Now& now) -> Result<Decision> {
    PAWL_ASSIGN(const Record current, view.load(story.id));
    PAWL_ASSIGN(const Json now_exact, exact_commands(engine, current, out.at.branch));
    PAWL_ASSIGN(const bool shared, is_shared_branch(engine, out.at.branch));
    const story::NoteChecks note{out.at.branch, out.at.commit, verdicts, request.actor, now_exact, shared};
    PAWL_ASSIGN(Change change, story::decide(current, note, now));
    Decision decision;
    decision.changes.push_back(std::move(change));
    return decision;
  }));
  return out;
}

Result<Json> exact_commands(const Engine& engine, const Record& story, const std::string& branch) {
  PAWL_ASSIGN(const Json table, check_table(engine));
  return story::exact_commands(story.doc, table, values_for(story, branch), with_shell(engine));
}

Result<Json> criteria_facts(const Engine& engine, const Record& story, const CheckedOut& at) {
  PAWL_ASSIGN(Json exact, exact_commands(engine, story, at.branch));
  Json facts{{"branch", at.branch}, {"commit", at.commit}, {"dirty", at.dirty}, {"exact", std::move(exact)}};
  PAWL_ASSIGN(const bool shared, is_shared_branch(engine, at.branch));
  if (shared) facts["shared"] = true;
  return facts;
}

Result<Json> criteria_facts(Engine& engine, const Record& story, const std::optional<std::string>& branch) {
  PAWL_ASSIGN(const std::string repository, story_repository(engine));
  if (!engine.settings().text("story.repo").empty()) {
    const Done there = must_be_repository(engine, repository);
    if (!there) return Json{{"repository", repository}, {"lacks", there.error().message}};
  }
  const auto name = branch_for(engine, story, branch);
  if (!name) return name.error().code == ErrorCode::not_found ? Json{{"lacks", name.error().message}} : Json::object();
  const auto commit = git_commit_of(repository, cat("refs/heads/", *name));
  if (!commit) return Json{{"branch", *name}, {"lacks", cat("there is no branch ", *name)}};
  const auto at = story_checkout(engine, story, *name);
  if (at) return criteria_facts(engine, story, *at);
  if (at.error().code != ErrorCode::not_found) return tl::unexpected(at.error());
  // Checked out nowhere: nothing of it can be uncommitted.
  return criteria_facts(engine, story, CheckedOut{"", *name, *commit, {}});
}

}  // namespace pawl
