#include "commands/conflicts.h"

#include "core/file_spec.h"
#include "engine/conflicts.h"

namespace pawl {

std::optional<Note> note_of(const Engine& engine, const StoredConflict& conflict) {
  const auto file = file_at(engine.world(), conflict.cell.path);
  if (!file || file->format->spec() == nullptr) return std::nullopt;
  const FileLaw& law = *file->format->spec()->law;
  Note note{NoteCode::conflict, conflict.cell.path};
  if (is_of_whole_file(conflict)) {
    note.args = {{"conflict", conflict.code}, {"accept", code_of(conflict) == merge::Code::git}};
    if (conflict.theirs == "null") note.args["theirs"] = nullptr;
  } else {
    note = note_of(as_found(conflict), law, conflict.cell.path, conflict.cell.record.scope);
  }
  note.args["in_file"] = conflict.in_file;
  return note;
}

}  // namespace pawl
