#include "support/todo_lifecycle.h"

#include <array>

#include "base/json_edit.h"
#include "base/json_text.h"
#include "base/text.h"

namespace pawl::test {
namespace {

constexpr std::array kStatuses = {Status{"open"}, Status{"doing"}, Status{"done", true}, Status{"dropped", true}};

constexpr std::array kMoves = {
    Move{kAbsent, "open"},
    Move{"open", "doing"},
    Move{"doing", "open"},
    Move{"open", "dropped"},
    Move{"doing", "dropped"},
    Move{"doing", "done", MoveKind::forward, "finish", {"proof"}},
    Move{"done", "doing", MoveKind::reopening, "reopen"},
    Move{"open", kAbsent, MoveKind::removal, "remove"},
    Move{"doing", kAbsent, MoveKind::removal, "remove"},
};

constexpr Machine kMachine{"todo", "a to-do", kStatuses, kMoves};
static_assert(!check(kMachine));

constexpr std::array kSettings = {SettingSpec{"todo.folder", SettingType::text, "plans", "the folder of todos.json"}};

class TodoList final : public MirrorFormat {
 public:
  [[nodiscard]] std::string_view name() const override { return "todo-list"; }
  [[nodiscard]] std::vector<MirrorPlace> places(const Settings& settings) const override {
    return {{settings.text("todo.folder"), ""}};
  }
  [[nodiscard]] bool accepts(std::string_view file_name) const override { return file_name == "todos.json"; }
  [[nodiscard]] std::optional<std::string> path_of(const RecordId& id, const Settings& settings) const override {
    if (id.kind != kTodoKind) return std::nullopt;
    const std::string& folder = settings.text("todo.folder");
    return folder == "." ? std::string("todos.json") : folder + "/todos.json";
  }
  [[nodiscard]] bool puts_back_missing(const Record& /*record*/) const override { return true; }
  [[nodiscard]] Gone gone(const Record&) const override { return {"", true}; }

  [[nodiscard]] Result<Content> parse(std::string_view, std::string_view scope, std::string_view bytes) const override {
    PAWL_ASSIGN(const JsonText text, JsonText::scan(bytes));
    const Json root = text.root().value();
    if (!root.is_object() || !root.contains("items") || !root["items"].is_array()) {
      return fail(ErrorCode::corruption, "an object with items was expected");
    }
    Content content;
    content.identity = string_or(root, "project");
    for (Json item : root["items"]) {
      if (!item.is_object() || !item.contains("id") || !item["id"].is_string()) {
        return fail(ErrorCode::corruption, "every item needs an id");
      }
      Shown shown{{std::string(kTodoKind), std::string(scope), item["id"].get<std::string>()}, std::nullopt, {}};
      if (item.contains("state") && item["state"].is_string()) shown.status = item["state"].get<std::string>();
      item.erase("id");
      item.erase("state");
      shown.doc = std::move(item);
      content.shown.push_back(std::move(shown));
    }
    return content;
  }

  [[nodiscard]] std::optional<std::string> render(std::optional<std::string_view> base,
                                                  std::span<const Record> records) const override {
    if (while_rendering()) while_rendering()();
    Json root{{"items", Json::array()}};
    const auto text = base ? JsonText::scan(*base) : Result<JsonText>(fail(ErrorCode::not_found, ""));
    if (text) root = text->root().value();
    Json& items = root["items"];
    for (const Record& record : records) {
      auto at = std::find_if(items.begin(), items.end(), [&](const Json& item) { return item["id"] == record.id.key; });
      if (!record.present()) {
        if (at != items.end()) items.erase(at);
        continue;
      }
      Json item{{"id", record.id.key}, {"state", record.held ? *record.held : record.status}};
      item.update(record.doc);
      if (at != items.end()) {
        *at = std::move(item);
      } else {
        items.push_back(std::move(item));
      }
    }
    return text ? conform(*text, text->root(), root) : to_pretty(root) + "\n";
  }
};

std::string rank(const Record& record) {
  const auto priority = record.doc.find("priority");
  const std::int64_t number =
      priority != record.doc.end() && priority->is_number_integer() ? priority->get<std::int64_t>() : 999;
  std::string digits = std::to_string(number);
  return std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits + record.id.key;
}

}  // namespace

const Machine& todo_machine() { return kMachine; }

const Lifecycles& todo_lifecycles() {
  static const TodoList kList;
  static const std::array<const MirrorFormat*, 1> kFormats = {&kList};
  static const std::array kRows = {Lifecycle{kTodoKind, &kMachine, kSettings, kFormats, rank, nullptr}};
  static const Lifecycles kTable{kRows};
  return kTable;
}

RecordId todo(std::string_view key) { return {std::string(kTodoKind), "", std::string(key)}; }

std::function<void()>& while_rendering() {
  static std::function<void()> hook;
  return hook;
}

}  // namespace pawl::test
