#include "commands/leave_text.h"

#include <algorithm>

#include "base/shell_word.h"
#include "base/text.h"
#include "commands/present.h"

namespace pawl {
namespace {

std::string text_of_put_back(const Json& data, bool dry_run) {
  std::string out;
  for (const Json& one : data["put_back"])
    out += cat("  ", dry_run ? "put back in " : "", printable(string_or(one, "path")),
               dry_run ? " what stood there before: " : ": what stood there before was put back: ",
               printable(string_or(one, "why")), "\n");
  return out;
}

std::string text_of_files(const Json& data, bool dry_run) {
  const Json& behind = data["behind"];
  const std::string all = data["put_back"].empty() ? "your files" : "all other files";
  std::string out = text_of_put_back(data, dry_run);
  if (behind.empty())
    return cat(out, "  ",
               dry_run ? cat("leave ", all, " as they are; they are up to date\n")
                       : cat(all, " are up to date, and stay as they are\n"));
  out += cat("  ", dry_run ? cat("leave ", all, " as they are; they are up to date but for\n")
                           : cat(all, " stay as they are, and are up to date but for\n"));
  bool any_known = false;
  for (const Json& one : behind) {
    const std::string path = string_or(one, "path");  // of a folder that could not be opened its own words tell it
    out += cat("    ", printable(path), path.empty() ? "" : ": ", printable(string_or(one, "why")), "\n");
    const std::string known = string_or(one, "known");
    any_known |= !known.empty();
    if (!known.empty())
      out += cat("      what pawl ", dry_run ? "knows would be in " : "knew is in ", printable(known), "\n");
    if (const std::string advice = string_or(one, "advice"); dry_run && !advice.empty())
      out += cat("      before you leave:\n", lines_below(advice, "        "));
  }
  if (any_known && !dry_run)
    out += "    to go on with what pawl knew, copy it over the file: pawl init takes files as they are\n";
  return out;
}

// "issue/3, issue/6 and 4 more": there may be hundreds.
std::string some_of(const Json& refs) {
  return first_few(refs, 6, [](const Json& ref) { return printable(ref.get<std::string>()); });
}

// No command of pawl's does that where it was left.
std::string to_stop(const std::string& command) { return cat("    ", printable(command), "  # stops it\n"); }

std::string text_of_work(const Json& data) {
  std::string out;
  for (const Json& ref : data["running"]) {
    const bool watched = std::find(data["watched"].begin(), data["watched"].end(), ref) != data["watched"].end();
    out += cat("  ", printable(ref.get<std::string>()), " is running, and goes on; ",
               watched ? "its watcher with it" : "nobody watches it", "\n");
    for (const Json& one : data["stop"]) {
      if (one["ref"] == ref) out += to_stop(string_or(one, "command"));
    }
  }
  if (const std::size_t idle = data["idle"].size(); idle > 0)
    out += cat("  ", some_of(data["idle"]),
               idle == 1 ? " says running, and pawl knows of nobody at work on it\n"
                         : " say running, and pawl knows of nobody at work on them\n");
  for (const Json& one : data["workers"])
    out += cat("  ", printable(string_or(one, "worker")), " is at work on ", printable(string_or(one, "ref")),
               ", and goes on until it ends or is stopped\n", to_stop(string_or(one, "stop")));
  for (const Json& ref : data["loops"])
    out += cat("  ", printable(ref.get<std::string>()), " is active; without pawl's hooks nothing keeps it going\n");
  return out;
}

}  // namespace

std::string text_of_leave(const Json& data, const TextStyle&) {
  const bool dry_run = data["dry_run"] == true;
  const std::string folder = string_or(data, "folder"), into = cat("  ", dry_run ? "write " : "", folder);
  std::string out = cat(dry_run ? "pawl leave would\n" : "pawl has left:\n", text_of_files(data, dry_run));
  out += cat(into, "/log.jsonl: all that happened, ", counted(integer_or(data, "operations"), "operation"), "\n");
  if (integer_or(data, "set_aside") > 0)
    out += cat(into, "/set-aside.jsonl: what was set aside or is over, ",
               counted(integer_or(data, "set_aside"), "record"), "\n");
  for (const Json& name : data["reviews"])
    out += cat(into, "/reviews/", printable(name.get<std::string>()), ": a review that was set aside\n");
  for (const Json& one : data["copied"])
    out += cat("  ", dry_run ? "write " : "", string_or(one, "path"), "/: ", counted(integer_or(one, "files"), "file"),
               " ", string_or(one, "what"),
               one["git_ignores"] == true
                   ? "; git add passes over them, as there may be secrets in them, until .gitignore is gone there"
                   : "",
               "\n");
  for (const Json& file : data["removed_from"])
    out += cat("  ", dry_run ? "take pawl's part out of " : "taken out of ", file.get<std::string>(), "\n");
  if (data.value("issues", true))  // whose statuses these are
    out += cat("  scripts that read `pawl shell bash` ", dry_run ? "could set" : "can set",
               " no status here (exit 3), until `pawl init`: go back to the library that they had\n");
  if (const std::string work = text_of_work(data); !work.empty())
    out += cat(dry_run ? "What is under way:\n" : "", work);
  out += dry_run ? "What would remain, and be yours to remove:\n" : "What remains, and is yours to remove:\n";
  for (const Json& one : data["remains"])
    out += cat("  ", printable(string_or(one, "path")), ": ", printable(string_or(one, "what")), "\n");
  return cat(out, "To remove the store too",
             data["running"].empty() && data["workers"].empty() ? "" : ", once nothing runs any more, as that needs it",
             ":\n  rm -r ", shell_word(string_or(data, "store")), "\n",
             dry_run ? "" : "To come back:\n  pawl init  # goes on with what the store has\n");
}

}  // namespace pawl
