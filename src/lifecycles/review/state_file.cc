#include "lifecycles/review/state_file.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/json_text.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "lifecycles/review/command.h"
#include "lifecycles/review/export_file.h"
#include "lifecycles/review/follow.h"
#include "lifecycles/review/front_matter.h"
#include "lifecycles/review/match.h"
#include "lifecycles/review/review.h"
#include "lifecycles/review/state_text.h"
#include "lifecycles/review/state_write.h"
#include "lifecycles/review/stray.h"

namespace pawl::review {
namespace {

// In place of an id, until the finding has one.
constexpr char kUnnamed = '?';

Shown review_shown(const StateText& state, Json comments) {
  Shown shown;
  shown.id = review_id(state.pr());
  shown.status = std::string(kActive);
  shown.doc = {{"pr_owner", state.owner},          {"pr_repo", state.repo},
               {"pr_number", state.number},        {"head_sha", commit_hash(state.says("head_sha")).value_or("")},
               {"started", state.says("started")}, {"updated", state.says("updated")},
               {"mode", state.says("mode")},       {"focus", state.focus},
               {"self_review", state.self},        {"comments", std::move(comments)}};
  return shown;
}

Result<Json> comments_in(const StateText& state) {
  if (!state.comments) return Json::object();
  const std::string_view text = state.comments->of(state.text);
  if (trim(text).empty()) return Json::object();
  const auto scanned = JsonText::scan(text);
  if (!scanned) return fail(ErrorCode::corruption, cat("the comments by file: ", scanned.error().message));
  if (!scanned->root().is_object())
    return fail(ErrorCode::corruption, "the comments by file are not an object with a list for each file");
  return scanned->root().value();
}

// A name that could not be given on the command line either. `at`: where it stands.
Done must_be_inside(std::string_view text, std::size_t at, const std::string& file) {
  if (file.empty()) return done();
  const Done good = check_path(file);
  if (good) return done();
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
  return fail(ErrorCode::corruption, cat("line ", line, ": ", good.error().message, " (", good.error().hint, ")"));
}

// Was there ever a finding with this number?
Result<bool> is_used(std::string_view pr, std::int64_t number, const KnownRecords& known) {
  for (const Severity& one : kSeverities) {
    PAWL_ASSIGN(const Record record, known.load(finding_id(pr, cat(one.letter, number))));
    if (record.revision > 0) return true;
  }
  return false;
}

// A review of the same pull request that began at another time: what an earlier one had in the file is not its own.
bool begins_anew(std::string_view base, std::span<const Record> records) {
  for (const Record& record : records) {
    if (record.id.kind != kReview || !record.present()) continue;
    const auto matter = scan_front_matter(base);
    const FrontMatterField* const started = matter ? matter->find("started") : nullptr;
    return started != nullptr && !started->says.empty() && started->says != string_or(record.doc, "started");
  }
  return false;
}

// The same where both began in one second: a review that comes back comes with all that its file shows, or it is
// another.
Result<bool> shows_an_earlier_one(const StateText& base, std::span<const Record> records, const KnownRecords& known) {
  std::size_t chunks = 0, findings = 0;
  bool comes = false;
  for (const Record& record : records) {
    if (!record.present()) continue;
    chunks += record.id.kind == kChunk ? 1 : 0;
    findings += record.id.kind == kFinding ? 1 : 0;
    if (record.id.kind != kReview) continue;
    PAWL_ASSIGN(const Record was, known.load(record.id));
    comes = was.revision > 0 && was.status != kActive;
  }
  return comes && (chunks < base.chunks.rows.size() || findings < base.findings.size());
}

// The one that was under way before goes on, or else the first is begun that can be; any other is a second one.
Done let_one_begin(Content& content, const KnownRecords& known) {
  Shown* one = nullptr;
  for (Shown& shown : content.shown) {
    if (shown.id.kind != kChunk || shown.status != kInProgress) continue;
    PAWL_ASSIGN(const Record chunk, known.load(shown.id));
    if (chunk.status == kInProgress && !chunk.aside) return done();
    if (one == nullptr && !chunk_machine().terminal(chunk.status)) one = &shown;
  }
  if (one != nullptr) one->evidence[std::string(kAlone)] = true;
  return done();
}

// Where the file of a review that was set aside comes back, what belongs to it and is not in the file comes with it: an
// old copy takes nothing away.
Done bring_along(Content& content, const KnownRecords& known) {
  PAWL_ASSIGN(const Record review, known.load(review_id(content.identity)));
  if (!review.aside || review.status != kActive) return done();
  std::set<RecordId> here;
  for (const Shown& shown : content.shown) here.insert(shown.id);
  for (const std::string_view kind : {kChunk, kFinding}) {
    PAWL_ASSIGN(const auto all, known.ranked(kind, rank_from(content.identity), rank_below(content.identity)));
    for (const Record& one : all) {
      if (!one.aside || here.contains(one.id)) continue;
      Shown shown;
      shown.id = one.id;
      shown.status = one.held.value_or(one.status);
      shown.doc = one.doc;
      content.shown.push_back(std::move(shown));
    }
  }
  return done();
}

// A review with its chunks and findings.
Result<std::map<RecordId, Record>> parts_of(const std::string& pr, const KnownRecords& known) {
  std::map<RecordId, Record> all;
  PAWL_ASSIGN(Record review, known.load(review_id(pr)));
  all.insert_or_assign(review.id, std::move(review));
  for (const std::string_view kind : {kChunk, kFinding}) {
    PAWL_ASSIGN(auto some, known.ranked(kind, rank_from(pr), rank_below(pr)));
    for (Record& one : some) all.insert_or_assign(one.id, std::move(one));
  }
  return all;
}

// A file of its own for all of these.
Result<std::optional<std::string>> written(const std::string& pr, std::vector<Record> whole) {
  EditedState made = new_file(whole);
  if (reads_back(made)) return std::move(made.text);
  for (Record& record : whole) {
    if (record.id.kind != kFinding || !record.present() || !record.doc.contains("body")) continue;
    Json doc = record.doc;
    doc["body"] = fit_body(string_or(doc, "body"));
    record.doc = Doc(std::move(doc));
  }
  made = new_file(whole);
  if (reads_back(made)) return std::move(made.text);
  return fail(ErrorCode::corruption, cat("the review of ", printable(pr), " cannot be written so that it is read back"),
              "nothing was changed; look for <!-- in what its findings say");
}

// All that belongs to a review, as `records` leave it.
Result<std::vector<Record>> whole_of(const std::string& pr, std::span<const Record> records,
                                     const KnownRecords& known) {
  PAWL_ASSIGN(auto all, parts_of(pr, known));
  for (const Record& record : records) all.insert_or_assign(record.id, record);
  std::vector<Record> whole;
  for (auto& [id, record] : all) {
    if (record.present()) whole.push_back(std::move(record));
  }
  return whole;
}

}  // namespace

const StateFile& state_file() {
  static const StateFile kFile;
  return kFile;
}

DamageWords StateFile::damage_words() const {
  return {"Warning: Review state file is corrupted or has an unexpected format.", "Starting a fresh review session."};
}

std::optional<std::string> StateFile::identity_in(std::string_view bytes) const { return pr_in_state(bytes); }

// Whoever writes the file of a review that was set aside has changed nothing of what was looked at meanwhile.
bool StateFile::goes_on(const Record& aside, const Shown&) const {
  return aside.id.kind != kReview || aside.status == kActive;
}

std::string StateFile::taken_up_by(const Content& before) const {
  return cat("pawl review continue ", shell_word(before.identity));
}

// Which head was looked at is what an approval rests on: a file shows it, and `pawl review validate` changes it.
// And what pawl keeps beside the file's values stays, whatever stands there.
void StateFile::keep_counting(const Record& before, Json& doc) const {
  for (const char* own :
       {"updated", kLeftOut, kPosting, kExportMember, kExportEdited, kExportOthers, kWasAt, kHeadMoved}) {
    if (!doc.contains(own) && before.doc.contains(own)) doc[own] = before.doc[own];
  }
  if (before.id.kind != kReview || !before.present()) return;
  const std::string reviewed = string_or(before.doc, "head_sha"), written = string_or(doc, "head_sha");
  if (reviewed.empty() || written == reviewed) return;
  doc["head_sha"] = reviewed;
  doc[kHeadWritten] = written;
}

std::vector<RefusedMember> StateFile::only_pawls(const Record& before, const Json& now) const {
  if (before.id.kind != kReview || !before.present()) return {};
  const std::string reviewed = string_or(before.doc, "head_sha"), written = string_or(now, "head_sha");
  if (reviewed.empty() || written == reviewed) return {};
  return {{"head_sha", head_put_back(reviewed, written)}};
}

// A word for the mode that is none: a file that comes with one keeps it, nobody gives it one.
std::vector<RefusedMember> StateFile::refused_members(const Record& before, const Json& base, const Json& now) const {
  if (before.id.kind != kReview || !before.present() || !now.contains("mode")) return {};
  const std::string is = string_or(now, "mode");
  const bool stays = is == string_or(base, "mode") || is == string_or(before.doc, "mode");
  if (stays || std::find(kModes.begin(), kModes.end(), is) != kModes.end()) return {};
  return {
      {"mode", Error{ErrorCode::invalid_argument, cat("mode became “", printable(is.substr(0, 80)), "”, which is none"),
                     cat("it can be ", join_or(kModes))}}};
}

Result<std::string> StateFile::leaves_behind(std::string_view bytes, std::optional<std::string_view>,
                                             const KnownRecords& before, const KnownRecords& after) const {
  const auto whose = identity_in(bytes);
  if (!whose) return std::string();
  PAWL_ASSIGN(const Record now, after.load(review_id(*whose)));
  if (now.present() && now.status == kActive) return std::string();  // it goes on, or comes back with its file
  PAWL_ASSIGN(const auto all, parts_of(*whose, before));
  std::vector<Record> records;
  for (const auto& [id, record] : all) records.push_back(record);
  const auto own = new_state(records);
  return own && has_others_words(bytes, *own) ? std::string("had words of others in it") : std::string();
}

Result<Content> StateFile::parse(std::string_view, std::string_view, std::string_view bytes) const {
  if (!is_utf8(bytes)) return fail(ErrorCode::corruption, "it is not UTF-8");
  PAWL_ASSIGN(const StateText state, scan_state(bytes));
  PAWL_ASSIGN(Json comments, comments_in(state));
  const std::string pr = state.pr();
  Content content;
  content.identity = pr;
  content.shown.reserve(1 + state.chunks.rows.size() + state.findings.size());
  content.shown.push_back(review_shown(state, std::move(comments)));

  for (const ChunkRow& row : state.chunks.rows) {
    Shown shown;
    shown.id = chunk_id(pr, row.number);
    shown.status = row.status;
    for (const std::string& file : row.files) PAWL_TRY(must_be_inside(bytes, row.line.begin, file));
    shown.doc = {{"files", row.files}, {"loc", row.loc}};
    content.shown.push_back(std::move(shown));
  }

  std::set<std::string_view> ids;
  for (std::size_t i = 0; i < state.findings.size(); ++i) {
    const FindingText& finding = state.findings[i];
    const bool named = !finding.id.empty() && ids.insert(finding.id).second;
    Shown shown;
    shown.id = finding_id(pr, named ? std::string(finding.id) : cat(kUnnamed, i));
    shown.status = std::string(is_marked(bytes, finding, state.focus, state.self) ? kMarked : kUnmarked);
    shown.doc = finding_doc(bytes, finding);
    if (const auto file = shown.doc.find("file"); file != shown.doc.end())
      PAWL_TRY(must_be_inside(bytes, finding.location->begin, file->get_ref<const std::string&>()));
    if (const auto end = integer_or(shown.doc, "end_line"); end > 0 && end < integer_or(shown.doc, "line"))
      return fail(ErrorCode::corruption, cat("line ", finding.line, ": the finding's lines go backwards"));
    content.shown.push_back(std::move(shown));
  }
  return content;
}

Result<std::string> next_finding_id(std::string_view pr, char letter, const KnownRecords& known,
                                    std::int64_t at_least) {
  // Numbers are given one after the other, so the first unused one is found by doubling and halving.
  std::int64_t used = at_least - 1, free = at_least;
  while (true) {
    PAWL_ASSIGN(const bool taken, is_used(pr, free, known));
    if (!taken) break;
    used = free;
    free = free * 2;
  }
  while (free - used > 1) {
    const std::int64_t middle = used + (free - used) / 2;
    PAWL_ASSIGN(const bool taken, is_used(pr, middle, known));
    (taken ? used : free) = middle;
  }
  return cat(letter, free);
}

Result<std::string> StateFile::cut_off(std::string_view before, std::string_view now, const KnownRecords&) const {
  const auto was = scan_state(before), is = scan_state(now);
  if (!was || !is || was->pr() != is->pr()) return std::string();
  std::string lacks = review::cut_off(*was, *is);
  return lacks.empty() ? strays(*was, *is) : lacks;
}

Done StateFile::name_records(Content& content, const KnownRecords& known) const {
  PAWL_TRY(let_one_begin(content, known));
  std::vector<Shown*> unnamed;
  std::set<std::string> here;
  std::int64_t highest = 0;
  for (Shown& shown : content.shown) {
    if (shown.id.kind != kFinding) continue;
    const std::string_view id = part_of_key(shown.id.key);
    if (id.front() == kUnnamed) {
      unnamed.push_back(&shown);
    } else {
      here.insert(shown.id.key);
      highest = std::max(highest, finding_number(id));
    }
  }
  if (unnamed.empty()) return bring_along(content, known);
  const std::string& pr = content.identity;
  PAWL_ASSIGN(const auto records, known.ranked(kFinding, rank_from(pr), rank_below(pr)));
  std::vector<FindingTraits> found, recorded;
  for (const Shown* shown : unnamed) found.push_back(traits_of(*shown));
  std::vector<bool> taken(records.size(), false);
  for (std::size_t i = 0; i < records.size(); ++i) {
    recorded.push_back(traits_of(records[i]));
    taken[i] = here.contains(records[i].id.key);
    highest = std::max(highest, finding_number(part_of_key(records[i].id.key)));
  }
  const auto partners = match(found, recorded, taken);
  // The traits are views into the documents; names are given when nothing is compared any more.
  for (std::size_t i = 0; i < unnamed.size(); ++i) {
    if (partners[i]) {
      unnamed[i]->id = records[*partners[i]].id;
      continue;
    }
    const Severity* const how = severity(string_or(unnamed[i]->doc, "severity"));
    PAWL_ASSIGN(const std::string id, next_finding_id(pr, how->letter, known, highest + 1));
    highest = finding_number(id);
    unnamed[i]->id = finding_id(pr, id);
  }
  return bring_along(content, known);
}

std::optional<std::string> StateFile::render(std::optional<std::string_view> base,
                                             std::span<const Record> records) const {
  const auto scanned = base ? scan_state(*base) : Result<StateText>(tl::unexpected(Error{}));
  return scanned ? edit_state(*scanned, records, {}).text : new_state(records);
}

Result<std::optional<std::string>> StateFile::rendered(std::optional<std::string_view> base,
                                                       std::span<const Record> records,
                                                       const KnownRecords& known) const {
  const auto present = std::find_if(records.begin(), records.end(), [](const Record& r) { return r.present(); });
  // Those of another review are none of this file's business.
  std::optional<std::string> whose = base ? identity_in(*base) : std::nullopt;
  if (present != records.end() && (!whose || *whose != pr_of(present->id.key))) {
    whose = pr_of(present->id.key);
    base.reset();
  }
  if (base && begins_anew(*base, records)) base.reset();
  std::vector<Record> ours, before;
  for (const Record& record : records) {
    if (!whose || *whose != pr_of(record.id.key)) continue;
    ours.push_back(record);
    if (base && record.id.kind == kFinding) {
      PAWL_ASSIGN(Record was, known.load(record.id));
      if (was.revision > 0) before.push_back(std::move(was));
    }
  }
  if (!base) return whose ? written(*whose, std::move(ours)) : new_state(ours);
  const auto scanned = scan_state(*base);
  bool comments = false;
  if (scanned) {
    PAWL_ASSIGN(const bool anew, shows_an_earlier_one(*scanned, ours, known));
    if (anew) return written(*whose, std::move(ours));
    // What comes back stands where it stood, among those that stayed.
    const bool back = std::any_of(before.begin(), before.end(), [](const Record& was) { return !was.present(); });
    std::vector<Record> others;
    if (back) {
      PAWL_ASSIGN(others, whole_of(*whose, {}, known));
      std::set<RecordId> our_ids;
      for (const Record& our : ours) our_ids.insert(our.id);
      std::erase_if(others, [&](const Record& one) { return our_ids.contains(one.id); });
    }
    EditedState made = edit_state(*scanned, ours, before, others);
    if (reads_back(made)) return std::move(made.text);
    comments = made.text->find("<!--") != std::string::npos;
  }
  // What stands there cannot be written on: the whole of it is written anew. Where no comment swallows what follows
  // it, that is a fault of the writer's, and no reason to lose the words of others.
  PAWL_ASSIGN(const auto whole, whole_of(*whose, ours, known));
  if (scanned && !comments) {
    PAWL_ASSIGN(const auto then, whole_of(*whose, {}, known));
    const auto own = new_state(then);
    if (!own || has_others_words(*base, *own))
      return fail(ErrorCode::internal,
                  cat("the file of the review of ", printable(*whose), " would not say what it is to say"),
                  "nothing was changed; take what others wrote out of the file, and try again");
  }
  return written(*whose, whole);
}

}  // namespace pawl::review
