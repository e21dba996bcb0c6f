#include "runners/hook/edit.h"

#include <array>

#include "base/file.h"
#include "base/text.h"

namespace pawl::hook {
namespace {

// The same argument has another name with each agent.
std::optional<std::string> text_of(const Json& arguments, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const auto found = arguments.find(name);
    if (found != arguments.end() && found->is_string()) return found->get<std::string>();
  }
  return std::nullopt;
}

std::optional<Replacement> replacement_in(const Json& arguments) {
  const auto from = text_of(arguments, {"old_string", "oldString"});
  const auto to = text_of(arguments, {"new_string", "newString"});
  if (!from || !to) return std::nullopt;
  Replacement replacement{*from, *to, false};
  for (const char* name : {"replace_all", "replaceAll"}) {
    const auto all = arguments.find(name);
    if (all != arguments.end() && all->is_boolean()) replacement.all = all->get<bool>();
  }
  return replacement;
}

std::optional<MirrorFile> kept_file(const Engine& engine, const FileEdit& edit) {
  return file_at(engine.world(), engine.path_of(edit.path));
}

}  // namespace

std::optional<FileEdit> edit_in(const Json& arguments) {
  if (!arguments.is_object()) return std::nullopt;
  const auto path = text_of(arguments, {"file_path", "filePath"});
  if (!path || path->empty()) return std::nullopt;
  FileEdit edit{*path, text_of(arguments, {"content"}), {}};
  if (auto one = replacement_in(arguments)) edit.replacements.push_back(*std::move(one));
  if (const auto many = arguments.find("edits"); many != arguments.end() && many->is_array()) {
    for (const Json& each : *many) {
      auto one = each.is_object() ? replacement_in(each) : std::nullopt;
      if (!one) return std::nullopt;
      edit.replacements.push_back(*std::move(one));
    }
  }
  if (!edit.content && edit.replacements.empty()) return std::nullopt;
  return edit;
}

std::optional<std::string> after(const FileEdit& edit, std::string_view bytes) {
  if (edit.content) return edit.content;
  std::string out(bytes);
  for (const Replacement& replacement : edit.replacements) {
    if (replacement.from.empty()) {  // both agents make a new file so
      if (!out.empty()) return std::nullopt;
      out = replacement.to;
      continue;
    }
    std::size_t at = out.find(replacement.from);
    if (at == std::string::npos) return std::nullopt;
    if (!replacement.all && out.find(replacement.from, at + 1) != std::string::npos) return std::nullopt;
    while (at != std::string::npos) {
      out.replace(at, replacement.from.size(), replacement.to);
      if (!replacement.all) break;
      at = out.find(replacement.from, at + replacement.to.size());
    }
  }
  return out;
}

Result<std::string> stopped_because(Engine& engine, const FileEdit& edit,
                                    const std::function<std::string(const Note&)>& in_words) {
  const auto file = kept_file(engine, edit);
  if (!file) return std::string();
  PAWL_ASSIGN(const FileImage image, read_file(engine.world().roots->absolute(file->path), file->format->max_bytes()));
  const auto bytes = after(edit, image.bytes);
  if (!bytes || bytes->size() > file->format->max_bytes()) return std::string();
  if (!file->format->parse(file->path, file->scope, *bytes)) return std::string();  // half done; said when it is made
  std::vector<Note> conflicts;
  PAWL_ASSIGN(const auto refused, engine.would_refuse(*file, *bytes, conflicts));
  std::string out;
  for (const Note& conflict : conflicts) out += cat(out.empty() ? "" : "\n", in_words(conflict));
  for (const Error& error : refused) {
    out += cat(out.empty() ? "" : "\n", printable(file->path), ": ", error.message);
    if (!error.hint.empty()) out += cat(" (", error.hint, ")");
  }
  return out;
}

Done take_over(Engine& engine, const Request& request, const FileEdit& edit) {
  const auto file = kept_file(engine, edit);
  if (!file) return done();
  Look look;
  look.files.push_back(*file);
  PAWL_TRY(engine.change(request, look, decide_nothing));
  return done();
}

}  // namespace pawl::hook
