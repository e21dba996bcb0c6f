#include "engine/inventory.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/shell_word.h"
#include "base/text.h"
#include "core/held_word.h"
#include "engine/behind.h"
#include "engine/recorded_before.h"
#include "engine/standing.h"
#include "engine/unlike.h"

namespace pawl {
namespace {

// Of those that somebody must look at: trouble_with has the words.
std::string_view state_of(FileCase found) {
  switch (found) {
    case FileCase::in_step:
      return "in step";
    case FileCase::stale:
      return "behind: the next command brings it up to date";
    case FileCase::edited:
      return "changed outside pawl: the next command takes it over";
    case FileCase::gone:
      return "removed outside pawl: the next command ends what it showed";
    case FileCase::fresh:
      return "not known yet: pawl init adopts it";
    case FileCase::damaged:
      return "damaged";
    case FileCase::gits:
      return "git's for now";
    case FileCase::waits:
      return "in use, by git or by a program that is writing it: pawl looks at it afterwards";
  }
  return {};
}

// What one file says of a record, for comparing it with what another says.
struct Said {
  const MirrorFormat* format;
  std::string path;
  Shown shown;
};

class Inventory {
 public:
  Inventory(const MirrorWorld& world, Transaction& store, Absorber& absorber, Checkup& checkup)
      : world_(world), store_(store), absorber_(absorber), checkup_(checkup) {}

  Done take() {
    std::vector<Error> left_out;
    const auto files = every_file(world_, store_, left_out);
    if (!files) left_out.push_back(files.error());
    for (const Error& error : left_out) problem(error.message, error.hint);
    for (const MirrorFile& file : files ? *files : std::vector<MirrorFile>()) PAWL_TRY(look_at(file));
    PAWL_TRY(absorber_.look_at_other_files());
    for (const Sighting& seen : parts_) PAWL_TRY(compare_part(seen));
    tell_how_to_fix();
    compare();
    return done();
  }

 private:
  void problem(std::string text, std::string advice) {
    checkup_.findings.push_back({true, std::move(text), std::move(advice)});
  }
  void worth_knowing(std::string text, std::string advice) {
    checkup_.findings.push_back({false, std::move(text), std::move(advice)});
  }

  Done look_at(const MirrorFile& file) {
    const auto seen = sight(world_, store_, file, RecordedAfter(absorber_.view()));
    if (!seen) {
      problem(seen.error().message, seen.error().hint);
      checkup_.findings.back().about = Finding::About::left_alone;
      return done();
    }
    if (seen->found == FileCase::in_step && !seen->image.exists) return done();
    Checkup::File row;
    row.path = file.path;
    row.found = seen->found;
    row.state = state_of(seen->found);
    PAWL_TRY(tell_case(file, *seen));
    PAWL_ASSIGN(const auto unlike, unlike_its_records(world_, View(store_, *world_.lifecycles), *seen));
    if (unlike) {
      problem(cat(printable(file.path), ": ", unlike->why), unlike->advice);
      row.found = FileCase::stale;
      row.state = "not what pawl knows";
    }
    if (seen->image.exists && seen->found != FileCase::damaged) count(file, *seen, row);
    if (seen->found != FileCase::in_step) PAWL_TRY(would(file, *seen, row));
    // In one that was edited since, what does not fit is taken over or refused.
    const bool stays = seen->found == FileCase::in_step || seen->found == FileCase::fresh;
    const bool flagged = seen->row && seen->row->state == kFlagged;  // that is told of already
    if (stays && !flagged && file.format->shows_parts_only()) parts_.push_back(*seen);
    checkup_.files.push_back(std::move(row));
    return done();
  }

  Done tell_case(const MirrorFile& file, const Sighting& seen) {
    if (auto trouble = trouble_with(seen, false)) {
      PAWL_TRY(say_what_is_in_it(world_, View(store_, *world_.lifecycles), seen, *trouble));
      problem(cat(printable(file.path), ": ", trouble->why), trouble->advice);
      if (seen.found == FileCase::damaged || seen.found == FileCase::gits || seen.found == FileCase::waits)
        checkup_.findings.back().about = Finding::About::left_alone;
    } else if (seen.found == FileCase::damaged) {
      problem(cat(printable(file.path), ": it is damaged: ", printable(seen.damage)),
              "pawl doctor --fix  # restores the last good content, and keeps this one aside");
    }
    if (seen.tmp_left)
      worth_knowing(cat("a command that wrote ", printable(file.path), " was interrupted: the next one finishes it"),
                    "");
    return done();
  }

  // What is in it, by kind and status; and what is no status, in files that nobody has adopted.
  void count(const MirrorFile& file, const Sighting& seen, Checkup::File& row) {
    const auto content = file.format->parse(file.path, file.scope, seen.image.bytes);
    if (!content) return;
    for (const Shown& shown : content->shown) {
      const Lifecycle& lifecycle = *world_.lifecycles->find(shown.id.kind);
      const Machine& machine = *lifecycle.machine;
      const bool is_status = shown.status && machine.status(*shown.status) != nullptr;
      if (!shown.whole && !shown.status) continue;
      add_to(row, machine, is_status ? *shown.status : shown.status.value_or("no status"));
      if (content->shown.size() == 1 && is_status && lifecycle.headline != nullptr) {
        Record record = absent_record(shown.id);
        record.status = *shown.status;
        record.doc = shown.doc;
        row.headline = lifecycle.headline(record);
      }
      if (shown.whole && !shown.id.key.empty()) said_.push_back({file.format, file.path, shown});
      if (seen.found == FileCase::fresh && !is_status) tell_held(file, lifecycle, shown);
      if (seen.found == FileCase::fresh && !is_status) to_fix_.emplace_back(checkup_.findings.size() - 1, shown.id);
    }
  }

  void tell_held(const MirrorFile& file, const Lifecycle& lifecycle, const Shown& shown) {
    Record record = absent_record(shown.id);
    record.held = shown.status.value_or("");
    record.doc = shown.doc;
    const HeldInWords words = held_in_words(lifecycle, record);
    problem(cat(printable(file.path), ": ",
                words.of_its_own ? cat(printable(shown.id.ref()), ": ", words.why)
                                 : unknown_in_file(*lifecycle.machine, *record.held).message),
            "");
  }

  static void add_to(Checkup::File& row, const Machine& machine, const std::string& status) {
    const std::string_view noun = machine.noun.empty() ? machine.name : machine.noun;
    for (Checkup::Holds& holds : row.holds) {
      if (holds.noun == noun && holds.status == status) {
        ++holds.count;
        return;
      }
    }
    row.holds.push_back({std::string(noun), status, 1});
  }

  // What taking it over comes to.
  Done would(const MirrorFile& file, const Sighting& seen, Checkup::File& row) {
    Absorbed& result = absorber_.result();
    const std::size_t changes = result.changes.size(), refusals = result.refusals.size();
    const std::size_t added = absorber_.added();
    const Done looked = absorber_.look(file);
    if (!looked && looked.error().code == ErrorCode::corruption) return looked;
    if (!looked) {
      problem(looked.error().message, looked.error().hint);
      return done();
    }
    row.would.add = static_cast<std::int64_t>(absorber_.added() - added);
    for (std::size_t i = changes; i < result.changes.size(); ++i) {
      ++row.would.take;
      row.would.hold += result.changes[i].after.held && !result.changes[i].before.held ? 1 : 0;
    }
    for (std::size_t i = refusals; i < result.refusals.size(); ++i) {
      ++row.would.refuse;
      if (seen.found == FileCase::edited || seen.found == FileCase::fresh)
        problem(cat(printable(file.path), ": ", result.refusals[i].why.message), result.refusals[i].why.hint);
    }
    return done();
  }

  // One that adds to what others show, and says something else since it was first seen: neither file is changed by
  // itself, so it is told until somebody settles it.
  Done compare_part(const Sighting& seen) {
    const View view = absorber_.view();
    PAWL_ASSIGN(const WhatStands apart, standing_in(world_, view, seen.file, seen.image.bytes));
    for (const auto& [id, left] : apart) {
      PAWL_ASSIGN(const Record record, view.load(id, RecordPart::without_doc));
      const Machine& machine = *world_.lifecycles->find(id.kind)->machine;
      const std::string status = record.held.value_or(record.status);
      if (!record.present() || (machine.terminal(status) && machine.terminal(left.word))) continue;
      std::string whole;
      for (const MirrorFile& file : files_of(world_, id)) {
        if (whole.empty() && !file.format->shows_parts_only()) whole = file.path;
      }
      const std::string path = shell_word(seen.file.path);
      problem(cat(printable(seen.file.path), " and ", printable(whole), " disagree about ", printable(id.ref()), ": ",
                  printable(left.word), " in the first, ", printable(status), " in the second"),
              checkup_.has_store ? cat("# pawl goes by the second\npawl restore ", path, "  # puts the first right")
                                 : "# make the two say the same before pawl init");
    }
    return done();
  }

  // Once all files were seen: where two have one key, the command says which is meant.
  void tell_how_to_fix() {
    if (to_fix_.empty()) return;
    std::map<RecordId, std::optional<std::string>> words_of;
    std::map<std::string_view, std::set<RecordId>> by_key;
    for (const Said& said : said_) {
      words_of.insert_or_assign(said.shown.id, said.shown.status);
      by_key[said.shown.id.key].insert(said.shown.id);
    }
    for (const auto& [finding, id] : to_fix_) {
      const Lifecycle& lifecycle = *world_.lifecycles->find(id.kind);
      Record record = absent_record(id);
      if (const auto word = words_of.find(id); word != words_of.end()) record.held = word->second;
      HeldInWords words = held_in_words(lifecycle, record);
      if (record.held && words.of_its_own) {
        checkup_.findings[finding].advice = std::move(words.advice);
        continue;
      }
      std::string command = how_to_fix(lifecycle, record);
      const auto is_other = [&, &id = id](const RecordId& one) {
        return one != id && world_.lifecycles->find(one.kind)->in_its_file == lifecycle.in_its_file;
      };
      const std::set<RecordId>& alike = by_key[id.key];
      if (lifecycle.in_its_file != nullptr && std::any_of(alike.begin(), alike.end(), is_other))
        command = lifecycle.in_its_file(command, id);
      checkup_.findings[finding].advice = cat("# after pawl init it is held as it is, until you type\n", command);
    }
  }

  // The same thing in two files, and not the same in both; or two files for what there is one of.
  void compare() {
    std::map<std::pair<std::string, std::string>, std::vector<const Said*>> by_key;
    for (const Said& one : said_) by_key[{one.shown.id.kind, one.shown.id.key}].push_back(&one);
    std::map<std::pair<std::string, std::string>, std::pair<std::size_t, const Said*>> apart;  // files that disagree
    std::map<std::pair<std::string, std::string>, std::size_t> alike;
    for (const auto& [key, all] : by_key) {
      for (std::size_t i = 1; i < all.size(); ++i) {
        const Said& first = *all.front();
        const Said& other = *all[i];
        if (first.path == other.path || first.format != other.format) continue;
        if (first.shown.status == other.shown.status && first.shown.doc == other.shown.doc) {
          ++alike[{first.path, other.path}];
        } else {
          auto& [count, example] = apart[{first.path, other.path}];
          if (count++ == 0) example = &other;
        }
      }
    }
    for (const auto& [paths, found] : apart) {
      const Said& other = *found.second;
      const Said& first = *by_key[{other.shown.id.kind, other.shown.id.key}].front();
      const std::string a = first.shown.status.value_or("nothing"), b = other.shown.status.value_or("nothing");
      problem(cat(printable(paths.first), " and ", printable(paths.second), " disagree about ",
                  found.first == 1 ? printable(other.shown.id.ref()) : cat(found.first, " things"), ": ",
                  found.first == 1 ? "" : cat(printable(other.shown.id.ref()), " is "), printable(a), " in the first, ",
                  printable(b), " in the second", a == b ? " too, with other details" : ""),
              "# they are kept apart, each in step with its own file; remove the one that nobody uses");
    }
    for (const auto& [paths, count] : alike) {
      if (!apart.contains(paths))
        worth_knowing(cat(printable(paths.first), " and ", printable(paths.second), " show the same"),
                      "remove the one that nobody uses");
    }
  }

  const MirrorWorld& world_;
  Transaction& store_;
  Absorber& absorber_;
  Checkup& checkup_;
  std::vector<Said> said_;
  std::vector<Sighting> parts_;                           // that may go on saying something else
  std::vector<std::pair<std::size_t, RecordId>> to_fix_;  // findings on words that are no status
};

}  // namespace

Done take_inventory(const MirrorWorld& world, Transaction& store, Absorber& absorber, Checkup& checkup) {
  return Inventory(world, store, absorber, checkup).take();
}

}  // namespace pawl
