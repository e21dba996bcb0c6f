#include "lifecycles/issue/status_file.h"

#include "base/json_edit.h"
#include "base/json_text.h"
#include "base/text.h"
#include "core/machine.h"
#include "lifecycles/issue/issue.h"

namespace pawl::issue {
namespace {

constexpr std::string_view kSuffix = ".json";

// "….status/42.json" → "42"
std::string_view stem(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  std::string_view file = slash == std::string_view::npos ? path : path.substr(slash + 1);
  file.remove_suffix(kSuffix.size());
  return file;
}

// Would this text, as a word, be taken for JSON that is no text? "7" would, and so would that with quotes around it.
bool reads_as_json(const std::string& text) {
  const auto value = parse_json(text);
  if (!value || value->is_null()) return false;
  return !value->is_string() || reads_as_json(value->get<std::string>());
}

// The word that stands for a status; nothing where there is none or null. What is no text is kept as JSON, and a text
// that reads like that with its quotes (core/held_word.h).
std::optional<std::string> word_in(const Json& object) {
  const auto status = object.find("status");
  if (status == object.end() || status->is_null()) return std::nullopt;
  if (!status->is_string()) return to_line(*status);
  std::string text = status->get<std::string>();
  return reads_as_json(text) ? to_line(*status) : std::move(text);
}

// What a held one came with.
Json held_value(const std::string& word) {
  const auto value = parse_json(word);
  if (!value || value->is_null()) return Json(word);
  return value->is_string() && !reads_as_json(value->get<std::string>()) ? Json(word) : *value;
}

// Does the file say so? Stores of before have a text like "7" without its quotes.
bool says(const Json& in_file, const std::string& word) {
  return word_in(in_file).value_or("") == word || (!word.empty() && string_or(in_file, "status") == word);
}

// The object that the file holds: the status has its place behind the number, as a fresh file has it.
// One that is held stays as the file spells it, be it null or missing altogether; where the file says something else by
// now, as after an undo, it says again what it came with.
Json object_of(const Record& record, const Json& in_file) {
  Json object = Json::object();
  if (record.doc.contains("issue")) object["issue"] = record.doc["issue"];
  if (!record.held) {
    object["status"] = record.status;
  } else if (says(in_file, *record.held)) {
    if (in_file.contains("status")) object["status"] = in_file["status"];
  } else if (!record.held->empty()) {
    object["status"] = held_value(*record.held);
  }
  for (const auto& [key, value] : record.doc.items()) {
    if (key != "status") object[key] = value;
  }
  return object;
}

}  // namespace

std::vector<MirrorPlace> StatusFile::places(const Settings& settings) const {
  return {{cat(base_dir(settings), "/.status"), id_of(1, settings).scope}};
}

bool StatusFile::accepts(std::string_view file_name) const {
  return file_name.ends_with(kSuffix) && parse_positive(file_name.substr(0, file_name.size() - kSuffix.size()));
}

std::string StatusFile::how_to_replace(std::string_view path) const {
  return cat("pawl issue set ", stem(path),
             " STATUS  # writes it anew, and keeps what stands there\npawl issue remove ", stem(path),
             "  # takes it away");
}

std::optional<std::string> StatusFile::path_of(const RecordId& id, const Settings& settings) const {
  return id.scope == id_of(1, settings).scope ? path_by_scope(id) : std::nullopt;
}

std::optional<std::string> StatusFile::path_by_scope(const RecordId& id) const {
  if (id.kind != kKind) return std::nullopt;
  return cat(base_dir_of(id), "/.status/", id.key, kSuffix);
}

Result<Content> StatusFile::parse(std::string_view path, std::string_view scope, std::string_view bytes) const {
  PAWL_ASSIGN(const JsonText text, JsonText::scan(bytes));
  Json object = text.root().value();
  if (!object.is_object())
    return fail(ErrorCode::corruption, "an object with issue, status, session and timestamp was expected");
  Shown shown{{std::string(kKind), std::string(scope), std::string(stem(path))}, std::nullopt, Json::object()};
  shown.status = word_in(object);
  object.erase("status");
  shown.doc = std::move(object);
  return Content{{}, {std::move(shown)}};
}

std::optional<std::string> StatusFile::render(std::optional<std::string_view> base,
                                              std::span<const Record> records) const {
  const Record& record = records.front();
  if (!record.present()) return std::nullopt;
  if (base) {
    const auto text = JsonText::scan(*base);
    if (text && text->root().is_object()) return conform(*text, text->root(), object_of(record, text->root().value()));
  }
  return to_pretty(object_of(record, Json::object())) + "\n";
}

Gone StatusFile::gone(const Record&) const { return {std::string(kAbsent), false}; }

}  // namespace pawl::issue
