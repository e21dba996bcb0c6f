// What looks like a finding in the state file and is read as none: no review approves over it, and whoever asks is told
// of it.
#include <gtest/gtest.h>

#include "support/review_on_github.h"

namespace pawl::test {
namespace {

class ReviewLookAlike : public ReviewOnGithub {
 protected:
  void SetUp() override {
    ReviewOnGithub::SetUp();
    json({"start", "o/r#1"});
    mark_all();
    add("core/engine.c", 1, "minor", "small", {"--body", "A small thing."});
    good = project.state_file();
  }
  void write(const std::string& text) const { project.edit_file(kStateFile, "## Comments by File", text); }

  std::string good;
};

TEST_F(ReviewLookAlike, IsNotApprovedOver) {
  EXPECT_EQ(json({"post", "--dry-run"})["verdict"], "APPROVE");
  for (const std::string form :
       {"### Action Required bad", "- 🔴 Action Required: bad", "**🔴 Action Required**",
        "### Critical: bad\n\n**Location:** core/engine.c:3", "#### 🔴 bad", "🔴 Action Required - bad",
        "> - 🔴 Action Required: bad", "---\n\n**Action Required:** bad", "---\n\n### [HIGH] bad",
        "---\n\n### Acton Required bad", "---\n\n| 🔴 | bad |"}) {
    SCOPED_TRACE(form);
    project.write(kStateFile, good);
    write(form + "\n\n## Comments by File");
    const std::string written = project.state_file();
    const Json shown = json({"post", "--dry-run"});
    EXPECT_EQ(shown["verdict"], "COMMENT") << shown;
    EXPECT_TRUE(has(string_or(shown, "why"), "looks like a finding and is read as none: line ")) << shown;
    EXPECT_EQ(shown["look_alikes"].size(), 1U) << shown;
    EXPECT_EQ(project.state_file(), written) << "it stays as it is";
  }
}

TEST_F(ReviewLookAlike, IsToldOfUntilItIsPutRight) {
  write("- 🔴 Action Required: bad\n\n## Comments by File");
  for (const char* verb : {"status", "show"}) {
    const Ran ran = run({verb});
    EXPECT_TRUE(has(ran.out, "[!] looks like a finding, and is read as none: line ") &&
                has(ran.out, "“- 🔴 Action Required: bad”\n    write it as ### 🔴 Action Required: TITLE"))
        << ran.out;
  }
  EXPECT_EQ(json({"status"})["look_alikes"][0]["text"], "- 🔴 Action Required: bad");
  const Ran dry = run({"post", "--dry-run"});
  EXPECT_TRUE(has(dry.out, "COMMENT on o/r#1") && has(dry.out, "“- 🔴 Action Required: bad”")) << dry.out;

  // Written as one it is one.
  project.edit_file(kStateFile, "- 🔴 Action Required: bad", "### 🔴 Action Required: bad");
  EXPECT_EQ(json({"post", "--dry-run"})["verdict"], "REQUEST_CHANGES");
  project.write(kStateFile, good);
  EXPECT_FALSE(json({"status"}).contains("look_alikes"));
  // It was one for a while, and went by an edit: somebody has to say that it was none.
  const Json dry_again = json({"post", "--dry-run"});
  EXPECT_EQ(dry_again["verdict"], "COMMENT");
  EXPECT_EQ(run({"finding", "drop", string_or(dry_again["vanished"][0], "id")}).exit, 0) << dry_again;
  EXPECT_EQ(json({"post", "--yes"})["verdict"], "APPROVE");
}

TEST_F(ReviewLookAlike, IsPostedAsACommentAndNotSaid) {
  write("- 🔴 Action Required: bad\n\n## Comments by File");
  EXPECT_EQ(json({"post", "--yes"})["verdict"], "COMMENT");
  EXPECT_EQ(reviews(1)[0]["state"], "COMMENTED");
  EXPECT_FALSE(has(reviews(1)[0].dump(), "Required: bad")) << reviews(1)[0];  // "bad" may stand in a commit's id
}

TEST_F(ReviewLookAlike, OfAReviewThatIsSetAsideIsSeenToo) {
  write("- 🔴 Action Required: bad\n\n## Comments by File");
  json({"start", "o/r#2", "--yes"});
  EXPECT_FALSE(json({"status"}).contains("look_alikes"));
  EXPECT_EQ(json({"status", "--pr", "o/r#1"})["look_alikes"].size(), 1U);
  EXPECT_EQ(json({"post", "--pr", "o/r#1", "--dry-run"})["verdict"], "COMMENT");
}

TEST_F(ReviewLookAlike, OfAnExportIsSeenToo) {
  json({"export"});
  const std::string text = *project.read(kExportFile);
  project.write("mine.md", text);
  EXPECT_EQ(json({"post", "--from", "mine.md", "--dry-run"})["verdict"], "APPROVE");
  project.write("mine.md", text + "\n---\n\n- 🔴 Action Required: bad\n");
  const Json shown = json({"post", "--from", "mine.md", "--dry-run"});
  EXPECT_EQ(shown["verdict"], "COMMENT") << shown;
  EXPECT_TRUE(has(string_or(shown, "why"), "the export has what looks like a finding")) << shown;
  EXPECT_EQ(shown["look_alikes"][0]["file"], "mine.md") << shown;
}

TEST_F(ReviewLookAlike, OfAnExportIsNamedWhateverElseItSays) {
  json({"export"});
  const std::string text = *project.read(kExportFile) + "\n---\n\n- 🔴 Action Required: bad\n";
  const std::string where =
      "line " + std::to_string(std::count(text.begin(), text.end(), '\n')) + " of mine.md, “- 🔴 Action Required: bad”";
  const auto grave = [&](const std::string& from) {
    std::string out = from;
    const std::string minor = "### 🟢 Minor";
    return out.replace(out.find(minor), minor.size(), "### 🔴 Action Required");
  };
  project.write("mine.md", grave(text));
  const Ran dry = run({"post", "--from", "mine.md", "--dry-run"});
  EXPECT_TRUE(has(dry.out, "REQUEST_CHANGES on o/r#1") && has(dry.out, where)) << dry.out;

  // Without its review too.
  json({"clean"});
  project.write("mine.md", text);
  const Ran alone = run({"post", "--from", "mine.md", "--dry-run"});
  EXPECT_TRUE(has(alone.out, "the export has what looks like a finding") && has(alone.out, where)) << alone.out;
  EXPECT_EQ(json({"post", "--from", "mine.md", "--yes"})["look_alikes"].size(), 1U);
}

TEST_F(ReviewLookAlike, TheTextsOfFindingsAreNone) {
  add("core/engine.c", 2, "minor", "Action required? No",
      {"--body", "### Recommended fix\n\n🔴 is red.\n\n```md\n### 🔴 Action Required an example\n```\n\n> 🔴 quoted"});
  EXPECT_FALSE(json({"status"}).contains("look_alikes")) << json({"status"});
}

}  // namespace
}  // namespace pawl::test
