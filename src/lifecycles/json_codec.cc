#include "lifecycles/json_codec.h"

#include <algorithm>
#include <deque>
#include <list>
#include <unordered_map>
#include <utility>

#include "base/json_edit.h"
#include "base/json_same.h"
#include "base/text.h"

namespace pawl::merge {
namespace {

using Members = Json::object_t;
using Left = std::set<std::string>;

constexpr std::size_t kMaxPieceBytes = 100;  // of an unread element, as it is shown

const Members& members_in(const Json& object) { return object.get_ref<const Members&>(); }
void add_member(Json& object, std::string_view name, const Json& value) {
  object.get_ref<Members&>().emplace_back(std::string(name), value);
}
bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const Left& left_of(const Wanted& wanted, std::string_view key) {
  static const Left kNone;
  const auto found = wanted.left.find(key);
  return found == wanted.left.end() ? kNone : found->second;
}

// ---- the status

const StatusForm& form_of(const JsonShape& shape, const Json& object) {
  for (const StatusForm& form : shape.forms) {
    if (object.contains(form.members.front())) return form;
  }
  return shape.forms.front();
}

Json status_in(const JsonShape& shape, const Json& object) {
  const StatusForm& form = form_of(shape, object);
  if (form.read != nullptr) {
    const Json said = form.read(object);
    return status_meant(*shape.law, &said);
  }
  const auto said = object.find(form.members.front());
  return status_meant(*shape.law, said == object.end() ? nullptr : &*said);
}

// The form in which a record is written: its form in the file, else the usual one. A form whose member
// belongs to the record itself says nothing.
const StatusForm& form_for(const JsonShape& shape, const Json& members, const Json* in_file, const StatusForm* usual) {
  const auto is_free = [&](const StatusForm& form) { return !members.contains(form.members.front()); };
  for (const StatusForm& form : shape.forms) {
    if (in_file != nullptr && in_file->contains(form.members.front()) && is_free(form)) return form;
  }
  return usual != nullptr && is_free(*usual) ? *usual : shape.forms.front();
}

Json with_status(const Json& members, const Json& spelled, const StatusForm& form, const Json& status) {
  Json object = members;
  Json said = Json::object();
  if (form.write != nullptr) {
    said = form.write(spelled, status);
  } else {
    add_member(said, form.members.front(), status);
  }
  for (const auto& [name, value] : members_in(said)) add_member(object, name, value);
  return object;
}

// ---- one record

// Does the object show the entry, member by member in its order? The usual case, without copies.
bool shows(const JsonShape& shape, const Json& object, const Entry& entry) {
  const Members& members = members_in(entry.members);
  const StatusForm& form = form_of(shape, object);
  auto next = members.begin();
  for (const auto& [name, value] : members_in(object)) {
    if (is_one_of(form.members, name)) continue;
    if (next == members.end() || next->first != name || !same_text(value, next->second)) return false;
    ++next;
  }
  return next == members.end() && same_text(status_in(shape, object), entry.status);
}

Entry entry_of(const JsonShape& shape, std::string key, Json object) {
  Entry entry{std::move(key), std::string(shape.law->kind), status_in(shape, object)};
  for (const std::string_view name : form_of(shape, object).members) object.erase(name);
  entry.members = std::move(object);
  return entry;
}

// Members as a fresh file has them.
Json in_order(const JsonShape& shape, const Json& object) {
  std::vector<std::pair<std::ptrdiff_t, const Members::value_type*>> ranked;
  for (const auto& member : members_in(object)) {
    const auto place = std::find(shape.order.begin(), shape.order.end(), member.first);
    ranked.emplace_back(place - shape.order.begin(), &member);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Json out = Json::object();
  for (const auto& [rank, member] : ranked) add_member(out, member->first, member->second);
  return out;
}

// Members as they are wanted; those that are left are as in the file.
Json with_left(const Json& wanted, const Json* in_file, const Left& left, std::span<const std::string_view> except) {
  Json out = Json::object();
  const auto copy_from_file = [&](std::string_view name) {
    if (in_file == nullptr) return;
    if (const auto found = in_file->find(name); found != in_file->end()) add_member(out, name, *found);
  };
  for (const auto& [name, value] : members_in(wanted)) {
    if (is_one_of(except, name)) continue;
    if (left.contains(name)) {
      copy_from_file(name);
    } else {
      add_member(out, name, value);
    }
  }
  for (const std::string& name : left) {
    if (!is_one_of(except, name) && !wanted.contains(name)) copy_from_file(name);
  }
  return out;
}

// The object that shows the record. `in_file`: what the file has in its place; nullptr: nothing.
Json object_of(const JsonShape& shape, const Entry& entry, const Json* in_file, const Left& left,
               const StatusForm* usual) {
  const bool keeps_status = in_file != nullptr && left.contains(std::string(kStatus));
  const StatusForm& form = keeps_status ? form_of(shape, *in_file) : form_for(shape, entry.members, in_file, usual);
  Json object = with_left(entry.members, in_file, left, form.members);
  if (!shape.lists.empty() && !object.contains(shape.id))
    add_member(object, shape.id, in_file == nullptr ? Json(entry.key) : in_file->at(shape.id));
  Json spelled = object;
  for (const std::string_view name : form.members) {
    if (in_file != nullptr && in_file->contains(name)) add_member(spelled, name, in_file->at(name));
  }
  const auto is_said = [&](const Json& by) {  // and not by a member of the record
    return !object.contains(form_of(shape, by).members.front()) && same_text(status_in(shape, by), entry.status);
  };
  const bool stays = keeps_status || (is_said(spelled) && (in_file != nullptr || entry.status.is_null()));
  if (stays) return in_order(shape, spelled);
  Json written = with_status(object, spelled, form, entry.status);
  for (const StatusForm& other : shape.forms) {  // a form that cannot say the status gives way to a form that can
    if (is_said(written)) break;
    Json otherwise = with_status(object, object, other, entry.status);
    if (is_said(otherwise)) written = std::move(otherwise);
  }
  return in_order(shape, written);
}

// ---- the root

struct NamedList {
  std::string_view name;
  JsonRef elements;
};

std::optional<NamedList> list_in(const JsonShape& shape, const JsonRef& root) {
  for (const std::string_view name : shape.lists) {
    if (const auto found = root.find(name); found && found->is_array()) return NamedList{name, *found};
  }
  return std::nullopt;
}

tl::unexpected<Error> damage(const JsonText& text, const JsonRef& at, const std::string& what) {
  const std::string_view before = text.text().substr(0, at.begin());
  return fail(ErrorCode::corruption, cat("line ", 1 + std::count(before.begin(), before.end(), '\n'), ": ", what));
}

Result<JsonText> scan_file(const JsonShape& shape, std::string_view bytes) {
  PAWL_ASSIGN(JsonText text, JsonText::scan(bytes));
  const JsonRef root = text.root();
  if (!root.is_object()) return damage(text, root, "an object was expected");
  if (shape.lists.empty() || list_in(shape, root)) return text;
  for (const std::string_view name : shape.lists) {
    if (const auto found = root.find(name)) return damage(text, *found, cat('"', name, "\" is no list"));
  }
  return damage(text, root, cat("a list \"", shape.lists.front(), "\" was expected"));
}

std::string text_of(const JsonRef& value) { return value.is_string() ? value.string() : std::string(value.raw()); }

std::string owner_in(const JsonShape& shape, const JsonRef& root) {
  if (shape.owner_of != nullptr) return shape.owner_of(root.value());
  std::string out;
  bool is_named = false;
  for (const std::string_view member : shape.owner) {
    const auto value = root.find(member);
    const std::string part = value && value->kind() != JsonKind::null ? text_of(*value) : std::string();
    is_named = is_named || !part.empty();
    out += cat(member == shape.owner.front() ? "" : "|", part);
  }
  return is_named ? out : std::string();
}

std::string key_of(const JsonShape& shape, std::string_view path, const std::string& owner) {
  if (shape.key == JsonShape::Key::fixed) return std::string(shape.fixed_key);
  if (shape.key == JsonShape::Key::owner && !owner.empty()) return owner;
  const std::string_view name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  return std::string(name.substr(0, name.rfind('.')));
}

// ---- a list of records

struct Piece {
  JsonRef spelled;
  std::string key;         // empty: no usable id
  bool is_record = false;  // else unread
};

// A list as it is in a file.
struct FoundList {
  std::vector<Piece> pieces;
  Json values;                        // of the pieces
  Json file;                          // the file's own members
  std::string_view name;              // of the list
  const StatusForm* usual = nullptr;  // that elements have; nullptr: none has one
};

std::string id_in(const JsonShape& shape, const JsonRef& element) {
  const auto id = element.find(shape.id);
  if (!id || (!id->is_string() && id->kind() != JsonKind::number)) return {};
  std::string text = text_of(*id);
  return text == kFileKey ? std::string() : text;
}

// In how many cells two entries differ.
std::size_t distance(const Entry& shown, const Entry& known,
                     const std::unordered_map<std::string_view, const Json*>& known_members) {
  std::size_t common = 0, same = 0;
  for (const auto& [name, value] : members_in(shown.members)) {
    const auto found = known_members.find(name);
    if (found == known_members.end()) continue;
    ++common;
    if (same_text(value, *found->second)) ++same;
  }
  const std::size_t status = same_text(shown.status, known.status) ? 0 : 1;
  return shown.members.size() + known.members.size() - common - same + status;
}

using Places = std::unordered_map<std::string_view, std::vector<std::size_t>>;

// Of equal ids the element nearest to the known record is the record.
void choose_records(const JsonShape& shape, FoundList& list, const Places& repeated, const Known& known) {
  std::unordered_map<std::string_view, const Entry*> records;
  for (const OurRecord& record : known.records) records.emplace(record.entry.key, &record.entry);
  for (const auto& [key, places] : repeated) {
    const auto record = records.find(key);
    if (record == records.end()) continue;
    std::unordered_map<std::string_view, const Json*> members;
    for (const auto& [name, value] : members_in(record->second->members)) members.emplace(name, &value);
    std::size_t nearest = 0, least = std::string::npos;
    for (const std::size_t place : places) {
      const std::size_t far = distance(entry_of(shape, {}, list.values[place]), *record->second, members);
      if (far < least) nearest = place;
      least = std::min(least, far);
      list.pieces[place].is_record = false;
    }
    list.pieces[nearest].is_record = true;
  }
}

// `text` has a list (scan_file).
FoundList read_list(const JsonShape& shape, const JsonText& text, const Known& known) {
  const NamedList named = *list_in(shape, text.root());
  FoundList list;
  list.name = named.name;
  list.file = text.root().value();
  list.values = std::move(*list.file.find(named.name));
  list.file.erase(named.name);
  list.pieces.reserve(list.values.size());  // the keys are referred to
  std::unordered_map<std::string_view, std::size_t> first;
  Places repeated;
  for (const JsonRef element : named.elements.elements()) {
    const std::size_t at = list.pieces.size();
    Piece& piece = list.pieces.emplace_back(Piece{element, id_in(shape, element)});
    const Json& value = list.values[at];
    if (list.usual == nullptr && value.is_object()) {
      const StatusForm& form = form_of(shape, value);
      if (value.contains(form.members.front())) list.usual = &form;
    }
    if (piece.key.empty()) continue;
    const auto [found, is_first] = first.emplace(piece.key, at);
    piece.is_record = is_first;
    if (is_first) continue;
    std::vector<std::size_t>& places = repeated[piece.key];
    if (places.empty()) places.push_back(found->second);
    places.push_back(at);
  }
  if (!repeated.empty()) choose_records(shape, list, repeated, known);
  return list;
}

std::string shown_piece(const Json& value) {
  std::string line = to_line(value);
  if (line.size() <= kMaxPieceBytes) return line;
  std::size_t end = kMaxPieceBytes;
  while ((static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80U) --end;  // whole characters
  return line.substr(0, end);
}

// ---- writing a list

// How records that a file lacks were spelled earlier.
class EarlierSpelling {
 public:
  struct Found {
    std::string_view spelled;
    Json value;
  };

  EarlierSpelling(const JsonShape& shape, const Wanted& wanted, std::vector<const Entry*> missing) {
    for (const std::string_view bytes : wanted.earlier) {
      if (missing.empty()) return;
      read(shape, wanted, bytes, missing);
    }
  }

  [[nodiscard]] const Found* find(std::string_view key) const {
    const auto found = found_.find(key);
    return found == found_.end() ? nullptr : &found->second;
  }

 private:
  void read(const JsonShape& shape, const Wanted& wanted, std::string_view bytes, std::vector<const Entry*>& missing) {
    const auto text = scan_file(shape, bytes);
    if (!text) return;
    const FoundList list = read_list(shape, *text, wanted.known);
    std::unordered_map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i < list.pieces.size(); ++i) {
      if (list.pieces[i].is_record) places.emplace(list.pieces[i].key, i);
    }
    std::vector<std::pair<std::size_t, const Entry*>> found;
    std::deque<Json> wishes;
    std::vector<JsonChange> changes;
    std::erase_if(missing, [&](const Entry* entry) {
      const auto place = places.find(entry->key);
      if (place == places.end()) return false;
      wishes.push_back(object_of(shape, *entry, &list.values[place->second], {}, list.usual));
      changes.push_back({list.pieces[place->second].spelled, &wishes.back()});
      found.emplace_back(place->second, entry);
      return true;
    });
    if (found.empty()) return;
    const std::string& as_wanted = texts_.emplace_back(conform(*text, changes, JsonEqual::text));
    const auto changed = JsonText::scan(as_wanted);
    if (!changed) return;
    std::vector<JsonRef> elements;
    for (const JsonRef element : list_in(shape, changed->root())->elements.elements()) elements.push_back(element);
    for (const auto& [place, entry] : found)
      found_.emplace(entry->key, Found{elements[place].raw(), elements[place].value()});
  }

  std::list<std::string> texts_;  // that the spellings are views of
  std::unordered_map<std::string_view, Found> found_;
};

// What a list is to hold, from left to right.
struct Slot {
  std::size_t piece = kNoMember;  // of the file; kNoMember: a record that it lacks
  const Entry* entry = nullptr;   // nullptr: the piece stays as it is spelled
};

// The wanted records in their order; what else stays is behind the element that it followed.
std::vector<Slot> slots_of(const FoundList& list, const Wanted& wanted) {
  const std::vector<Entry>& entries = wanted.content.entries;
  std::unordered_map<std::string_view, std::size_t> by_key;
  for (std::size_t i = 0; i < entries.size(); ++i) by_key.emplace(entries[i].key, i);
  std::vector<Slot> records(entries.size());
  std::vector<std::vector<Slot>> others(entries.size() + 1);  // by the record before them; the first ones have none
  std::size_t before = 0;
  for (std::size_t at = 0; at < list.pieces.size(); ++at) {
    const Piece& piece = list.pieces[at];
    const auto found = by_key.find(piece.key);
    const bool is_wanted = found != by_key.end();
    const bool is_left = left_of(wanted, piece.key).contains(std::string(kPresence));
    if (piece.is_record && is_wanted) {
      before = found->second + 1;
      records[before - 1] = {at, is_left ? nullptr : &entries[before - 1]};
    } else if (piece.key.empty() || is_wanted || is_left) {
      others[before].push_back({at, nullptr});
    }
  }
  std::vector<Slot> out = std::move(others[0]);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    out.push_back(records[i].piece == kNoMember ? Slot{kNoMember, &entries[i]} : records[i]);
    out.insert(out.end(), others[i + 1].begin(), others[i + 1].end());
  }
  return out;
}

// The file's own members are changed, the list is not.
std::string with_file_members(const JsonText& text, const FoundList& list, const Wanted& wanted) {
  const Left& left = left_of(wanted, kFileKey);
  Json file = with_left(wanted.content.file, &list.file, left, {&list.name, 1});
  if (same_text(file, list.file)) return std::string(text.text());
  add_member(file, list.name, list.values);
  return conform(text, text.root(), file, JsonEqual::text);
}

std::string patch_list(const JsonShape& shape, const JsonText& found, const Wanted& wanted) {
  const FoundList list = read_list(shape, found, wanted.known);
  const std::vector<Slot> slots = slots_of(list, wanted);
  std::vector<const Entry*> missing;
  for (const Slot& slot : slots) {
    if (slot.piece == kNoMember) missing.push_back(slot.entry);
  }
  const EarlierSpelling earlier(shape, wanted, std::move(missing));
  const Left none;
  std::deque<Json> wishes;
  std::vector<JsonItem> items;
  for (const auto& [piece, entry] : slots) {
    const bool is_new = piece == kNoMember;
    const auto* spelled = is_new ? earlier.find(entry->key) : nullptr;
    JsonItem& item = items.emplace_back(JsonItem{piece});
    if (spelled != nullptr) {
      item = {piece, &spelled->value, spelled->spelled};
    } else if (entry != nullptr && (is_new || !shows(shape, list.values[piece], *entry))) {
      const Json* in_file = is_new ? nullptr : &list.values[piece];
      const Left& left = is_new ? none : left_of(wanted, entry->key);
      item.wanted = &wishes.emplace_back(object_of(shape, *entry, in_file, left, list.usual));
    }
  }
  const std::string bytes = with_file_members(found, list, wanted);
  const auto text = JsonText::scan(bytes);
  if (!text) return bytes;
  const Json empty = Json::array();
  const JsonChange change{list_in(shape, text->root())->elements, &empty, items};
  return conform(*text, std::span(&change, 1), JsonEqual::text);
}

}  // namespace

std::string JsonCodec::owner(std::string_view bytes) const {
  const auto text = scan_file(shape_, bytes);
  return text ? owner_in(shape_, text->root()) : std::string();
}

Result<Content> JsonCodec::parse(std::string_view path, std::string_view bytes, const Known& known) const {
  PAWL_ASSIGN(const JsonText text, scan_file(shape_, bytes));
  Content content;
  content.owner = owner_in(shape_, text.root());
  if (shape_.lists.empty()) {
    content.entries.push_back(entry_of(shape_, key_of(shape_, path, content.owner), text.root().value()));
    return content;
  }
  FoundList list = read_list(shape_, text, known);
  content.file = std::move(list.file);
  for (std::size_t i = 0; i < list.pieces.size(); ++i) {
    Piece& piece = list.pieces[i];
    if (piece.is_record) {
      content.entries.push_back(entry_of(shape_, std::move(piece.key), std::move(list.values[i])));
    } else {
      content.unread.push_back(shown_piece(list.values[i]));
    }
  }
  return content;
}

std::string JsonCodec::patch(std::string_view path, std::string_view bytes, const Wanted& wanted) const {
  const auto text = scan_file(shape_, bytes);
  if (!text) return fresh(path, wanted);
  if (!shape_.lists.empty()) return patch_list(shape_, *text, wanted);
  if (wanted.content.entries.empty()) return std::string(bytes);
  const Entry& entry = wanted.content.entries.front();
  const Left& left = left_of(wanted, entry.key);
  if (left.contains(std::string(kPresence))) return std::string(bytes);
  const Json in_file = text->root().value();
  return conform(*text, text->root(), object_of(shape_, entry, &in_file, left, nullptr), JsonEqual::text);
}

std::string JsonCodec::fresh(std::string_view path, const Wanted& wanted) const {
  const std::string_view end = shape_.newline_at_end ? "\n" : "";
  const std::vector<Entry>& entries = wanted.content.entries;
  Json root = Json::object();
  if (shape_.lists.empty()) {
    if (!entries.empty()) root = object_of(shape_, entries.front(), nullptr, {}, nullptr);
    return cat(to_pretty(root), end);
  }
  for (const auto& [name, value] : members_in(wanted.content.file)) {
    if (!is_one_of(shape_.lists, name)) add_member(root, name, value);
  }
  add_member(root, shape_.lists.front(), Json::array());
  return patch(path, cat(to_pretty(root), end), {wanted.content, {}, wanted.earlier, wanted.known});
}

}  // namespace pawl::merge
