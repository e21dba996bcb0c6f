#include "engine/doctor.h"

#include <unistd.h>

#include <algorithm>

#include "base/shell_word.h"
#include "base/text.h"
#include "core/held_word.h"
#include "engine/aside.h"
#include "engine/begin_anew.h"
#include "engine/claims.h"
#include "engine/effects.h"
#include "engine/found_apart.h"
#include "engine/inventory.h"
#include "engine/no_store.h"
#include "engine/placed.h"
#include "engine/project.h"
#include "engine/set_aside.h"
#include "engine/store_links.h"
#include "engine/told_apart.h"
#include "store/sqlite/sqlite_store.h"

namespace pawl {
namespace {

// What stands wrong: words that are no status, and sessions that nobody is in.
Done look_at_standing(const View& view, const Lifecycles& lifecycles, const Now& now, Checkup& checkup) {
  PlaceCounts most{};
  for (const BoardPlace place : {BoardPlace::needs_person, BoardPlace::running})  // one that runs may have been left
    most[static_cast<std::size_t>(place)] = SIZE_MAX;
  PAWL_ASSIGN(const Survey found, survey(view, lifecycles, now, most));
  std::size_t others = 0;
  for (const Placed& row : found.rows) {
    if (row.stand.place != BoardPlace::needs_person) continue;
    const std::string ref = printable(row.record.id.ref());
    if (row.gone.empty() && !row.stale && !row.record.held) ++others;  // what is held is told of by itself
    if (!row.gone.empty())
      checkup.findings.push_back(
          {true, cat(ref, " is ", row.record.status, ", and its runner (", printable(row.gone), ") is gone"),
           row.stand.advice, Finding::About::work});
    if (row.stale)
      checkup.findings.push_back(
          {true, cat(ref, " is ", row.record.status, ", and ", row.stand.why), row.stand.advice, Finding::About::work});
  }
  if (others > 0)
    checkup.findings.push_back(
        {false, "there is work that needs a person", "pawl status  # which, and what to type", Finding::About::record});
  return done();
}

// Copies of what was put back, as long as the board asks about them.
void look_at_copies(const MirrorWorld& world, const Now& now, Checkup& checkup) {
  std::size_t copies = 0;
  for (const char* const folder : {"refused", "damaged"})
    copies += kept_since(world, folder, now.wall_ms - kAskedAboutMs).size();
  if (copies > 0)
    checkup.findings.push_back(
        {false,
         cat(copies, copies == 1 ? " copy of what was put back waits" : " copies of what was put back wait",
             " for somebody"),
         "pawl status  # which, and what to type"});
}

Done look_at_records(const MirrorWorld& world, Transaction& store, Checkup& checkup) {
  for (const Lifecycle& row : world.lifecycles->rows()) {
    Query query;
    query.kind = row.kind;
    PAWL_TRY(View(store, *world.lifecycles).list(query));
    query.held_only = true;
    PAWL_ASSIGN(const auto held, View(store, *world.lifecycles).list(query));
    for (const Record& record : held) {
      const HeldInWords words = held_in_words(row, record);
      PAWL_ASSIGN(std::string advice,
                  told_apart(View(store, *world.lifecycles), *world.lifecycles, record.id, words.advice));
      checkup.findings.push_back(
          {true, cat(printable(record.id.ref()), words.of_its_own ? ": " : " ", words.why), std::move(advice)});
    }
  }
  PAWL_ASSIGN(const auto open, store.conflicts({}));
  const auto waiting_conflicts = std::count_if(open.begin(), open.end(), [](const auto& one) { return !blocks(one); });
  if (waiting_conflicts > 0)
    checkup.findings.push_back(
        {false,
         cat(waiting_conflicts, waiting_conflicts == 1 ? " outside change was" : " outside changes were",
             " not taken and need a decision"),
         "pawl status  # lists them, with what to type"});
  PAWL_ASSIGN(auto aside, aside_with_files(world, store));
  for (AsideWithFile& one : aside) checkup.findings.push_back({false, std::move(one.text), std::move(one.advice)});
  PAWL_ASSIGN(const auto waiting, store.effects_in(EffectState::intended));
  for (const Effect& effect : waiting) {
    PAWL_ASSIGN(const auto operation, store.operation(effect.operation));
    const std::string ref = printable(effect.record.ref());
    // Of what never came about there is no history of its own.
    PAWL_ASSIGN(const Record record, store.load(effect.record, RecordPart::without_doc));
    const std::string whose = record.revision > 0 ? cat(" ", shell_word(effect.record.ref())) : std::string();
    const std::string verb = operation ? cat("pawl ", printable(operation->verb)) : std::string("the same command");
    const std::string what = cat("the ", printable(effect.kind), " for ", ref);
    const Life worker = worker_of(store, effect);
    std::string text = cat("it is not known whether ", what, " was done: its command was cut off");
    if (worker == Life::alive) text = cat(what, " is in progress");
    if (worker == Life::unknown)
      text = cat(what, " is in progress elsewhere, or was interrupted: its process cannot be seen from here");
    checkup.findings.push_back(
        {false, std::move(text),
         cat(worker == Life::unknown ? cat(how_to_take_over(effect.record), "\n") : std::string(), "# ", verb,
             " for it again looks before it does anything\npawl log", whose, "  # tells what was under way")});
  }
  return done();
}

void look_at_tmp(const MirrorWorld& world, Transaction& store, Checkup& checkup) {
  const auto folder = open_real_folder(tmp_folder(*world.workspace));
  if (!folder) return;
  const auto names = names_in(folder->get());
  if (!names || names->empty()) return;
  std::size_t known = 0;
  for (const MirrorFormat* format : world.lifecycles->formats()) {
    const auto rows = store.mirrors(format->name(), MirrorPart::without_bytes);
    for (const MirrorRow& mirror : rows ? *rows : std::vector<MirrorRow>{}) {
      if (std::binary_search(names->begin(), names->end(), mirror.staged)) ++known;
    }
  }
  if (names->size() > known) {
    checkup.findings.push_back(
        {false,
         cat(names->size() - known,
             " unfinished file(s) of interrupted commands: the next one that writes clears them away"),
         ""});
  }
}

}  // namespace

bool Checkup::healthy() const {
  return std::none_of(findings.begin(), findings.end(), [](const Finding& finding) { return finding.problem; });
}

Result<Checkup> check_up(Engine& engine, const AlsoLook& also) {
  Checkup checkup;
  const MirrorWorld world = engine.world();
  checkup.has_store = engine.has_store();
  if (const std::string_view network =
          network_file_system(checkup.has_store ? engine.workspace().store : engine.workspace().root);
      !network.empty()) {
    checkup.findings.push_back(
        {false, cat("the store is on a network file system (", network, "), whose locks cannot be relied on"),
         "# let one machine at a time use it"});
  }
  for (const std::string& link : links_in_store(engine.workspace()))
    checkup.findings.push_back(
        {true, cat(printable(link), " is a symbolic link; pawl writes nothing behind it, and refuses what needs it"),
         cat("# ", kLinkInStore)});
  if (engine.settings().source("roots") == SettingSource::file && !engine.settings().text("roots").empty()) {
    checkup.findings.push_back(
        {false, "pawl.toml names folders outside the workspace and is not trusted, so they are not used",
         "pawl trust"});
  }
  // Without a store, or with one: what the files say is laid over what is recorded.
  const auto look_around = [&](Transaction& tx) -> Done {
    Absorber absorber(world, tx, engine.clock().now().wall_ms);
    absorber.read_only();
    PAWL_TRY(take_inventory(world, tx, absorber, checkup));
    const View view = absorber.view();
    PAWL_TRY(look_at_standing(view, engine.lifecycles(), engine.clock().now(), checkup));
    return also ? also(view, checkup.findings) : done();
  };
  if (!checkup.has_store) {
    NoStore nothing;
    PAWL_TRY(look_around(nothing));
    return checkup;
  }
  if (access(engine.workspace().store.c_str(), W_OK) != 0 ||
      access((engine.workspace().store + "/pawl.db").c_str(), W_OK) != 0)
    checkup.findings.push_back(
        {true, cat("you may not write to the store in ", printable(engine.workspace().store)), ""});
  checkup.database = database_file(engine.workspace());
  SqliteOptions options;
  options.folder = engine.workspace().store;
  options.read_only = true;
  const auto store = open_sqlite(options);
  if (!store && store.error().code == ErrorCode::not_found) {
    // A process was killed while it made the store, or is making it now.
    checkup.has_store = false;
    checkup.findings.push_back({false,
                                "the store is empty: its making was cut short, or somebody emptied it; the next "
                                "command that writes begins anew",
                                ""});
    NoStore nothing;
    PAWL_TRY(look_around(nothing));
    return checkup;
  }
  if (!store) {
    checkup.findings.push_back(
        {true, store.error().message,
         store.error().code == ErrorCode::corruption ? std::string(kBeginAnew) : store.error().hint});
    return checkup;
  }
  auto health = (*store)->check();
  if (!health) {
    checkup.findings.push_back(
        {true, health.error().message,
         health.error().code == ErrorCode::corruption ? std::string(kBeginAnew) : health.error().hint});
    return checkup;
  }
  checkup.store = std::move(*health);
  checkup.counted = true;
  for (const std::string& problem : checkup.store.problems)
    checkup.findings.push_back({true, printable(problem), std::string(kBeginAnew)});
  for (const std::string& path : checkup.store.false_fingerprints)
    checkup.findings.push_back({true,
                                cat("what tells whether ", printable(path),
                                    " was changed does not fit what pawl left there: an edit of it may go unseen"),
                                "pawl doctor --fix  # makes it anew, and takes over what was edited"});
  for (const std::string& note : checkup.store.notes) checkup.findings.push_back({false, note, ""});

  const auto tx = (*store)->begin(Access::read);
  if (!tx) {
    // An interrupted write is rolled back by whoever writes next; until then the files cannot be compared.
    if (checkup.store.notes.empty()) checkup.findings.push_back({true, tx.error().message, tx.error().hint});
    return checkup;
  }
  look_at_tmp(world, **tx, checkup);
  look_at_copies(world, engine.clock().now(), checkup);
  Done looked = look_at_records(world, **tx, checkup);
  if (looked) looked = look_around(**tx);
  if (!looked && looked.error().code != ErrorCode::corruption) return tl::unexpected(looked.error());
  if (!looked) {  // damage where the checks of the database do not look, or more of what they have found
    checkup.store.problems.push_back(looked.error().message);
    checkup.findings.push_back({true, printable(looked.error().message), std::string(kBeginAnew)});
  }
  return checkup;
}

namespace {

// Written again, each is made anew.
Done make_fingerprints_anew(Store& store, const std::vector<std::string>& paths) {
  PAWL_ASSIGN(const auto tx, store.begin(Access::write));
  Batch batch;
  for (const std::string& path : paths) {
    PAWL_ASSIGN(auto row, tx->mirror(path));
    if (row) batch.mirrors.push_back(std::move(*row));
  }
  const auto committed = tx->commit(batch);
  return committed ? done() : Done(tl::unexpected(committed.error()));
}

}  // namespace

Result<std::vector<std::string>> mend(Engine& engine, const Request& request, const Checkup& found) {
  std::vector<std::string> did;
  bool broken = !found.store.problems.empty();
  auto judged = found.database;
  if (found.has_store && !broken) {
    engine.forget_store();
    judged = database_file(engine.workspace());  // what is opened now, or a later one, which is let be
    const auto opened = engine.store();
    broken = !opened && opened.error().code == ErrorCode::corruption;
    if (!opened && !broken) return tl::unexpected(opened.error());
    if (opened && !found.store.false_fingerprints.empty()) {
      PAWL_TRY(make_fingerprints_anew(**opened, found.store.false_fingerprints));
      did.push_back("what tells whether a long file was changed was made anew");
    }
  }
  Look look;
  look.all = true;
  std::optional<Outcome> outcome;
  // Once more where only writing finds what reading did not.
  for (int attempt = 0; !outcome; ++attempt) {
    if (broken) {
      PAWL_ASSIGN(const auto kept, set_database_aside(engine, "damaged", judged));
      if (kept)  // else another process was first
        did.push_back(cat("the database could not be used; it is kept as ", printable(*kept),
                          ", and a new one was begun from the files"));
    }
    Result<Outcome> changed = engine.change(request, look, decide_nothing);
    if (changed) {
      outcome = std::move(*changed);
    } else if (changed.error().code == ErrorCode::corruption && !broken) {
      broken = true;
    } else {
      return tl::unexpected(changed.error());
    }
  }
  std::vector<std::int64_t> taken;
  PAWL_TRY(engine.read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(taken, found_operations(view.store(), *outcome));
    return done();
  }));
  if (!taken.empty())
    did.push_back(cat("what had changed in files was taken over by operation", taken.size() == 1 ? " " : "s ",
                      taken.front(), taken.size() == 1 ? std::string() : cat(" to ", taken.back())));
  PAWL_ASSIGN(Store* const store, engine.store());
  if (found.store.mode == "wal") {
    PAWL_TRY(store->leave_long_lived());
    did.push_back(
        "the database was left in the mode of a process that lives long; it was set back where nobody else uses it");
  }
  return did;
}

}  // namespace pawl
