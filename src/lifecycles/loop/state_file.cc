#include "lifecycles/loop/state_file.h"

#include <algorithm>

#include "base/json_edit.h"
#include "base/json_text.h"
#include "base/text.h"
#include "lifecycles/loop/advice.h"
#include "lifecycles/loop/identity.h"
#include "lifecycles/loop/move.h"
#include "lifecycles/loop/ralph.h"

namespace pawl::loop {
namespace {

constexpr std::string_view kFolder = ".omc";
constexpr std::string_view kUsersFolder = "~/.opencode";

std::string_view name_in(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string first_path(const Shape& shape) {
  return cat(shape.users ? kUsersFolder : kFolder, "/", shape.files.front());
}

std::string scope_of(const Shape& shape, std::string_view path) {
  return path == first_path(shape) ? std::string() : std::string(path);
}

}  // namespace

std::string session_scope(const Shape& shape, std::string_view session) {
  return cat(kSessionsFolder, "/", session, "/", shape.files.front());
}

std::vector<MirrorPlace> StateFile::places(const Settings& settings) const {
  if (shape_.users) return {{std::string(kUsersFolder), {}}};
  std::vector<MirrorPlace> places = {
      {std::string(kFolder), {}}, {std::string(kStateFolder), {}}, {cat(kSessionsFolder, "/*"), {}}};
  if (const std::string& folder = settings.text("loop.state_dir"); !folder.empty()) {
    for (const std::string_view below : {"", "/state", "/state/sessions/*"}) places.push_back({cat(folder, below), {}});
  }
  return places;
}

bool StateFile::accepts(std::string_view file_name) const {
  return std::find(shape_.files.begin(), shape_.files.end(), file_name) != shape_.files.end();
}

std::optional<std::string> StateFile::path_of(const RecordId& id, const Settings&) const {
  if (id.kind != shape_.kind) return std::nullopt;
  if (id.scope.empty()) return first_path(shape_);
  return accepts(name_in(id.scope)) ? std::optional(id.scope) : std::nullopt;
}

Shown shown_by(const Shape& shape, std::string_view scope, Json object) {
  Shown shown;
  shown.status = shape.status_in(object);
  shown.id = {std::string(shape.kind), std::string(scope), key_of(object, shape.start_in(object))};
  object.erase(std::string(shape.flag));
  shown.doc = std::move(object);
  return shown;
}

Result<Content> StateFile::parse(std::string_view path, std::string_view, std::string_view bytes) const {
  PAWL_ASSIGN(const JsonText text, JsonText::scan(bytes));
  Json object = text.root().value();
  if (!object.is_object())
    return fail(ErrorCode::corruption, cat("an object with “", shape_.flag, "” and the rest was expected"));
  Shown shown = shown_by(shape_, scope_of(shape_, path), std::move(object));
  std::string identity = shown.id.key;
  return Content{std::move(identity), {std::move(shown)}};
}

// As the file has it where that says what the record is; otherwise the flag says it, and where other members
// contradict, a member `status` of its own.
Json StateFile::object_of(const Record& record, const Json& in_file) const {
  const std::string flag(shape_.flag);
  Json object = Json::object();
  if (in_file.contains(flag)) object[flag] = in_file[flag];
  const bool fresh = in_file.empty();
  if (fresh) object[flag] = shape_.flag_for(record.status);
  for (const auto& [key, value] : record.doc.items()) {
    if (key != flag) object[key] = value;
  }
  const std::string said = shape_.status_in(object);
  if (record.held) {  // the word is the flag's value as JSON (Shape::status_in); an undo brings it back
    if (const auto word = parse_json(*record.held); said != *record.held && word) object[flag] = *word;
    return object;
  }
  if (said == record.status) return object;
  object[flag] = shape_.flag_for(record.status);
  if (shape_.status_in(object) != record.status) object["status"] = record.status;
  return object;
}

// What went had been set aside: the file is another's.
bool StateFile::shows_another(std::optional<std::string_view> base, std::span<const Record> records) const {
  if (!base) return false;
  const auto content = parse({}, {}, *base);
  return content && std::none_of(records.begin(), records.end(),
                                 [&](const Record& record) { return record.id.key == content->identity; });
}

std::optional<std::string> StateFile::render(std::optional<std::string_view> base,
                                             std::span<const Record> records) const {
  const auto record = std::find_if(records.begin(), records.end(), [](const Record& r) { return r.present(); });
  if (record == records.end()) return shows_another(base, records) ? std::optional<std::string>(*base) : std::nullopt;
  if (base) {
    const auto text = JsonText::scan(*base);
    if (text && text->root().is_object()) {
      const Json in_file = text->root().value();
      // Another loop's file is not edited into this one's, but written anew, as those who write it do.
      if (shape_.start_in(in_file) == start_in(record->id.key))
        return conform(*text, text->root(), object_of(*record, in_file));
    }
  }
  return to_pretty(object_of(*record, Json::object()));
}

// The emergency stop. A file that is gone is not written again to say so: the record is set aside.
Gone StateFile::gone(const Record& record) const {
  if (!is_live(*shape_.machine, record) || shape_.stopped == kAbsent) return {std::string(kAbsent), false};
  return {std::string(shape_.stopped), true};
}

bool StateFile::admits(const Record& before, const Shown& now) const {
  // The user's own is everybody's: whoever writes it again after pawl cleared it means it.
  if (before.revision == 0 || before.held || shape_.users) return true;
  if (!before.present()) return shape_.begins(now.doc);
  return now.status == before.status || (now.status && shape_.machine->move(before.status, *now.status) != nullptr);
}

// One loop is one record, whatever file it is written into: a copy of it does not go on by itself, and one that has
// ended does not come back at another place. Without a start it cannot be told from others.
bool StateFile::admits_beside(const Record& elsewhere, const Shown& now) const {
  if (start_in(now.id.key).empty()) return true;
  return !is_live(*shape_.machine, elsewhere) && admits(elsewhere, now);
}

// An old copy of the file would otherwise give a loop all its iterations again, and it would never end.
void StateFile::keep_counting(const Record& before, Json& doc) const {
  if (shape_.users) return;  // others' file, which pawl looks at
  const std::string counter(shape_.counter);
  if (integer_or(doc, counter) < integer_or(before.doc, counter)) doc[counter] = before.doc[counter];
}

std::vector<RefusedMember> StateFile::refused_members(const Record& before, const Json& base, const Json& now) const {
  std::vector<RefusedMember> out;
  // A verification that has ended may be begun again, and then counts anew.
  const bool begins_again =
      shape_.machine->terminal(before.status) && shape_.machine->move(before.status, shape_.flag) != nullptr;
  if (shape_.users || begins_again) return out;
  const auto value = [](const Json& doc, std::string_view member) {
    const auto found = doc.find(std::string(member));
    return found == doc.end() ? Json() : *found;
  };
  const auto refuse = [&](std::string_view member, const std::string& why, std::string hint) {
    out.push_back(
        {std::string(member),
         {ErrorCode::illegal_move, cat(member, " of ", printable(before.id.ref()), " ", why), std::move(hint)}});
  };
  const Json counted = value(now, shape_.counter);
  const std::int64_t least = integer_or(before.doc, shape_.counter);
  const bool counts = counted.is_number_integer() && integer_or(now, shape_.counter) >= least;
  if (counted != value(base, shape_.counter) && !counts)
    refuse(
        shape_.counter,
        cat("is ", least, " and only grows; ",
            counted.is_null() ? std::string("it was taken out") : cat(to_line(counted).substr(0, 40), " was written")),
        {});
  const auto refuse_lost = [&](std::string_view member, std::string_view is) {
    const Json written = value(now, member);
    refuse(member,
           cat("is ", is, "; ",
               written.is_null() && !now.contains(std::string(member))
                   ? std::string("it was taken out")
                   : cat(printable(to_line(written).substr(0, 40)), " was written")),
           {});
  };
  // What drives it: without it an agent would be given nothing, or never be done.
  if (shape_.needed_texts != nullptr) {
    for (const std::string& member : shape_.needed_texts(base, now)) refuse_lost(member, "a text");
  }
  if (shape_.most.empty()) return out;
  const Json limit = value(now, shape_.most);
  const std::int64_t most = integer_or(now, shape_.most);
  if (limit == value(base, shape_.most)) return out;
  // Without a number another one would be meant, and the limit rise by itself.
  if (!limit.is_number_integer()) {
    refuse_lost(shape_.most, "a whole number");
  } else if (most > 0 && most < least) {
    refuse(shape_.most, cat("cannot be ", most, ": ", least, " have been made already"),
           shape_.kind == kRalph ? to_cancel(before) : std::string());
  }
  return out;
}

}  // namespace pawl::loop
