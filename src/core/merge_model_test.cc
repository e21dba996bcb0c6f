// The merge and its model make the same of random cases. PAWL_MODEL_CASES says how many cases there are,
// PAWL_MODEL_SEED where they begin.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/json_same.h"
#include "core/merge.h"
#include "support/merge_stage.h"
#include "support/model.h"

namespace pawl::merge {
namespace {

using test::number_from;
class MergeModel : public test::ModelTest {};

// Lists that say nothing by their order.
Json in_one_order(Json outcome) {
  for (const char* name : {"records", "conflicts", "notes", "rows"}) {
    std::vector<std::string> lines;
    for (Json& one : outcome[name]) {
      if (one.is_object()) one = nlohmann::json(one);  // sorts its members
      lines.push_back(to_line(one));
    }
    std::sort(lines.begin(), lines.end());
    outcome[name] = lines;
  }
  return outcome;
}

TEST_F(MergeModel, RandomCasesComeOutTheSame) {
  const std::uint64_t seed = number_from("PAWL_MODEL_SEED", 1), count = number_from("PAWL_MODEL_CASES", 3000);
  std::vector<Json> cases;
  for (std::uint64_t i = 0; i < count; ++i)
    cases.push_back(as_json(random_case(seed + i, static_cast<int>(1 + i % 8))));
  const std::vector<Json> answers = ask("merge_model.py", cases);
  ASSERT_EQ(answers.size(), cases.size());
  int different = 0;
  std::map<std::string, int> rows;
  for (std::uint64_t i = 0; i < count && different < 3; ++i) {
    const RandomCase one = random_case(seed + i, static_cast<int>(1 + i % 8));
    const Outcome outcome = one.without_base ? merge(one.look(), nullptr) : merge_file(one.look(), one.known());
    for (const RowHit& hit : outcome.rows) ++rows[std::string(hit.row.row)];
    const Json mine = in_one_order(as_json(outcome)), models = in_one_order(answers[i]);
    if (same_text(mine, models)) continue;
    ++different;
    ADD_FAILURE() << "seed " << seed + i << "\ncase   " << to_line(cases[i]) << "\nmine   " << to_line(mine)
                  << "\nmodel  " << to_line(models);
  }
  for (const auto& [row, hits] : rows) RecordProperty("hits_" + row, hits);
  EXPECT_TRUE(count < 1000 || rows.size() == 14) << "rows that no case met: " << 14 - rows.size();
}

TEST_F(MergeModel, ItsLifecyclesAreDeclaredAlike) {
  const auto with_sorted_moves = [](Json law) {
    std::vector<std::string> moves;
    for (const Json& move : law["moves"]) moves.push_back(to_line(move));
    std::sort(moves.begin(), moves.end());
    law["moves"] = moves;
    return law;
  };
  std::vector<Json> cases;
  for (const model::Lifecycle& life : model::kLifecycles) cases.push_back({{"declared", life.name}});
  const std::vector<Json> answers = ask("merge_model.py", cases);
  ASSERT_EQ(answers.size(), model::kLifecycles.size());
  for (std::size_t i = 0; i < answers.size(); ++i) {
    RandomCase one;
    one.law_name = model::kLifecycles[i].name;
    one.law = model::kLifecycles[i].law;
    const Json mine = with_sorted_moves(as_json(one)["law"]), models = with_sorted_moves(answers[i]);
    EXPECT_TRUE(same_text(mine, models)) << to_line(mine) << "\n" << to_line(models);
  }
}

TEST_F(MergeModel, UndoComesOutTheSame) {
  const auto record = [](const std::optional<OurRecord>& one) { return one ? as_json(*one) : Json(); };
  std::vector<Json> cases;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const auto history = random_history(seed, static_cast<int>(seed % 3));
    cases.push_back({{"before", record(history[0])}, {"after", record(history[1])}, {"now", record(history[2])}});
  }
  const std::vector<Json> answers = ask("merge_model.py", cases);
  ASSERT_EQ(answers.size(), cases.size());
  int refused = 0;
  for (std::uint64_t seed = 0; seed < cases.size(); ++seed) {
    const auto history = random_history(seed, static_cast<int>(seed % 3));
    const auto pointer = [&](std::size_t at) { return history[at] ? &*history[at] : nullptr; };
    const Reverted back = revert(pointer(0), pointer(1), pointer(2));
    const Json mine = {{"refused", back.refused}, {"record", record(back.record)}};
    ASSERT_TRUE(same_text(mine, answers[seed])) << to_line(cases[seed]) << "\n"
                                                << to_line(mine) << "\n"
                                                << to_line(answers[seed]);
    refused += back.refused ? 1 : 0;
  }
  EXPECT_GT(refused, 100);
  EXPECT_LT(refused, 2900);
}

TEST_F(MergeModel, EveryCaseOfAFileComesOutTheSame) {
  constexpr std::array<std::string_view, 3> kGit = {"", "git", "at_work"};
  constexpr std::array<std::string_view, 4> kDamage = {"", "unreadable", "markers", "too_large"};
  std::vector<Json> cases;
  std::vector<std::string> mine;
  for (unsigned i = 0; i < 1024U * 12U; ++i) {
    const auto bit = [&](unsigned at) { return ((i >> at) & 1U) != 0; };
    FileCase c{bit(0), bit(1), bit(2), bit(3), bit(4), bit(5), bit(6)};
    c.another = bit(7);
    c.all_over = bit(8);
    c.take_whole = bit(9);
    c.git = static_cast<GitState>((i >> 10U) % 3);
    c.damage = static_cast<Damage>((i >> 10U) / 3);
    cases.push_back({{"exists", c.exists},
                     {"in_use", c.in_use},
                     {"moved_here", c.moved_here},
                     {"displaced", c.displaced},
                     {"equals_newest", c.equals_newest},
                     {"equals_before", c.equals_before},
                     {"before_is_theirs", c.before_is_theirs},
                     {"another", c.another},
                     {"all_over", c.all_over},
                     {"take_whole", c.take_whole},
                     {"git", kGit[static_cast<std::size_t>(c.git)]},
                     {"damage", kDamage[static_cast<std::size_t>(c.damage)]}});
    mine.emplace_back(judge_file(c).row);
  }
  const std::vector<Json> answers = ask("merge_model.py", cases);
  ASSERT_EQ(answers.size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) ASSERT_EQ(answers[i], Json(mine[i])) << to_line(cases[i]);
}

}  // namespace
}  // namespace pawl::merge
