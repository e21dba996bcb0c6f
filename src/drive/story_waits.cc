#include "drive/story_waits.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

#include "base/text.h"
#include "drive/story_choice.h"
#include "drive/story_list.h"
#include "lifecycle/story/depends.h"
#include "lifecycle/story/rank.h"
#include "lifecycle/story/story.h"

namespace pawl {
namespace {

constexpr std::size_t kNamed = 3;

// By how `dependsOn`, `blockedBy` and `dependencies` end: each of these begins with a letter that is rare in such a
// list, so that hundreds of stories are passed over quickly. What else ends so costs a look at the documents.
constexpr std::array<std::string_view, 3> kEnds = {"On\"", "cies\"", "kedBy\""};
constexpr std::size_t kLongestEnd = 6;
static_assert(kEnds.size() == story::kDependsMembers.size());
static_assert(std::all_of(kEnds.begin(), kEnds.end(), [](std::string_view end) { return end.size() <= kLongestEnd; }));
static_assert(std::all_of(story::kDependsMembers.begin(), story::kDependsMembers.end(), [](std::string_view member) {
  return std::any_of(kEnds.begin(), kEnds.end(),
                     [&](std::string_view end) { return member.ends_with(end.substr(0, end.size() - 1)); });
}));

bool names_others(std::string_view bytes) {
  return std::any_of(kEnds.begin(), kEnds.end(),
                     [&](std::string_view end) { return bytes.find(end) != std::string_view::npos; });
}

// In pieces: the whole list need not come into memory for it. One that can not be read may name others.
bool file_names_others(const std::string& path) {
  const Fd fd(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!fd.valid()) return errno != ENOENT;
  std::array<char, std::size_t{16} << 10U> piece;  // NOLINT(*-member-init): written before it is read
  std::size_t kept = 0;
  while (true) {
    const ssize_t got = read(fd.get(), piece.data() + kept, piece.size() - kept);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got < 0;
    const std::size_t size = kept + static_cast<std::size_t>(got);
    if (names_others(std::string_view(piece.data(), size))) return true;
    kept = std::min(size, kLongestEnd - 1);  // one may go over the edge
    std::memmove(piece.data(), piece.data() + size - kept, kept);
  }
}

std::string some_ids(const std::vector<std::string>& ids) {
  std::string out;
  for (std::size_t i = 0; i < ids.size() && i < kNamed; ++i) out += cat(i == 0 ? "" : ", ", ids[i]);
  return ids.size() > kNamed ? cat(out, " and ", ids.size() - kNamed, " more") : out;
}

}  // namespace

bool WaitingStories::may_wait(const RecordId& id) {
  const auto known = by_scope_.find(id.scope);
  if (known != by_scope_.end()) return known->second;
  bool may = false;
  for (const MirrorFile& file : files_of(engine_.world(), id)) {
    may = may || file_names_others(engine_.world().roots->absolute(file.path));
  }
  return by_scope_.emplace(id.scope, may).first->second;
}

Done WaitingStories::see(const Record& record, Placed& row) {
  if (row.stand.place != BoardPlace::next && row.stand.place != BoardPlace::waiting) return done();
  if (!story::tier_in(record.rank)) return done();  // paused: nobody picks it
  PAWL_TRY(see_time(record, row));
  if (row.stand.place != BoardPlace::next) return done();
  PAWL_TRY(see_others(record, row));
  const std::string order = story::picked_as(record.rank, engine_.settings());
  if (row.stand.place == BoardPlace::next && order != record.rank) row.order = order;
  return done();
}

// One that was put off is next when its time has come.
Done WaitingStories::see_time(const Record& record, Placed& row) {
  const std::int64_t due = story::due_in(record.rank);
  if (due == 0) return done();
  row.stand.place = due <= now_.wall_ms ? BoardPlace::next : BoardPlace::waiting;
  return done();
}

// By tier and priority, whichever of the two kinds it is; then the one looked at least recently, then as the file has
// them.
Done WaitingStories::sort(std::vector<Placed>& rows) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (story::is_story(rows[i].record.id.kind) && rows[i].stand.place == BoardPlace::next) places.push_back(i);
  }
  if (places.size() < 2) return done();
  StoryOrder order(engine_);
  using Key = std::pair<std::string, std::int64_t>;
  std::vector<std::pair<Key, Placed>> sorted;
  for (const std::size_t i : places) {
    Placed& row = rows[i];
    const std::string picked = story::picked_as(row.record.rank, engine_.settings());
    std::int64_t looked = 0;
    if (story::due_in(row.record.rank) != 0) {  // its rank tells when it was due instead
      PAWL_ASSIGN(const Record whole, view_.load(row.record.id));
      looked = story::own_of(whole.doc).looked_ms;
    } else {
      looked = story::looked_in(row.record.rank);
    }
    sorted.emplace_back(Key{story::without_time(picked), looked}, std::move(row));
  }
  // The file is read only where two are alike: a board of hundreds mostly does without.
  std::stable_sort(sorted.begin(), sorted.end(), [&](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first < b.first;
    return order.position(a.second.record.id) < order.position(b.second.record.id);
  });
  for (std::size_t i = 0; i < places.size(); ++i) rows[places[i]] = std::move(sorted[i].second);
  return done();
}

Done WaitingStories::see_others(const Record& record, Placed& row) {
  if (!may_wait(record.id)) return done();
  std::optional<Record> whole;
  if (!record.doc.is_known()) {
    PAWL_ASSIGN(whole, view_.load(record.id));
  }
  const Record& story = whole ? *whole : record;
  PAWL_ASSIGN(const auto others, open_dependencies(view_, story));
  if (others.empty()) return done();
  PAWL_ASSIGN(const auto cycle, cycles_.from(story));
  if (std::find(cycle.begin(), cycle.end(), story.id.key) != cycle.end()) {  // nothing but a person ends that
    row.stand.place = BoardPlace::needs_person;
    row.stand.why = "waits for itself: ";
    for (std::size_t i = 0; i < cycle.size(); ++i) row.stand.why += cat(i == 0 ? "" : " → ", cycle[i]);
    row.stand.advice =
        cat("take one of these dependencies out of ", story.id.scope.empty() ? "prd.json" : story.id.scope);
    return done();
  }
  row.stand.place = BoardPlace::waiting;
  row.stand.why = cat("waits for ", some_ids(others));
  return done();
}

}  // namespace pawl
