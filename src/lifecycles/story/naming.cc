#include "lifecycles/story/naming.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "base/text.h"
#include "lifecycles/story/story.h"

namespace pawl::story {
namespace {

constexpr std::size_t kLongest = 60;
constexpr std::size_t kLongestSubject = 200;

// FNV-1a: ids of one project are few, and nobody gains by two that meet. Branches that are pushed carry it, so it is
// spelled as it ever was, unlike base/digest.h.
std::string branch_suffix(std::string_view text) {
  std::uint64_t sum = 14'695'981'039'346'656'037ULL;
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 1'099'511'628'211ULL;
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (int i = 0; i < 10; ++i, sum >>= 4U) out += kDigits[sum & 15U];
  return out;
}

}  // namespace

std::string file_name_of(std::string_view id) {
  std::string name;
  for (const char c : id.substr(0, kLongest)) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
    name += plain ? c : '-';
  }
  // No hidden name, no option, and nothing that git refuses in a branch.
  const bool usable = !name.empty() && !name.starts_with('.') && !name.starts_with('-') && !name.ends_with('.') &&
                      !name.ends_with(".lock") && name.find("..") == std::string::npos;
  if (name == id && usable) return name;
  std::replace(name.begin(), name.end(), '.', '-');
  return cat("s", name.starts_with('-') ? "" : "-", name, "-", branch_suffix(id));
}

std::string file_name_of(const RecordId& id) {
  return id.scope.empty() ? file_name_of(id.key) : file_name_of(cat(id.key, "\n", id.scope));
}

std::string branch_of(std::string_view id, const Json& doc, std::string_view prefix) {
  std::string named = string_or(doc, "branchName");
  return named.empty() ? cat(prefix, file_name_of(id)) : named;
}

std::string subject_of(std::string_view id, const Json& doc) {
  const std::string title = title_of(doc);
  std::string line = stripped(cat(id, title.empty() ? "" : ": ", title), kLongestSubject);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return std::string(trim(line));
}

}  // namespace pawl::story
