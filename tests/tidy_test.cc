// Taste as a test: the tree against the rules of tests/tidy/rules.h. Each lists every offence, not only the first.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lifecycles/table.h"
#include "tidy/english.h"
#include "tidy/rules.h"

namespace pawl::tidy {
namespace {

const Tree& tree() {
  static const Tree loaded = load_tree(PAWL_SOURCE_DIR);
  return loaded;
}

void expect_none(const Offences& offences) {
  if (!offences.empty()) ADD_FAILURE() << offences.size() << " to put right:\n" << listed(offences);
}

template <class Rule>
void expect_all_keep(Rule rule) {
  Offences all;
  for (const File& file : tree()) {
    for (Offence& offence : rule(file)) all.push_back(std::move(offence));
  }
  expect_none(all);
}

TEST(Tidy, TheTreeIsSeen) {
  EXPECT_NE(find(tree(), "CMakeLists.txt"), nullptr);
  EXPECT_NE(find(tree(), "tests/tidy_test.cc"), nullptr);
  EXPECT_GT(tree().size(), 50U);
}

TEST(Tidy, IncludesFollowTheOrderOfTheHouse) { expect_all_keep(upward_includes); }
TEST(Tidy, HeavyLibrariesStayWhereTheyBelong) { expect_all_keep(caged_libraries); }
TEST(Tidy, TomlIsReadInOnePlace) { expect_none(scattered_toml(tree())); }
TEST(Tidy, TheLawIsPure) { expect_none(impure_law(tree())); }
TEST(Tidy, PublicHeadersAreLight) { expect_all_keep(heavy_public_headers); }

TEST(Tidy, SourcesUseNoRegexAndNoIostream) { expect_all_keep(banned_in_sources); }
TEST(Tidy, NoTestSleeps) { expect_all_keep(sleeping_tests); }
TEST(Tidy, NothingIsMarkedUnfinished) { expect_all_keep(unfinished_marks); }
TEST(Tidy, SourcesHoldOneIdeaEach) { expect_all_keep(long_files); }
TEST(Tidy, NamesSaySomething) { expect_all_keep(empty_names); }
TEST(Tidy, HeadersSayWhatTheyAreFor) { expect_all_keep(bare_headers); }
TEST(Tidy, RebuiltRoomsAreInPlainEnglish) { expect_all_keep(left_behind_idioms); }
TEST(Tidy, WhiteSpaceIsInOrder) { expect_all_keep(untidy_space); }

TEST(Tidy, StatusesAreListedOnlyInTheirMachine) {
  std::vector<StatusList> lists;
  for (const Lifecycle& lifecycle : builtin_lifecycles().rows()) {
    StatusList list{std::string(lifecycle.kind), {}};
    for (const Status& status : lifecycle.machine->statuses) list.words.emplace_back(status.name);
    lists.push_back(std::move(list));
  }
  ASSERT_FALSE(lists.empty());
  expect_all_keep([&](const File& file) { return repeated_statuses(file, lists); });
}

TEST(Tidy, ReadmeIsShort) { expect_none(long_readme(tree())); }
TEST(Tidy, LinksLeadSomewhere) { expect_none(dead_links(tree())); }
TEST(Tidy, TheMapNamesEveryRoomOfTheEngine) { expect_none(unmapped_rooms(tree())); }
TEST(Tidy, TheMapNamesEveryFolderAndNothingElse) { expect_none(unmapped_folders(tree())); }
TEST(Tidy, CiRunsWhatTheReadmeSays) { expect_none(ci_of_its_own(tree())); }
TEST(Tidy, NothingKnowsTheMachineItWasWrittenOn) { expect_all_keep(machine_specifics); }

TEST(Tidy, DocumentsNameOnlyDevCommandsThatExist) {
  const std::string help = output_of(shell_word(std::string(PAWL_SOURCE_DIR) + "/dev") + " help");
  ASSERT_NE(help, "");
  expect_none(unknown_dev_commands(tree(), help));
}

}  // namespace
}  // namespace pawl::tidy
