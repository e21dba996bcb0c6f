// JSON as it stands in a file: where every value begins and ends, so that one of them can be replaced
// and the rest of the file stays to the byte. Written by hand, and nothing else of JSON is: no packaged library keeps
// white space, the spelling of numbers or the form of escapes (nlohmann, simdjson, rapidjson and yyjson all forget
// them).
//
//   PAWL_ASSIGN(JsonText file, JsonText::scan(bytes));
//   for (const JsonRef story : file.root().find("stories")->elements()) ...
//
// The grammar is RFC 8259's, and agrees with nlohmann's parser (tests/fuzz compares them) but for three points: nesting
// is bounded by kMaxJsonDepth; a NUL byte is an error here, where nlohmann takes it for the end and forgets what
// follows: files half lost in a power cut end in such bytes; and no number is too large (json_number.h).
#pragma once

#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace pawl {

enum class JsonKind : std::uint8_t { object, array, string, number, boolean, null };

// Values in the order in which they begin. The children of a container follow it directly, an object's as
// key, value, key, value; `next` is the node after the last of them, so a subtree is skipped in one step.
struct JsonNode {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t next = 0;
  JsonKind kind = JsonKind::null;
  bool escaped = false;  // a string with a backslash in it
};

class JsonElements;
class JsonMembers;

// One value of a scanned text. Small, to be copied; good as long as the JsonText (moved or not) and its bytes live.
class JsonRef {
 public:
  JsonRef(std::string_view text, const JsonNode* nodes, std::uint32_t index)
      : text_(text), nodes_(nodes), index_(index) {}

  [[nodiscard]] JsonKind kind() const { return node().kind; }
  [[nodiscard]] bool is_object() const { return kind() == JsonKind::object; }
  [[nodiscard]] bool is_array() const { return kind() == JsonKind::array; }
  [[nodiscard]] bool is_string() const { return kind() == JsonKind::string; }
  [[nodiscard]] bool is_container() const { return is_object() || is_array(); }

  [[nodiscard]] std::size_t begin() const { return node().begin; }
  [[nodiscard]] std::size_t end() const { return node().end; }
  [[nodiscard]] std::string_view raw() const { return text_.substr(begin(), end() - begin()); }
  [[nodiscard]] std::string_view whole_text() const { return text_; }

  // Of a string: what it says, escapes decoded.
  [[nodiscard]] std::string string() const;
  // Whether it is a string that says `text`; allocates nothing when there are no escapes in it.
  [[nodiscard]] bool says(std::string_view text) const;

  // Members in the order of the file, a repeated key as often as it stands there; none when this is no object.
  [[nodiscard]] JsonMembers members() const;
  // None when this is no array.
  [[nodiscard]] JsonElements elements() const;
  [[nodiscard]] bool empty() const { return node().next == index_ + 1; }
  [[nodiscard]] std::size_t size() const;  // of members or elements; counts them
  // The value of the last member of that name: of a repeated key the last one counts, as for nlohmann and jq.
  [[nodiscard]] std::optional<JsonRef> find(std::string_view key) const;
  [[nodiscard]] bool has_duplicate_keys() const;

  // The same as nlohmann's parse of raw() but for numbers that are kept as written; of a repeated key the last value at
  // the first one's place. Linear, where nlohmann's is quadratic in the keys of one object.
  [[nodiscard]] Json value() const;

  [[nodiscard]] std::uint32_t index() const { return index_; }

 private:
  friend class JsonElements;
  friend class JsonMembers;
  [[nodiscard]] const JsonNode& node() const { return nodes_[index_]; }
  [[nodiscard]] JsonRef at(std::uint32_t index) const { return {text_, nodes_, index}; }

  std::string_view text_;
  const JsonNode* nodes_;
  std::uint32_t index_;
};

struct JsonMember {
  JsonRef key;
  JsonRef value;
};

class JsonElements {
 public:
  class Iterator {
   public:
    using value_type = JsonRef;
    using reference = JsonRef;
    using pointer = void;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    explicit Iterator(JsonRef at) : at_(at) {}
    JsonRef operator*() const { return at_; }
    Iterator& operator++() { return *this = Iterator(at_.at(at_.node().next)); }
    bool operator==(const Iterator& other) const { return at_.index_ == other.at_.index_; }

   private:
    JsonRef at_;
  };
  explicit JsonElements(JsonRef array) : array_(array) {}
  [[nodiscard]] Iterator begin() const { return Iterator(array_.at(array_.index_ + 1)); }
  [[nodiscard]] Iterator end() const {
    return Iterator(array_.at(array_.is_array() ? array_.node().next : array_.index_ + 1));
  }

 private:
  JsonRef array_;
};

class JsonMembers {
 public:
  class Iterator {
   public:
    using value_type = JsonMember;
    using reference = JsonMember;
    using pointer = void;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    explicit Iterator(JsonRef key) : key_(key) {}
    JsonMember operator*() const { return {key_, key_.at(key_.index_ + 1)}; }
    Iterator& operator++() { return *this = Iterator(key_.at(key_.at(key_.index_ + 1).node().next)); }
    bool operator==(const Iterator& other) const { return key_.index_ == other.key_.index_; }

   private:
    JsonRef key_;
  };
  explicit JsonMembers(JsonRef object) : object_(object) {}
  [[nodiscard]] Iterator begin() const { return Iterator(object_.at(object_.index_ + 1)); }
  [[nodiscard]] Iterator end() const {
    return Iterator(object_.at(object_.is_object() ? object_.node().next : object_.index_ + 1));
  }

 private:
  JsonRef object_;
};

// A scanned text. Does not own the bytes.
class JsonText {
 public:
  // An error is ErrorCode::corruption, and says where and what: "line 3, column 14: a comma or } was expected".
  [[nodiscard]] static Result<JsonText> scan(std::string_view text);
  // What stands complete at the beginning of a text that is cut off anywhere: the root, what is in it, and what is in
  // that, up to the last that ended. For whoever needs only the first of a long list; what follows is not looked at,
  // and may not be JSON.
  [[nodiscard]] static Result<JsonText> scan_front(std::string_view text);

  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] JsonRef root() const { return {text_, nodes_.data(), 0}; }
  [[nodiscard]] const std::vector<JsonNode>& nodes() const { return nodes_; }

 private:
  JsonText(std::string_view text, std::vector<JsonNode> nodes) : text_(text), nodes_(std::move(nodes)) {}

  std::string_view text_;
  std::vector<JsonNode> nodes_;
};

}  // namespace pawl
