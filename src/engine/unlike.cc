#include "engine/unlike.h"

#include <algorithm>

#include "base/shell_word.h"
#include "base/text.h"
#include "engine/known_bytes.h"
#include "engine/recorded_before.h"
#include "engine/shown.h"
#include "engine/shown_by_id.h"

namespace pawl {
namespace {

// How a person finds it in the file: pawl may have no name for it.
std::string called(const Shown& shown) {
  const std::string title = string_or(shown.doc, "title");
  return title.empty() ? printable(shown.id.ref()) : cat("“", printable(title), "”");
}

// What is recorded, belongs into this file and does not stand there. Only one that shows one of several at a time shows
// all that belongs to it.
Done find_missing(const MirrorWorld& world, const View& view, const Sighting& seen, const Content& content,
                  std::vector<std::string>& told) {
  const MirrorFile& file = seen.file;
  const auto whose = file.format->identity_in(seen.image.bytes);
  if (!whose) return done();
  const ShownById there(content);
  return each_record_of(world, view, file, [&](const Record& record) {
    if (file.format->identity_of(record.id) == whose && there.find(record.id) == nullptr)
      told.push_back(cat(printable(record.id.ref()), " is not there"));
    return true;
  });
}

}  // namespace

Result<std::optional<Trouble>> unlike_its_records(const MirrorWorld& world, const View& view, const Sighting& seen) {
  constexpr std::size_t kMost = 3;
  const MirrorFormat& format = *seen.file.format;
  const bool as_left = seen.found == FileCase::in_step && seen.image.exists && seen.row && seen.row->bytes &&
                       seen.row->state == kInStep && !seen.displaced && !seen.tmp_left;
  if (!as_left || format.shows_parts_only()) return std::optional<Trouble>();
  auto content = format.parse(seen.file.path, seen.file.scope, seen.image.bytes);
  if (!content || !format.name_records(*content, RecordedAfter(view))) return std::optional<Trouble>();
  std::vector<std::string> told;
  for (const Shown& shown : content->shown) {
    PAWL_ASSIGN(const Record record, view.load(shown.id));
    const bool here = record.present() && !record.aside;
    if (!here && shown.whole) told.push_back(cat(called(shown), " stands there, and pawl does not have it"));
    if (here && !says_the_same(shown, record))
      told.push_back(cat(printable(shown.id.ref()), " stands there otherwise than pawl has it"));
  }
  PAWL_TRY(find_missing(world, view, seen, *content, told));
  if (told.empty()) return std::optional<Trouble>();
  std::string why = "pawl left it so, and it does not say what pawl knows: ";
  for (std::size_t i = 0; i < std::min(told.size(), kMost); ++i) why += cat(i == 0 ? "" : "; ", told[i]);
  if (told.size() > kMost) why += cat("; and ", told.size() - kMost, " more");
  return std::optional(Trouble{
      "behind", std::move(why),
      cat("pawl restore ", shell_word(seen.file.path), "  # writes what pawl knows; what stands there is kept aside")});
}

}  // namespace pawl
