// The JSON codec: one record in an object (an issue's status, a loop), or a list of records in an object (stories).
// What differs between such formats is declared in a JsonShape.
//
//   list     {"project": "shop", "stories": [{"id": "US-1", "status": "pending"}, ...]}
//            The records are in file order; the file's own members are the root's other members.
//   object   {"issue": 42, "status": "running"}
//            One record. The file has no members of its own.
//
// Records of a list
//   key        The text of the id: 7 and "7" are both the record 7. The id stays a member and keeps its spelling.
//   unread     Elements that are no record: no object, no id (or an id that is neither text nor number, empty, or "/"),
//   or
//              the id of another element. Of equal ids the element nearest to the known record is the record, else the
//              first. Unread elements stay as they are spelled; one with the id of a record goes when that record goes.
//   order      That of the wanted content. An element that is not in it (unread, or left in the file) stays behind the
//              element that it followed. Elements that move keep their spelling.
//   missing    A record that the file lacks is spelled as in the newest earlier bytes that have it, else like a record
//   in
//              a fresh file. It is copied to the byte if its lines fit between its new neighbours.
//   removed    Its element goes, with a comma and the blanks beside it.
//
// Members
//   changed    Only bytes of values that differ change. 1 and 1.0 differ; 1.0 and 1.00, or "A" and "\u0041", do not.
//   new        A new member follows its predecessor in a fresh file.
//   repeated   The last member of a name counts and is changed; the others stay. All go when the member goes.
//   left       Cells that are left in the file stay to the byte, missing ones too.
//
// The status is said by one or more members that are no members of the record (StatusForm). They change only if they
// say another status than the wanted one: a missing or null status stays where it means the same. A list may have
// several forms: an element keeps its own if that can say the status, a new one has the form of the first that has one.
#pragma once

#include "core/codec.h"

namespace pawl::merge {

// How a status is said in a file.
struct StatusForm {
  // The first one shows that an element has this form; the others belong to it.
  std::span<const std::string_view> members;
  // What the object says; null: nothing. No function: the value of the first member.
  Json (*read)(const Json& object) = nullptr;
  // Those of the members, with their values, that make the object say `status`; null: none. `object` has those of the
  // file. No function: the first one.
  Json (*write)(const Json& object, const Json& status) = nullptr;
};

inline constexpr std::string_view kStatusMember[] = {kStatus};
inline constexpr StatusForm kStatusForm[] = {{kStatusMember}};

struct JsonShape {
  enum class Key { stem, owner, fixed };  // stem: the file's name without its extension

  const KindLaw* law;                            // the kind of the records, and what a missing status means
  std::span<const std::string_view> lists = {};  // names of the list; the first is written; none: one object
  std::string_view id = "id";                    // of a record of the list
  Key key = Key::stem;                           // of one object; an owner without a name gives way to the stem
  std::string_view fixed_key = {};
  std::span<const std::string_view> owner = {};     // members of the root that name the owner, joined with "|"
  std::string (*owner_of)(const Json& root) = {};   // in their place
  std::span<const StatusForm> forms = kStatusForm;  // the first form of an element counts
  // Of a record's members in a fresh file. Others follow, the status last.
  std::span<const std::string_view> order = {};
  bool newline_at_end = true;  // of a fresh file
};

class JsonCodec final : public Codec {
 public:
  explicit constexpr JsonCodec(const JsonShape& shape) : shape_(shape) {}
  explicit JsonCodec(JsonShape&&) = delete;  // it refers to the shape

  [[nodiscard]] std::string owner(std::string_view bytes) const override;
  [[nodiscard]] Result<Content> parse(std::string_view path, std::string_view bytes, const Known& known) const override;
  [[nodiscard]] std::string patch(std::string_view path, std::string_view bytes, const Wanted& wanted) const override;
  [[nodiscard]] std::string fresh(std::string_view path, const Wanted& wanted) const override;

 private:
  const JsonShape& shape_;
};

}  // namespace pawl::merge
