// What pawl would write into a file now: the bytes that it last left there, brought up to what is recorded. The two are
// not the same where files are left to others: one that git moved is not written, while records go on.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/mirror.h"
#include "engine/view.h"

namespace pawl {

// The records that it would show: those that stood there when pawl last wrote it, also such as are gone by now, and
// those that came in since.
[[nodiscard]] Result<std::set<RecordId>> known_in(const MirrorWorld& world, const View& view, const MirrorFile& file,
                                                  std::string_view left_there);

// Of a file that pawl left none of, while git has it: what it showed had ended, and is there again.
[[nodiscard]] Result<std::set<RecordId>> back_without_file(const MirrorWorld& world, const View& view,
                                                           const MirrorFile& file);

// Goes through what is recorded in a file's scope, of the kinds that show in files of its format, until `see` says that
// it has seen enough. Without documents.
[[nodiscard]] Done each_record_of(const MirrorWorld& world, const View& view, const MirrorFile& file,
                                  const std::function<bool(const Record&)>& see);

// What stands there and the store has nothing of, as it stands: so it is found there, and taken out.
[[nodiscard]] Result<std::map<RecordId, Record>> unknown_in(Transaction& store, const MirrorFile& file,
                                                            std::string_view left_there);

// Of a file that git changed: what came in by commands since, and is in neither of the two. Whoever takes the file
// would lose it.
[[nodiscard]] Result<std::vector<RecordId>> came_in_since(Transaction& store, const Sighting& seen);

// Nothing: no file is left, or pawl has never left anything there, and nothing that belongs there is back. `also`: what
// else it would show, unless the file is another one's. `standing`: what the file goes on saying otherwise. Reads only.
[[nodiscard]] Result<std::optional<std::string>> known_bytes(const MirrorWorld& world, const View& view,
                                                             const MirrorFile& file,
                                                             const std::optional<MirrorRow>& row,
                                                             const std::vector<RecordId>& also = {},
                                                             const WhatStands& standing = {});

}  // namespace pawl
