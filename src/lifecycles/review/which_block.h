// Which block of a state file shows which finding. Looked up, not compared one with another: a file may show thousands.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/record.h"
#include "lifecycles/review/finding_blocks.h"
#include "lifecycles/review/match.h"
#include "lifecycles/review/state_text.h"

namespace pawl::review {

// The blocks of a file by what they say, each given out once.
class BlocksByWords {
 public:
  explicit BlocksByWords(std::span<const FindingTraits> blocks);

  // The first that says this to the word, and is not `taken`.
  template <class Taken>
  [[nodiscard]] std::optional<std::size_t> take(const FindingTraits& mine, const Taken& taken) {
    const auto found = by_words_.find(words_of(mine));
    if (found == by_words_.end()) return std::nullopt;
    auto& [at, blocks] = found->second;
    while (at < blocks.size() && taken(blocks[at])) ++at;
    return at < blocks.size() ? std::optional(blocks[at++]) : std::nullopt;
  }

 private:
  using Words = std::tuple<std::string_view, std::string_view, std::int64_t, std::string_view, std::string>;
  struct Alike {
    std::size_t at = 0;  // the first that may be free
    std::vector<std::size_t> blocks;
  };
  static Words words_of(const FindingTraits& one);

  std::map<Words, Alike> by_words_;
};

// Which block of the file each record is, by its id or by what it says, now or before.
[[nodiscard]] std::vector<std::optional<std::size_t>> blocks_of(const StateText& state,
                                                                std::span<const Record> findings,
                                                                std::span<const Record> before);

// `taken`: the blocks of those that are written, with their numbers. What else is a finding of `others` gets its own.
[[nodiscard]] BlockNumbers numbers_of(const StateText& state, BlockNumbers taken, std::span<const Record> others);

}  // namespace pawl::review
