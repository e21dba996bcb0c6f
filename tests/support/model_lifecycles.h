// The four lifecycles of the merge's model (formats.py) as data: what they allow, and the JSON that shows them. Tests
// of the merge, the codec and the engine share them.
#pragma once

#include <array>
#include <string_view>

#include "core/file_law.h"
#include "lifecycles/json_codec.h"

namespace pawl::model {

extern const FileLaw kIssueFile;   // one record a file; the key is the file's name
extern const FileLaw kStoryFile;   // a list with gates; a new record begins at its start
extern const FileLaw kLoopFile;    // one record a file; the key is the owner, an identity
extern const FileLaw kReviewFile;  // a list; missing records are removed
extern const FileLaw kAloneFile;   // a review with one record in progress at a time (gate `alone`)

extern const merge::JsonShape kIssueShape;
extern const merge::JsonShape kStoryShape;
extern const merge::JsonShape kLoopShape;
extern const merge::JsonShape kReviewShape;

// For laws that are like these.
extern const std::array<Status, 5> kStoryStatuses;
extern const std::array<MemberLaw, 3> kStoryMembers;
extern const std::array<MemberLaw, 1> kReviewMembers;
extern const Machine kAloneMachine;

struct Lifecycle {
  std::string_view name;
  const FileLaw* law;
  const merge::JsonShape* shape;
};
extern const std::array<Lifecycle, 4> kLifecycles;

}  // namespace pawl::model
