#include "core/doc.h"

#include "base/json_text.h"

namespace pawl {

Doc::Doc(Json value) : held_(std::make_shared<Held>(Held{{}, std::move(value), false})) {}

Result<Doc> Doc::read(std::string_view text) {
  PAWL_TRY(JsonText::scan(text));
  Doc doc;
  doc.held_ = std::make_shared<Held>(Held{std::string(text), std::nullopt, false});
  return doc;
}

Doc Doc::left_in_the_store() {
  static const Doc kUnknown = [] {
    Doc doc = Json::object();
    doc.held_->left_in_the_store = true;
    return doc;
  }();
  return kUnknown;
}

const Json& Doc::json() const {
  static const Json kEmpty = Json::object();
  if (held_ == nullptr) return kEmpty;
  if (!held_->value) {
    Result<Json> value = parse_json(held_->text);
    held_->value = value ? std::move(*value) : kEmpty;  // read() has seen that it is JSON
  }
  return *held_->value;
}

std::string Doc::line() const {
  if (held_ == nullptr) return "{}";
  return held_->text.empty() ? to_line(*held_->value) : held_->text;
}

}  // namespace pawl
