// The part of the seed that control requests plant too: comments, threads, reviews, checks.
#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include "practice/refusal.h"
#include "practice/seed.h"

namespace pawl::practice {
namespace {

void fill(World& world, Written& written, const Json& wanted, const char* created) {
  written.id = integer_or(wanted, "id", 0);
  if (written.id == 0) written.id = world.next_id();
  written.author = world.user(string_or(wanted, "author", world.login)).login;
  written.body = wanted.is_string() ? wanted.get<std::string>() : string_or(wanted, "body");
  written.association = string_or(wanted, "association");
  written.created_ms = parse_iso_time(string_or(wanted, created)).value_or(world.now_ms());
  written.updated_ms = parse_iso_time(string_or(wanted, "updated_at")).value_or(written.created_ms);
}

// "success" of a status is the colour, not the stage: who names only a conclusion means a check that has ended.
Check check_in(World& world, const std::string& sha, const Json& one) {
  Check check;
  check.id = integer_or(one, "id", 0);
  if (check.id == 0) check.id = world.next_id();
  check.sha = string_or(one, "sha", sha);
  check.name = one.is_string() ? one.get<std::string>() : string_or(one, "name", "build");
  check.status = lower(string_or(one, "status", "completed"));
  check.conclusion = check.status == "completed" ? lower(string_or(one, "conclusion", "success")) : std::string();
  check.title = string_or(one, "title");
  check.summary = string_or(one, "summary");
  check.details_url = string_or(one, "details_url", cat("https://example.com/checks/", check.id));
  check.started_ms = parse_iso_time(string_or(one, "started_at")).value_or(world.now_ms());
  if (check.status == "completed") {
    check.completed_ms = parse_iso_time(string_or(one, "completed_at")).value_or(world.now_ms());
  }
  return check;
}

}  // namespace

void plant_comments(World& world, Item& item, const Json& wanted) {
  for (const Json& one : wanted) {
    const std::int64_t count = integer_or(one, "count", 1);
    for (std::int64_t i = 1; i <= count; ++i) {
      Comment comment;
      fill(world, comment, one, "created_at");
      if (count > 1) {
        comment.body += cat(" ", i);
        if (i > 1) comment.id = world.next_id();
      }
      item.comments.push_back(std::move(comment));
    }
  }
}

void plant_reviews(World& world, Item& item, const Json& wanted) {
  for (const Json& one : wanted) {
    Review review;
    fill(world, review, one, "submitted_at");
    review.state = string_or(one, "state", "COMMENTED");
    review.commit = string_or(one, "commit_id", item.pull->head_sha);
    item.pull->reviews.push_back(std::move(review));
  }
}

Done plant_threads(World& world, Actions& actions, Repository& repository, Item& item, const Json& wanted) {
  PAWL_ASSIGN(const PullView* const seen, actions.view(repository, item));
  for (const Json& one : wanted) {
    Thread thread;
    thread.id = world.next_id();
    thread.resolved = bool_or(one, "resolved");
    if (thread.resolved) thread.resolved_by = world.login;
    thread.outdated = bool_or(one, "outdated");
    thread.place.path = string_or(one, "path", seen->files.empty() ? "README.md" : seen->files.front().name);
    thread.place.line = integer_or(one, "line", 1);
    thread.place.side = string_or(one, "side", "RIGHT");
    thread.place.start_line = integer_or(one, "start_line", 0);
    if (thread.place.start_line != 0) thread.place.start_side = string_or(one, "start_side", thread.place.side);
    std::string hunk = string_or(one, "diff_hunk");
    for (const ChangedFile& file : seen->files) {
      if (hunk.empty() && file.name == thread.place.path) {
        hunk = hunk_at(file.patch, thread.place.line, thread.place.side);
      }
    }
    std::int64_t first = 0;
    Json comments = one.is_object() && one.contains("comments") ? one["comments"] : Json::array({one});
    for (const Json& written : comments) {
      ReviewComment comment;
      fill(world, comment, written, "created_at");
      comment.thread = thread.id;
      comment.place = thread.place;
      comment.diff_hunk = hunk;
      comment.commit = item.pull->head_sha;
      comment.in_reply_to = first;
      if (first == 0) first = comment.id;
      Review review;
      review.id = world.next_id();
      review.author = comment.author;
      review.association = comment.association;
      review.commit = comment.commit;
      review.created_ms = review.updated_ms = comment.created_ms;
      comment.review = review.id;
      item.pull->reviews.push_back(std::move(review));
      item.pull->comments.push_back(std::move(comment));
    }
    item.pull->threads.push_back(std::move(thread));
  }
  return done();
}

Done plant_checks(World& world, Repository& repository, const std::string& sha, const Json& wanted) {
  if (!wanted.is_object()) return done();
  if (const auto checks = wanted.find("checks"); checks != wanted.end()) {
    for (const Json& one : *checks) {
      Check check = check_in(world, sha, one);
      // The newest run of a name is the one that counts.
      std::erase_if(repository.checks,
                    [&](const Check& old) { return old.sha == check.sha && old.name == check.name; });
      repository.checks.push_back(std::move(check));
    }
  }
  if (const auto statuses = wanted.find("statuses"); statuses != wanted.end()) {
    for (const Json& one : *statuses) {
      CommitStatus status;
      status.id = world.next_id();
      status.sha = string_or(one, "sha", sha);
      status.context = one.is_string() ? one.get<std::string>() : string_or(one, "context", "default");
      status.state = lower(string_or(one, "state", "success"));
      status.description = string_or(one, "description");
      status.target_url = string_or(one, "target_url");
      status.creator = world.user(string_or(one, "creator", world.login)).login;
      status.created_ms = world.now_ms();
      repository.statuses.push_back(std::move(status));
    }
  }
  return done();
}

Json demo_seed() {
  return Json::parse(R"({
    "repositories": [{
      "owner": "practice", "name": "demo", "description": "To try a bot on",
      "collaborators": {"octocat": "admin"},
      "labels": ["bug", "good first issue"],
      "pulls": [{
        "number": 1, "title": "Greet by name", "body": "So that everybody is greeted.", "author": "ann",
        "files": {"greet.py": {"before": "print('hello')\n",
                               "after": "import sys\n\nname = sys.argv[1]\nprint('hello ' + name)\n"}},
        "comments": [{"author": "octocat", "body": "Thank you! One question below."}],
        "threads": [{"path": "greet.py", "line": 3,
                     "comments": [{"author": "octocat", "body": "What if no name is given?"}]}],
        "checks": [{"name": "build", "conclusion": "success"}]
      }],
      "issues": [{"number": 2, "title": "Say goodbye too", "body": "After the greeting.", "author": "ben",
                  "labels": ["good first issue"], "comments": [{"author": "ann", "body": "Good idea."}]}]
    }]
  })");
}

}  // namespace pawl::practice
