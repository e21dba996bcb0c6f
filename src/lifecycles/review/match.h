// Which finding is which. Files in the seed's form give findings no ids, so one that was edited is known again by what
// it still has in common with what stood there: all of it, else title and file, else the title, else its place, else
// its text.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/mirror_format.h"
#include "lifecycles/review/finding_text.h"

namespace pawl::review {

struct FindingTraits {
  std::string_view id;  // "" where none is known
  std::string_view severity, title, file, category, body;
  std::int64_t line = 0;
};

[[nodiscard]] FindingTraits traits_of(const Record& record);
[[nodiscard]] FindingTraits traits_of(const Shown& shown);
// `body` is the file's own, line ends included.
[[nodiscard]] FindingTraits traits_of(std::string_view text, const FindingText& finding);

// For each of `some` the index of its partner among `others`, each partner used once. `taken` marks those that are used
// already, and is brought up to date.
[[nodiscard]] std::vector<std::optional<std::size_t>> match(std::span<const FindingTraits> some,
                                                            std::span<const FindingTraits> others,
                                                            std::vector<bool>& taken);

}  // namespace pawl::review
