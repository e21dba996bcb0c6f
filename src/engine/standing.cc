#include "engine/standing.h"

#include "base/json_same.h"
#include "base/text.h"
#include "core/held_word.h"
#include "engine/aside.h"
#include "engine/recorded_before.h"
#include "engine/shown_by_id.h"

namespace pawl {
namespace {

std::string word_of(const Shown& shown) { return shown.status.value_or(""); }

// Does the file go on saying what stands there?
bool says_still(const LeftStanding& left, const Shown& stood, const Shown* next) {
  if (next == nullptr || word_of(*next) != left.word) return false;
  return !left.whole || same_value(stood.doc, next->doc);
}

}  // namespace

Result<WhatStands> standing_in(const MirrorWorld& world, const View& view, const MirrorFile& file,
                               std::string_view bytes) {
  WhatStands out;
  auto content = file.format->parse(file.path, file.scope, bytes);
  if (!content || !file.format->name_records(*content, RecordedAfter(view))) return out;
  for (const Shown& shown : content->shown) {
    if (!shown.status && !shown.whole) continue;  // it says nothing about it
    PAWL_ASSIGN(Record record, view.load(shown.id, RecordPart::without_doc));
    const bool ours = record.present() && !record.aside;
    if (ours ? record.held.value_or(record.status) == word_of(shown) : !shown.whole) continue;
    bool whole = !ours || !shown.whole;
    if (!whole && world.lifecycles->find(shown.id.kind)->machine->terminal(record.status)) {
      PAWL_ASSIGN(record, view.load(shown.id));
      whole = !file.format->admits(record, shown);  // as one that does not come back was refused
    }
    out.emplace(shown.id, LeftStanding{word_of(shown), whole});
  }
  return out;
}

Done give_way(Transaction& store, PlannedFile& planned, const Change& change) {
  const auto left = planned.flagged.find(change.before.id);
  if (left == planned.flagged.end()) return done();
  if (change.before.same_content(change.after)) {  // somebody says once more what it is
    left->second.gives_way = true;
    return done();
  }
  const Sighting& seen = planned.seen;
  const auto there = seen.image.exists ? std::optional<std::string_view>(seen.image.bytes) : std::nullopt;
  const auto shown = [&](const Record& record) {
    const Record one = record.aside ? absent_record(record.id) : record;
    return seen.file.format->rendered(there, {&one, 1}, RecordedBefore(store, there));
  };
  PAWL_ASSIGN(const auto before, shown(change.before));
  PAWL_ASSIGN(const auto after, shown(change.after));
  left->second.gives_way = left->second.gives_way || before != after;
  return done();
}

Done keep_what_stood(const MirrorWorld& world, const View& view, PlannedFile& planned, std::int64_t now_ms) {
  const Sighting& seen = planned.seen;
  if (planned.flagged.empty() || !planned.write_file || !seen.image.exists) return done();
  const auto there = content_of(seen.file, view.store(), seen.image.bytes);
  if (!there) return done();  // damaged: a copy is kept of all of it
  Content becomes;
  if (planned.bytes) {
    if (auto next = content_of(seen.file, view.store(), *planned.bytes)) becomes = std::move(*next);
  }
  const ShownById in_there(*there), in_next(becomes);
  std::string lost;
  bool since = false;  // the record has changed; else another one takes its place in the file
  for (const auto& [id, left] : planned.flagged) {
    const Shown* const stood = in_there.find(id);
    if (stood == nullptr || word_of(*stood) != left.word || says_still(left, *stood, in_next.find(id))) continue;
    since = since || left.gives_way;
    lost += cat(lost.empty() ? "" : ", ", printable(id.ref()), left.word.empty() ? "" : " (",
                left.word.empty() ? std::string() : in_quotes(left.word), left.word.empty() ? "" : ")");
  }
  if (lost.empty()) return done();
  // Settled already: it was told of when it was refused, and the record has gone on.
  PAWL_ASSIGN(const std::string copy, keep_aside(world, "refused/settled", seen.file.path, seen.image.bytes, now_ms));
  planned.notes.push_back(
      cat("what ", printable(seen.file.path), " said of ", lost, planned.bytes ? " was replaced" : " was taken away",
          since ? ", as it has changed since" : "", "; the file as it was is kept in ", printable(copy)));
  return done();
}

}  // namespace pawl
