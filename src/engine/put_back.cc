#include "engine/put_back.h"

#include "base/text.h"

namespace pawl {
namespace {

// Damaged, where a good state is known that comes in its place.
bool is_restored(const PlannedFile& planned) {
  return planned.seen.found == FileCase::damaged && planned.seen.row && planned.seen.row->bytes;
}

}  // namespace

Result<std::vector<PutBack>> would_put_back(const Engine& engine, const View& view,
                                            std::vector<MirrorFile>* left_standing) {
  std::vector<PutBack> out;
  const MirrorWorld world = engine.world();
  Absorber absorber(world, view.store(), engine.clock().now().wall_ms);
  absorber.read_only();
  Absorbed& result = absorber.result();
  std::vector<Error> left_out;
  PAWL_ASSIGN(const auto files, every_file(world, view.store(), left_out));
  for (const MirrorFile& file : files) {
    const std::size_t refused = result.refusals.size();
    const Done looked = absorber.look(file);  // one that cannot be read is nobody's to put back
    const auto planned = result.files.find(file.path);
    if (!looked || planned == result.files.end()) continue;
    if (is_restored(planned->second))
      out.push_back({file.path, cat("it is damaged: ", planned->second.seen.damage), "damaged"});
    if (left_standing != nullptr && planned->second.new_state == kFlagged) left_standing->push_back(file);
    for (std::size_t i = refused; i < result.refusals.size(); ++i) {
      if (!planned->second.flagged.contains(result.refusals[i].id))  // those are left standing
        out.push_back({file.path, result.refusals[i].why.message, "refused"});
    }
  }
  return out;
}

}  // namespace pawl
