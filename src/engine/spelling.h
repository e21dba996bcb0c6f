// What a file looked like, for a file that shows one of several at a time: what goes is kept, with all that others
// wrote into it, and comes back to the byte. What would come back with nothing is kept as a copy, and that is said.
#pragma once

#include "engine/absorb.h"

namespace pawl {

// What the file looked like when this one left it; nothing where it never did.
[[nodiscard]] Result<std::optional<std::string>> left_as(Transaction& store, const std::string& path,
                                                         const std::string& whose);

// Where the bytes do not say whose they are, it is whose file it was.
[[nodiscard]] std::optional<std::string> whose_is(const PlannedFile& planned, std::string_view bytes);

// Are they another's than all that this is about?
[[nodiscard]] bool is_strangers(const PlannedFile& planned, std::string_view bytes);

// `base`: what the records are written on. `leaving`: what stands there now. `kept` holds what `base` may point into.
[[nodiscard]] Done spell_as_before(Transaction& store, const PlannedFile& planned, const std::vector<Record>& records,
                                   std::optional<std::string_view> leaving, std::optional<std::string_view>& base,
                                   std::optional<std::string>& kept);

// Once it is known what the file becomes. `in_file`: what stands there and can be read.
[[nodiscard]] Done keep_what_goes(const MirrorWorld& world, const View& view, PlannedFile& planned,
                                  std::optional<std::string_view> leaving, std::optional<std::string_view> in_file,
                                  std::int64_t now_ms);
// Of a file that is git's and goes as what it showed has ended.
[[nodiscard]] Done keep_of_gits(const View& view, const PlannedFile& planned);

}  // namespace pawl
