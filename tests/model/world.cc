#include "model/world.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <set>

#include "base/file.h"
#include "base/text.h"
#include "core/decide.h"
#include "core/file_spec.h"
#include "engine/resolve.h"
#include "engine/undo.h"
#include "support/model_lifecycles.h"

namespace pawl::model {
namespace {

std::string stem(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return std::string(name.substr(0, name.rfind('.')));
}

}  // namespace

// A path with a lifecycle of the model.
struct World::Format final : MirrorFormat {
  Format(std::string at, const model::Lifecycle& lifecycle, std::set<std::string, std::less<>> gates_met)
      : path(std::move(at)), format_name(cat("model ", path)), codec(*lifecycle.shape) {
    declared.law = lifecycle.law;
    declared.codec = &codec;
    declared.size_cap = 1'000'000;
    if (lifecycle.shape->lists.empty()) {
      declared.only_key = lifecycle.shape->key == merge::JsonShape::Key::owner
                              ? [](std::string_view, std::string_view owner) { return std::string(owner); }
                              : [](std::string_view at_path, std::string_view) { return stem(at_path); };
    }
    declared.gate_met = [met = std::move(gates_met)](const merge::OurRecord&, std::string_view gate, const Json&,
                                                     const merge::Records&) { return met.contains(gate); };
  }
  [[nodiscard]] std::string_view name() const override { return format_name; }
  [[nodiscard]] std::vector<MirrorPlace> places(const Settings&) const override { return {{".", path, path}}; }
  [[nodiscard]] bool accepts(std::string_view file_name) const override { return file_name == path; }
  [[nodiscard]] std::optional<std::string> path_of(const RecordId& id, const Settings&) const override {
    const bool here = id.scope == path || id.scope.starts_with(path + "|");
    return here && id.kind == declared.law->kinds.front().kind ? std::optional(path) : std::nullopt;
  }
  [[nodiscard]] const FileSpec* spec() const override { return &declared; }

  std::string path, format_name;
  merge::JsonCodec codec;
  FileSpec declared;
};

World::World(const Json& head, std::string folder) : folder_(std::move(folder)), head_(head) {
  std::set<std::string, std::less<>> gates;
  for (const Json& gate : head.value("gates_met", Json::array())) gates.insert(gate.get<std::string>());
  std::map<std::string_view, std::vector<const MirrorFormat*>> by_kind;
  for (const auto& [path, name] : head["lifecycles"].items()) {
    const auto found = std::find_if(kLifecycles.begin(), kLifecycles.end(),
                                    [&](const Lifecycle& one) { return one.name == name.get<std::string>(); });
    formats_.push_back(std::make_unique<Format>(path, *found, gates));
    by_kind[found->law->kinds.front().kind].push_back(formats_.back().get());
  }
  for (const auto& [kind, formats] : by_kind) of_kind_.push_back(formats);
  std::size_t at = 0;
  for (const auto& [kind, formats] : by_kind) {
    pawl::Lifecycle row;
    row.kind = kind;
    row.machine = formats.front()->spec()->law->kinds.front().machine;
    row.formats = of_kind_[at++];
    rows_.push_back(row);
  }
  lifecycles_ = std::make_unique<Lifecycles>(rows_);
  open_engine();
}

World::~World() {
  for (const auto& [path, fd] : writers_) close(fd);
}

void World::open_engine() {
  static const SystemClock clock;
  EngineOptions options;
  options.dir = folder_;
  options.lifecycles = lifecycles_.get();
  options.clock = &clock;
  options.over = {{"outside", head_.value("outside", "restore")}, {"gates", head_.value("gates", "require")}};
  options.hooks.git = [this](const std::string& path) {
    const std::string says = git_[path];
    return says == "git"       ? merge::GitState::brought
           : says == "at_work" ? merge::GitState::at_work
                               : merge::GitState::none;
  };
  options.hooks.at = [this](std::string_view point) {
    const auto steps = meanwhile_.extract(std::string(point));
    if (steps) {
      for (const Json& step : steps.mapped()) apply(step);
    }
    if (kill_ == point) {
      kill_.clear();
      throw Killed();
    }
  };
  engine_ = Engine::open(options).value();
}

std::string World::apply(const Json& step) {
  try {
    const Done done = perform(step);
    kill_.clear();
    // A refused command comes to all points but those of an exchange.
    for (const char* const point : {"decided", "staged", "committed"}) {
      const auto steps = meanwhile_.extract(point);
      if (!steps) continue;
      for (const Json& one : steps.mapped()) apply(one);
    }
    meanwhile_.clear();
    if (!done && std::getenv("PAWL_MODEL_VERBOSE") != nullptr)
      fprintf(stderr, "%s: %s\n", to_line(step).c_str(), done.error().message.c_str());
    return done ? "ok" : std::string(facts_of(done.error().code).name);
  } catch (const Killed&) {
    meanwhile_.clear();
    engine_.reset();
    open_engine();
    return "killed";
  }
}

void World::arm(const Json& step) {
  kill_ = step.value("kill", "");
  const Json meanwhile = step.value("meanwhile", Json::object());
  for (const auto& [point, steps] : meanwhile.items()) {
    static const std::set<std::string> kOfFiles = {"write", "open", "close"};
    const bool files = std::all_of(steps.begin(), steps.end(),
                                   [](const Json& one) { return kOfFiles.contains(one["do"].get<std::string>()); });
    // Under the store's gate no other command comes in between: it is before this one, or after it.
    if (!files) {
      for (const Json& one : steps) apply(one);
    } else {
      meanwhile_[point] = steps;
    }
  }
}

Done World::perform(const Json& step) {
  const std::string path = step.value("path", "file.json"), what = step["do"].get<std::string>();
  if (what == "write") {
    git_[path] = step.value("git", "");
    unlink(full(path).c_str());
    if (step["text"].is_string()) {
      const std::string name = full(path) + ".new";
      std::ofstream(name) << step["text"].get<std::string>();
      rename(name.c_str(), full(path).c_str());
    }
    return done();
  }
  if (what == "open" || what == "close") {
    if (what == "open") writers_.emplace_back(path, ::open(full(path).c_str(), O_RDWR));
    const int fd = what == "open" ? writers_.back().second : writers_.front().second;
    if (step.contains("text")) {
      const std::string text = step["text"].get<std::string>();
      if (ftruncate(fd, 0) != 0 || pwrite(fd, text.data(), text.size(), 0) < 0) return fail(ErrorCode::io, "write");
    }
    if (what == "open") return done();
    ::close(fd);
    writers_.erase(writers_.begin());
    return done();
  }
  if (what == "settings") {
    head_.update(step);
    engine_.reset();
    open_engine();
    return done();
  }
  if (away_ && what != "come_back") return fail(ErrorCode::unavailable, "pawl has left");
  arm(step);
  if (what == "look") return run(step, decide_nothing);
  if (what == "leave") {
    const Done looked = run(step, decide_nothing);
    away_ = looked.has_value();
    return looked;
  }
  if (what == "come_back") {
    away_ = false;
    return run(step, decide_nothing, true);
  }
  if (what == "undo") {
    Request request;
    request.verb = "undo";
    request.actor = "ann";
    const auto number = step.contains("number") ? std::optional(step["number"].get<std::int64_t>()) : std::nullopt;
    const auto undone = undo(*engine_, request, number, nullptr, false);
    return undone ? done() : Done(tl::unexpected(undone.error()));
  }
  if (what == "accept" || what == "restore") return resolve(step);
  return run(step, [&](const View& view, const Now&) { return decide(step, view); });
}

Done World::run(const Json& step, const Decide& decide, bool take_whole) {
  Request request;
  request.verb = step["do"].get<std::string>();
  request.actor = "ann";
  if (take_whole) request.accept = request.actor;
  Look look;
  look.all = true;
  const auto outcome = engine_->change(request, look, decide);
  return outcome ? done() : Done(tl::unexpected(outcome.error()));
}

MirrorFile World::file_of(const std::string& path) const {
  for (const auto& format : formats_) {
    if (format->path == path) return {path, path, format.get()};
  }
  return {};
}

Result<Decision> World::decide(const Json& step, const View& view) const {
  const std::string path = step.value("path", "file.json"), what = step["do"].get<std::string>();
  const MirrorFile file = file_of(path);
  const FileSpec& spec = *file.format->spec();
  PAWL_ASSIGN(const std::string owner, view.owner_of(path));
  const bool list = spec.only_key == nullptr;
  const std::string key = list ? step.value("key", "") : spec.only_key(path, step.value("key", ""));
  const RecordId id{std::string(spec.law->kinds.front().kind), scope_of(file, owner), key};
  if (what == "move") return move(step, view, id);
  PAWL_ASSIGN(const Record record, view.load(id));
  const auto ours = list || spec.law->kinds.front().identities ? key == owner || list : true;
  Decision decision;
  Change change{record, record, what, Json(), false};
  if (what == "add") {
    const bool identities = spec.law->kinds.front().identities;
    if (record.present() || (identities && record.revision > 0)) return fail(ErrorCode::already_exists, key);
    change.after.status = step["status"].get<std::string>();
    Json doc = Json::object();
    if (list) doc["id"] = key;
    doc.update(step.value("members", Json::object()));
    change.after.doc = std::move(doc);
    change.assigns_status = true;
  } else {
    if (!record.present() || record.aside || !ours) return fail(ErrorCode::not_found, key);
    if (what == "drop") {
      change.after.status.clear();
      change.after.held.reset();
      change.after.doc = Doc();
    } else {
      Json doc = record.doc;
      doc.update(step["members"]);
      change.after.doc = std::move(doc);
      PAWL_ASSIGN(const auto newest, view.store().event_at(id, INT64_MAX));
      change.unverified = newest && newest->unverified;
      if (record.held) {  // the status stays what it is: the store's
        PAWL_ASSIGN(const Record stored, view.store().load(id));
        change.after.status = stored.present() ? stored.status : std::string();
        change.after.held.reset();
      }
    }
  }
  decision.changes.push_back(std::move(change));
  return decision;
}

Result<Decision> World::move(const Json& step, const View& view, const RecordId& id) const {
  const KindLaw& law = file_of(step.value("path", "file.json")).format->spec()->law->of(id.kind);
  const std::string to = step["status"].get<std::string>();
  PAWL_ASSIGN(Record record, view.load(id));
  if (!record.present()) {
    if (!law.is_start(to)) return fail(ErrorCode::illegal_move, to);
    Json add = step;
    add["do"] = "add";
    return decide(add, view);
  }
  Decision decision;
  if (record.aside) {  // its file was removed: the whole list returns
    for (const auto& format : formats_) {
      const auto path = format->path_of(id, engine_->settings());
      if (path) decision.owners[*path] = view.owner_of(*path).value();
    }
    Query query;
    query.kind = id.kind;
    query.scope = id.scope;
    query.include_aside = true;
    PAWL_ASSIGN(const auto list, view.list(query));
    for (const Record& other : list) {
      if (!other.aside || other.id == id) continue;
      Change back{other, other, "back", Json(), false};
      back.after.aside = false;
      decision.changes.push_back(std::move(back));
    }
  }
  Record stored = record;
  if (record.held) {
    PAWL_ASSIGN(stored, view.store().load(id));
  }
  const std::string from = record.held && stored.present() ? stored.status : record.status;
  if (!from.empty() && law.machine->move(from, to) == nullptr) return fail(ErrorCode::illegal_move, to);
  Change change{record, record, "move", Json(), false, true};
  change.after.status = to;
  change.after.held.reset();
  change.after.aside = false;
  Json doc = record.doc;
  doc.update(step.value("members", Json::object()));
  change.after.doc = std::move(doc);
  decision.changes.push_back(std::move(change));
  return decision;
}

Done World::resolve(const Json& step) {
  const std::string path = step.value("path", "file.json"), key = step.value("key", "");
  Request request;
  request.verb = step["do"].get<std::string>();
  request.actor = "ann";
  request.reason = step.value("reason", "");
  ConflictTarget target{file_of(path)};
  const bool list = target.file.format->spec()->only_key == nullptr;
  const std::string wanted = key.empty() || list ? key : target.file.format->spec()->only_key(path, key);
  if (request.verb == "restore") {
    PAWL_ASSIGN(std::string owner, Result<std::string>(std::string()));
    PAWL_TRY(engine_->read_store([&](const View& view) -> Done {
      PAWL_ASSIGN(owner, view.owner_of(path));
      return done();
    }));
    if (step.contains("key") && !step["key"].is_null())
      target.record = RecordId{std::string(target.file.format->spec()->law->kinds.front().kind),
                               scope_of(target.file, owner), wanted};
    const auto restored = restore_mirror(*engine_, request, target);
    return restored ? done() : Done(tl::unexpected(restored.error()));
  }
  PAWL_TRY(run({{"do", "look"}}, decide_nothing));
  std::vector<StoredConflict> open;
  PAWL_TRY(engine_->read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(open, view.store().conflicts({.path = path}));
    return done();
  }));
  for (const StoredConflict& conflict : open) {
    const bool same_key = wanted.empty() || wanted == conflict.cell.record.key;
    if (!same_key || (step.contains("member") && step["member"] != conflict.cell.member)) continue;
    target.conflict = conflict.id;
    const auto accepted = accept_conflicts(*engine_, request, target);
    return accepted ? done() : Done(tl::unexpected(accepted.error()));
  }
  return fail(ErrorCode::not_found, "no conflict");
}

Json World::state(const Json& known) {
  Json out{{"records", Json::array()}, {"files", Json::object()}, {"conflicts", Json::array()}};
  for (const auto& format : formats_) {
    const auto image = read_file(full(format->path), std::size_t{1} << 24U);
    out["files"][format->path] = image && image->exists ? Json(image->bytes) : Json();
  }
  const Done read = engine_->read_store([&](const View& view) -> Done {
    Overlay nothing;
    const Records records(*lifecycles_, view.store(), nothing);
    std::set<RecordId> told;
    const auto add = [&](const std::string& path, const std::string& owner, const std::string& key,
                         const RecordId& id) -> Done {
      if (!told.insert(id).second) return done();
      PAWL_ASSIGN(const Record record, view.store().load(id));
      if (record.revision == 0) return done();
      PAWL_ASSIGN(const merge::OurRecord ours, records.as_ours(record));
      PAWL_ASSIGN(const auto newest, view.store().event_at(id, INT64_MAX));
      const bool removed = ours.state == merge::State::removed;
      constexpr std::array kStates = {"active", "inactive", "removed"};
      out["records"].push_back({{"path", path},
                                {"owner", owner},
                                {"key", key},
                                {"status", removed ? Json() : ours.entry.status},
                                {"members", removed ? Json() : ours.entry.members},
                                {"state", kStates[static_cast<std::size_t>(ours.state)]},
                                {"unverified", newest && newest->unverified}});
      return done();
    };
    for (const Json& one : known) {
      const std::string path = one["path"], owner = one["owner"];
      const MirrorFile file = file_of(path);
      const FileSpec& spec = *file.format->spec();
      const std::string key = one["key"];
      PAWL_TRY(add(path, owner, key,
                   {std::string(spec.law->kinds.front().kind), scope_of(file, owner),
                    spec.only_key == nullptr ? key : spec.only_key(path, key)}));
    }
    for (const auto& format : formats_) {
      Query query;
      query.kind = format->declared.law->kinds.front().kind;
      query.include_aside = true;
      PAWL_ASSIGN(const auto all, view.store().list(query));
      for (const Record& record : all) {
        if (!told.contains(record.id)) out["records"].push_back({{"extra", record.id.scope + "/" + record.id.key}});
      }
    }
    PAWL_ASSIGN(const auto open, view.store().conflicts({}));
    for (const StoredConflict& conflict : open) {
      const bool whole = is_of_whole_file(conflict);
      const auto theirs = theirs_in(conflict);
      const MirrorFile file = file_of(conflict.cell.path);
      std::string key = conflict.cell.record.key;
      if (file.format->spec()->only_key != nullptr && key == stem(file.path)) key = file.path;
      out["conflicts"].push_back({{"path", conflict.cell.path},
                                  {"key", whole ? "" : key},
                                  {"member", conflict.code == "unread" ? "" : conflict.cell.member},
                                  {"theirs", whole || conflict.code == "unread" ? Json("*")
                                             : theirs                           ? *theirs
                                                                                : Json{{"absent", true}}},
                                  {"code", conflict.code},
                                  {"blocks", blocks(conflict)}});
    }
    return done();
  });
  if (!read) out["error"] = read.error().message;
  return out;
}

}  // namespace pawl::model
