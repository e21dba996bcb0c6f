// `pawl story cleanup`: worktrees and branches of stories that have ended.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "commands/cleanup_answer.h"
#include "commands/context.h"
#include "commands/once.h"
#include "commands/story.h"
#include "commands/table.h"
#include "engine/typed_path.h"
#include "lifecycles/story/story.h"
#include "runners/story_bot/cleanup.h"
#include "runners/story_list.h"

namespace pawl {
namespace {

// One that was dropped is in no list any more; what was made for it may still be in git.
Result<Record> story_or_dropped(Context& context, const Arguments& arguments) {
  auto story = story::read_story(context, arguments);
  if (story || story.error().code != ErrorCode::not_found) return story;
  PAWL_ASSIGN(Engine* const engine, context.engine());
  std::optional<Record> dropped;
  PAWL_TRY(engine->read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(const Record gone, story::story_meant(*engine, view, arguments));
    PAWL_ASSIGN(dropped, as_dropped(view, gone.id));
    return done();
  }));
  return dropped ? Result<Record>(*std::move(dropped)) : story;
}

// Those that were named, or all that are merged and have left something.
Result<std::vector<Record>> wanted(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  const bool merged = arguments.flag("merged");
  if (arguments.text("id").has_value() == merged)
    return fail(ErrorCode::invalid_argument, "`pawl story cleanup` needs a story's id, or --merged",
                "pawl help story cleanup");
  if (!merged) {
    PAWL_ASSIGN(Record story, story_or_dropped(context, arguments));
    return std::vector{std::move(story)};
  }
  const auto typed = arguments.text("file");
  PAWL_ASSIGN(const std::string file, typed ? typed_path(*engine, *typed) : Result<std::string>(std::string()));
  std::vector<Record> all, out;
  PAWL_TRY(engine->read(look_at_stories(), std::nullopt, [&](const View& view) -> Done {
    PAWL_ASSIGN(all, all_stories(view, {std::string(story::kMerged), false}));
    PAWL_ASSIGN(const auto passed, all_stories(view, {std::string(story::kPassed), false}));
    all.insert(all.end(), passed.begin(), passed.end());
    return done();
  }));
  for (Record& story : all) {
    if (typed && story::file_of(story.id) != file) continue;
    if (story.id.kind == story::kPasses) {  // which says nothing of that
      PAWL_ASSIGN(const bool in_base, is_merged_in_git(*engine, story));
      if (!in_base) continue;
    }
    PAWL_ASSIGN(const bool left, has_left_something(*engine, story));
    if (left) out.push_back(std::move(story));
  }
  return out;
}

Result<Reply> clean_up(Engine& engine, const std::vector<Record>& stories, const RemovalOptions& options) {
  Json out{{"dry_run", options.dry_run}, {"forced", options.force}, {"stories", Json::array()}};
  int exit_code = 0;
  for (const Record& story : stories) {
    const auto cleaned = clean_up_story(engine, story, options);
    if (!cleaned && stories.size() == 1) return tl::unexpected(cleaned.error());
    Json row = cleaned ? cleaned_json("story", story.id.key, *cleaned, options.dry_run)
                       : not_cleaned_json("story", story.id.key, cleaned.error());
    row["file"] = story::file_of(story.id);
    out["stories"].push_back(std::move(row));
    if (!cleaned || cleaned->stopped) exit_code = 1;
  }
  return Reply{std::move(out), exit_code};
}

Result<Reply> run_cleanup(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(const auto stories, wanted(context, arguments));
  RemovalOptions options{arguments.flag("force"), arguments.flag("branch"), arguments.flag("dry-run"), {}};
  return once(context, [&](const Request& request) {
    options.request = request;
    return clean_up(*engine, stories, options);
  });
}

std::string text_of_cleanup(const Json& data, const TextStyle&) { return cleanup_text(data, "stories", "story"); }

constexpr std::array kCleanupParams = {
    Param{.name = "id",
          .value = "ID",
          .summary = "the story's id, as its file has it",
          .positional = true,
          .offer = Offer::records,
          .offer_kind = "story passes"},
    Param{.name = "merged",
          .type = ParamType::flag,
          .summary = "all that are merged; of stories that have passes, all that git knows as merged"},
    Param{.name = "dry-run", .type = ParamType::flag, .summary = "tell what would be done, and do nothing"},
    Param{.name = "force", .type = ParamType::flag, .summary = "put work that nobody else has aside, and go on"},
    Param{.name = "branch", .type = ParamType::flag, .summary = "remove the branch also when it is not merged"},
    story::kFileParam,
};
constexpr std::array kCleanupExamples = {
    Example{"pawl story cleanup --merged --dry-run", "what would go"},
    Example{"pawl story cleanup --merged", "worktrees and branches of all that are merged"},
    Example{"pawl story cleanup US-3", "of one that has ended"},
    Example{"pawl story cleanup US-3 --force", "of a pending one that began at a broken base: it is begun anew"},
};

}  // namespace

const Verb kStoryCleanup = {
    .noun = "story",
    .name = "cleanup",
    .summary = "remove worktree and branch of a story that has ended; nobody's work is lost",
    .manual =
        "Only what `pawl story run` made goes, and only of a story that has ended or was dropped; one that has ended "
        "stays "
        "in its list. With "
        "--force also of a pending one, which is begun anew: what is on its branch is kept under refs/pawl/. The "
        "branch goes when it is merged, by its own commits or as one, or when --branch is given; what was on a branch "
        "that no other has is kept under refs/pawl/. What is not committed, and commits that are neither pushed nor "
        "merged, stop it and are listed. With --force the first go into git's stash, and the second get a name under "
        "refs/pawl/. Repositories of their own in the worktree, work in submodules and conflicts stop it also with "
        "--force. What else git ignores goes with the worktree, and is counted and named. Exit 1 when something was "
        "left.",
    .params = kCleanupParams,
    .examples = kCleanupExamples,
    .read_only = false,
    .run = run_cleanup,
    .text = text_of_cleanup,
};

}  // namespace pawl
