// What somebody wrote into a review's file and is in no record: what nobody could read was put back, and a finding may
// be in the copy alone; what looks like a finding and is read as none stands there still.
#include <algorithm>

#include "base/clock.h"
#include "base/file.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "commands/review.h"
#include "engine/aside.h"
#include "engine/spelling.h"
#include "lifecycles/review/state_file.h"

namespace pawl::review {
namespace {

// Whose a copy is that cannot be read: by its front matter, and where that is what is damaged, by its lines.
std::optional<std::string> whose_copy(std::string_view bytes) {
  if (auto whose = state_file().identity_in(bytes)) return whose;
  const auto value = [&](std::string_view name) -> std::string {
    for (const std::string_view line : split(bytes, '\n')) {
      if (!line.starts_with(name)) continue;
      std::string_view said = trim(line.substr(name.size()));
      if (said.size() > 1 && said.front() == '"' && said.back() == '"') said = said.substr(1, said.size() - 2);
      return std::string(said);
    }
    return {};
  };
  std::string key = cat(value("pr_owner:"), "/", value("pr_repo:"), "#", value("pr_number:"));
  return is_pr_key(key) ? std::optional(std::move(key)) : std::nullopt;
}

Json ids_of(const std::vector<Vanished>& list) {
  Json out = Json::array();
  for (const Vanished& one : list) out.push_back(part_of_key(one.finding.id.key));
  return out;
}

}  // namespace

std::vector<std::string> unread_copies(const Engine& engine, const Record& review) {
  std::vector<std::string> out;
  if (!engine.has_store()) return out;
  const auto began = parse_iso_time(string_or(review.doc, "started"));
  constexpr std::int64_t kSecond = 1'000;  // a copy's name has no parts of one
  const std::int64_t since = began ? *began / kSecond * kSecond : 0;
  for (const KeptAside& copy : kept_since(engine.world(), "damaged", since)) {
    if (!is_of_a_review(copy.path)) continue;
    const auto image = read_file(engine.world().roots->absolute(copy.path), kMaxStateBytes);
    // Another one may have been open in between; a copy that does not say whose it is may be this one's.
    if (image && image->exists && !image->too_large) {
      const auto whose = whose_copy(image->bytes);
      if (whose && *whose != review.id.key) continue;
    }
    out.push_back(copy.path);
  }
  return out;
}

bool is_of_a_review(std::string_view copy) { return is_copy_of(copy.substr(copy.rfind('/') + 1), kStatePath); }

bool keeps_from_approving(std::string_view copy) {
  return is_of_a_review(copy) && copy.find("/damaged/") != std::string_view::npos;
}

std::string dismissal_of(std::string_view copy) {
  return cat("pawl dismiss ", shell_word(copy), keeps_from_approving(copy) ? " --reason TEXT" : "");
}

Result<std::vector<KeptBack>> kept_back_by(const Engine& engine, const View& view,
                                           const std::vector<std::string>& copies) {
  std::vector<KeptBack> out;
  Query query;
  query.kind = kReview;
  query.status = kActive;
  query.include_aside = true;
  PAWL_ASSIGN(auto reviews, view.list(query));
  for (Record& review : reviews) {
    std::vector<std::string> its = unread_copies(engine, review);
    std::erase_if(its,
                  [&](const std::string& one) { return std::find(copies.begin(), copies.end(), one) == copies.end(); });
    if (!its.empty()) out.push_back({std::move(review), std::move(its)});
  }
  return out;
}

std::string open_chunks_text(const Json& numbers) {
  std::string list;
  for (const Json& one : numbers) list += cat(list.empty() ? "" : ", ", to_line(one));
  return cat("not reviewed yet: chunk", numbers.size() == 1 ? " " : "s ", list, "\n");
}

std::string unread_text(const Json& copies) {
  std::string out;
  for (const Json& one : copies) {
    const std::string path = printable(one.get<std::string>());
    out +=
        cat("[!] was written here and could not be read: ", path,
            "\n    enter what it says with pawl review finding add; then ", dismissal_of(one.get<std::string>()), "\n");
  }
  return out;
}

Result<std::vector<LookAlike>> look_alikes_of(const Engine& engine, const View& view, const Record& review) {
  const auto image = read_file(engine.world().roots->absolute(std::string(kStatePath)), kMaxStateBytes);
  if (image && image->exists && !image->too_large && state_file().identity_in(image->bytes) == review.id.key)
    return look_alikes(image->bytes);
  if (!engine.has_store()) return std::vector<LookAlike>();
  PAWL_ASSIGN(const auto kept, left_as(view.store(), std::string(kStatePath), review.id.key));
  return kept ? look_alikes(*kept) : std::vector<LookAlike>();
}

Done see_on_board(const Engine& engine, const View& view, const Record& review, Stand& stand) {
  if (stand.place == BoardPlace::ended || review.status != kActive) return done();
  const auto needs = [&](std::string why, std::string advice) {
    stand.place = BoardPlace::needs_person;
    stand.why = std::move(why);
    stand.advice = std::move(advice);
    return done();
  };
  const std::string pr = shell_word(review.id.key);
  PAWL_ASSIGN(const bool unknown, whether_posted_is_unknown(view, review));
  if (unknown)
    return needs(std::string(kPostUnknown), cat("pawl review post --pr ", pr, "  # looks for it there first"));
  if (review.aside) return done();  // the rest waits until it is taken up again
  if (const std::string written = string_or(review.doc, kHeadWritten); !written.empty())
    return needs(cat("somebody wrote another head_sha into its file, which was put back"),
                 cat("pawl review validate --pr ", pr, "  # asks GitHub which is right"));
  if (review.doc.contains(kHeadMoved))
    return needs("the pull request has another head by now",
                 cat("pawl review validate --pr ", pr, " --update  # follows it"));
  PAWL_ASSIGN(const auto findings, findings_of(view, review.id.key));
  PAWL_ASSIGN(const auto vanished, vanished_of(view, review, findings));
  if (!vanished.empty()) {
    const std::string ids = joined(ids_of(vanished));
    return needs(cat("by an edit its file lost ", vanished.size() == 1 ? "the finding " : "the findings ", ids,
                     ", so it is not approved"),
                 cat("pawl review status --pr ", pr, "  # says what brings ", vanished.size() == 1 ? "it" : "them",
                     " back, or lets go"));
  }
  PAWL_ASSIGN(const auto lines, look_alikes_of(engine, view, review));
  if (!lines.empty())
    return needs(cat(lines.size() == 1 ? std::string("a line") : cat(lines.size(), " lines"), " in its file ",
                     lines.size() == 1 ? "looks" : "look", " like a finding and ", lines.size() == 1 ? "is" : "are",
                     " read as none"),
                 cat("pawl review status --pr ", pr, "  # shows which"));
  return done();
}

Json look_alikes_json(const std::vector<LookAlike>& list, std::string_view file) {
  Json out = Json::array();
  for (const LookAlike& one : list) out.push_back({{"file", file}, {"line", one.line}, {"text", one.text}});
  return out;
}

std::string look_alikes_text(const Json& list) {
  constexpr std::size_t kMost = 5;
  std::string out;
  for (std::size_t i = 0; i < list.size() && i < kMost; ++i)
    out += cat("[!] looks like a finding, and is read as none: line ", integer_or(list[i], "line"), " of ",
               printable(string_or(list[i], "file")), ", “", printable(string_or(list[i], "text")), "”\n");
  if (list.size() > kMost) out += cat("[!] and ", list.size() - kMost, " more lines that do\n");
  return cat(out, "    ", kSetRight, "\n");
}

}  // namespace pawl::review
