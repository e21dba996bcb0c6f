#include "base/file.h"
#include "base/text.h"
#include "commands/story.h"
#include "engine/claims.h"
#include "engine/git_state.h"
#include "engine/told_apart.h"
#include "engine/typed_path.h"
#include "lifecycles/story/prd_file.h"

namespace pawl::story {
namespace {

constexpr std::string_view kOrdinary = "prd.json";

std::string key_in(const std::string& typed) {
  for (const std::string_view kind : {kKind, kPasses}) {
    if (typed.starts_with(cat(kind, "/"))) return typed.substr(kind.size() + 1);
  }
  return typed;
}

bool is_open(const Record& record) { return record.present() && !record.aside; }

}  // namespace

std::string file_of(const RecordId& id) { return id.scope.empty() ? std::string(kOrdinary) : id.scope; }

Result<Record> story_meant(const Engine& engine, const View& view, const Arguments& arguments) {
  const std::string key = key_in(arguments.text_or("id", ""));
  const auto typed = arguments.text("file");
  PAWL_ASSIGN(const std::string file, typed ? typed_path(engine, view, *typed) : Result<std::string>(std::string()));
  PAWL_ASSIGN(auto ids, view.store().find_key(key));
  for (const auto& [id, record] : view.overlay()) {
    if (id.key == key) ids.push_back(id);
  }
  std::map<RecordId, Record> open;
  Record passed = absent_record({std::string(kKind), {}, key});  // one that was there
  for (const RecordId& id : ids) {
    if (!is_story(id.kind) || (typed && file_of(id) != file)) continue;
    PAWL_ASSIGN(Record record, view.load(id));
    if (is_open(record)) {
      open.emplace(id, std::move(record));
    } else if (record.present() || !passed.present()) {
      passed = std::move(record);
    }
  }
  if (open.size() == 1) return open.begin()->second;
  if (open.empty()) return passed;
  std::string files;
  for (const auto& [id, record] : open) files += cat(files.empty() ? "" : " and ", printable(file_of(id)));
  return fail(ErrorCode::invalid_argument, cat("there is a story ", printable(key), " in ", files),
              "--file FILE names the one that is meant");
}

namespace {

// One that git is about to merge is left alone, which has been said; pawl knows what stood in it.
bool is_known_conflict(Engine& engine, const std::string& path, std::string_view bytes) {
  if (!has_conflict_markers(bytes) || !engine.has_store()) return false;
  bool known = false;
  const Done looked = engine.read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(const auto row, view.store().mirror(path, MirrorPart::without_before));
    known = row && row->bytes;
    return done();
  });
  return looked && known;
}

}  // namespace

Done lists_can_be_read(Engine& engine) {
  const MirrorWorld world = engine.world();
  for (const MirrorPlace& place : prd_file().places(engine.settings())) {
    const std::string path = place.folder == "." ? place.file : cat(place.folder, "/", place.file);
    const auto image = read_file(world.roots->absolute(path), prd_file().max_bytes());
    if (!image || !image->exists || image->too_large) continue;
    const auto content = prd_file().parse(path, place.scope, image->bytes);
    if (!content && !is_known_conflict(engine, path, image->bytes))
      return fail(ErrorCode::corruption, cat(printable(path), " cannot be read: ", content.error().message),
                  "mend it there; nothing is written over it");
  }
  return done();
}

Result<Record> read_story(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  Record found;
  PAWL_TRY(engine->read(look_at_stories(), context.flags.at, [&](const View& view) -> Done {
    PAWL_ASSIGN(found, story_meant(*engine, view, arguments));
    return done();
  }));
  if (found.present()) return found;
  return tl::unexpected(no_such_story(found.id.key));
}

Result<Outcome> change_story(Context& context, const Arguments& arguments, const DecideStory& decide,
                             const AnswerStory& more) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  Request request = context.request();
  request.token = arguments.number("token");
  return engine->change(request, look_at_stories(), [&](const View& view, const Now& now) -> Result<Decision> {
    PAWL_ASSIGN(const Record current, story_meant(*engine, view, arguments));
    // Whoever has lost it need not know what else would be wrong.
    if (request.token && current.present()) PAWL_TRY(check_token(view.store(), current.id, *request.token, now));
    Result<Change> decided = decide(current, now);
    if (!decided && current.present()) {
      PAWL_ASSIGN(decided.error().hint, told_apart(view, engine->lifecycles(), current.id, decided.error().hint));
    }
    PAWL_ASSIGN(Change change, std::move(decided));
    Decision decision;
    decision.answer = moved_json(change);
    if (more) PAWL_TRY(more(view, change, decision.answer));
    decision.changes.push_back(std::move(change));
    return decision;
  });
}

Json story_json(const Record& record) {
  Json out = shown_doc(record.doc);
  if (!out.contains("id")) out["id"] = record.id.key;
  if (record.id.kind == kPasses && record.present() && !record.held) out["passes"] = record.status == kPassed;
  out["status"] = record.held ? Json(*record.held) : record.status.empty() ? Json() : Json(record.status);
  out["file"] = file_of(record.id);
  out["tier"] = name_of(tier_of(record));
  if (record.held) out["held"] = true;
  if (record.aside) out["aside"] = true;
  const Own own = own_of(record.doc);
  const bool ended = !record.held && machine_of(record).terminal(record.status);  // then nobody would pick it
  if (own.stuck_for != Stuck::no && !ended) {
    out["not_picked"] = own.stuck;
    out["not_picked_for"] = word_of(own.stuck_for);
  }
  if (!own.printed.empty()) out["printed"] = own.printed;
  if (const std::int64_t due = due_of(record); due > 0) out["due_at"] = iso_time(due);
  if (own.failures > 0) out["failures"] = own.failures;
  return out;
}

Json moved_json(const Change& change) {
  Json out = story_json(change.after);
  if (!change.unverified) return out;
  out["unverified"] = true;
  if (const auto lacked = change.evidence.find("lacked"); lacked != change.evidence.end()) out["lacked"] = *lacked;
  return out;
}

std::string shown_id(const Json& story) {
  const auto id = story.find("id");
  if (id == story.end()) return {};
  return printable(id->is_string() ? id->get<std::string>() : to_line(*id));
}

std::string shown_status(const Json& story) {
  const std::string word = printable(string_or(story, "status"));
  return story.contains("held") ? cat("held: “", word, "”") : word.empty() ? "gone" : word;
}

std::string text_of_changed(const Json& story, const TextStyle&) {
  std::string out = cat("story ", shown_id(story), " is ", shown_status(story));
  if (story.contains("unverified")) {
    out += ", unverified";
    const Json lacked = story.value("lacked", Json::object());
    for (const auto& [gate, what] : lacked.items())
      out += cat("\n  ", gate, ": ", printable(what.is_string() ? what.get<std::string>() : to_line(what)));
  }
  if (const std::string why = string_or(story, "not_picked"); !why.empty())
    out += cat(", and is not picked (", printable(why), ")");
  return out + "\n";
}

}  // namespace pawl::story
