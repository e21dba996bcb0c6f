#include "tidy/english.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

#include "tidy/scan.h"

namespace pawl::tidy {
namespace {

struct Idiom {
  std::string_view words;
  std::string_view instead;
};

constexpr std::string_view kNoun = "use a noun: \"inactive records\", \"the active loop\"";
constexpr std::string_view kActor = "say who does what: \"pawl restored the file\"";
constexpr std::string_view kOwner = "say who: \"another session's\", \"no owner\"";

constexpr std::array kIdioms = {
    Idiom{"whoever", "name the reader, the caller or the command"},
    Idiom{"what there is", kNoun},
    Idiom{"what there was", kNoun},
    Idiom{"what stands", "name it: the value, the file, the bytes"},
    Idiom{"what stood", "name it: the value, the file, the bytes"},
    Idiom{"stands there", "is there, or name what the file shows"},
    Idiom{"stood there", "was there, or name what the file showed"},
    Idiom{"stands no more", "was removed, or is closed"},
    Idiom{"standing in", "unresolved: \"unresolved edits\""},
    Idiom{"set aside", "inactive, archived or kept"},
    Idiom{"sets aside", "archives, or makes inactive"},
    Idiom{"put aside", "stash, archive or keep"},
    Idiom{"told of", "pawl prints a note"},
    Idiom{"tells of", "pawl prints a note"},
    Idiom{"is told", kActor},
    Idiom{"are told", kActor},
    Idiom{"what was put back", "pawl restored it"},
    Idiom{"taken back by", "reverted by, or undone by"},
    Idiom{"one that", kNoun},
    Idiom{"ones that", kNoun},
    Idiom{"one whose", kNoun},
    Idiom{"ones whose", kNoun},
    Idiom{"is no status", "is not a valid status (valid: …)"},
    Idiom{"which is none", "is not valid (valid: …)"},
    Idiom{"is none of", "is not valid (valid: …)"},
    Idiom{"which says nothing", "is unknown, or is not valid (use …)"},
    Idiom{"can not", "cannot"},
    Idiom{"may not do", "is not allowed to"},
    Idiom{"nobody's", kOwner},
    Idiom{"somebody's", kOwner},
    Idiom{"anybody's", kOwner},
    Idiom{"another one's", kOwner},
    Idiom{"looked at again", "checked again"},
    Idiom{"“", "straight quotes can be pasted"},
    Idiom{"”", "straight quotes can be pasted"},
};

// Grows with every room that is rebuilt.
constexpr std::array<std::string_view, 13> kRebuilt = {"src/core/codec",
                                                       "src/core/file_law",
                                                       "src/core/merge",
                                                       "src/core/note",
                                                       "src/engine/conflicts",
                                                       "src/engine/images",
                                                       "src/engine/snapshot",
                                                       "src/engine/write_back",
                                                       "src/frontends/english/",
                                                       "src/lifecycles/json_codec",
                                                       "src/lifecycles/review/codec",
                                                       "tests/compare/",
                                                       "tests/fuzz/"};

// In lower case, with one blank for blanks, line ends, underscores and the slashes of comments.
struct Flat {
  std::string text;
  std::vector<std::size_t> lines;  // of each character
};

Flat flattened(std::string_view text) {
  Flat flat;
  std::size_t line = 1;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool slash = c == '/' && (text.substr(at).starts_with("//") || (at > 0 && text[at - 1] == '/'));
    const bool blank = slash || c == '_' || std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!blank || !flat.text.ends_with(' ')) {
      flat.text += blank ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      flat.lines.push_back(line);
    }
    if (c == '\n') ++line;
  }
  return flat;
}

}  // namespace

Offences idioms_in(std::string_view text) {
  Offences offences;
  const Flat flat = flattened(text);
  for (const auto& [words, instead] : kIdioms) {
    for (const std::size_t at : find_word(flat.text, words)) {
      offences.push_back(
          {"", flat.lines[at],
           "\"" + std::string(words) + "\": a reader needs a second pass. Instead: " + std::string(instead)});
    }
  }
  return offences;
}

Offences left_behind_idioms(const File& file) {
  const bool rebuilt = std::any_of(kRebuilt.begin(), kRebuilt.end(),
                                   [&](std::string_view start) { return file.path.starts_with(start); });
  if (!rebuilt || file.path.find("/corpus/") != std::string::npos) return {};
  Offences offences = idioms_in(file.text);
  for (Offence& offence : offences) offence.path = file.path;
  return offences;
}

std::size_t longest_sentence(std::string_view text) {
  std::size_t most = 0, words = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    if (end > at) most = std::max(most, ++words);
    if (end > at && (text[end - 1] == '.' || (end < text.size() && text[end] == '\n'))) words = 0;
    at = end + 1;
  }
  return most;
}

}  // namespace pawl::tidy
