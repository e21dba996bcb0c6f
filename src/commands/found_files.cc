#include "commands/found_files.h"

#include <algorithm>
#include <map>
#include <vector>

#include "base/columns.h"
#include "base/text.h"
#include "commands/present.h"

namespace pawl {
namespace {

// As "case" spells them.
constexpr std::string_view kNew = "new", kDamaged = "damaged", kGits = "git", kBehind = "behind", kEdited = "edited",
                           kGone = "gone", kInUse = "in-use";

std::string_view word_of(FileCase found) {
  switch (found) {
    case FileCase::in_step:
      return kCaseInStep;
    case FileCase::stale:
      return kBehind;
    case FileCase::edited:
      return kEdited;
    case FileCase::gone:
      return kGone;
    case FileCase::fresh:
      return kNew;
    case FileCase::damaged:
      return kDamaged;
    case FileCase::gits:
      return kGits;
    case FileCase::waits:
      return kInUse;
  }
  return {};
}

constexpr std::size_t kLongestHeadline = 120;  // somebody's whole prompt may stand there; --json has all of it
constexpr std::size_t kFewest = 4;             // files of one folder that are told of as one

struct Line {
  std::string name;
  std::string words;
  std::string note;  // below it
};

std::string plural(const std::string& noun, std::int64_t count) {
  if (count == 1) return noun;
  if (noun.ends_with("y")) return cat(noun.substr(0, noun.size() - 1), "ies");
  return noun.ends_with("h") ? cat(noun, "es") : cat(noun, "s");
}

using Holds = std::vector<std::pair<std::string, std::vector<std::pair<std::string, std::int64_t>>>>;

void add_holds(Holds& all, const Json& holds) {
  for (const Json& one : holds) {
    const std::string noun = string_or(one, "noun"), status = string_or(one, "status");
    auto group = std::find_if(all.begin(), all.end(), [&](const auto& g) { return g.first == noun; });
    if (group == all.end()) group = all.insert(all.end(), {noun, {}});
    auto& counts = group->second;
    const auto found = std::find_if(counts.begin(), counts.end(), [&](const auto& c) { return c.first == status; });
    if (found == counts.end()) {
      counts.emplace_back(status, integer_or(one, "count"));
    } else {
      found->second += integer_or(one, "count");
    }
  }
}

// "14 stories: 8 merged, 6 pending; 1 review: in-progress"
std::string text_of(const Holds& all) {
  std::string out;
  for (const auto& [noun, counts] : all) {
    std::int64_t sum = 0;
    for (const auto& [status, count] : counts) sum += count;
    out += cat(out.empty() ? "" : "; ", sum, " ", plural(printable(noun), sum), ": ");
    for (std::size_t i = 0; i < counts.size(); ++i) {
      out += cat(i == 0 ? "" : ", ", counts.size() == 1 ? "" : cat(counts[i].second, " "), printable(counts[i].first));
    }
  }
  return out;
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

Line line_of_file(const Json& file) {
  Holds holds;
  add_holds(holds, file["holds"]);
  Line line{printable(string_or(file, "path")), text_of(holds), {}};
  if (const std::string headline = string_or(file, "headline"); !headline.empty())
    line.words += cat(", ", fitted(printable(headline), kLongestHeadline));
  const bool fresh = is_new(file);
  const bool adds = fresh && integer_or(file["would"], "take") + integer_or(file["would"], "add") > 0;
  if (line.words.empty())
    line.words = adds    ? "belongs to what another file shows"
                 : fresh ? "nothing in it to take over"
                         : string_or(file, "state");
  if (!fresh && line.words != string_or(file, "state")) line.note = string_or(file, "state");
  return line;
}

std::vector<Line> lines_in(const Json& files) {
  std::map<std::pair<std::string, std::string>, std::vector<const Json*>> folders;  // folder and state
  for (const Json& file : files)
    folders[{folder_of(string_or(file, "path")), string_or(file, "state")}].push_back(&file);
  std::vector<Line> out;
  for (const auto& [where, all] : folders) {
    if (all.size() < kFewest || where.first.empty()) {
      for (const Json* file : all) out.push_back(line_of_file(*file));
      continue;
    }
    Holds holds;
    for (const Json* file : all) add_holds(holds, (*file)["holds"]);
    const std::string words = text_of(holds);
    out.push_back({cat(printable(where.first), " (", all.size(), " files)"), words.empty() ? where.second : words, {}});
    if (!words.empty() && !is_new(*all.front())) out.back().note = where.second;
  }
  return out;
}

}  // namespace

Checkup::File as_shared(Checkup::File file) {
  file.would = {};
  if (file.found != FileCase::fresh) return file;
  file.shared = true;
  file.state = "shared by all projects; pawl looks at it, and keeps it in step once `pawl ultrawork` writes to it";
  return file;
}

Json to_json(const Checkup::File& file) {
  Json out{{"path", file.path},
           {"case", file.shared ? "shared" : word_of(file.found)},
           {"state", file.state},
           {"holds", Json::array()}};
  for (const Checkup::Holds& holds : file.holds)
    out["holds"].push_back({{"noun", holds.noun}, {"status", holds.status}, {"count", holds.count}});
  if (!file.headline.empty()) out["headline"] = file.headline;
  if (file.found != FileCase::in_step)
    out["would"] = {
        {"take", file.would.take}, {"hold", file.would.hold}, {"refuse", file.would.refuse}, {"add", file.would.add}};
  return out;
}

bool is_new(const Json& file) { return string_or(file, "case") == kNew; }

bool is_told_of_by_itself(const Json& file) {
  const std::string found = string_or(file, "case");
  return found == kDamaged || found == kGits || found == kInUse;
}

bool is_changed(const Json& file) {
  const std::string found = string_or(file, "case");
  return found == kEdited || found == kGone || found == kBehind;
}

std::string lines_of_files(const Json& files, const Json& beside, const TextStyle& style) {
  std::vector<Line> lines = lines_in(files);
  for (const Json& one : beside)
    lines.push_back(
        {printable(string_or(one, "path")), printable(string_or(one, "what")), printable(string_or(one, "would"))});
  std::size_t widest = 0;
  for (const Line& line : lines) widest = std::max(widest, columns_of(line.name));
  widest = std::min(widest, std::max<std::size_t>(style.width / 2, 10));
  std::string out;
  for (const Line& line : lines) {
    const std::size_t name = std::max(widest, columns_of(line.name));
    const bool below = style.terminal && name + 4 + 20 > style.width;
    out += cat("  ", padded(line.name, name, style.unicode), below ? "\n      " : "  ", line.words, "\n");
    if (!line.note.empty()) out += cat("      ", faint(line.note, style), "\n");
  }
  return out;
}

}  // namespace pawl
