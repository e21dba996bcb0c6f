#include "lifecycles/review/match.h"

#include <array>

#include "lifecycles/review/review.h"

namespace pawl::review {
namespace {

std::string_view text_in(const Json& doc, const char* name) {
  const auto found = doc.find(name);
  return found != doc.end() && found->is_string() ? std::string_view(found->get_ref<const std::string&>())
                                                  : std::string_view();
}

FindingTraits traits_in(const RecordId& id, const Json& doc) {
  return {part_of_key(id.key),      text_in(doc, "severity"), text_in(doc, "title"),  text_in(doc, "file"),
          text_in(doc, "category"), text_in(doc, "body"),     integer_or(doc, "line")};
}

bool same_title(const FindingTraits& a, const FindingTraits& b) { return !a.title.empty() && a.title == b.title; }
bool same_place(const FindingTraits& a, const FindingTraits& b) {
  return !a.file.empty() && a.file == b.file && a.line == b.line;
}

using Alike = bool (*)(const FindingTraits&, const FindingTraits&);
constexpr std::array<Alike, 6> kPasses = {
    [](const FindingTraits& a, const FindingTraits& b) {
      return a.title == b.title && a.file == b.file && a.line == b.line && a.severity == b.severity &&
             a.category == b.category && a.body == b.body;
    },
    [](const FindingTraits& a, const FindingTraits& b) { return same_title(a, b) && same_place(a, b); },
    [](const FindingTraits& a, const FindingTraits& b) { return same_title(a, b) && a.file == b.file; },
    same_title,
    same_place,
    [](const FindingTraits& a, const FindingTraits& b) { return !a.body.empty() && a.body == b.body; },
};

}  // namespace

FindingTraits traits_of(const Record& record) { return traits_in(record.id, record.doc.json()); }
FindingTraits traits_of(const Shown& shown) { return traits_in(shown.id, shown.doc); }

FindingTraits traits_of(std::string_view text, const FindingText& finding) {
  FindingTraits out;
  out.id = finding.id;
  out.severity = finding.severity->word;
  out.title = finding.title.of(text);
  out.category = finding.category ? finding.category->of(text) : std::string_view();
  out.body = finding.body.of(text);
  if (finding.location) {
    const Location at = location_in(finding.location_text);
    out.file = finding.location_text.substr(0, at.file.size());
    out.line = at.line;
  }
  return out;
}

std::vector<std::optional<std::size_t>> match(std::span<const FindingTraits> some,
                                              std::span<const FindingTraits> others, std::vector<bool>& taken) {
  std::vector<std::optional<std::size_t>> partner(some.size());
  for (const Alike alike : kPasses) {
    // Both are mostly in the same order, so the one behind the last partner is the first to be asked.
    std::size_t hint = 0;
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (partner[i]) continue;
      for (std::size_t step = 0; step < others.size(); ++step) {
        const std::size_t at = (hint + step) % others.size();
        if (taken[at] || !alike(some[i], others[at])) continue;
        taken[at] = true;
        partner[i] = at;
        hint = at + 1;
        break;
      }
    }
  }
  return partner;
}

}  // namespace pawl::review
