// `pawl machine …`: the lifecycles as they are, and whether one is sound.
#include <algorithm>
#include <array>

#include "base/file.h"
#include "base/text.h"
#include "commands/context.h"
#include "commands/table.h"
#include "core/decide.h"
#include "core/lifecycle.h"
#include "core/machine_json.h"

namespace pawl {
namespace {

constexpr std::size_t kMaxMachineBytes = std::size_t{1} << 20U;

std::vector<std::string_view> machine_names(const Context& context) {
  std::vector<std::string_view> names;
  for (const Lifecycle& row : context.lifecycles().rows()) names.push_back(row.machine->name);
  return names;
}

// --- list ---

Result<Reply> run_list(Context& context, const Arguments&) {
  Json list = Json::array();
  for (const Lifecycle& row : context.lifecycles().rows()) {
    list.push_back({{"name", row.machine->name}, {"statuses", status_names(*row.machine)}});
  }
  return Reply{std::move(list)};
}

std::string text_of_list(const Json& list, const TextStyle&) {
  std::string out;
  for (const Json& row : list) {
    out += string_or(row, "name");
    char separator = '\t';
    for (const Json& status : row["statuses"]) {
      out += cat(separator, status.get<std::string>());
      separator = ' ';
    }
    out += '\n';
  }
  return out;
}

// --- show ---

Result<Reply> run_machine_show(Context& context, const Arguments& arguments) {
  const std::string name = arguments.text_or("name", "");
  for (const Lifecycle& row : context.lifecycles().rows()) {
    if (row.machine->name != name) continue;
    if (arguments.flag("mermaid")) return Reply{Json{{"name", name}, {"mermaid", to_mermaid(*row.machine)}}};
    return Reply{to_json(*row.machine)};
  }
  const auto names = machine_names(context);
  const auto meant = nearest(name, names);
  return fail(ErrorCode::not_found, cat("there is no machine “", printable(name), "”: there is ", join_or(names)),
              meant ? cat("did you mean ", *meant, "?") : std::string("`pawl machine list` shows them"));
}

std::string text_of_machine(const Json& machine, const TextStyle& style) {
  if (machine.contains("mermaid")) return string_or(machine, "mermaid");
  const auto bold = [&](std::string_view title) {
    return style.color ? cat("\x1b[1m", title, "\x1b[0m\n") : cat(title, "\n");
  };
  std::string out = bold("Statuses");
  for (const Json& status : machine["statuses"]) {
    out += cat("  ", string_or(status, "name"), status.contains("terminal") ? "  (work ends here)" : "", "\n");
  }
  out += bold("Moves");
  for (const Json& move : machine["moves"]) {
    out += cat("  ", string_or(move, "from"), " → ", string_or(move, "to"));
    if (move.contains("name")) out += cat("  “", string_or(move, "name"), "”");
    std::string needs;
    if (move.contains("gates")) {
      for (const Json& gate : move["gates"]) needs += cat(needs.empty() ? "" : ", ", gate.get<std::string>());
    }
    if (!needs.empty()) out += cat("  needs ", needs);
    out += '\n';
  }
  return out;
}

// --- check ---

Json breach_json(std::string_view kind, std::string_view status, std::string_view message) {
  return {{"kind", kind}, {"status", status}, {"message", message}};
}

Json verdict(const Machine& machine) {
  Json breaches = Json::array();
  each_breach(machine, [&](const Breach& breach) {
    breaches.push_back(breach_json(name_of(breach.kind), breach.status, describe(machine, breach)));
    return true;
  });
  return {{"machine", machine.name},
          {"statuses", machine.statuses.size()},
          {"moves", machine.moves.size()},
          {"sound", breaches.empty()},
          {"breaches", std::move(breaches)}};
}

// A file that is no machine at all fails the check too: that is what was asked.
Result<Json> verdict_on_file(const std::string& path) {
  PAWL_ASSIGN(const FileImage image, read_file(path, kMaxMachineBytes));
  if (!image.exists) return fail(ErrorCode::not_found, cat("there is no file ", printable(path)));
  const auto malformed = [&](const Error& error) {
    const std::string message = error.hint.empty() ? error.message : cat(error.message, "; ", error.hint);
    return Json{
        {"machine", path}, {"sound", false}, {"breaches", Json::array({breach_json("malformed", "", message)})}};
  };
  if (image.too_large) return malformed({ErrorCode::invalid_argument, "larger than 1 MiB, which no machine is", {}});
  const auto json = parse_json(image.bytes);
  if (!json) return malformed(json.error());
  const auto loaded = LoadedMachine::from_json(*json);
  return loaded ? verdict(loaded->machine()) : malformed(loaded.error());
}

Result<Reply> run_check(Context& context, const Arguments& arguments) {
  Json verdicts = Json::array();
  if (const auto file = arguments.text("file")) {
    PAWL_ASSIGN(Json one, verdict_on_file(*file));
    verdicts.push_back(std::move(one));
  } else {
    for (const Lifecycle& row : context.lifecycles().rows()) verdicts.push_back(verdict(*row.machine));
  }
  const bool sound = std::ranges::all_of(verdicts, [](const Json& row) { return row["sound"].get<bool>(); });
  return Reply{std::move(verdicts), sound ? 0 : 1};
}

std::string text_of_check(const Json& verdicts, const TextStyle&) {
  std::string out;
  for (const Json& row : verdicts) {
    const std::string name = printable(string_or(row, "machine"));
    if (row["sound"].get<bool>()) {
      out += cat(name, ": sound, ", row["statuses"].get<std::int64_t>(), " statuses, ",
                 row["moves"].get<std::int64_t>(), " moves\n");
    }
    for (const Json& breach : row["breaches"]) out += cat(name, ": ", printable(string_or(breach, "message")), "\n");
  }
  return out;
}

constexpr std::array kMachineShowParams = {
    Param{.name = "name",
          .value = "NAME",
          .summary = "which one; `pawl machine list` shows them",
          .positional = true,
          .required = true},
    Param{.name = "mermaid", .type = ParamType::flag, .summary = "as a diagram that GitHub and others draw"},
};
constexpr std::array kCheckParams = {
    Param{.name = "file",
          .value = "FILE",
          .summary = "a machine in the form of `pawl machine show NAME --json`",
          .positional = true},
};
constexpr std::array kListExamples = {
    Example{"pawl machine list", "prints a line for each: its name, a tab, its statuses"},
    Example{"pawl machine list --json", "the same for a program"},
};
constexpr std::array kMachineShowExamples = {
    Example{"pawl machine show issue", "which statuses an issue can have, and how it gets from one to another"},
    Example{"pawl machine show issue --mermaid >> docs/lifecycle.md", "put the diagram into a document"},
    Example{"pawl machine show issue --json > mine.json", "start a table of your own from this one"},
};
constexpr std::array kCheckExamples = {
    Example{"pawl machine check", "check those that come with pawl; a line for each"},
    Example{"pawl machine check mine.json", "check a table of your own; exit 1 names every breach"},
};

}  // namespace

const Verb kMachineList = {
    .noun = "machine",
    .name = "list",
    .summary = "list the lifecycles that pawl guards, with their statuses",
    .manual =
        "Every kind of work has a lifecycle: the statuses it can have and the moves between them. "
        "Nothing can be in a status that is not in its table.",
    .examples = kListExamples,
    .run = run_list,
    .text = text_of_list,
};

const Verb kMachineShow = {
    .noun = "machine",
    .name = "show",
    .summary = "show a lifecycle: its statuses, moves, and what a move needs",
    .manual =
        "A status marked “work ends here” is left only by a move that has a name: a reopening, or the correction "
        "of a mistake. “absent” stands for something that is not there.",
    .params = kMachineShowParams,
    .examples = kMachineShowExamples,
    .run = run_machine_show,
    .text = text_of_machine,
    .is_for_a_file = [](const Json& machine) { return machine.contains("mermaid"); },
};

const Verb kMachineCheck = {
    .noun = "machine",
    .name = "check",
    .summary = "check that a lifecycle has no dead ends",
    .manual =
        "Sound means: every name is used once; every status can be reached; every one where work does not end has "
        "a way out and a way to an end; and an end is left only by a move with a name. Each breach is printed with "
        "the status it is about, and the exit code is then 1. Without FILE the built-in ones are checked.",
    .params = kCheckParams,
    .examples = kCheckExamples,
    .run = run_check,
    .text = text_of_check,
};

}  // namespace pawl
