#include "core/note.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/merge.h"

namespace pawl {
namespace {

constexpr std::array<std::string_view, 17> kNoteNames = {
    "open",           "moved",    "stale",      "git_at_work", "gone",       "unreadable",
    "late",           "another",  "adopted",    "restored",    "removed",    "counter_kept",
    "member_removed", "old_copy", "unverified", "conflict",    "not_written"};

// By the order of MemberType.
constexpr std::array<std::string_view, 8> kTypeNames = {"value", "text",    "number", "boolean",
                                                        "time",  "percent", "name",   "path"};

std::string_view type_name(const MemberLaw& law) {
  const auto type = law.rule == MemberRule::counter ? MemberType::number : law.type;
  return kTypeNames[static_cast<std::size_t>(type)];
}

void add_status_fields(Json& args, const merge::Conflict& conflict, const KindLaw& law) {
  const std::string ours = conflict.ours && conflict.ours->is_string() ? conflict.ours->get<std::string>() : "";
  const std::string theirs = conflict.theirs && conflict.theirs->is_string() ? conflict.theirs->get<std::string>() : "";
  if (conflict.code == merge::Code::unknown_status) {
    for (const Status& status : law.machine->statuses) args["valid"].push_back(status.name);
  } else if (conflict.code == merge::Code::not_a_start || conflict.code == merge::Code::no_move) {
    const std::string_view from = conflict.code == merge::Code::no_move ? std::string_view(ours) : kAbsent;
    for (const Move& move : law.machine->moves) {
      if (move.from == from && move.to != kAbsent && move.to != from) args["valid"].push_back(move.to);
    }
  } else if (const Move* move = law.machine->move(ours, theirs);
             conflict.code == merge::Code::gate && move != nullptr) {
    for (const std::string_view gate : move->gates) {
      if (gate.empty()) continue;
      const std::string_view words = law.machine->words_of(gate);
      args["gates"].push_back(gate);
      args["needs"].push_back(words.empty() ? gate : words);
    }
  }
}

}  // namespace

std::string_view name_of(NoteCode code) { return kNoteNames[static_cast<std::size_t>(code)]; }

std::optional<NoteCode> note_code_named(std::string_view name) {
  const auto found = std::find(kNoteNames.begin(), kNoteNames.end(), name);
  return found == kNoteNames.end() ? std::nullopt : std::optional(static_cast<NoteCode>(found - kNoteNames.begin()));
}

Note note_of(const merge::Conflict& conflict, const FileLaw& law, std::string path, std::string scope) {
  Note note{NoteCode::conflict, std::move(path)};
  const bool of_file = conflict.key == merge::kFileKey;
  if (!of_file) note.ids.push_back({conflict.kind, std::move(scope), conflict.key});
  Json& args = note.args;
  args["conflict"] = merge::name_of(conflict.code);
  if (conflict.member != merge::kPresence) args["member"] = conflict.member;
  if (conflict.ours) args["ours"] = *conflict.ours;
  if (conflict.theirs) args["theirs"] = *conflict.theirs;
  for (const merge::Waiting& waiting : conflict.group) args["waits"].push_back(waiting.member);
  args["accept"] = merge::can_be_accepted(law, conflict);
  args["blocks"] = merge::blocks(conflict);
  if (conflict.member == merge::kStatus && !of_file) add_status_fields(args, conflict, law.of(conflict.kind));
  if (conflict.code == merge::Code::bad_value) {
    const MemberLaw member = member_law(of_file ? law.members : law.of(conflict.kind).members, conflict.member);
    args["type"] = type_name(member);
    args["required"] = member.required || member.rule == MemberRule::counter;
  }
  return note;
}

void add_note(std::vector<Note>& notes, Note note) {
  const auto twin = std::find_if(notes.begin(), notes.end(), [&](const Note& other) {
    return other.code == note.code && other.code != NoteCode::conflict && other.path == note.path &&
           other.args == note.args && other.operation == note.operation;
  });
  if (twin == notes.end()) {
    notes.push_back(std::move(note));
  } else {
    std::move(note.ids.begin(), note.ids.end(), std::back_inserter(twin->ids));
  }
}

Json to_json(const Note& note) {
  Json out = {{"code", name_of(note.code)}};
  if (!note.path.empty()) out["path"] = note.path;
  for (const RecordId& id : note.ids) out["ids"].push_back(id.ref());
  if (note.operation != 0) out["operation"] = note.operation;
  out.update(note.args);
  return out;
}

}  // namespace pawl
