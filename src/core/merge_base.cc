// Which baseline the writer of a file started from (tools and agents save copies that are several writes old), whose
// file it is, and the order of its records.
#include <algorithm>

#include "core/merge_rows.h"

namespace pawl::merge {
namespace {

constexpr std::size_t kMostBaselines = 8;

struct Shown {
  const Content& content;
  std::unordered_map<std::string_view, const Entry*> index = by_key<Entry>(content.entries);
};

// Of the cells in which a and b differ: how many there are, and how many theirs shows as a, and as b. A member that
// theirs lacks counts for neither; presence always counts.
struct Difference {
  std::size_t cells = 0, as_a = 0, as_b = 0;
};

Difference difference(const Shown& a, const Shown& b, const Shown& theirs) {
  Difference count;
  const auto cell = [&](const Json* x, const Json* y, const Json* t, bool is_presence) {
    if (same(x, y)) return;
    ++count.cells;
    if (t == nullptr && !is_presence) return;
    count.as_a += same(t, x) ? 1 : 0;
    count.as_b += same(t, y) ? 1 : 0;
  };
  const auto members = [&](const Json* x, const Json* y, const Json* t) {
    if (same(x, y)) return;
    for (const auto& [name, value] : align({x, y, t})) cell(value[0], value[1], value[2], false);
  };
  const auto entry = [&](const Entry* x, const Entry* y) {
    static const Json kThere = true;
    const Entry* t = find(theirs.index, x != nullptr ? x->key : y->key);
    const auto presence = [](const Entry* e) { return e == nullptr ? nullptr : &kThere; };
    const auto status = [](const Entry* e) { return e == nullptr ? nullptr : &e->status; };
    const auto others = [](const Entry* e) { return e == nullptr ? nullptr : &e->members; };
    cell(presence(x), presence(y), presence(t), true);
    cell(status(x), status(y), status(t), false);
    members(others(x), others(y), others(t));
  };
  members(&a.content.file, &b.content.file, &theirs.content.file);
  for (const Entry& one : a.content.entries) entry(&one, find(b.index, one.key));
  for (const Entry& one : b.content.entries) {
    if (find(a.index, one.key) == nullptr) entry(nullptr, &one);
  }
  return count;
}

}  // namespace

const Content* choose_base(std::span<const Baseline> known, const Content& theirs) {
  if (known.empty()) return nullptr;
  const Shown found{theirs}, newest{*known.back().content};
  // The number of cells that differ; of equals, one in theirs' order is nearer.
  const auto distance_of = [&](const Shown& shown) {
    return std::pair{difference(shown, found, found).cells, order_of(shown.content) != order_of(theirs)};
  };
  const Content* best = &newest.content;
  auto nearest = distance_of(newest);
  const auto none = std::pair{std::size_t{0}, false};
  bool command_since = false;
  for (std::size_t back = 2; back <= std::min(known.size(), kMostBaselines) && nearest != none; ++back) {
    command_since = command_since || known[known.size() - back + 1].by_command;
    const Shown older{*known[known.size() - back].content};
    const auto distance = distance_of(older);
    // If no command wrote since, somebody took an outside edit back by hand: an edit as well. Else it is an old copy.
    if (distance == none) return command_since ? &older.content : &newest.content;
    const Difference since = distance < nearest ? difference(older, newest, found) : Difference();
    if (since.as_a <= since.as_b) continue;
    best = &older.content;
    nearest = distance;
  }
  return best;
}

bool is_another_owner(const FileLaw& law, const Content& shown, const Content& theirs) {
  if (shown.owner == theirs.owner) return false;
  const std::string member(law.owner_by_content);
  const auto found = by_key<Entry>(theirs.entries);
  const auto is_common = [&](const Entry& entry) {
    const Entry* other = find(found, entry.key);
    return other != nullptr && same_text(entry.members.value(member, Json()), other->members.value(member, Json()));
  };
  const auto common = std::count_if(shown.entries.begin(), shown.entries.end(), is_common);
  return member.empty() || 2 * static_cast<std::size_t>(common) <= shown.entries.size();
}

Order order_of(const Content& content) {
  Order keys;
  for (const Entry& entry : content.entries) keys.push_back(entry.key);
  return keys;
}

Order weave(const Order& first, const Order& second) {
  std::unordered_map<std::string_view, const std::string*> known;
  for (const std::string& key : first) known.emplace(key, &key);
  // What only `second` has goes right behind the key before it there; nullptr: to the front.
  std::unordered_map<const std::string*, const std::string*> behind;
  const std::string* before = nullptr;
  for (const std::string& key : second) {
    const auto [place, is_new] = known.emplace(key, &key);
    if (is_new) behind.emplace(before, &key);
    before = place->second;
  }
  Order out;
  const auto add_behind = [&](const std::string* key) {
    for (auto next = behind.find(key); next != behind.end(); next = behind.find(next->second))
      out.push_back(*next->second);
  };
  add_behind(nullptr);
  for (const std::string& key : first) {
    out.push_back(key);
    add_behind(&key);
  }
  return out;
}

Order merge_order(const Content& base, const Content& theirs, const Order& ours) {
  const auto common = [](const Content& of, const Content& with) {
    Order keys = order_of(of);
    std::erase_if(keys, [known = by_key<Entry>(with.entries)](const std::string& key) { return !known.contains(key); });
    return keys;
  };
  const Order known = ours.empty() ? order_of(base) : ours;
  const Order now = common(theirs, base);
  const bool as_ours = now == common(base, theirs) && now.size() == theirs.entries.size();
  return as_ours ? known : weave(order_of(theirs), known);
}

}  // namespace pawl::merge
