#include "engine/refused_copy.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <map>

#include "base/file.h"
#include "base/json_same.h"
#include "base/own_folder.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "engine/aside.h"
#include "engine/outside_rules.h"
#include "engine/recorded_before.h"
#include "engine/refused_parts.h"
#include "engine/shown.h"
#include "engine/shown_by_id.h"

namespace pawl {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20U;

std::string name_in(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// The folder of the store that `path`, as the roots spell it, lies in. Empty: none that copies are kept in.
std::string folder_of(const Engine& engine, const std::string& path) {
  for (const char* name : {"/refused", "/damaged"}) {
    std::string folder = engine.workspace().store + name;
    if (path.starts_with(cat(engine.world().roots->shortened(folder), "/"))) return folder;
  }
  return {};
}

struct CopyContent {
  Content content;
  Content by_itself;  // without what was recorded when it was read: gates that the file itself shows to be met
};

Result<CopyContent> content_in(const Engine& engine, Transaction& store, const MirrorFile& file,
                               const std::string& copy, const RefusedParts& refused) {
  PAWL_ASSIGN(const FileImage image, read_file(engine.world().roots->absolute(copy), kMaxFileBytes));
  if (!image.exists || image.too_large)
    return fail(ErrorCode::not_found, cat(printable(copy), " is not there any more, or too large"));
  PAWL_TRY(must_be_as_refused(refused, copy, image.bytes));
  CopyContent out;
  PAWL_ASSIGN(out.content, content_of(file, store, image.bytes));
  PAWL_ASSIGN(out.by_itself, file.format->parse(file.path, file.scope, image.bytes));
  return out;
}

// One for whom nothing is left to be decided: what was refused came about by another way, before it ended or was set
// aside.
Result<bool> came_about(Transaction& store, const Record& record, const Shown& written, const std::string& member) {
  Record last = record;
  if (!record.present()) {
    PAWL_ASSIGN(const auto end, store.event_at(record.id, std::numeric_limits<std::int64_t>::max()));
    if (!end) return false;
    PAWL_ASSIGN(const auto before, store.event_before(record.id, end->id));
    if (!before || !before->after.present()) return false;
    last = before->after;
  }
  if (member.empty()) return written.status == as_shown(last).status;
  const auto asked = written.doc.find(member), is = last.doc.find(member);
  const bool none = is == last.doc.end();
  return asked == written.doc.end() ? none : !none && same_value(*is, *asked);
}

using Wanted = std::map<RecordId, std::pair<Record, Shown>>;

// Which gates are met is told by what is there now, with what is wanted, and not by the rest of an old copy.
Done show_gates(const View& view, const MirrorFile& file, const CopyContent& copy, Wanted& wanted) {
  Content now;
  now.identity = copy.content.identity;
  for (const Shown& shown : copy.content.shown) {
    if (wanted.contains(shown.id)) continue;
    PAWL_ASSIGN(const Record record, view.load(shown.id));
    if (record.present() && !record.aside) now.shown.push_back(as_shown(record));
  }
  for (auto& [id, one] : wanted) now.shown.push_back(one.second);
  PAWL_TRY(file.format->name_records(now, RecordedAfter(view)));
  const ShownById as_it_is(now), by_itself(copy.by_itself);
  for (auto& [id, one] : wanted) {
    for (const Shown* shown : {by_itself.find(id), as_it_is.find(id)}) {
      if (shown == nullptr || !shown->evidence.is_object()) continue;
      for (const auto& [gate, value] : shown->evidence.items()) one.second.evidence[gate] = value;
    }
  }
  return done();
}

bool takes_reason(const Engine& engine, const Change& change) {
  return takes_reason(engine.lifecycles(), change.before.id, change.before.status, change.after.status);
}

// Behind what it is about: "is complete and cannot become error", of "issue 2 is complete and cannot become error".
std::string without_name(const Engine& engine, const RecordId& id, const std::string& why) {
  const Lifecycle* const lifecycle = engine.lifecycles().find(id.kind);
  const std::string name = lifecycle == nullptr ? std::string() : cat(lifecycle->machine->name, " ", id.key, " ");
  for (const std::string& head : {name, cat(id.ref(), " "), cat(id.ref(), ": ")}) {
    if (!head.empty() && why.starts_with(head)) return why.substr(head.size());
  }
  return why;
}

}  // namespace

std::optional<MirrorFile> original_of(const Engine& engine, Transaction& store, const std::string& copy) {
  const std::string name = name_in(copy);
  for (const MirrorFormat* format : engine.lifecycles().formats()) {
    const auto rows = rows_in_place(engine.world(), store, *format);
    for (const MirrorRow& known : rows ? *rows : std::vector<MirrorRow>{}) {
      if (is_copy_of(name, known.path)) return MirrorFile{known.path, known.scope, format};
    }
  }
  return std::nullopt;
}

std::string find_copy(const Engine& engine, const std::string& path) {
  const std::string folder = folder_of(engine, path);
  if (folder.empty()) return {};
  for (const std::string& place : {cat(folder, "/", name_in(path)), cat(folder, "/settled/", name_in(path))}) {
    if (faccessat(AT_FDCWD, place.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0)
      return engine.world().roots->shortened(place);
  }
  return {};
}

Result<std::optional<std::vector<Change>>> taken_from(const Engine& engine, const View& view, const std::string& copy,
                                                      const Request& by) {
  std::optional<std::vector<Change>> out;
  const auto file = original_of(engine, view.store(), copy);
  PAWL_ASSIGN(const auto known, parts_of(view.store(), copy));
  if (!file || !known || known->whole) return out;
  PAWL_ASSIGN(const CopyContent read, content_in(engine, view.store(), *file, copy, *known));
  const ShownById in_copy(read.content);
  Wanted wanted;
  for (const auto& [id, member, why, taken_out] : known->parts) {
    const Shown* const written = in_copy.find(id);
    PAWL_ASSIGN(Record record, view.load(id));
    if (written != nullptr && (!record.present() || record.aside)) {
      PAWL_ASSIGN(const bool settled, came_about(view.store(), record, *written, member));
      if (settled) continue;
    }
    if (written == nullptr || !record.present() || record.aside)
      return fail(ErrorCode::illegal_move, cat(printable(id.ref()),
                                               written == nullptr ? " is not in that copy"
                                               : record.aside     ? " is set aside"
                                                                  : " is not there any more",
                                               ", and cannot be changed by it"));
    Shown as_it_is = as_shown(record);
    Shown& now = wanted.try_emplace(id, std::move(record), std::move(as_it_is)).first->second.second;
    std::vector<std::string> members = {member};
    if (member.empty()) {
      // What tells of a status goes with it; of one that came about by another way since, its own counts.
      members = now.status == written->status ? std::vector<std::string>() : file->format->members_of_status();
      now.status = written->status;
    }
    for (const std::string& name : members) {
      if (const auto value = written->doc.find(name); value != written->doc.end()) {
        now.doc[name] = *value;
      } else {
        now.doc.erase(name);
      }
    }
  }
  PAWL_TRY(show_gates(view, *file, read, wanted));
  TakenOver taken;
  for (const auto& [id, one] : wanted) {
    PAWL_ASSIGN(const OutsideRules rules, outside_rules(engine.world(), view, id, by.actor));
    take_over_edit(*engine.lifecycles().find(id.kind), *file->format, one.first, as_shown(one.first), one.second, rules,
                   taken);
  }
  if (!taken.refusals.empty()) return tl::unexpected(taken.refusals.front().why);
  for (const Change& change : taken.changes) {
    if (by.reason.empty() && takes_reason(engine, change))
      return fail(ErrorCode::gate_failed,
                  cat(printable(change.before.id.ref()), " is ", change.before.status, ", and becomes ",
                      change.after.status, " only with a reason"),
                  cat("pawl accept ", shell_word(copy), " --reason TEXT  # says why"));
  }
  for (Change& change : taken.changes) {
    Json doc = change.after.doc;
    file->format->tell_when(change.before, doc, engine.clock().now().wall_ms);
    change.after.doc = Doc(std::move(doc));
  }
  out = std::move(taken.changes);
  return out;
}

CopyStands how_it_stands(const Engine& engine, const View& view, const std::string& copy) {
  constexpr const char* kSomebody = "a person";
  CopyStands out;
  const auto known = parts_of(view.store(), copy);
  const bool is_known = known && *known;
  const std::vector<RefusedPart> parts = is_known ? (*known)->parts : std::vector<RefusedPart>();
  const auto add = [&](const RecordId& id, const std::string& why) {
    const auto is_it = [&](const auto& one) { return one.id == id; };
    if (std::any_of(out.refused.begin(), out.refused.end(), is_it)) return;
    const auto part = std::find_if(parts.begin(), parts.end(), is_it);
    out.refused.push_back(
        {id, without_name(engine, id, why), part == parts.end() ? std::optional<bool>() : part->taken_out});
  };
  Request somebody;
  somebody.actor = kSomebody;
  somebody.reason = "asked for";  // whether one is needed is told beside it
  const auto taken = taken_from(engine, view, copy, somebody);
  if (taken && *taken) {
    for (const Change& change : **taken) {
      const auto part =
          std::find_if(parts.begin(), parts.end(), [&](const auto& one) { return one.id == change.before.id; });
      add(change.before.id, part == parts.end() ? std::string() : part->why);
      out.needs_reason = out.needs_reason || takes_reason(engine, change);
    }
    out.acceptable = !out.refused.empty();
    out.settled_itself = out.refused.empty();
    return out;
  }
  for (const RefusedPart& part : parts) add(part.id, part.why);
  if (!taken) return out;
  // Kept as a whole: taken as one.
  const auto file = original_of(engine, view.store(), copy);
  if (!file) return out;
  const MirrorWorld world = engine.world();
  auto image = read_file(world.roots->absolute(copy), kMaxFileBytes);
  if (!image || !image->exists || image->too_large || !file->format->parse(file->path, file->scope, image->bytes))
    return out;
  if (is_known && !must_be_as_refused(**known, copy, image->bytes)) return out;
  for (const bool accepts : {false, true}) {
    Absorber absorber(world, view.store(), engine.clock().now().wall_ms);
    absorber.read_only();
    if (accepts) absorber.accept(kSomebody);
    absorber.substitute(file->path, image->bytes);
    const Done looked = absorber.look(*file);
    if (accepts) out.acceptable = looked.has_value();
    if (accepts || !looked || is_known) continue;
    for (const Refusal& refusal : absorber.result().refusals) add(refusal.id, refusal.why.message);
  }
  return out;
}

Done settle_copy(const Engine& engine, const std::string& copy) {
  const std::string folder = folder_of(engine, copy), name = name_in(copy);
  if (faccessat(AT_FDCWD, cat(folder, "/", name).c_str(), F_OK, AT_SYMLINK_NOFOLLOW) != 0) return done();
  PAWL_ASSIGN(const Fd from, open_below(engine.workspace().store, name_in(folder)));
  PAWL_ASSIGN(const Fd to, make_below(engine.workspace().store, cat(name_in(folder), "/settled"), 0777));
  // Two of one second have one name; the later one is settled beside the earlier.
  constexpr int kMost = 1000;
  for (int i = 1;; ++i) {
    const Done moved = move_new_at(from.get(), name, to.get(), i == 1 ? name : cat(name, "-", i));
    if (moved || moved.error().code != ErrorCode::already_exists || i == kMost) return moved;
  }
}

}  // namespace pawl
