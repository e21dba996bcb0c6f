// What to type about a loop. Each command stands on a line of its own, with what it does behind it as a shell's
// comment, so that it can be pasted as it is. Names in it are pawl's own or session ids, never other text of a file.
#pragma once

#include <string>
#include <string_view>

#include "core/record.h"

namespace pawl::loop {

// "pawl ralph cancel s1@…  # ends it"
[[nodiscard]] std::string to_type(std::string_view command, std::string_view what_it_does);

// " --session s1", "" for nobody's.
[[nodiscard]] std::string session_option(const Record& loop);
// An agent goes on with it; "" where the file names a session that nobody can be.
[[nodiscard]] std::string to_go_on(const Record& loop);
[[nodiscard]] std::string to_cancel(const Record& loop);
// Both, a line each.
[[nodiscard]] std::string to_go_on_or_end(const Record& loop);

// Of one that has ended: the same once more, or another of that session's. `verify` is the option that names its check.
[[nodiscard]] std::string to_begin_anew(const Record& ended, std::string_view verify);

// Of one whose file does not say whether it is under way; the second of the user's own, which all projects share.
[[nodiscard]] std::string to_mend(const Record& loop);
[[nodiscard]] std::string to_mend_shared(const Record& loop);

// Another is under way where a new one was to begin: beside it under a name of its own, or on with it. Nobody is told
// to end what somebody else is in.
[[nodiscard]] std::string to_begin_beside(std::string_view kind, const Record& under_way, bool own);

}  // namespace pawl::loop
