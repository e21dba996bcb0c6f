// A file that another one's took the place of: its bytes are kept in the store, as not all of them are records, and
// come back with the undo of that. Kept by file and content, each once: an older operation finds its own.
#pragma once

#include "engine/absorb.h"
#include "engine/view.h"

namespace pawl {

// The name under which they are kept, for kReplaced; "": too long to be kept so.
[[nodiscard]] Result<std::string> keep_replaced(Transaction& store, const MirrorFile& file, std::string_view bytes);

// The bytes that `planned.replaced_back` names become what the records are written on; what else stands there now, or
// stood there then, is among the records as it is by now. `kept` holds what `base` points into. False: there are
// none.
[[nodiscard]] Result<bool> take_back_replaced(const View& after, const PlannedFile& planned,
                                              std::vector<Record>& records, std::optional<std::string_view>& base,
                                              std::optional<std::string>& kept);

}  // namespace pawl
