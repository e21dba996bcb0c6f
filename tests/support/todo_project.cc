#include "support/todo_project.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace pawl::test {

namespace fs = std::filesystem;

Now TickingClock::now() const {
  ++looks_;
  if (looked) looked(looks_);
  return {1'700'000'000'000 + looks_, 1'000'000 + looks_};
}

TodoProject::TodoProject() { reopen(); }

TodoProject::~TodoProject() { while_rendering() = nullptr; }

void TodoProject::reopen() {
  engine_.reset();
  EngineOptions options;
  options.dir = path();
  options.lifecycles = &todo_lifecycles();
  options.clock = &clock;
  options.note = [this](std::string_view text) { notes.emplace_back(text); };
  auto opened = Engine::open(options);
  if (!opened) throw std::runtime_error(opened.error().message);
  engine_ = std::move(*opened);
}

void TodoProject::open_in_child() {
  static_cast<void>(engine_.release());  // a database may not be closed on the other side of a fork
  reopen();
}

bool TodoProject::noted(std::string_view part) const {
  return std::any_of(notes.begin(), notes.end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

void TodoProject::edit(std::string_view from, std::string_view to) const {
  std::string text = bytes();
  const std::size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from << "\nis not in\n" << text;
  put(text.replace(at, from.size(), to));
}

Result<Change> moved(const View& view, std::string_view key, const std::string& to, const Json& evidence) {
  PAWL_ASSIGN(const Record record, view.load(todo(key)));
  return decide_move(todo_machine(), record, {to, std::nullopt, "moved", evidence, false});
}

Result<Outcome> TodoProject::move(std::string_view key, const std::string& to, const std::function<void()>& meanwhile,
                                  const Json& evidence) {
  return change({todo(key)}, [&](const View& view, const Now&) -> Result<Decision> {
    Decision decision;
    auto made = moved(view, key, to, evidence);
    if (meanwhile) meanwhile();
    PAWL_ASSIGN(Change change, std::move(made));
    decision.changes.push_back(std::move(change));
    return decision;
  });
}

Result<Outcome> TodoProject::change(const std::vector<RecordId>& records,
                                    const std::function<Result<Decision>(const View&, const Now&)>& decide) {
  Request request;
  request.verb = "todo move";
  request.actor = "tester";
  Look look;
  look.records = records;
  return engine().change(request, look, decide);
}

void TodoProject::look() {
  Look all;
  all.all = true;
  const Done looked = engine().read(all, std::nullopt, [](const View&) { return done(); });
  EXPECT_TRUE(looked) << looked.error().message;
}

Record TodoProject::stored(std::string_view key) {
  Record found;
  const Done ran = engine().read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(found, view.load(todo(key)));
    return done();
  });
  EXPECT_TRUE(ran) << ran.error().message;
  return found;
}

std::string TodoProject::status(std::string_view key) {
  look();
  const Record record = stored(key);
  if (record.held) return "held " + *record.held;
  if (record.aside) return "aside";
  return record.status.empty() ? "absent" : record.status;
}

std::vector<Operation> TodoProject::operations() {
  std::vector<Operation> found;
  const Done ran = engine().read_store([&](const View& view) -> Done {
    OperationQuery query;
    query.limit = 1000;
    PAWL_ASSIGN(found, view.store().operations(query));
    return done();
  });
  EXPECT_TRUE(ran) << ran.error().message;
  return found;
}

std::vector<Event> TodoProject::events() {
  std::vector<Event> found;
  const Done ran = engine().read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(found, view.store().events_since(0, 1000));
    return done();
  });
  EXPECT_TRUE(ran) << ran.error().message;
  return found;
}

std::vector<std::string> TodoProject::kept(std::string_view folder) const {
  std::vector<std::string> names;
  const fs::path where = file(".pawl/" + std::string(folder));
  if (!fs::exists(where)) return names;
  for (const auto& entry : fs::directory_iterator(where))
    names.push_back(read_all(entry.path().string()).value_or("?"));
  return names;
}

}  // namespace pawl::test
