// Another file is put in the place of a user's while others may write it: beside it first, and then exchanged with it,
// so that whoever reads it sees one or the other; what came in between is seen, and comes back.
#pragma once

#include <string>
#include <string_view>

#include "base/file.h"
#include "base/result.h"

namespace pawl::install {

// How what is about to stand in a file is called beside it. Whoever made it has its number in it.
[[nodiscard]] std::string name_beside(const std::string& name);
// Whether it has just that shape: what is only called much like it may be anybody's.
[[nodiscard]] bool is_named_beside(std::string_view name, std::string_view of);

// One pawl at a time changes users' files in a workspace, for as long as this is held; it is the workspace's folder.
// busy: another one has been at it for long.
[[nodiscard]] Result<Fd> lock_users_files(const std::string& root, std::string_view path);

// Whether the file has these bytes. Who had it open before an exchange may still write into it, and is waited for.
[[nodiscard]] Result<bool> is_still(int folder, const std::string& name, std::string_view bytes);

struct Replacement {
  int folder = -1;
  const std::string& name;    // in that folder
  const std::string& staged;  // what the new one is called beside it
  const std::string& path;    // as a user is told of it
  const FileImage& before;    // as it was when the new one was made
  std::string_view after;
};
// false: somebody else made it, wrote it or took it away in this moment, and it stands as they did; if they wrote into
// the new one too, that stays beside it. `stands`, also where an error is returned: the new one is in its place.
[[nodiscard]] Result<bool> put_if_still(const Replacement& one, bool& stands);

// Of what went wrong behind the exchange: nobody is told that it stands as it was.
[[nodiscard]] Error changed_but(const std::string& path, Error error, bool stood_before);

}  // namespace pawl::install
