#include "support/story_project.h"

#include <gtest/gtest.h>

namespace pawl::test {

Json StoryProject::story(const std::string& id, const std::string& status, int priority, const Json& more) {
  Json one{{"id", id},
           {"title", "Title of " + id},
           {"description", "As a user, I want " + id},
           {"acceptanceCriteria", {"Tests pass"}},
           {"priority", priority},
           {"status", status}};
  for (const auto& [key, value] : more.items()) one[key] = value;
  return one;
}

void StoryProject::stories(const std::vector<Json>& list) const {
  Json root{{"project", "Example"}, {"stories", list}};
  write(kPrd, root.dump(2) + "\n");
  // Where no criterion has a command init would go over to recorded gates, unless somebody has said what they are.
  RunOptions asked;
  asked.env = {"PAWL_GATES=require"};
  const Ran ran = run({"init"}, asked);
  EXPECT_EQ(ran.exit, 0) << ran.err;
}

Json StoryProject::json(std::vector<std::string> args, int exit) const {
  args.emplace_back("--json");
  const Ran ran = run(args);
  EXPECT_EQ(ran.exit, exit) << ran.err << ran.out;
  return Json::parse(ran.out, nullptr, false);
}

std::string StoryProject::status(const std::string& id) const {
  return string_or(json({"story", "show", id}), "status");
}

std::string StoryProject::in_file(const std::string& id) const {
  const Json root = Json::parse(prd(), nullptr, false);
  for (const char* name : {"stories", "userStories"}) {
    if (!root.is_object() || !root.contains(name)) continue;
    for (const Json& story : root[name]) {
      if (story.is_object() && story.contains("id") && story["id"] == id)
        return story.contains("status")   ? string_or(story, "status")
               : story.contains("passes") ? story["passes"].dump()
                                          : "(none)";
    }
  }
  return "(missing)";
}

void StoryProject::edit_prd(std::string_view from, std::string_view to) const {
  const std::string before = prd();
  ASSERT_TRUE(has(before, from)) << from << " is not in\n" << before;
  write(kPrd, replaced(before, from, to));
}

std::string StoryProject::next(std::vector<std::string> more) const {
  std::vector<std::string> args = {"story", "next", "--json"};
  args.insert(args.end(), more.begin(), more.end());
  const Ran ran = run(args);
  EXPECT_TRUE(ran.exit == 0 || ran.exit == 3) << ran.err;
  const Json answer = Json::parse(ran.out, nullptr, false);
  return answer.is_object() ? string_or(answer, "id") : "(no answer)";
}

Json StoryProject::take(const std::string& worker, std::vector<std::string> how) const {
  std::vector<std::string> args = {"story", "next", "--json", "--claim", "--worker", worker};
  args.insert(args.end(), how.begin(), how.end());
  const Ran ran = run(args);
  EXPECT_TRUE(ran.exit == 0 || ran.exit == 3) << ran.err;
  return Json::parse(ran.out, nullptr, false);
}

}  // namespace pawl::test
