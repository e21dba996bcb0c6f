#include "lifecycles/loop/ultrawork.h"

#include <array>

#include "base/shell_word.h"
#include "base/text.h"
#include "lifecycles/loop/advice.h"
#include "lifecycles/loop/identity.h"
#include "lifecycles/loop/move.h"

namespace pawl::loop {
namespace {

constexpr std::string_view kEnded = "ended";

constexpr std::array kStatuses = {Status{kActive}, Status{kEnded, true}};

constexpr std::array kMoves = {
    Move{kAbsent, kActive},
    Move{kAbsent, kEnded},
    Move{kActive, kActive},
    Move{kActive, kEnded},
    Move{kActive, kAbsent, MoveKind::removal, "clear"},
    Move{kEnded, kAbsent, MoveKind::removal, "clear"},
};

constexpr Machine kMachine{kUltrawork, "an ultrawork session", kStatuses, kMoves, {}, {}, {}, kActive};
static_assert(!check(kMachine));

// The file that all projects share is written by tools that know nothing of pawl: what they begin again has begun.
constexpr std::array kUsersMoves = {
    Move{kAbsent, kActive},
    Move{kAbsent, kEnded},
    Move{kActive, kActive},
    Move{kActive, kEnded},
    Move{kEnded, kActive, MoveKind::reopening, "begin again"},
    Move{kActive, kAbsent, MoveKind::removal, "clear"},
    Move{kEnded, kAbsent, MoveKind::removal, "clear"},
};
constexpr Machine kUsersMachine{kUltrawork, "an ultrawork session", kStatuses, kUsersMoves, {}, {}, {}, kActive};
static_assert(!check(kUsersMachine));

constexpr std::array<std::string_view, 1> kFiles = {"ultrawork-state.json"};

std::string status_in(const Json& object) { return says_active(object).value_or(std::string(kEnded)); }

bool flag_for(std::string_view status) { return status == kActive; }

std::string headline(const Record& record) {
  const std::int64_t count = integer_or(record.doc, "reinforcement_count");
  return cat("reinforced ", count, count == 1 ? " time: " : " times: ",
             first_text(record.doc, {"original_prompt", "prompt", "task_description"}));
}

Stand stand(const Record& record) {
  return stand_of_session(record, to_type(cat("pawl ultrawork clear ", shell_word(record.id.key)), "ends it"));
}
Stand stand_for_all(const Record& record) {
  return stand_of_session(record,
                          to_type(cat("pawl ultrawork clear ", shell_word(record.id.key), " --global"), "ends it"));
}

}  // namespace

const Machine& ultrawork_machine() { return kMachine; }

const Shape& ultrawork_shape() {
  static const Shape kShape{"ultrawork-state",     kUltrawork, &kMachine, kFiles,    kActive,  kEnded,
                            "reinforcement_count", "",         false,     status_in, flag_for, started_at,
                            has_no_start};
  return kShape;
}

const Lifecycle& ultrawork_lifecycle() {
  static const KindOfLoop kKind(ultrawork_shape(), headline, stand);
  return kKind.lifecycle();
}

const Shape& users_ultrawork_shape() {
  static const Shape kShape = [] {
    Shape shape = ultrawork_shape();
    shape.users = true;
    shape.machine = &kUsersMachine;
    return shape;
  }();
  return kShape;
}

const Lifecycle& users_ultrawork_lifecycle() {
  static const KindOfLoop kKind(users_ultrawork_shape(), headline, stand_for_all);
  return kKind.lifecycle();
}

Json new_ultrawork(const StartUltrawork& command, const Now& now) {
  const std::string time = iso_time(now.wall_ms, true);
  return Json{
      {"started_at", time},       {"original_prompt", command.prompt}, {"session_id", command.session},
      {"reinforcement_count", 0}, {"last_checked_at", time},
  };
}

Result<Change> decide(const Record& current, const CheckUltrawork&, const Now& now) {
  PAWL_TRY(must_not_be_held(kMachine, current));
  Json doc = current.doc;
  doc["reinforcement_count"] = one_more(doc, "reinforcement_count");
  doc["last_checked_at"] = iso_time(now.wall_ms, true);
  return moved(kMachine, current, kActive, std::move(doc), "checked");
}

}  // namespace pawl::loop
