// The tour's story bot: it is killed while its agent works, and the next run carries the story on, to a pull request.
// GitHub is the stand-in of `pawl practice`, and the remote its bare repository on this machine.
#include "base/file.h"
#include "base/text.h"
#include "commands/tour_github.h"
#include "commands/tour_guide.h"

namespace pawl::tour {
namespace {

constexpr std::string_view kStoryWorld = R"json({"token": "practice", "login": "shop-bot", "repositories": [
  {"owner": "octo", "name": "shop", "files": {"README.md": "A shop\n"}}]})json";

constexpr std::string_view kStoryList = R"json({
  "project": "Shop",
  "stories": [
    {"id": "US-1", "title": "Reset a password", "priority": 1, "status": "pending",
     "acceptanceCriteria": ["a mail is sent"]}
  ]
}
)json";

// A person trusts this before it is believed.
std::string settings_of(const Guide& shop) {
  return cat("[agent]\ncommand = [\"sh\", \"", shop.folder(),
             "/agent.sh\"]\n\n[story.checks]\n\"a mail is sent\" = [\"grep\", \"-q\", \"mail\", \"reset.txt\"]\n");
}

// In place of an agent. The first time it is killed at its work, and the bot with it.
constexpr std::string_view kStoryAgent = R"sh(echo "mail" >reset.txt
if mkdir "$0.killed" 2>/dev/null; then kill -9 $PPID $$; fi
)sh";

Done make_project(const Guide& shop, const PracticeGitHub& github) {
  const std::string address = "git@github.com:octo/shop.git";
  const std::string bare = cat(github.folder(), "/octo/shop.git");
  const auto git = [&](std::vector<std::string> words) -> Done {
    words.insert(words.begin(), {"git", "-C", shop.folder()});
    PAWL_ASSIGN(const Ran ran, run_program(words, 65'536, StandardError::with_output));
    if (ran.exit_code == 0) return done();
    return fail(ErrorCode::unavailable, cat("git ", words[3], ": ", ran.out));
  };
  PAWL_TRY(git({"init", "-q", "."}));
  PAWL_TRY(git({"config", cat("url.", bare, ".insteadOf"), address}));
  PAWL_TRY(git({"remote", "add", "origin", address}));
  PAWL_TRY(git({"fetch", "-q", "origin"}));
  return git({"checkout", "-q", "-B", "main", "origin/main"});
}

}  // namespace

Done a_story_is_carried(Guide& guide) {
  PAWL_TRY(guide.chapter("A story is carried, and its agent and bot are killed"));
  if (guide.lacks({"git"})) return done();
  Guide shop = guide.in("shop");
  PAWL_TRY(shop.write_file("github.json", kStoryWorld));
  const PracticeGitHub github(shop, "github.json");
  if (!github.listens()) {
    guide.say("The stand-in for GitHub did not start, so this part is left out.");
    return done();
  }
  github.give_to(shop);
  // What is trusted is remembered in the tour's folder, and nobody's own settings of git take part.
  shop.give(cat("XDG_STATE_HOME=", guide.folder(), "/state"));
  shop.give("GIT_CONFIG_GLOBAL=/dev/null");
  for (const char* who : {"AUTHOR", "COMMITTER"}) {
    shop.give(cat("GIT_", who, "_NAME=shop-bot"));
    shop.give(cat("GIT_", who, "_EMAIL=shop-bot@example.org"));
  }
  if (const Done made = make_project(shop, github); !made) {
    guide.say(cat("A repository could not be made (", made.error().message, "), so this part is left out."));
    return done();
  }
  PAWL_TRY(shop.write_file(".git/info/exclude", "prd.json\npawl.toml\ngithub.json\nagent*\n.pawl\n.worktrees\n"));
  PAWL_TRY(shop.write_file("prd.json", kStoryList));
  PAWL_TRY(shop.write_file("pawl.toml", settings_of(shop)));
  PAWL_TRY(shop.write_file("agent.sh", kStoryAgent));
  PAWL_TRY(shop.pawl({"trust"}));
  PAWL_TRY(shop.pawl({"story", "run", "--until-idle"}));
  guide.say("Both were killed by SIGKILL at their work. The story is where it was:");
  PAWL_TRY(shop.pawl({"story", "list"}));

  PAWL_TRY(guide.chapter("The next run carries the story on"));
  guide.say("It is checked, committed and pushed as a draft pull request:");
  PAWL_ASSIGN(const Ran ran, shop.pawl({"story", "run", "--until-idle"}));

  PAWL_TRY(guide.chapter("Every move of the story is in its log, with the evidence"));
  PAWL_TRY(shop.shell("pawl story log US-1 | grep →"));
  PAWL_TRY(shop.shell("pawl story log US-1 | sed -n '/pending → committed/,/exit:/p'"));
  PAWL_ASSIGN(const Ran status, shop.quietly({"story", "list", "--status", "pushed"}));
  if (ran.exit_code != 0 || status.out.find("US-1") == std::string::npos)
    return fail(ErrorCode::internal, "the tour's story was not carried on: please report this");
  return done();
}

}  // namespace pawl::tour
