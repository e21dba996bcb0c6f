// A record's document. A record is copied on its way from the view through the decision into the batch, so a copy
// shares what it holds; and what comes from the store is not made into a value before somebody looks into it.
// One thread at a time, as with the store it comes from.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace pawl {

class Doc {
 public:
  Doc() = default;  // {}
  Doc(Json value);  // NOLINT(google-explicit-constructor): a document is a value like any other
  static Result<Doc> read(std::string_view text);  // an error when it is not JSON
  // Of a record that was loaded without it: reads as empty, and cannot be written back.
  static Doc left_in_the_store();

  [[nodiscard]] const Json& json() const;
  operator const Json&() const { return json(); }  // NOLINT(google-explicit-constructor)
  // One line of JSON: as it was read, or as it would be written.
  [[nodiscard]] std::string line() const;
  [[nodiscard]] bool is_known() const { return held_ == nullptr || !held_->left_in_the_store; }

  [[nodiscard]] auto find(const std::string& name) const { return json().find(name); }
  [[nodiscard]] auto end() const { return json().end(); }
  [[nodiscard]] bool contains(const std::string& name) const { return json().contains(name); }
  [[nodiscard]] auto items() const { return json().items(); }
  [[nodiscard]] const Json& operator[](const std::string& name) const { return json().at(name); }

  friend bool operator==(const Doc& a, const Doc& b) { return a.held_ == b.held_ || a.json() == b.json(); }
  friend bool operator==(const Doc& a, const Json& b) { return a.json() == b; }

 private:
  struct Held {
    std::string text;
    std::optional<Json> value;
    bool left_in_the_store = false;
  };
  std::shared_ptr<Held> held_;
};

}  // namespace pawl
