// Shapes of the JSON codec beyond the model's: two ways to say a status in one list, and a status that follows from
// several members.
#pragma once

#include "support/model_lifecycles.h"

namespace pawl::test {

inline constexpr std::string_view kListNames[] = {"userStories", "stories"};
inline constexpr std::string_view kPassesMember[] = {"passes"};
inline constexpr std::string_view kStoryOrder[] = {"id", "title", "status", "passes", "notes"};

inline Json read_passes(const Json& object) {
  const Json& passes = object.at("passes");
  return passes.is_boolean() ? Json(passes.get<bool>() ? "merged" : "pending") : passes;
}
inline Json write_passes(const Json&, const Json& status) { return {{"passes", status == "merged"}}; }

// Two status forms in one file.
inline constexpr merge::StatusForm kTwoForms[] = {{merge::kStatusMember}, {kPassesMember, read_passes, write_passes}};
inline const merge::JsonShape kTwoFormsShape = {
    .law = &model::kStoryFile.kinds[0], .lists = kListNames, .forms = kTwoForms, .order = kStoryOrder};

// A status that follows from several members, and an owner that is not just a member.
inline constexpr std::string_view kFlagMembers[] = {"active", "status"};
inline Json read_flag(const Json& object) {
  if (bool_or(object, "active")) return "active";
  if (!object.contains("active")) return nullptr;
  return object.contains("cancelled_at") ? "cancelled" : string_or(object, "status", "complete");
}
inline Json write_flag(const Json& object, const Json& status) {
  if (status.is_null()) return Json::object();
  Json said = {{"active", status == "active"}};
  if (status == "cancelled" && !object.contains("cancelled_at")) said["status"] = status;
  return said;
}
inline std::string session_of(const Json& root) {
  const std::string session = string_or(root, "session_id");
  return session == "null" ? "" : session;
}
inline constexpr merge::StatusForm kFlagForm[] = {{kFlagMembers, read_flag, write_flag}};
inline const merge::JsonShape kFlagShape = {.law = &model::kLoopFile.kinds[0],
                                            .key = merge::JsonShape::Key::owner,
                                            .owner_of = session_of,
                                            .forms = kFlagForm,
                                            .order = kFlagMembers,
                                            .newline_at_end = false};

}  // namespace pawl::test
