// An agent edits a file. Where pawl keeps that file in step, an edit that it would refuse is stopped before it is made,
// and what it refused of one that was made is told at once.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "engine/engine.h"

namespace pawl::hook {

struct Replacement {
  std::string from, to;
  bool all = false;
};

struct FileEdit {
  std::string path;
  std::optional<std::string> content;     // the whole file
  std::vector<Replacement> replacements;  // or these, one after the other
};

// The arguments of an editing tool: Claude Code's (file_path, old_string …) and opencode's (filePath, oldString …).
// Nothing where they are not those of an edit.
[[nodiscard]] std::optional<FileEdit> edit_in(const Json& arguments);

// The file after the edit; nothing where the tool itself will find that it cannot be made.
[[nodiscard]] std::optional<std::string> after(const FileEdit& edit, std::string_view bytes);

// Why it is stopped; "" where it is not, and of files that are not pawl's business.
[[nodiscard]] Result<std::string> stopped_because(Engine& engine, const FileEdit& edit,
                                                  const std::function<std::string(const Note&)>& in_words);

// Takes over what the file says now. What is to be said of it goes to the engine's notes.
[[nodiscard]] Done take_over(Engine& engine, const Request& request, const FileEdit& edit);

}  // namespace pawl::hook
