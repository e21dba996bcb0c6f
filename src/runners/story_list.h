// The lists of stories as a whole: how they are looked at, all that are in them, and the order in which they stand
// there.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "runners/story_glance.h"

namespace pawl {

// Both kinds: stories with a status, and those that pass or do not.
[[nodiscard]] Look look_at_stories();
struct StoryFilter {
  std::optional<std::string> status = std::nullopt;
  bool include_aside = false;
};
[[nodiscard]] Result<std::vector<Record>> all_stories(const View& view, const StoryFilter& filter = {});

// Did it come to the status that it has without what that needs?
[[nodiscard]] Result<bool> is_unverified(const View& view, const Record& story);

// As the files have them now: what was just added to one has its place, recorded or not. Each file is read when it is
// first asked for.
class StoryOrder {
 public:
  explicit StoryOrder(const Engine& engine) : engine_(engine) {}
  [[nodiscard]] const std::vector<std::string>& ids(const std::string& scope);
  [[nodiscard]] std::size_t position(const RecordId& id);  // what stands in no file comes last

  // What one reading tells of a list.
  [[nodiscard]] const StoryGlance& glance(const std::string& scope);
  // The places of those among `some` that stand first, at least `most` of each list; the others may have any that is
  // behind these. Reads no more of a list than that takes.
  [[nodiscard]] std::vector<std::size_t> first_positions(const std::vector<RecordId>& some, std::size_t most);

 private:
  struct File {
    std::vector<std::string> ids;
    std::map<std::string, std::size_t> places;
    std::map<std::string, std::size_t> numbers;  // of those that are numbers, however they are spelled there
  };
  const File& file(const std::string& scope);
  [[nodiscard]] std::string read(const std::string& scope) const;
  [[nodiscard]] std::optional<std::string> path_of(const std::string& scope) const;

  const Engine& engine_;
  std::map<std::string, File> files_;
  std::map<std::string, StoryGlance> glances_;
};

}  // namespace pawl
