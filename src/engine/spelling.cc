#include "engine/spelling.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "engine/aside.h"
#include "engine/recorded_before.h"

namespace pawl {
namespace {

std::string spelling_name(const std::string& path, const std::string& whose) {
  return cat("spelling.", path, " ", whose);
}

// A file that shows one of several at a time: what the one that goes looked like is kept, with all that others wrote
// into it since pawl last did. Where somebody had already put another one's file in its place, two of them go.
Done keep_spelling(Transaction& store, const PlannedFile& planned, std::optional<std::string_view> leaving,
                   const std::optional<std::string>& bytes, const std::optional<std::string>& comes) {
  const Sighting& seen = planned.seen;
  const auto keep = [&](std::string_view text) -> Done {
    const auto whose = whose_is(planned, text);
    return !whose || whose == comes ? done() : store.keep(spelling_name(seen.file.path, *whose), text);
  };
  if (seen.row && seen.row->bytes && bytes != seen.row->bytes) PAWL_TRY(keep(*seen.row->bytes));
  return leaving && leaving != bytes ? keep(*leaving) : done();
}

// Whose file it is from now on: of several that it was about, the one that is there.
Result<std::optional<std::string>> whose_comes(const View& view, const PlannedFile& planned) {
  const MirrorFormat& format = *planned.seen.file.format;
  if (!planned.bytes) return std::optional<std::string>();
  if (auto said = format.identity_in(*planned.bytes)) return said;
  return format.owner(RecordedAfter(view));
}

// What made room elsewhere takes this file along, with all that others wrote into it: nobody asked for that, so it is
// said. (Who starts or takes up another review by a command has asked.)
void tell_what_goes_along(PlannedFile& planned, std::string_view in_file, const std::optional<std::string>& comes) {
  const auto whose = whose_is(planned, in_file);
  if (!planned.write_file || !whose || whose == comes) return;
  const auto took_along = planned.made_room.find(*whose);
  if (took_along == planned.made_room.end()) return;
  planned.notes.push_back(cat(printable(planned.seen.file.path), " was of ", printable(*whose),
                              ", and is set aside with it", took_along->second.empty() ? "" : "\n  ",
                              took_along->second, took_along->second.empty() ? "" : "  # brings it back as it was"));
}

// Of one that was damaged, once it is known what stands there now: it may have made room at the same time.
void tell_restored(PlannedFile& planned) {
  const Sighting& seen = planned.seen;
  if (planned.damage_kept.empty()) return;
  const std::string_view warning = seen.file.format->damage_words().warning;
  const bool restored = planned.bytes && whose_is(planned, *planned.bytes) == whose_is(planned, *seen.row->bytes);
  planned.notes.push_back(cat(
      warning, warning.empty() ? "" : "\n", printable(seen.file.path),
      " was damaged outside pawl: ", printable(seen.damage),
      restored ? ". Its last good content was restored" : ". What it showed before has left it, and was not restored",
      "; the damaged one is kept in ", printable(planned.damage_kept)));
}

// What nobody would find again.
Done keep_what_others_wrote(const MirrorWorld& world, const View& view, PlannedFile& planned, std::int64_t now_ms) {
  const Sighting& seen = planned.seen;
  const auto next = planned.bytes ? std::optional<std::string_view>(*planned.bytes) : std::nullopt;
  PAWL_ASSIGN(const std::string what, seen.file.format->leaves_behind(
                                          seen.image.bytes, next, RecordedBefore(view.store()), RecordedAfter(view)));
  if (what.empty()) return done();
  PAWL_ASSIGN(const std::string copy, keep_aside(world, "kept", seen.file.path, seen.image.bytes, now_ms));
  planned.notes.push_back(cat(printable(seen.file.path), " ", what, "; as it was it is kept in ", printable(copy)));
  return done();
}

// The records as they were while one that is set aside was the one that its file showed.
class WhileItWasOpen final : public KnownRecords {
 public:
  WhileItWasOpen(Transaction& store, const MirrorFormat& format, const std::string& whose)
      : known_(store), format_(format), whose_(whose) {}
  [[nodiscard]] Result<Record> load(const RecordId& id) const override {
    PAWL_ASSIGN(Record record, known_.load(id));
    record.aside = format_.identity_of(id) != whose_;
    return record;
  }
  [[nodiscard]] Result<std::vector<Record>> ranked(std::string_view kind, const std::string& from,
                                                   const std::string& below) const override {
    PAWL_ASSIGN(auto records, known_.ranked(kind, from, below));
    for (Record& record : records) record.aside = format_.identity_of(record.id) != whose_;
    return records;
  }

 private:
  RecordedBefore known_;
  const MirrorFormat& format_;
  const std::string& whose_;
};

// The same of what is set aside, and ends so: its file is in the store alone.
Done keep_of_those_aside(const MirrorWorld& world, const View& view, PlannedFile& planned, std::int64_t now_ms) {
  const MirrorFile& file = planned.seen.file;
  std::map<std::string, bool> is_aside;  // all of one are, or none
  for (const RecordId& id : planned.show) {
    const auto whose = file.format->identity_of(id);
    if (!whose || is_aside.contains(*whose)) continue;
    PAWL_ASSIGN(const Record before, view.store().load(id, RecordPart::without_doc));
    if (before.present()) is_aside.emplace(*whose, before.aside);
  }
  for (const auto& [whose, aside] : is_aside) {
    if (!aside) continue;
    PAWL_ASSIGN(const auto kept, left_as(view.store(), file.path, whose));
    if (!kept) continue;
    PAWL_ASSIGN(const std::string what,
                file.format->leaves_behind(*kept, std::nullopt, WhileItWasOpen(view.store(), *file.format, whose),
                                           RecordedAfter(view)));
    if (what.empty()) continue;
    PAWL_ASSIGN(const std::string copy, keep_aside(world, "kept", file.path, *kept, now_ms));
    planned.notes.push_back(
        cat(printable(file.path), " of ", printable(whose), " ", what, "; as it was it is kept in ", printable(copy)));
  }
  return done();
}

}  // namespace

Result<std::optional<std::string>> left_as(Transaction& store, const std::string& path, const std::string& whose) {
  return store.kept(spelling_name(path, whose));
}

std::optional<std::string> whose_is(const PlannedFile& planned, std::string_view bytes) {
  auto said = planned.seen.file.format->identity_in(bytes);
  return said ? said : planned.owner;
}

bool is_strangers(const PlannedFile& planned, std::string_view bytes) {
  const MirrorFormat& format = *planned.seen.file.format;
  const auto whose = format.identity_in(bytes);
  return whose && std::none_of(planned.show.begin(), planned.show.end(),
                               [&](const RecordId& id) { return format.identity_of(id) == whose; });
}

// The one that comes is written on what it looked like when it went; on what leaves the file only now, where that is
// its own: a command that was killed had given the file away, and somebody wrote into it before that was done.
Done spell_as_before(Transaction& store, const PlannedFile& planned, const std::vector<Record>& records,
                     std::optional<std::string_view> leaving, std::optional<std::string_view>& base,
                     std::optional<std::string>& kept) {
  const MirrorFile& file = planned.seen.file;
  for (const Record& record : records) {
    if (!record.present()) continue;
    const auto whose = file.format->identity_of(record.id);
    if (!whose) return done();
    if (base) {  // one that is nobody's is taken as it stands
      const auto shown = whose_is(planned, *base);
      if (!shown || shown == whose) return done();
    }
    if (leaving && whose_is(planned, *leaving) == whose) {
      base = leaving;
      return done();
    }
    base.reset();
    if (file.format->is_all_in_records()) return done();
    PAWL_ASSIGN(kept, left_as(store, file.path, *whose));
    if (kept) base = *kept;
    return done();
  }
  return done();
}

Done keep_what_goes(const MirrorWorld& world, const View& view, PlannedFile& planned,
                    std::optional<std::string_view> leaving, std::optional<std::string_view> in_file,
                    std::int64_t now_ms) {
  if (in_file && planned.write_file) PAWL_TRY(keep_what_others_wrote(world, view, planned, now_ms));
  PAWL_TRY(keep_of_those_aside(world, view, planned, now_ms));
  PAWL_ASSIGN(const auto comes, whose_comes(view, planned));
  tell_restored(planned);
  if (in_file && planned.damage_kept.empty()) tell_what_goes_along(planned, *in_file, comes);
  return keep_spelling(view.store(), planned, leaving, planned.bytes, comes);
}

Done keep_of_gits(const View& view, const PlannedFile& planned) {
  return keep_spelling(view.store(), planned, std::nullopt, std::nullopt, std::nullopt);
}

}  // namespace pawl
