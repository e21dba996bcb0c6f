#include "commands/board_files.h"

#include <algorithm>
#include <span>

#include "base/clock.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "commands/board.h"
#include "commands/conflicts.h"
#include "commands/loop.h"
#include "commands/review.h"
#include "engine/aside.h"
#include "engine/behind.h"
#include "engine/left.h"
#include "engine/refused_copy.h"
#include "lifecycles/loop/move.h"
#include "runners/install/neighbours.h"

namespace pawl {
namespace {

// "story/US-13, story/US-14 and 2 more"
std::string names_of(std::span<const StillRefused> list) {
  return first_few(list, 3, [](const StillRefused& one) { return one.id.ref(); });
}

// Those that were refused for one reason, and it; of others in the same edit only that they were too, as theirs is
// another one.
struct ToldRefused {
  std::string names, why;
};
ToldRefused told_of(std::vector<StillRefused> refused, bool taken_out) {
  const std::string first = refused.empty() ? std::string() : refused.front().why;
  const auto others =
      std::stable_partition(refused.begin(), refused.end(), [&](const StillRefused& one) { return one.why == first; });
  const bool said = !first.empty() && !taken_out;  // what is refused and there was put back
  const std::string why = first.empty() ? "not allowed" : first;
  return {names_of({refused.begin(), others}),
          cat(why, said ? "" : cat(", so it was ", taken_out ? "taken out again" : "put back"),
              others == refused.end() ? "" : cat("; refused too: ", names_of({others, refused.end()})))};
}

}  // namespace

void add_put_back(const Engine& engine, const View& view, std::int64_t now_ms, Json& work) {
  const auto add = [&](const KeptAside& copy, std::string_view word, const std::string& name, std::string_view why,
                       std::string_view accept, bool reason) {
    const std::string typed = cat(shell_word(copy.path), reason ? " --reason TEXT" : "");
    Json row{{"ref", copy.path},
             {"kind", word},
             {"status", word},
             {"stands", name_of(BoardPlace::needs_person)},
             {"why", why},
             {"advice", cat(accept.empty() ? std::string() : cat("pawl accept ", typed, "  # ", accept, "\n"),
                            review::dismissal_of(copy.path), "  # lets it go")},
             {"since", iso_time(copy.at_ms, true)}};
    // By what was refused, or the file that it is a copy of: where the copy lies stands in what to type.
    const auto file = original_of(engine, view.store(), copy.path);
    if (!name.empty()) row["name"] = name;
    if (!name.empty() && file) row["headline"] = cat("in ", file->path);
    if (name.empty() && file) row["name"] = file->path;
    work.push_back(std::move(row));
  };
  for (const KeptAside& copy : kept_since(engine.world(), "refused", now_ms - kAskedAboutMs)) {
    const CopyStands stands = how_it_stands(engine, view, copy.path);
    if (stands.settled_itself) continue;
    // What became of the rest since is another matter.
    const auto is_gone = [&](const StillRefused& one) {
      if (one.taken_out) return *one.taken_out;
      const auto record = view.load(one.id, RecordPart::without_doc);
      return record && !record->present();
    };
    const bool taken_out =
        !stands.refused.empty() && std::all_of(stands.refused.begin(), stands.refused.end(), is_gone);
    // Several of one file would read alike, if not each said what it was about and why.
    const ToldRefused told = told_of(stands.refused, taken_out);
    add(copy, "refused", told.names, told.why, stands.acceptable ? "takes over what was refused" : "",
        stands.needs_reason);
  }
  for (const KeptAside& copy : kept_since(engine.world(), "damaged", now_ms - kAskedAboutMs))
    add(copy, "damaged", {}, "it could not be read; what stood there is kept", "", false);
}

Done add_conflicts(const Context& context, const Engine& engine, const View& view, Json& work) {
  PAWL_ASSIGN(const auto open, view.store().conflicts({}));
  for (const StoredConflict& conflict : open) {
    const auto note = note_of(engine, conflict);
    if (!note || blocks(conflict) || merge::leaves_file_alone(code_of(conflict))) continue;
    const std::string words = context.in_words(*note);
    const std::size_t end = words.find('\n');
    std::string advice;
    for (const std::string_view line : split(std::string_view(words).substr(std::min(end, words.size())), '\n'))
      advice += cat(advice.empty() || trim(line).empty() ? "" : "\n", trim(line));
    Json row{{"ref", note->ids.empty() ? note->path : note->ids[0].ref()},
             {"kind", "conflict"},
             {"status", "conflict"},
             {"stands", name_of(BoardPlace::needs_person)},
             {"why", words.substr(0, end)},
             {"advice", std::move(advice)}};
    row["conflict"] = to_json(*note);
    work.push_back(std::move(row));
  }
  return done();
}

Done add_left_alone(const Engine& engine, const View& view, Json& work) {
  PAWL_ASSIGN(const FilesBehind behind, files_behind(engine, view));
  for (const Behind& one : behind.files) {
    Json row{{"ref", one.path},
             {"kind", "file"},
             {"status", one.word},
             {"stands", name_of(BoardPlace::needs_person)},
             {"why", one.why}};
    if (!one.advice.empty() && !engine.left()) row["advice"] = one.advice;
    work.push_back(std::move(row));
  }
  return done();
}

void add_foreign_loop(const Engine& engine, std::int64_t now_ms, Json& work, PlaceCounts& count) {
  const auto other = install::foreign_loop(*engine.world().roots);
  if (!other || !other->active) return;
  const bool old = other->is_old(now_ms);
  const BoardPlace place = old ? BoardPlace::needs_person : BoardPlace::running;
  const std::string prompt = string_or(other->state, "prompt");
  Json row{{"ref", loop::kForeignLoopFile},
           {"kind", "file"},
           {"status", loop::kActive},
           {"stands", name_of(place)},
           {"headline", cat("left to ", loop::kForeignOwner, ", ", loop::how_far(other->state), ": ",
                            prompt.substr(0, prompt.find('\n')))}};
  if (other->started_ms) row["since"] = iso_time(*other->started_ms, true);
  if (old) {
    row["why"] = "was begun more than a day ago";
    row["advice"] = std::string(loop::kHowToEndForeign);
  }
  work.push_back(std::move(row));
  ++count[static_cast<std::size_t>(place)];
}

}  // namespace pawl
