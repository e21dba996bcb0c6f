#include "commands/world/review_letter.h"

#include <map>

#include "base/file.h"
#include "base/text.h"
#include "lifecycles/review/export_file.h"
#include "lifecycles/review/match.h"
#include "lifecycles/review/outward.h"

namespace pawl::review {
namespace {

constexpr const char* kSaid = "said";
constexpr const char* kFindings = "findings";
constexpr const char* kWasMarked = "marked";
constexpr const char* kShown = "shown";

std::map<RecordId, std::int64_t> revisions_of(const Whole& whole) {
  std::map<RecordId, std::int64_t> out;
  for (const Record& one : whole.all()) out[one.id] = one.revision;
  return out;
}

// One that somebody put into other words in the export is known again, as in the state file.
std::set<RecordId> lacking(const std::vector<Record>& findings, const std::vector<Json>& said) {
  std::vector<Shown> shown(said.size());
  std::vector<FindingTraits> some, others;
  for (std::size_t i = 0; i < said.size(); ++i) {
    shown[i].id = finding_id("", "");
    shown[i].doc = said[i];
    some.push_back(traits_of(shown[i]));
  }
  std::vector<Record> seen = findings;
  for (Record& one : seen) {
    one.doc = Doc(outward(one.doc));
    others.push_back(traits_of(one));
  }
  std::vector<bool> taken(findings.size(), false);
  (void)match(some, others, taken);
  std::set<RecordId> out;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!taken[i] && findings[i].status == kMarked) out.insert(findings[i].id);
  }
  return out;
}

}  // namespace

PullRef pull_of(std::string_view pr) {
  const std::size_t slash = pr.find('/'), hash = pr.find('#');
  return {{std::string(pr.substr(0, slash)), std::string(pr.substr(slash + 1, hash - slash - 1))},
          parse_positive(pr.substr(hash + 1)).value_or(0)};
}

Result<Letter> letter_from(Context& context, const Arguments& arguments) {
  Letter out;
  auto whole = read_whole(context, arguments);
  if (whole) {
    out.whole = std::move(*whole);
    out.ref = pull_of(out.whole->pr());
    out.head = string_or(out.whole->review.doc, "head_sha");
  } else if (whole.error().code != ErrorCode::not_found || !arguments.text("from")) {
    return tl::unexpected(whole.error());
  }
  const auto from = arguments.text("from");
  if (!from) {
    for (const Record& finding : out.whole->findings) {
      if (finding.status != kMarked) continue;
      out.findings.push_back(finding.doc);
      out.shown.push_back(finding_json(finding));
    }
    return out;
  }
  PAWL_ASSIGN(const FileImage image, read_file(*from, kMaxStateBytes));
  if (!image.exists || image.too_large)
    return fail(ErrorCode::not_found, cat("there is no export in ", printable(*from)), "pawl review export writes one");
  const auto read = read_export(image.bytes);
  if (!read)
    return fail(ErrorCode::invalid_argument, cat(printable(*from), ": ", read.error().message), read.error().hint);
  if (out.whole && out.whole->pr() != read->pr)
    return fail(
        ErrorCode::conflict,
        cat(printable(*from), " is about ", printable(read->pr), ", and the review about ", printable(out.whole->pr())),
        "nothing was posted; export again: pawl review export");
  out.ref = pull_of(read->pr);
  out.head = read->head_sha;
  out.exported = true;
  out.from = *from;
  out.look_alikes = look_alikes_in_export(image.bytes);
  for (const Json& doc : read->findings) {
    out.findings.push_back(doc);
    Json one = doc;
    one["marked"] = true;
    one["id"] = "";
    out.shown.push_back(std::move(one));
  }
  if (out.whole) out.lacks = lacking(out.whole->findings, out.findings);
  return out;
}

void leave_out(Letter& letter, const std::vector<Post>& posts) {
  SaidList said;
  for (const Post& post : posts) said.add(post.said);
  std::vector<Json> findings;
  Json shown = Json::array();
  for (std::size_t i = 0; i < letter.findings.size(); ++i) {
    const bool known = said.take(string_or(letter.shown[i], "id"), names_of(letter.findings[i])).has_value();
    (known ? letter.there : shown).push_back(letter.shown[i]);
    if (!known) findings.push_back(std::move(letter.findings[i]));
  }
  letter.findings = std::move(findings);
  letter.shown = std::move(shown);
}

Json remembered(const Letter& letter) {
  Json out{{kSaid, Json::array()}, {kFindings, Json::array()}, {kShown, Json::array()}};
  if (letter.whole) {
    for (const Record& finding : letter.whole->findings) {
      if (letter.lacks.contains(finding.id)) continue;
      Json entry = said_entry(part_of_key(finding.id.key), finding.doc);
      entry[kWasMarked] = finding.status == kMarked;
      out[kFindings].push_back(std::move(entry));
    }
  }
  for (std::size_t i = 0; i < letter.findings.size(); ++i)
    out[kSaid].push_back(said_entry(string_or(letter.shown[i], "id"), letter.findings[i]));
  for (Json one : letter.shown) {
    for (const char* member : {"body", "suggestion"}) one.erase(member);
    out[kShown].push_back(std::move(one));
  }
  return out;
}

Done must_be_same(const View& view, const Letter& letter) {
  const auto changed = [](std::string_view what) -> Done {
    return fail(ErrorCode::conflict, cat(what, " while this was asked; nothing was posted"), "pawl review post again");
  };
  PAWL_ASSIGN(Record review, view.load(review_id(letter.ref.text())));
  if (!letter.whole) return review.status == kActive ? changed("a review was begun") : done();
  PAWL_ASSIGN(const Whole now, whole_of(view, std::move(review)));
  return revisions_of(now) == revisions_of(*letter.whole) ? done() : changed("the review was changed");
}

std::vector<Record> come_since(const Whole& whole, const Json& request) {
  SaidList known;
  if (const auto list = request.find(kFindings); list != request.end() && list->is_array()) known.add(*list);
  std::vector<Record> out;
  for (const Record& finding : whole.findings) {
    const auto then = known.take(part_of_key(finding.id.key), names_of(finding.doc));
    const bool marked_since = then && finding.status == kMarked && (*then)[kWasMarked] != true;
    if (!then || marked_since) out.push_back(finding);
  }
  return out;
}

Json look_alikes_in(const Letter& letter) {
  Json out = letter.whole ? look_alikes_json(letter.whole->look_alikes) : Json::array();
  for (Json& one : look_alikes_json(letter.look_alikes, letter.from)) out.push_back(std::move(one));
  return out;
}

}  // namespace pawl::review
