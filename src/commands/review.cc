#include "commands/review.h"

#include <algorithm>
#include <array>

#include "base/shell_word.h"
#include "base/text.h"
#include "commands/present.h"
#include "engine/effects.h"
#include "integrations/pull_ref.h"
#include "lifecycles/review/export_file.h"
#include "lifecycles/review/finding_text.h"

namespace pawl::review {
namespace {

Result<std::vector<Record>> ranked(const View& view, std::string_view kind, const std::string& from,
                                   const std::string& below) {
  Query query;
  query.kind = kind;
  query.include_aside = true;
  query.rank_from = from;
  query.rank_below = below;
  return view.list(query);
}

auto no_review(std::string message) {
  return fail(ErrorCode::not_found, std::move(message), "pawl review start PR begins one; pawl review list shows them");
}

// A number alone may be any repository's.
bool is_meant(const Record& review, const std::string& typed) {
  std::string_view number = typed;
  if (number.starts_with('#')) number.remove_prefix(1);
  if (const auto plain = parse_positive(number)) return integer_or(review.doc, "pr_number") == *plain;
  const auto ref = github::parse_pull_ref(typed, std::string(github::host_of(typed)), nullptr);
  return ref && ref->text() == review.id.key;
}

std::string box(const std::string& status) {
  if (status == kReviewed) return "[x]";
  if (status == kSkipped) return "[-]";
  return status == kInProgress ? "[>]" : "[ ]";
}

}  // namespace

std::vector<Record> Whole::all() const {
  std::vector<Record> out = {review};
  out.insert(out.end(), chunks.begin(), chunks.end());
  out.insert(out.end(), findings.begin(), findings.end());
  return out;
}

Look look_at_state() {
  Look look;
  look.records.push_back({std::string(kFinding), "", ""});
  return look;
}

Look look_at_files() {
  Look look;
  look.records.push_back({std::string(kReview), "", ""});
  look.records.push_back({std::string(kChunk), "", ""});
  return look;
}

Result<Record> InView::load(const RecordId& id) const { return view_.load(id, RecordPart::without_doc); }
Result<std::vector<Record>> InView::ranked(std::string_view kind, const std::string& from,
                                           const std::string& below) const {
  return review::ranked(view_, kind, from, below);
}

Result<std::optional<Record>> current_review(const View& view) {
  PAWL_ASSIGN(auto reviews, ranked(view, kReview, "", ""));
  for (Record& one : reviews) {
    if (!one.aside && one.present()) return std::optional(std::move(one));
  }
  return std::optional<Record>();
}

Result<Record> review_meant(const View& view, const std::string& typed) {
  if (typed.empty()) {
    PAWL_ASSIGN(auto current, current_review(view));
    if (current) return std::move(*current);
    return no_review("there is no review here");
  }
  PAWL_ASSIGN(auto reviews, ranked(view, kReview, "", ""));
  std::vector<Record> found;
  std::string names;
  for (Record& one : reviews) {
    if (!is_meant(one, typed)) continue;
    names += cat(names.empty() ? "" : ", ", printable(one.id.key));
    found.push_back(std::move(one));
  }
  if (found.size() == 1) return std::move(found.front());
  if (found.empty()) return no_review(cat("there is no review of “", printable(typed.substr(0, 200)), "”"));
  return fail(ErrorCode::invalid_argument, cat("“", printable(typed.substr(0, 200)), "” may be ", names),
              "say owner/repo#123");
}

Result<std::vector<Record>> chunks_of(const View& view, std::string_view pr) {
  return ranked(view, kChunk, rank_from(pr), rank_below(pr));
}
Result<std::vector<Record>> findings_of(const View& view, std::string_view pr) {
  return ranked(view, kFinding, rank_from(pr), rank_below(pr));
}

Result<Whole> whole_of(const View& view, Record review) {
  Whole whole;
  whole.review = std::move(review);
  PAWL_ASSIGN(whole.chunks, chunks_of(view, whole.pr()));
  PAWL_ASSIGN(whole.findings, findings_of(view, whole.pr()));
  return whole;
}

Result<bool> whether_posted_is_unknown(const View& view, const Record& review) {
  const std::string marker = string_or(review.doc, kPosting);
  if (marker.empty() || review.status != kActive) return false;
  PAWL_ASSIGN(const auto effects, view.store().effects_in(EffectState::intended));
  return std::any_of(effects.begin(), effects.end(), [&](const Effect& one) {
    return one.marker == marker && !effect_is_under_way(view.store(), one);
  });
}

Done must_be_active(const Record& review) {
  if (review.status == kActive) return done();
  return fail(ErrorCode::illegal_move, cat("the review of ", printable(review.id.key), " was posted"),
              cat("pawl review start ", printable(review.id.key), " begins another"));
}

std::optional<bool> asked_yes(Context& context, std::string_view question) {
  const auto answer = context.ask(cat(question, " [y/n]"));
  if (!answer) return std::nullopt;
  const std::string_view word = trim(*answer);
  return word == "y" || word == "Y" || word == "yes";
}

Result<Whole> read_whole(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  Whole whole;
  PAWL_TRY(engine->read(look_at_files(), context.flags.at, [&](const View& view) -> Done {
    PAWL_ASSIGN(Record review, review_meant(view, arguments.text_or("pr", "")));
    PAWL_ASSIGN(whole, whole_of(view, std::move(review)));
    if (context.flags.at) return done();
    PAWL_ASSIGN(whole.look_alikes, look_alikes_of(*engine, view, whole.review));
    PAWL_ASSIGN(whole.vanished, vanished_of(view, whole.review, whole.findings));
    PAWL_ASSIGN(whole.post_unknown, whether_posted_is_unknown(view, whole.review));
    PAWL_ASSIGN(const auto file, view.store().mirror(kStatePath, MirrorPart::without_bytes));
    whole.file_is_gits = file && file->state == kLeftToGit && !whole.review.aside;
    return done();
  }));
  say_head_written(context, whole.review);
  if (!context.flags.at) whole.unread = unread_copies(*engine, whole.review);
  return whole;
}

void say_head_written(Context& context, const Record& review) {
  const std::string written = string_or(review.doc, kHeadWritten);
  if (written.empty()) return;
  const Error told = head_put_back(string_or(review.doc, "head_sha"), written);
  context.note(cat(kStatePath, " was changed outside pawl: ", told.message, "\n  ", told.hint));
}

Result<Outcome> change_review(Context& context, const std::string& typed, const Look& look,
                              const DecideReview& decide) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  return engine->change(context.request(), look, [&](const View& view, const Now& now) -> Result<Decision> {
    PAWL_ASSIGN(const Record review, review_meant(view, typed));
    PAWL_ASSIGN(Decision decision, decide(view, review, now));
    if (!decision.changes.empty()) say_head_written(context, review);
    return decision;
  });
}

Json finding_json(const Record& finding) {
  const Json& doc = finding.doc;
  Json out{{"id", part_of_key(finding.id.key)}, {"marked", finding.status == kMarked}};
  for (const char* name :
       {"severity", "title", "file", "line", "end_line", "category", "confidence", "outdated", "body", "updated"}) {
    if (const auto found = doc.find(name); found != doc.end()) out[name] = *found;
  }
  if (const auto suggestion = suggestion_in(string_or(doc, "body"))) out["suggestion"] = suggestion->text;
  const auto confidence = doc.find("confidence");
  if (confidence != doc.end() && confidence->is_number_integer() && confidence->get<std::int64_t>() < kThreshold)
    out["below_threshold"] = true;
  return out;
}

Json chunk_json(const Record& chunk) {
  return Json{{"chunk", number_of(chunk.id)},
              {"files", chunk.doc.contains("files") ? chunk.doc["files"] : Json::array()},
              {"loc", integer_or(chunk.doc, "loc")},
              {"status", chunk.held.value_or(chunk.status)}};
}

Json state_json(const Whole& whole) {
  const Json& doc = whole.review.doc;
  Json out = Json::object();
  std::string updated = string_or(doc, "updated");
  for (const auto* list : {&whole.chunks, &whole.findings}) {
    for (const Record& one : *list) updated = std::max(updated, string_or(one.doc, "updated"));
  }
  for (const char* name : {"pr_owner", "pr_repo", "pr_number", "head_sha", "started"}) {
    out[name] = doc.contains(name) ? doc[name] : Json();
  }
  out["updated"] = updated;
  for (const char* name : {"mode", "focus", "self_review"}) out[name] = doc.contains(name) ? doc[name] : Json();
  if (doc.contains(kLeftOut)) out[kLeftOut] = doc[kLeftOut];
  out["pr"] = whole.pr();
  out["status"] = whole.review.status;
  if (whole.review.aside) out["aside"] = true;
  if (!whole.unread.empty()) out["unread"] = whole.unread;
  if (!whole.look_alikes.empty()) out["look_alikes"] = look_alikes_json(whole.look_alikes);
  if (!whole.vanished.empty()) out["vanished"] = vanished_json(whole.vanished);
  if (whole.post_unknown) out["post_unknown"] = true;
  out["chunks"] = Json::array();
  std::int64_t over = 0;
  for (const Record& chunk : whole.chunks) {
    out["chunks"].push_back(chunk_json(chunk));
    over += chunk_machine().terminal(chunk.status) ? 1 : 0;
  }
  out["findings"] = Json::array();
  Json counts = Json::object();
  for (const std::string_view word : kSeverityWords) counts[std::string(word)] = 0;
  std::int64_t unmarked = 0;
  for (const Record& finding : whole.findings) {
    out["findings"].push_back(finding_json(finding));
    const std::string word = string_or(finding.doc, "severity");
    counts[word] = integer_or(counts, word) + 1;
    unmarked += finding.status == kUnmarked ? 1 : 0;
  }
  out["comments_by_file"] = doc.contains("comments") ? doc["comments"] : Json::object();
  const Record* const next = next_chunk(whole.chunks);
  out["progress"] = {{"chunks", whole.chunks.size()},
                     {"done", over},
                     {"next", next == nullptr ? Json() : Json(number_of(next->id))},
                     {"findings", std::move(counts)},
                     {"unmarked", unmarked}};
  return out;
}

std::string head_moved_words(std::string_view state, std::string_view current) {
  return cat("Warning: PR head has changed since the review started.\n  State SHA:   ", printable(state),
             "\n  Current SHA: ", printable(current));
}

std::string joined(const Json& list) {
  std::string out;
  for (const Json& one : list)
    out += cat(out.empty() ? "" : ", ", printable(one.is_string() ? one.get<std::string>() : ""));
  return out;
}

std::string finding_line(const Json& finding, const TextStyle& style) {
  const Location at{string_or(finding, "file"), integer_or(finding, "line"), integer_or(finding, "end_line")};
  std::string notes;
  const auto add = [&](std::string_view text) { notes += cat(notes.empty() ? "" : ", ", text); };
  if (finding.contains("below_threshold")) add(cat("confidence ", integer_or(finding, "confidence")));
  if (finding.contains("outdated")) add("outdated");
  const Severity* const how = severity(string_or(finding, "severity"));
  const std::string id = string_or(finding, "id");  // one of an export has none
  return cat(finding["marked"] == true ? "[x] " : "[ ] ", id.empty() ? "" : bold(id, style), id.empty() ? "" : "  ",
             how == nullptr ? std::string_view() : how->sign, " ", printable(at.text()), "  ",
             printable(string_or(finding, "title")), notes.empty() ? "" : faint(cat("  (", notes, ")"), style), "\n");
}

std::string said_where(const Json& findings, const TextStyle& style) {
  std::string inline_ones, rest;
  for (const Json& one : findings) {
    const auto found = one.find("inline");
    (found != one.end() && *found == true ? inline_ones : rest) += cat("  ", finding_line(one, style));
  }
  const auto under = [](std::string_view title, const std::string& list) {
    return list.empty() ? std::string() : cat(title, "\n", list);
  };
  return cat(under("on lines of the diff:", inline_ones), under("in the review's text:", rest));
}

std::string held_text(const Json& chunks) {
  std::string out;
  for (const Json& chunk : chunks) {
    const std::string status = string_or(chunk, "status");
    if (chunk_machine().status(status) != nullptr) continue;
    out += cat("chunk ", integer_or(chunk, "chunk"), ": “", printable(status.substr(0, 80)),
               "” is not a status: ", join_or(status_names(chunk_machine())), "\n    pawl review mark ",
               integer_or(chunk, "chunk"), " STATUS\n");
  }
  return out;
}

std::string review_in_words(const Json& state) {
  std::string out =
      cat(printable(string_or(state, "mode")), " review at ", printable(string_or(state, "head_sha").substr(0, 12)));
  if (const std::string focus = string_or(state, "focus"); !focus.empty()) out += cat(", focus ", printable(focus));
  if (state["self_review"] == true) out += ", of one's own";
  if (state.contains("aside"))
    out += string_or(state, "status") == kPosted
               ? " (posted)"
               : cat(" (set aside; pawl review continue ", shell_word(string_or(state, "pr")), " takes it up)");
  return out;
}

std::string state_text(const Json& state, const TextStyle& style) {
  return cat(bold(printable(string_or(state, "pr")), style), "  ", review_in_words(state), "\nstarted ",
             printable(time_in_words(string_or(state, "started"), style)), ", last changed ",
             printable(time_in_words(string_or(state, "updated"), style)), "\n\n", plan_text(state, style));
}

std::string post_unknown_text(const std::string& pr) {
  return cat("[!] ", kPostUnknown, "\n    pawl review post --pr ", printable(pr), "  # looks for it there first\n");
}

std::string plan_text(const Json& state, const TextStyle& style) {
  std::string out, under_way;
  const std::string held = held_text(state["chunks"]);
  for (const Json& chunk : state["chunks"]) {
    const std::string status = string_or(chunk, "status");
    if (status == kInProgress) under_way += cat(under_way.empty() ? "" : " and ", integer_or(chunk, "chunk"));
    out += cat(box(status), " ", integer_or(chunk, "chunk"), "  ", joined(chunk["files"]),
               faint(cat("  (", counted(integer_or(chunk, "loc"), "line"), ", ", printable(status), ")"), style), "\n");
  }
  if (state.contains(kLeftOut)) {
    for (const Json& file : state[kLeftOut])
      out += cat("[!] in no chunk, as its name cannot stand there: ",
                 printable(file.is_string() ? file.get<std::string>() : ""), "\n");
  }
  if (state.contains("unread")) out += unread_text(state["unread"]);
  if (state.contains("look_alikes")) out += look_alikes_text(state["look_alikes"]);
  if (state.contains("vanished")) out += vanished_text(state["vanished"], string_or(state, "pr"));
  if (state.contains("post_unknown")) out += post_unknown_text(string_or(state, "pr"));
  const Json& progress = state["progress"];
  const std::int64_t all = integer_or(progress, "chunks"), over = integer_or(progress, "done");
  out += cat("\n", over, " of ", all, " chunks done (", all == 0 ? 100 : over * 100 / all, " %)",
             !progress["next"].is_null() ? cat("; next: chunk ", integer_or(progress, "next"))
             : string_or(state, "status") == kActive && held.empty() ? cat("; ", kAllOver)
                                                                     : std::string(),
             "\n");
  if (under_way.find(" and ") != std::string::npos)
    out += cat("chunks ", under_way, " are both in progress, and only one may be: pawl review mark N reviewed\n");
  out += held;
  out += "findings: ";
  for (const Severity& one : kSeverities)
    out += cat(one.word == kSeverities[0].word ? "" : ", ", one.sign, " ", integer_or(progress["findings"], one.word),
               " ", one.word);
  if (const std::int64_t unmarked = integer_or(progress, "unmarked"); unmarked > 0)
    out += cat("; ", unmarked, " not marked for GitHub");
  out += "\n";
  for (const Json& finding : state["findings"]) out += finding_line(finding, style);
  return out;
}

}  // namespace pawl::review
