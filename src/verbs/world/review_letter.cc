#include "verbs/world/review_letter.h"

#include <map>

#include "base/file.h"
#include "base/text.h"
#include "lifecycle/review/export_file.h"

namespace pawl::review {
namespace {

constexpr const char* kFindings = "findings";
constexpr const char* kShown = "shown";

std::map<RecordId, std::int64_t> revisions_of(const Whole& whole) {
  std::map<RecordId, std::int64_t> out;
  for (const Record& one : whole.all()) out[one.id] = one.revision;
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
  for (const Json& doc : read->findings) {
    out.findings.push_back(doc);
    Json one = doc;
    one["marked"] = true;
    one["id"] = "";
    out.shown.push_back(std::move(one));
  }
  return out;
}

Json remembered(const Letter& letter) {
  Json out{{kFindings, Json::object()}, {kShown, Json::array()}};
  if (letter.whole) {
    for (const Record& finding : letter.whole->findings)
      out[kFindings][std::string(part_of_key(finding.id.key))] = finding.revision;
  }
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
  std::vector<Record> out;
  const auto known = request.find(kFindings);
  for (const Record& finding : whole.findings) {
    const std::string id(part_of_key(finding.id.key));
    const bool same = known != request.end() && known->is_object() && known->contains(id) &&
                      integer_or(*known, id) == finding.revision;
    if (!same) out.push_back(finding);
  }
  return out;
}

}  // namespace pawl::review
