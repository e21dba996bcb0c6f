#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/text.h"
#include "bench.h"
#include "job.h"

namespace pawl::bench {
namespace {

constexpr std::array kStatuses = {Status{"waiting"}, Status{"working"}, Status{"done", true}};
constexpr std::array kMoves = {
    Move{kAbsent, "waiting"}, Move{"waiting", "working"}, Move{"working", "waiting"},
    Move{"working", "done"},  Move{"waiting", "waiting"},
};
constexpr Machine kMachine{"job", "a job", kStatuses, kMoves};
static_assert(!check(kMachine));

const Lifecycles& lifecycles() {
  static const std::array kRows = {Lifecycle{"job", &kMachine, {}, {}, nullptr, nullptr}};
  static const Lifecycles kTable{kRows};
  return kTable;
}

RecordId job(int number) {
  char key[16];
  std::snprintf(key, sizeof key, "%08d", number);
  return {"job", "", key};
}

template <class T>
T must(Result<T> result) {
  if (!result) give_up(result.error().message);
  return std::move(*result);
}

}  // namespace

JobStore::JobStore(const std::string& folder, bool long_lived) : long_lived_(long_lived) {
  std::filesystem::create_directories(folder + "/.git");
  engine_ = must(Engine::open({folder, &lifecycles(), &clock_, [](std::string_view) {}}));
  Store* store = must(engine_->store(true));
  if (long_lived_) must(store->enter_long_lived());
}

JobStore::~JobStore() {
  if (long_lived_) [[maybe_unused]]
    const Done left = must(engine_->store())->leave_long_lived();
}

std::string JobStore::database() const { return engine_->workspace().store + "/pawl.db"; }

void JobStore::move(int first, int count) {
  Request request;
  request.verb = "job move";
  request.actor = "bench";
  must(engine_->change(request, Look{}, [&](const View& view, const Now& now) -> Result<Decision> {
    Decision decision;
    decision.changes.reserve(static_cast<std::size_t>(count));
    const std::string at = iso_time(now.wall_ms);
    for (int i = first; i < first + count; ++i) {
      PAWL_ASSIGN(const Record current, view.load(job(i), RecordPart::without_doc));  // it gets another one
      MoveRequest move;
      move.to = current.status == "waiting" ? "working" : "waiting";
      move.what = "set";
      // As text, which is what the floor is given too: making a JSON value is the lifecycle's work, not the engine's.
      PAWL_ASSIGN(move.doc, Doc::read(cat(R"({"job":)", i, R"(,"note":"as it stands","at":")", at, R"("})")));
      PAWL_ASSIGN(Change change, decide_move(kMachine, current, std::move(move)));
      decision.changes.push_back(std::move(change));
    }
    return decision;
  }));
}

void JobStore::fill(int count) {
  constexpr int kBatch = 10'000;
  for (int first = 0; first < count; first += kBatch) move(first, std::min(kBatch, count - first));
}

void JobStore::next() {
  Query query;
  query.kind = "job";
  query.limit = 1;
  must(engine_->read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(const auto found, view.list(query));
    if (found.size() != 1) give_up("no next record");
    return done();
  }));
}

}  // namespace pawl::bench
