// Whole findings put into a state file and taken out of it, with the lines `---` between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lifecycles/review/state_text.h"

namespace pawl::review {

// Those at these places, in order. All at once: which line between two goes depends on what stands on both sides of it.
void take_out(const StateText& state, std::span<const std::size_t> goes, std::vector<Edit>& edits);

// Which finding of the file each block is, by its number; 0 where that is not known.
using BlockNumbers = std::vector<std::int64_t>;
// The block before which one of this number stands that was there before; none: behind them all.
[[nodiscard]] std::optional<std::size_t> place_of(const BlockNumbers& numbers, std::int64_t number);

// `blocks` are without a line end.
void append_findings(const StateText& state, const std::vector<std::string>& blocks, std::vector<Edit>& edits);
void insert_finding(const StateText& state, std::size_t before, std::string_view block, std::vector<Edit>& edits);

}  // namespace pawl::review
