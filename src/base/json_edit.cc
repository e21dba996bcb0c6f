#include "base/json_edit.h"

#include <algorithm>
#include <optional>

#include "base/json_align.h"
#include "base/json_same.h"
#include "base/json_style.h"
#include "base/text.h"

namespace pawl {
namespace {

// The text is copied up to `begin`; `text` follows; copying goes on at `end`, which lies before `begin` where elements
// change places.
struct Splice {
  std::size_t begin, end;
  std::string text;
};

// A member of an object or an element of an array as it stands in the file.
struct Item {
  std::size_t begin;    // of the key, or of the element
  std::size_t key_end;  // of an element: its begin
  JsonRef value;
};

// What is to stand in a container, from left to right.
struct Step {
  std::size_t item = kNoMember;      // what stands in the file already
  const Json* wanted = nullptr;      // what it is to mean; null: leave it
  const std::string* key = nullptr;  // of a new member
  std::string_view spelled = {};     // of a new element
};

class Editor {
 public:
  Editor(const JsonText& file, JsonEqual equal) : file_(file), text_(file.text()), equal_(equal) {}

  // Called for values in the order of the result, so that the splices come in order.
  void edit(const JsonRef& value, std::size_t item_begin, const Json& wanted) {
    const bool both_objects = value.is_object() && wanted.is_object();
    const bool both_arrays = value.is_array() && wanted.is_array();
    if ((both_objects || both_arrays) && !value.empty() && !wanted.empty()) {
      both_objects ? edit_object(value, wanted) : edit_array(value, wanted);
    } else if (!same(value, wanted)) {
      std::string out;
      const JsonLayout layout = starts_line(item_begin) ? JsonLayout::natural : JsonLayout::one_line;
      append_value(out, wanted, style(), line_indent(item_begin), layout);
      splice(value.begin(), value.end(), std::move(out));
    }
  }

  void edit_elements(const JsonRef& array, std::size_t item_begin, std::span<const JsonItem> wanted) {
    if (array.empty()) return fill(array, item_begin, wanted);
    std::vector<Item> items;
    for (const JsonRef element : array.elements()) items.push_back({element.begin(), element.begin(), element});
    std::vector<Step> steps;
    for (const JsonItem& item : wanted) steps.push_back({item.from, item.wanted, nullptr, item.spelled});
    edit_items(array, items, steps);
  }

  [[nodiscard]] std::string finish() const {
    std::size_t size = text_.size();
    for (const Splice& s : splices_) size += s.text.size();
    std::string out;
    out.reserve(size);
    std::size_t at = 0;
    for (const Splice& s : splices_) {
      out += text_.substr(at, s.begin - at);
      out += s.text;
      at = s.end;
    }
    return out += text_.substr(at);
  }

 private:
  [[nodiscard]] bool same(const JsonRef& value, const Json& wanted) const {
    return equal_ == JsonEqual::text ? same_text(value.value(), wanted) : same_value(value, wanted);
  }

  void fill(const JsonRef& array, std::size_t item_begin, std::span<const JsonItem> items) {
    const bool spread = style().multi_line && starts_line(item_begin);
    const JsonLayout layout = spread ? JsonLayout::natural : JsonLayout::one_line;
    const std::string indent(line_indent(item_begin)), inner = cat(indent, style().unit);
    std::string out = "[";
    for (const JsonItem& item : items) {
      if (out.size() > 1) out += spread ? "," : style().comma;
      if (spread) out += cat(style().newline, inner);
      if (fits(item.spelled, inner, layout)) {
        out += item.spelled;
      } else {
        append_value(out, *item.wanted, style(), inner, layout);
      }
    }
    if (spread) out += cat(style().newline, indent);
    splice(array.begin(), array.end(), out += ']');
  }

  void edit_object(const JsonRef& object, const Json& wanted) {
    std::vector<Item> items;
    for (const auto [key, value] : object.members()) items.push_back({key.begin(), key.end(), value});
    const MatchedMembers matched = match_members(object, wanted);

    // New members go after the one before them in `wanted`; those that have none before them go first.
    std::vector<Step> fresh;
    std::vector<std::size_t> fresh_after;  // the item after which each goes
    std::vector<const Json*> meaning(items.size(), nullptr);
    std::size_t after = kNoMember, at = 0;
    for (const auto& [key, value] : wanted.get_ref<const Json::object_t&>()) {
      const std::size_t holder = matched.holder[at++];
      if (holder == kNoMember) {
        fresh.push_back({kNoMember, &value, &key});
        fresh_after.push_back(after);
      } else {
        meaning[holder] = &value;
        after = holder;
      }
    }
    std::vector<Step> steps;
    if (fresh.empty()) {
      for (std::size_t i = 0; i < items.size(); ++i) {
        if (matched.key[i] != kNoMember) steps.push_back({i, meaning[i], nullptr});
      }
    } else {
      std::vector<std::vector<Step>> following(items.size() + 1);
      for (std::size_t i = 0; i < fresh.size(); ++i) following[fresh_after[i] + 1].push_back(fresh[i]);
      steps = following[0];
      for (std::size_t i = 0; i < items.size(); ++i) {
        if (matched.key[i] != kNoMember) steps.push_back({i, meaning[i], nullptr});
        steps.insert(steps.end(), following[i + 1].begin(), following[i + 1].end());
      }
    }
    edit_items(object, items, steps);
  }

  void edit_array(const JsonRef& array, const Json& wanted) {
    std::vector<Item> items;
    std::vector<JsonRef> elements;
    for (const JsonRef element : array.elements()) {
      items.push_back({element.begin(), element.begin(), element});
      elements.push_back(element);
    }
    const std::vector<std::size_t> partners = align_elements(elements, wanted);
    std::vector<Step> steps;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const std::size_t partner = partners[i];
      const bool stays = partner != kNoMember && same(elements[partner], wanted[i]);
      steps.push_back({partner, stays ? nullptr : &wanted[i], nullptr});
    }
    edit_items(array, items, steps);
  }

  // Neither `items` nor `steps` is empty. Where an item follows the one that it followed before, nothing between them
  // is touched; else the blanks and comma before it stay with it.
  void edit_items(const JsonRef& container, const std::vector<Item>& items, const std::vector<Step>& steps) {
    std::size_t done = items.front().begin;  // everything before is settled
    std::size_t last_item = kNoMember;       // that was kept
    std::string fresh;                       // to be put at `done`
    bool first = true;
    for (const Step& step : steps) {
      if (step.item == kNoMember) {
        const std::string gap = separator(container, items, last_item);
        if (!first) fresh += gap;
        append_item(fresh, container, items, last_item, first ? head(container, items) : gap, step);
      } else {
        const Item& item = items[step.item];
        const bool follows = step.item == (last_item == kNoMember ? 0 : last_item + 1);
        if (!follows || !fresh.empty()) {
          if (first) {
            splice(done, item.begin, {});
          } else if (step.item > 0) {
            splice(done, items[step.item - 1].value.end(), std::move(fresh));
          } else {
            splice(done, item.begin, fresh + separator(container, items, kNoMember));
          }
          fresh.clear();
        }
        if (step.wanted != nullptr) edit(item.value, item.begin, *step.wanted);
        done = item.value.end();
        last_item = step.item;
      }
      first = false;
    }
    const std::size_t end = items.back().value.end();
    if (done != end || !fresh.empty()) splice(done, end, std::move(fresh));
  }

  // A new member or element; `before` is what stands between it and whatever comes before it.
  void append_item(std::string& out, const JsonRef& container, const std::vector<Item>& items, std::size_t last_item,
                   std::string_view before, const Step& step) {
    const Item& neighbour = items[last_item == kNoMember ? 0 : last_item];
    JsonLayout layout = has_newline(before) ? JsonLayout::natural : JsonLayout::one_line;
    std::string_view indent = before.substr(before.rfind('\n') + 1);
    indent = indent.substr(0, indent.find_first_not_of(" \t"));
    if (container.is_object()) {
      append_string(out, *step.key, style());
      const std::string_view colon = text_.substr(neighbour.key_end, neighbour.value.begin() - neighbour.key_end);
      out += has_newline(colon) ? style().colon : colon;
    } else if (step.wanted->is_structured() && neighbour.value.is_container() && !neighbour.value.empty() &&
               neighbour.value.is_object() == step.wanted->is_object()) {
      // Elements of one array look alike: each on a line of its own, or over several.
      layout = is_spread(neighbour.value) ? JsonLayout::spread : JsonLayout::one_line;
      indent = line_indent(neighbour.begin);
    }
    if (fits(step.spelled, indent, layout)) {
      out += step.spelled;
    } else {
      append_value(out, *step.wanted, style(), indent, layout);
    }
  }

  // Does a spelling from elsewhere look like its new neighbours? Its last line begins where the value does.
  bool fits(std::string_view spelled, std::string_view indent, JsonLayout layout) {
    const bool spread = has_newline(spelled);
    if (spelled.empty() || (layout != JsonLayout::natural && spread != (layout == JsonLayout::spread))) return false;
    const std::string_view last = spelled.substr(spelled.rfind('\n') + 1);
    const bool returns = spelled.find("\r\n") != std::string_view::npos;
    return !spread || (last.substr(0, last.size() - 1) == indent && returns == (style().newline == "\r\n"));
  }

  // What stands between a new item that follows `last_item` and its neighbour.
  std::string separator(const JsonRef& container, const std::vector<Item>& items, std::size_t last_item) {
    if (items.size() == 1) {
      const std::string_view blank = head(container, items);
      return has_newline(blank) ? cat(',', one_newline(blank)) : style().comma;
    }
    const std::size_t at = last_item == kNoMember ? 0 : std::min(last_item, items.size() - 2);
    const std::string_view gap = text_.substr(items[at].value.end(), items[at + 1].begin - items[at].value.end());
    if (std::count(gap.begin(), gap.end(), '\n') <= 1) return std::string(gap);
    // An empty line groups what is there; it is not the way from one item to the next.
    const std::string last_line = one_newline(gap);
    return last_line.find(',') == std::string::npos ? cat(',', last_line) : last_line;
  }

  std::string one_newline(std::string_view blank) { return cat(style().newline, blank.substr(blank.rfind('\n') + 1)); }

  std::string_view head(const JsonRef& container, const std::vector<Item>& items) const {
    return text_.substr(container.begin() + 1, items.front().begin - container.begin() - 1);
  }

  bool is_spread(const JsonRef& container) const {
    const std::size_t first = text_.find_first_not_of(" \t\r", container.begin() + 1);
    return first != std::string_view::npos && text_[first] == '\n';
  }

  std::size_t line_begin(std::size_t at) const {
    const std::size_t newline = at == 0 ? std::string_view::npos : text_.rfind('\n', at - 1);
    if (newline != std::string_view::npos) return newline + 1;
    return text_.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  }

  std::string_view line_indent(std::size_t at) const {
    const std::string_view line = text_.substr(line_begin(at));
    return line.substr(0, line.find_first_not_of(" \t"));
  }

  // Only blanks stand before it on its line, or a comma, as some put it there.
  bool starts_line(std::size_t at) const {
    const std::size_t begin = line_begin(at);
    return text_.substr(begin, at - begin).find_first_not_of(" \t,") == std::string_view::npos;
  }

  const JsonStyle& style() {
    if (!style_) style_ = style_of(file_);
    return *style_;
  }

  void splice(std::size_t begin, std::size_t end, std::string text) {
    splices_.push_back({begin, end, std::move(text)});
  }

  const JsonText& file_;
  std::string_view text_;
  JsonEqual equal_;
  std::optional<JsonStyle> style_;
  std::vector<Splice> splices_;
};

// Where the member that holds `value` begins; elements and the root begin where they begin.
std::size_t item_begin(const JsonText& file, const JsonRef& value) {
  if (value.index() == 0) return value.begin();
  const JsonNode& before = file.nodes()[value.index() - 1];
  if (before.kind != JsonKind::string || before.end > value.begin()) return value.begin();
  const bool is_key = file.text().substr(before.end, value.begin() - before.end).find(':') != std::string_view::npos;
  return is_key ? before.begin : value.begin();
}

}  // namespace

std::string conform(const JsonText& file, std::span<const JsonChange> changes, JsonEqual equal) {
  std::vector<JsonChange> ordered(changes.begin(), changes.end());
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const JsonChange& a, const JsonChange& b) { return a.value.index() < b.value.index(); });
  Editor editor(file, equal);
  std::size_t settled = 0;
  for (const JsonChange& change : ordered) {
    if (change.value.begin() < settled) continue;
    const std::size_t begin = item_begin(file, change.value);
    if (change.items.empty()) {
      editor.edit(change.value, begin, *change.wanted);
    } else {
      editor.edit_elements(change.value, begin, change.items);
    }
    settled = change.value.end();
  }
  return editor.finish();
}

std::string conform(const JsonText& file, const JsonRef& value, const Json& wanted, JsonEqual equal) {
  const JsonChange change{value, &wanted};
  return conform(file, std::span(&change, 1), equal);
}

Result<std::string> conform(std::string_view text, const Json& wanted) {
  PAWL_ASSIGN(const JsonText file, JsonText::scan(text));
  return conform(file, file.root(), wanted);
}

}  // namespace pawl
