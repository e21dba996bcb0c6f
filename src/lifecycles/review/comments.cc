#include "lifecycles/review/comments.h"

#include <map>
#include <set>

namespace pawl::review {
namespace {

// What an entry does not say (others leave out what they like) speaks for neither.
bool says_else(const Json& entry, const Json& comment, const char* member) {
  const auto said = entry.find(member);
  return said != entry.end() && *said != comment[member];
}

bool is_it(const Json& entry, const Json& comment) {
  return entry.is_object() && string_or(entry, "author") == string_or(comment, "author") &&
         string_or(entry, "body") == string_or(comment, "body") && !says_else(entry, comment, "created_at");
}

// The entry that shows a comment, each for one of them: at its line where there is one.
std::optional<std::size_t> entry_for(const Json& list, const Json& comment, const std::set<std::size_t>& taken) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (taken.contains(i) || !is_it(list[i], comment)) continue;
    if (!says_else(list[i], comment, "line")) return i;
    if (!found) found = i;
  }
  return found;
}

}  // namespace

Json with_comments(Json there, std::span<const Record> chunks, std::span<const FileComment> comments) {
  if (!there.is_object()) there = Json::object();
  for (const Record& chunk : chunks) {
    for (const Json& file : chunk.doc.contains("files") ? chunk.doc["files"] : Json::array()) {
      if (file.is_string() && !there.contains(file.get<std::string>())) there[file.get<std::string>()] = Json::array();
    }
  }
  std::map<std::string, std::set<std::size_t>> taken;
  for (const FileComment& comment : comments) {
    Json& list = there[comment.file];
    if (!list.is_array()) list = Json::array();
    std::set<std::size_t>& here = taken[comment.file];
    auto entry = entry_for(list, comment.entry, here);
    if (!entry) {
      entry = list.size();
      list.push_back(comment.entry);
    }
    here.insert(*entry);
  }
  return there;
}

}  // namespace pawl::review
