#include "commands/undone_members.h"

#include <algorithm>

#include "base/text.h"
#include "core/held_word.h"
#include "lifecycles/review/export_file.h"
#include "lifecycles/review/review.h"
#include "lifecycles/story/story.h"

namespace pawl {

Json members_of(const Change& change) {
  Json out = Json::object();
  Json before = change.before.doc, after = change.after.doc;
  if (story::is_story(change.before.id.kind)) {  // what pawl notes for itself is not a member; why nobody picks it is
    for (Json* const doc : {&before, &after}) {
      if (const std::string why = story::own_of(*doc).stuck; !why.empty()) (*doc)["not picked"] = why;
      if (doc->is_object()) doc->erase(std::string(story::kOwn));
    }
  }
  if (change.before.id.kind == review::kReview) {
    for (Json* const doc : {&before, &after}) {
      if (!doc->is_object()) continue;
      for (const char* const own : {review::kExportEdited, review::kExportOthers}) doc->erase(own);
    }
  }
  for (const Json* const doc : {&before, &after}) {
    for (const auto& [name, value] : doc->items()) {
      const auto then = before.find(name), now = after.find(name);
      const Json from = then == before.end() ? Json() : *then, to = now == after.end() ? Json() : *now;
      if (from != to) out[name] = {{"from", from}, {"to", to}};
    }
  }
  return out;
}

std::string text_of_members(const Json& members) {
  constexpr std::size_t kMostText = 60;
  const auto word = [&](const Json& value) {
    const std::string text = value.is_string() ? value.get<std::string>() : to_line(value);
    if (value.is_null()) return std::string("nothing");
    std::size_t end = std::min<std::size_t>(text.size(), kMostText);
    while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    return in_quotes(end < text.size() ? cat(text.substr(0, end), "…") : text);
  };
  std::string out;
  for (const auto& [name, way] : members.items())
    out += cat(out.empty() ? "" : ", ", printable(name), " ", word(way["from"]), " → ", word(way["to"]));
  return out;
}

}  // namespace pawl
