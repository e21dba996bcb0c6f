// `pawl doctor`: what is wrong here, and, if asked, mending it.
#include <array>

#include "base/text.h"
#include "drive/issue/health.h"
#include "engine/doctor.h"
#include "engine/engine.h"
#include "verbs/context.h"
#include "verbs/present.h"
#include "verbs/table.h"

namespace pawl {
namespace {

Json finding_json(const Finding& finding) {
  return {{"problem", finding.problem}, {"text", finding.text}, {"advice", finding.advice}};
}

// The store and the files, and what is running.
Result<Checkup> check_all(Engine& engine) {
  return check_up(engine, [&](Transaction& store, std::vector<Finding>& findings) {
    return look_at_runs(engine, store, findings);
  });
}

Result<Reply> run_doctor(Context& context, const Arguments& arguments) {
  PAWL_ASSIGN(Engine* const engine, context.engine());
  PAWL_ASSIGN(Checkup checkup, check_all(*engine));
  Json out{{"workspace", engine->workspace().root},
           {"store", checkup.has_store ? Json(engine->workspace().store) : Json()}};
  if (arguments.flag("fix")) {
    PAWL_ASSIGN(const auto did, mend(*engine, context.request(), checkup));
    out["mended"] = did;
    PAWL_ASSIGN(checkup, check_all(*engine));
  }
  out["healthy"] = checkup.healthy();
  out["records"] = checkup.store.records;
  out["operations"] = checkup.store.operations;
  out["events"] = checkup.store.events;
  if (!checkup.store.mode.empty()) out["journal_mode"] = checkup.store.mode;
  out["files"] = Json::array();
  for (const Checkup::File& file : checkup.files) out["files"].push_back({{"path", file.path}, {"state", file.state}});
  out["findings"] = Json::array();
  for (const Finding& finding : checkup.findings) out["findings"].push_back(finding_json(finding));
  return Reply{std::move(out), checkup.healthy() ? 0 : 1};
}

std::string text_of_doctor(const Json& data, const TextStyle& style) {
  std::string out;
  if (data.contains("mended")) {
    for (const Json& line : data["mended"]) out += cat("mended: ", printable(line.get<std::string>()), "\n");
  }
  const bool has_store = data["store"].is_string();
  out += has_store ? cat("store: ", to_line(data["records"]), " records, ", to_line(data["operations"]),
                         " operations, ", to_line(data["events"]), " events\n")
                   : "store: none yet; pawl init makes one\n";
  std::size_t in_step = 0;
  for (const Json& file : data["files"]) {
    if (string_or(file, "state") == "in step") {
      ++in_step;
    } else {
      out += cat(printable(string_or(file, "path")), ": ", string_or(file, "state"), "\n");
    }
  }
  if (in_step > 0) out += cat(in_step, in_step == 1 ? " file is" : " files are", " in step\n");
  for (const Json& finding : data["findings"]) {
    out += cat(finding["problem"].get<bool>() ? bold("problem: ", style) : "note: ", string_or(finding, "text"), "\n");
    if (const std::string advice = string_or(finding, "advice"); !advice.empty()) out += cat("    ", advice, "\n");
  }
  return cat(out, data["healthy"].get<bool>() ? "all is well\n" : "something needs you, see above\n");
}

constexpr std::array kDoctorParams = {
    Param{.name = "fix", .type = ParamType::flag, .summary = "mend what can be mended; nothing is deleted"}};
constexpr std::array kDoctorExamples = {
    Example{"pawl doctor", "look, and change nothing; exit 1 when something is wrong"},
    Example{"pawl doctor --fix", "mend what can be mended"}};

}  // namespace

const Verb kDoctor = {
    .name = "doctor",
    .summary = "check the store, the log and the files; change nothing",
    .manual =
        "Works before pawl init too. With --fix it mends: files and store are brought together, damaged files "
        "restored, and a database beyond "
        "reading is set aside and begun anew from the files. Nothing is deleted.",
    .params = kDoctorParams,
    .examples = kDoctorExamples,
    .read_only = false,
    .run = run_doctor,
    .text = text_of_doctor,
};

}  // namespace pawl
