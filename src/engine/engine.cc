#include "engine/engine.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <utility>

#include "base/log.h"
#include "base/text.h"
#include "core/held_word.h"
#include "engine/as_left.h"
#include "engine/ended_in_git.h"
#include "engine/no_store.h"
#include "engine/round.h"
#include "store/sqlite/sqlite_store.h"

namespace pawl {
namespace {

constexpr int kMaxConflicts = 20;       // another engine's compare-and-swap may lose this often in a row
constexpr int kMaxDisplacedRounds = 8;  // a tool that writes as fast as we do is left for the next command then

}  // namespace

Result<std::unique_ptr<Engine>> Engine::open(const EngineOptions& options) {
  const StepTimer timer;
  std::unique_ptr<Engine> engine(new Engine());
  engine->options_ = options;
  PAWL_ASSIGN(engine->workspace_, options.users ? users_workspace() : find_workspace(options.dir));
  if (options.plain) {
    engine->settings_ = standard_settings(*options.lifecycles);
  } else {
    PAWL_ASSIGN(engine->settings_, load_settings(engine->workspace_, *options.lifecycles, options.found));
  }
  for (const auto& [key, value] : options.over) engine->settings_.set(key, value, SettingSource::file);
  // What all projects share is no project's to put right: a word that is no status is left standing, and shown.
  if (options.users) engine->settings_.set("outside", "flag", SettingSource::standard);
  engine->roots_.emplace(engine->workspace_.root, engine->workspace_.home,
                         allowed_folders(engine->settings_, *options.lifecycles),
                         std::vector{engine->workspace_.git_dir, engine->workspace_.store},
                         folders_not_allowed(engine->settings_, *options.lifecycles, options.found));
  engine->left_ = read_left(engine->workspace_.store);
  log_info("open", "workspace", engine->workspace_.root, "store", engine->workspace_.store, "us", timer.us());
  return engine;
}

Done must_be_kept(Transaction& store, std::int64_t operation) {
  PAWL_ASSIGN(const std::int64_t compacted, store.compacted_until());
  if (operation < compacted) {
    return fail(ErrorCode::not_found, cat("operation ", operation, " is older than what is kept"),
                cat("the past can be told from operation ", compacted, " on"));
  }
  PAWL_ASSIGN(const auto known, store.operation(operation));
  if (known || (operation == compacted && operation > 0)) return done();
  return fail(ErrorCode::not_found, cat("there is no operation ", operation), "pawl log lists them");
}

Result<std::optional<Operation>> answered_before(Transaction& store, const Request& request) {
  if (request.idempotency_key.empty()) return std::optional<Operation>();
  PAWL_ASSIGN(auto known, store.operation_by_key(request.idempotency_key));
  if (known && known->request_digest != request.digest) {
    return fail(ErrorCode::conflict,
                cat("the idempotency key “", printable(request.idempotency_key), "” was used for something else"),
                cat("operation ", known->id, " (pawl ", known->verb, ") has it; take another key"));
  }
  return known;
}

bool Engine::has_store() const {
  if (left_) return false;
  if (store_ != nullptr || access((workspace_.store + "/pawl.db").c_str(), F_OK) == 0) return true;
  return errno != ENOENT && errno != ENOTDIR;  // it cannot be told; opening it will say why
}

Error Engine::was_left(const LeftMark& left) const {
  return {ErrorCode::not_found, left_in_words(left, clock().now().wall_ms),
          "`pawl init` comes back, with what the files say by then"};
}

Result<Store*> Engine::store(bool create) {
  if (store_ != nullptr) return store_.get();
  if (left_) return tl::unexpected(was_left(*left_));
  if (!create && !has_store()) {
    return fail(ErrorCode::not_found, cat("there is no store for ", printable(workspace_.root), " yet"),
                "pawl init makes one");
  }
  if (create && !has_store()) {
    PAWL_TRY(make_store_folder(workspace_));
    if (const std::string_view network = network_file_system(workspace_.store); !network.empty()) {
      note(cat("the store is on a network file system (", network,
               "), whose locks cannot be relied on; let one machine at a time use it"));
    }
  }
  SqliteOptions sqlite;
  sqlite.folder = workspace_.store;
  sqlite.create = create;
  sqlite.one_shot = options_.one_shot;
  sqlite.busy_ms = parse_duration_ms(settings_.text("busy_timeout")).value_or(10'000);
  sqlite.note = [this](const std::string& text) { note(text); };
  PAWL_ASSIGN(store_, open_sqlite(sqlite));
  return store_.get();
}

Result<std::string> Engine::folder_to_write() {
  PAWL_TRY(store(true));
  return workspace_.store;
}

Result<std::vector<std::pair<MirrorFile, bool>>> Engine::files_for(Transaction& store, const Look& look) const {
  std::vector<std::pair<MirrorFile, bool>> files;
  for (const MirrorFile& file : look.files) files.emplace_back(file, true);
  for (const RecordId& id : look.records) {
    for (MirrorFile& file : files_of(world(), id)) files.emplace_back(std::move(file), true);
  }
  for (const RecordId& id : look.changed) {
    for (MirrorFile& file : files_of(world(), id)) files.emplace_back(std::move(file), false);
  }
  Folders folders(*world().roots);
  for (const Lifecycle& row : lifecycles().rows()) {
    const bool wanted = look.all || std::find(look.kinds.begin(), look.kinds.end(), row.kind) != look.kinds.end();
    if (!wanted || only_named_) continue;
    for (const MirrorFormat* format : row.formats) {
      // A file that stands in the way of one folder does not keep the others from being looked at.
      std::vector<Error> left_out;
      PAWL_ASSIGN(auto found, files_of(world(), store, *format, folders, &left_out));
      for (const Error& error : left_out)
        note(error.hint.empty() ? error.message : cat(error.message, "\n  ", error.hint));
      for (MirrorFile& file : found) files.emplace_back(std::move(file), false);
    }
  }
  // Several kinds may show in one file.
  std::stable_sort(files.begin(), files.end(),
                   [](const auto& a, const auto& b) { return a.first.path < b.first.path; });
  std::vector<std::pair<MirrorFile, bool>> once;
  for (auto& [file, strict] : files) {
    if (!once.empty() && once.back().first.path == file.path) {
      once.back().second = once.back().second || strict;
    } else {
      once.emplace_back(std::move(file), strict);
    }
  }
  std::stable_partition(once.begin(), once.end(),
                        [](const auto& one) { return !one.first.format->shows_parts_only(); });
  return once;
}

Done Engine::absorb_all(Absorber& absorber, Transaction& store, const Look& look) const {
  PAWL_ASSIGN(const auto files, files_for(store, look));
  const MirrorWorld world = this->world();
  for (const auto& [file, strict] : files) {
    Done looked = absorber.look(file);
    if (looked) continue;
    if (strict) return looked;
    see_unsettled();
    // Of one that cannot be looked at whoever tells what is behind says so; of one that cannot be put right nobody.
    if (!look.tells_behind || sight(world, store, file)) note(looked.error().message);
  }
  return done();
}

// `overtaken`: another engine committed first; nothing happened, and it can be decided anew.
Result<Outcome> Engine::change_under_gate(const Request& request, const Look& look, const Decide& decide,
                                          bool& overtaken) {
  const StepTimer timer;
  PAWL_ASSIGN(const auto gate, store_->gate());
  log_debug("gate", "us", timer.us());
  if (!at_work_) {  // somebody may have left while this waited at the gate
    if (const auto left = read_left(workspace_.store)) return tl::unexpected(was_left(*left));
    at_work_ = true;
  }
  Round first(*this, *store_, request, &decide);
  if (const Done ran = first.run(look); !ran) {
    overtaken = first.overtaken;
    return tl::unexpected(ran.error());
  }
  std::vector<std::string> notes = std::move(first.notes);
  std::vector<Note> found_notes = std::move(first.found_notes);

  std::vector<MirrorFile> again = first.look_again;
  for (int round = 0; round < kMaxDisplacedRounds && !again.empty(); ++round) {
    const Request nobody;
    Round next(*this, *store_, nobody, nullptr);
    Look there;
    there.files = again;
    if (const Done ran = next.run(there); !ran) {  // what was asked for has happened all the same
      notes.push_back(cat("what another program wrote meanwhile could not be taken over: ", ran.error().message,
                          "; the next command tries again"));
      break;
    }
    notes.insert(notes.end(), next.notes.begin(), next.notes.end());
    found_notes.insert(found_notes.end(), next.found_notes.begin(), next.found_notes.end());
    again = next.look_again;
  }
  for (const Note& found : found_notes) options_.tell(found);
  for (const std::string& text : notes) note(text);
  if (first.refused) return tl::unexpected(*first.refused);
  return first.outcome;
}

// Where there is no store yet, what is refused makes none: whoever comes to `pawl init` finds all as it was. Only what
// refuses says so; anything else shows when it is done.
Done Engine::must_not_be_refused(const Request& request, const Look& look, const Decide& decide) {
  const bool plain = request.accept.empty() && request.restore.empty() && !request.substitute;
  if (!plain || left_ || has_store()) return done();
  const auto note = std::exchange(options_.note, [](std::string_view) {});  // all of it is told when it is done
  const auto tell = std::exchange(options_.tell, [](const Note&) {});
  NoStore nothing;
  const MirrorWorld world = this->world();
  Absorber absorber(world, nothing, clock().now().wall_ms);
  absorber.read_only();
  Done looked = absorb_all(absorber, nothing, look);
  if (looked) looked = absorber.look_at_other_files();
  std::optional<Error> refused;
  if (looked) {
    if (const auto decided = decide(absorber.view(), clock().now()); !decided) refused = decided.error();
  }
  options_.note = note;
  options_.tell = tell;
  constexpr std::array kRefusals = {ErrorCode::illegal_move, ErrorCode::gate_failed, ErrorCode::invalid_argument,
                                    ErrorCode::not_found, ErrorCode::already_exists};
  const bool is_refusal = refused && std::find(kRefusals.begin(), kRefusals.end(), refused->code) != kRefusals.end();
  return is_refusal ? Done(tl::unexpected(*std::move(refused))) : done();
}

Engine::Holding Engine::hold(const std::string& name) {
  if (locks_.contains(name)) return Holding::ours;
  auto lock = store_ == nullptr ? Result<Lock>(fail(ErrorCode::not_found, "there is no store")) : store_->hold(name);
  if (!lock) {
    log_info("no lock", "name", name, "why", lock.error().message);
    return Holding::without_lock;
  }
  if (!lock->kept) return Holding::anothers;
  locks_.insert_or_assign(name, std::move(*lock));
  return Holding::ours;
}

std::int64_t Engine::place_of_lock(const std::string& name) const {
  const auto lock = locks_.find(name);
  return lock == locks_.end() ? 0 : lock->second.place;
}

Result<Outcome> Engine::change(const Request& request, const Look& look, const Decide& decide) {
  PAWL_TRY(must_not_be_refused(request, look, decide));
  PAWL_TRY(store(true));
  for (int conflicts = 0;; ++conflicts) {
    bool overtaken = false;
    Result<Outcome> outcome = change_under_gate(request, look, decide, overtaken);
    if (!overtaken || conflicts >= kMaxConflicts || !request.idempotency_key.empty()) return outcome;
  }
}

Result<std::vector<Error>> Engine::would_refuse(const MirrorFile& file, std::string bytes,
                                                std::vector<Note>& conflicts) {
  std::vector<Error> refused;
  PAWL_TRY(read_store([&](const View& view) -> Done {
    const MirrorWorld world = this->world();
    Absorber absorber(world, view.store(), clock().now().wall_ms);
    absorber.read_only();
    absorber.substitute(file.path, std::move(bytes));
    PAWL_TRY(absorber.look(file));
    for (const Note& note : absorber.snapshot().notes()) {
      if (note.code == NoteCode::conflict) conflicts.push_back(note);
    }
    for (const Refusal& refusal : absorber.result().refusals) refused.push_back(refusal.why);
    for (const Change& change : absorber.result().changes) {  // come in for the first time, with a word to be held
      if (!change.after.held || change.before.held) continue;
      const Machine& machine = *lifecycles().find(change.after.id.kind)->machine;
      const std::string& word = *change.after.held;
      const HeldInWords words = held_in_words(*lifecycles().find(change.after.id.kind), change.after);
      refused.push_back(words.of_its_own
                            ? Error{ErrorCode::illegal_move, cat(printable(change.after.id.ref()), ": ", words.why), {}}
                        : machine.status(word) == nullptr
                            ? unknown_in_file(machine, word)
                            : Error{ErrorCode::illegal_move,
                                    cat(printable(change.after.id.ref()), " cannot come in as “", printable(word), "”"),
                                    cat("a new one begins as ", legal_moves(machine, absent_record(change.after.id)))});
    }
    return done();
  }));
  return refused;
}

std::string Engine::path_of(const std::string& typed) const {
  const std::string whole = typed.starts_with('/') ? typed : cat(workspace_.here, "/", typed);
  const std::size_t slash = whole.rfind('/');
  // Its folder may be gone (git took it away); then the path counts as it is typed.
  char* folder = realpath(whole.substr(0, slash == 0 ? 1 : slash).c_str(), nullptr);
  const std::string real = folder == nullptr ? whole : cat(folder, whole.substr(slash));
  free(folder);
  return roots_->shortened(real);
}

Done Engine::read_store(const std::function<Done(const View&)>& show) {
  if (!has_store()) {
    NoStore nothing;
    return show(View(nothing, lifecycles()));
  }
  const auto opened = this->store();
  if (!opened && opened.error().code == ErrorCode::not_found) {  // in the making, by another process
    NoStore nothing;
    return show(View(nothing, lifecycles()));
  }
  if (!opened) return tl::unexpected(opened.error());
  const auto tx = (*opened)->begin(Access::read);
  if (!tx && tx.error().code == ErrorCode::not_found) {  // its maker was killed, and that was taken back just now
    NoStore nothing;
    return show(View(nothing, lifecycles()));
  }
  if (!tx) return tl::unexpected(tx.error());
  return show(View(**tx, lifecycles()));
}

Done Engine::read_unrecorded(Transaction& store, const Look& look, const Error* why,
                             const std::function<Done(const View&)>& show) {
  const MirrorWorld world = this->world();
  Absorber absorber(world, store, clock().now().wall_ms);
  absorber.read_only();
  PAWL_TRY(absorb_all(absorber, store, look));
  PAWL_TRY(absorber.look_at_other_files());
  for (const Note& found : absorber.snapshot().notes()) options_.tell(found);
  // What is wrong with a file is said, also where it cannot be mended.
  for (const auto& [path, file] : absorber.result().files) {
    if (is_left_alone(file.seen) || file.new_state == kFlagged) see_unsettled();
    if (look.tells_behind) continue;
    if (file.seen.found == FileCase::waits) note(waiting_note(file.seen));
    const std::string_view warning = file.seen.file.format->damage_words().warning;
    if (why == nullptr && file.seen.found == FileCase::damaged)
      note(cat(warning, warning.empty() ? "" : "\n", printable(path), " cannot be read: ", printable(file.seen.damage),
               left_ ? "" : ". There is no earlier state of it"));
    if (why != nullptr && file.seen.found == FileCase::damaged)
      note(cat(printable(path), " is damaged (", printable(file.seen.damage),
               ") and cannot be mended now: ", why->message));
  }
  for (const Refusal& refusal : why != nullptr ? absorber.result().refusals : std::vector<Refusal>{})
    note(cat(printable(refusal.id.ref()), ": ", refusal.why.message, "; “", printable(refusal.kept),
             "” stands, and cannot be put back now: ", why->message));
  // Once for each file, however much of it was changed.
  std::map<std::string, std::vector<const Change*>> unrecorded;
  for (const Change& change : absorber.result().changes) {
    if (why == nullptr) break;
    const auto shown_in = files_of(world, change.before.id);
    unrecorded[shown_in.empty() ? change.before.id.ref() : shown_in.front().path].push_back(&change);
  }
  for (const auto& [path, changes] : unrecorded) {
    const std::string first = printable(changes.front()->before.id.ref());
    note(changes.size() == 1 ? cat(first, " is shown as its file says, not recorded: ", why->message)
                             : cat(first, " and ", changes.size() - 1, " more are shown as ", printable(path),
                                   " says, not recorded: ", why->message));
  }
  return show(absorber.view());
}

Result<bool> Engine::all_in_step(Transaction& store, const Look& look) {
  const MirrorWorld world = this->world();
  PAWL_ASSIGN(const auto files, files_for(store, look));
  AsLeft as_left(world, store);
  for (const auto& [file, strict] : files) {
    if (as_left.is(file)) continue;
    Result<Sighting> seen = sight(world, store, file);
    if (!seen) {
      if (strict) return tl::unexpected(seen.error());
      see_unsettled();
      if (!look.tells_behind) note(seen.error().message);
      continue;
    }
    if (is_left_alone(*seen)) see_unsettled();
    if (seen->found == FileCase::gits && seen->row->state == kLeftToGit) {
      PAWL_ASSIGN(const auto ended, ended_before(View(store, lifecycles()), *seen));
      if (!look.tells_behind)
        note(cat(printable(file.path), " was changed by git and is left alone; ",
                 ended ? "pawl restore settles it" : "pawl accept or pawl restore settles it"));
      continue;
    }
    if (seen->found != FileCase::in_step || seen->tmp_left || (seen->row && is_on_hold(seen->row->state))) return false;
  }
  return true;
}

Done Engine::read(const Look& look, std::optional<std::int64_t> at, const std::function<Done(const View&)>& show) {
  unsettled_ = false;
  if (!has_store() && !at) {
    NoStore nothing(left_ ? claims_that_go_on(*this) : std::vector<Claim>());
    return read_unrecorded(nothing, look, nullptr, show);
  }
  const auto opened = this->store();
  if (!opened && opened.error().code == ErrorCode::not_found && !at) {  // in the making, by another process
    NoStore nothing;
    return read_unrecorded(nothing, look, nullptr, show);
  }
  if (!opened) return tl::unexpected(opened.error());
  Store* const store = *opened;
  {
    const StepTimer timer;
    const auto begun = store->begin(Access::read);
    if (!begun && begun.error().code == ErrorCode::not_found && !at) {  // its maker was killed; taken back just now
      NoStore nothing;
      return read_unrecorded(nothing, look, nullptr, show);
    }
    if (!begun) return tl::unexpected(begun.error());
    const auto& tx = *begun;
    if (at) {
      PAWL_TRY(must_be_kept(*tx, *at));
      return show(View(*tx, lifecycles(), at));
    }
    PAWL_ASSIGN(const bool in_step, all_in_step(*tx, look));
    log_debug("look", "in_step", in_step, "us", timer.us());
    if (in_step) return show(View(*tx, lifecycles()));
  }
  // Something changed outside: the whole way, as with any command.
  Request request;
  request.tells_behind = look.tells_behind;
  const Result<Outcome> recorded = change(request, look, decide_nothing);
  PAWL_ASSIGN(const auto tx, store->begin(Access::read));
  if (recorded) return show(View(*tx, lifecycles()));
  const ErrorCode code = recorded.error().code;
  if (code != ErrorCode::io && code != ErrorCode::busy && code != ErrorCode::unavailable)
    return tl::unexpected(recorded.error());
  return read_unrecorded(*tx, look, &recorded.error(), show);
}

}  // namespace pawl
