// A workspace with a to-do list, and the engine opened on it: what a verb does, without a verb.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "support/binary.h"
#include "support/todo_lifecycle.h"

namespace pawl::test {

// Goes on by a millisecond with every look at it.
class TickingClock final : public Clock {
 public:
  [[nodiscard]] Now now() const override;
  std::function<void(int)> looked;  // told how often it was looked at

 private:
  mutable int looks_ = 0;
};

class TodoProject : public TempWorkspace {
 public:
  TodoProject();
  ~TodoProject();

  [[nodiscard]] Engine& engine() { return *engine_; }
  void reopen();         // as the next process would
  void open_in_child();  // after fork(): what the parent has open is left alone
  TickingClock clock;
  std::vector<std::string> notes;  // what a user was told
  [[nodiscard]] bool noted(std::string_view part) const;

  // The file, as another tool sees it.
  [[nodiscard]] std::string bytes() const { return read(kTodoPath).value_or("(none)"); }
  void put(std::string_view bytes) const { write(kTodoPath, bytes); }
  void edit(std::string_view from, std::string_view to) const;

  // Moves one to-do, with `meanwhile` done by another tool between pawl's reading and its writing.
  Result<Outcome> move(std::string_view key, const std::string& to, const std::function<void()>& meanwhile = {},
                       const Json& evidence = Json::object());
  // Any number of changes in one operation.
  Result<Outcome> change(const std::vector<RecordId>& records,
                         const std::function<Result<Decision>(const View&, const Now&)>& decide);
  // Looks at every file, as a read does.
  void look();

  // Of the store, without looking at files.
  [[nodiscard]] Record stored(std::string_view key);
  [[nodiscard]] std::string status(std::string_view key);  // looks first; "absent", "held X", "aside" or the status
  [[nodiscard]] std::vector<Operation> operations();       // newest first
  [[nodiscard]] std::vector<Event> events();               // of all, oldest first
  [[nodiscard]] std::vector<std::string> kept(std::string_view folder) const;

 private:
  std::unique_ptr<Engine> engine_;
};

[[nodiscard]] Result<Change> moved(const View& view, std::string_view key, const std::string& to,
                                   const Json& evidence = Json::object());

}  // namespace pawl::test
