#include "base/json_align.h"

#include <algorithm>

#include "base/json_same.h"

namespace pawl {
namespace {

// Beyond so many pairs the best alignment is not worth its time, and elements are paired in their order.
constexpr std::size_t kMaxPairs = std::size_t{1} << 20U;

// What of an element decides how well it fits another one.
struct Traits {
  std::uint64_t all = 0;
  std::uint64_t id = 0;  // 0: it has none
  Json::value_t type = Json::value_t::null;
};

Traits traits_of(const Json& value) {
  Traits traits{value_hash(value), 0, value.type()};
  if (value.is_object()) {
    if (const auto id = value.find("id"); id != value.end()) traits.id = value_hash(*id) | 1U;
  }
  return traits;
}

// Any number of weak ties counts less than one strong one. Every pair has some tie, so that arrays of the same length
// of which nothing else is known are paired place by place.
std::uint64_t fit(const Traits& a, const Traits& b) {
  constexpr std::uint64_t kStrong = std::uint64_t{1} << 32U;
  if (a.all == b.all) return kStrong + 1;
  if (a.id != 0 && b.id != 0) return a.id == b.id ? kStrong : 1;
  return a.type == b.type ? 2 : 1;
}

// The pairing, from left to right, with the largest sum of fits: one table, filled from the end.
void align_middle(std::span<const JsonRef> elements, std::span<const Json* const> wanted, std::size_t first,
                  std::span<std::size_t> partners) {
  std::vector<Traits> old_traits, new_traits;
  for (const JsonRef& element : elements) old_traits.push_back(traits_of(element.value()));
  for (const Json* value : wanted) new_traits.push_back(traits_of(*value));
  const std::size_t rows = elements.size(), columns = wanted.size();
  std::vector<std::uint64_t> best((rows + 1) * (columns + 1), 0);
  const auto cell = [&](std::size_t i, std::size_t j) -> std::uint64_t& { return best[i * (columns + 1) + j]; };
  for (std::size_t i = rows; i-- > 0;) {
    for (std::size_t j = columns; j-- > 0;) {
      const std::uint64_t pair = cell(i + 1, j + 1) + fit(old_traits[i], new_traits[j]);
      cell(i, j) = std::max({cell(i + 1, j), cell(i, j + 1), pair});
    }
  }
  for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
    if (cell(i, j) == cell(i + 1, j + 1) + fit(old_traits[i], new_traits[j])) {
      partners[j++] = first + i++;
    } else if (cell(i, j) == cell(i, j + 1)) {
      ++j;
    } else {
      ++i;
    }
  }
}

}  // namespace

std::vector<std::size_t> align_elements(std::span<const JsonRef> elements, const Json& wanted) {
  std::vector<std::size_t> partners(wanted.size(), kNoMember);
  std::size_t front = 0, old_end = elements.size(), new_end = wanted.size();
  while (front < old_end && front < new_end && same_value(elements[front], wanted[front])) {
    partners[front] = front;
    ++front;
  }
  while (old_end > front && new_end > front && same_value(elements[old_end - 1], wanted[new_end - 1])) {
    partners[--new_end] = --old_end;
  }
  const std::size_t rows = old_end - front, columns = new_end - front;
  if (rows == 0 || columns == 0) return partners;
  if (rows > kMaxPairs / columns) {
    for (std::size_t i = 0; i < std::min(rows, columns); ++i) partners[front + i] = front + i;
    return partners;
  }
  std::vector<const Json*> middle;
  for (std::size_t j = front; j < new_end; ++j) middle.push_back(&wanted[j]);
  align_middle(elements.subspan(front, rows), middle, front, std::span(partners).subspan(front, columns));
  return partners;
}

}  // namespace pawl
