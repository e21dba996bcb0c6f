// Stories: what is next among many, and a move in a long list.
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "bench.h"
#include "engine/engine.h"
#include "lifecycles/story/story.h"

namespace pawl::bench {
namespace {

constexpr std::int64_t kFarMs = std::int64_t{4'000'000'000} * 1000;

template <class T>
T must(Result<T> result) {
  if (!result) give_up(result.error().message);
  return std::move(*result);
}

// The law of stories without their file: the store alone.
const Lifecycles& without_file() {
  static const std::array kRows = {
      Lifecycle{story::kKind, &story::machine(), {}, {}, story::lifecycle().rank, nullptr}};
  static const Lifecycles kTable{kRows};
  return kTable;
}

// Half have ended, a tenth wait and are not due, the rest is to be done; every third waits for one that has ended.
Change story_of(int i) {
  const std::string id = cat("US-", i);
  Record before = absent_record({std::string(story::kKind), {}, id});
  Change change{before, before, "added", Json(), false};
  change.after.status = i % 2 == 0 ? "merged" : i % 10 == 1 ? "pushed" : "pending";
  Json doc{{"id", id}, {"title", cat("A story of many: ", i)}, {"acceptanceCriteria", {"Tests pass"}}};
  doc["priority"] = i % 7;
  if (i % 3 == 0) doc["dependsOn"] = {"US-0"};
  if (change.after.status == "pushed") doc["_pawl"] = {{"looked_ms", 1}, {"due_ms", kFarMs + i}};
  change.after.doc = std::move(doc);
  return change;
}

std::string store_of(const Options& options, int count) {
  const std::string folder = cat(options.folder, "/stories-", count);
  std::filesystem::create_directories(folder + "/.git");
  const SystemClock clock{};
  const auto engine = must(Engine::open({folder, &without_file(), &clock, [](std::string_view) {}}));
  Store* const store = must(engine->store(true));
  must(store->enter_long_lived());
  constexpr int kBatch = 10'000;
  Request request;
  request.verb = "bench";
  for (int first = 0; first < count; first += kBatch) {
    must(engine->change(request, Look{}, [&](const View&, const Now&) -> Result<Decision> {
      Decision decision;
      for (int i = first; i < std::min(first + kBatch, count); ++i) decision.changes.push_back(story_of(i));
      return decision;
    }));
  }
  must(store->leave_long_lived());
  return folder;
}

// Stories as long as people write them.
std::string list_of(const Options& options, int count) {
  const std::string folder = cat(options.folder, "/prd-", count);
  std::filesystem::create_directories(folder + "/.git");
  Json stories = Json::array();
  for (int i = 0; i < count; ++i) {
    stories.push_back(
        {{"id", cat("US-", i)},
         {"title", cat("Reset a password by e-mail, part ", i)},
         {"description",
          "As a user, I want a link in my mail, so that I get back in when I have forgotten my password."},
         {"acceptanceCriteria",
          {"The link works once", "It ends after an hour", "npm test passes", "Typecheck passes"}},
         {"priority", i % 5},
         {"status", i == 4 ? "pending" : "pushed"},
         {"branchName", cat("us-", i)},
         {"prNumber", i + 1},
         {"lastActivityBy", "bot"}});
  }
  std::ofstream(folder + "/prd.json") << to_pretty(Json{{"project", "Bench"}, {"stories", std::move(stories)}}) << "\n";
  run_process({PAWL_BINARY, "-C", folder, "init"});
  return folder;
}

}  // namespace

std::vector<Figure> bench_story(const Options& options) {
  std::vector<Figure> figures;
  char text[160];
  const std::string pawl = installed(PAWL_BINARY, options.folder);
  const int many = static_cast<int>(1'000'000 * options.scale), few = 1000;
  const std::string large = store_of(options, many), small = store_of(options, few);
  const auto next = medians_in_turn(options.runs, {[&] {
                                                     run_process({pawl, "-C", large, "story", "next"});
                                                   },
                                                   [&] {
                                                     run_process({pawl, "-C", small, "story", "next"});
                                                   }});
  std::snprintf(text, sizeof text, "%s, among %d : %d", both(next[0], next[1]).c_str(), many, few);
  figures.push_back(at_most("`pawl story next` among a million : among a thousand", next[0] / next[1], 2.0, text));

  const std::string long_list = list_of(options, 500), short_list = list_of(options, 5);
  int turn = 0;
  const auto move = [&](const std::string& folder) {
    run_process({pawl, "-C", folder, "story", "activity", "US-3", ++turn % 4 < 2 ? "reviewer" : "bot"});
  };
  const auto moved = medians_in_turn(options.runs, {[&] { move(long_list); }, [&] { move(short_list); }});
  figures.push_back(at_most("a story changed in a prd.json of 500, file included : of 5", moved[0] / moved[1], 4.0,
                            both(moved[0], moved[1])));

  // From pending to committed, with what git knows of its branch; a person's reset, which is not timed, takes it back.
  std::vector<double> in_long, in_short;
  for (int run = 0; run < options.runs / 2; ++run) {
    for (const auto& [folder, times] : {std::pair(&long_list, &in_long), std::pair(&short_list, &in_short)}) {
      const double began = now_us();
      run_process({pawl, "-C", *folder, "story", "move", "US-4", "committed"});
      times->push_back(now_us() - began);
      run_process({pawl, "-C", *folder, "story", "reset", "US-4", "--reason", "again"});
    }
  }
  const double of_long = median(in_long), of_short = median(in_short);
  figures.push_back(at_most("`pawl story move` in a prd.json of 500, file included : of 5", of_long / of_short, 4.0,
                            both(of_long, of_short)));
  return figures;
}

}  // namespace pawl::bench
