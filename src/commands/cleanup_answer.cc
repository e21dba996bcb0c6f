#include "commands/cleanup_answer.h"

#include <algorithm>

#include "base/text.h"

namespace pawl {
namespace {

void append_work(std::string& out, const Json& one, const std::string& key, std::string_view what) {
  if (!one.contains(key) || one[key].empty()) return;
  out += cat("    ", what, ":\n");
  for (const Json& line : one[key]) out += cat("        ", printable(line.get<std::string>()), "\n");
}

bool holds_work(const Json& one) {
  const auto has_some = [&](const char* key) { return one.contains(key) && !one[key].empty(); };
  return has_some("uncommitted") || has_some("unpushed");
}

}  // namespace

Json cleaned_json(const std::string& noun, const Json& name, const Cleaned& one, bool dry_run) {
  Json out{{noun, name}, {"cleaned", !one.stopped && !dry_run}};
  if (dry_run) out["would_clean"] = !one.stopped;
  out[dry_run ? "would" : "did"] = one.did;
  if (!one.ignored.empty()) out["ignored"] = {{"files", one.ignored.count}, {"places", one.ignored.places}};
  if (one.stopped) {
    out["uncommitted"] = one.work.uncommitted;
    out["unpushed"] = one.work.unpushed;
    if (!one.work.by_hand.empty()) out["by_hand"] = one.work.by_hand;
    if (!one.work.under_way.empty()) out["under_way"] = one.work.under_way;
  }
  return out;
}

Json not_cleaned_json(const std::string& noun, const Json& name, const Error& error) {
  return {
      {noun, name}, {"cleaned", false}, {"error", cat(error.message, error.hint.empty() ? "" : cat("; ", error.hint))}};
}

std::string cleanup_text(const Json& data, const std::string& list, const std::string& noun) {
  std::string out;
  const bool dry = data["dry_run"] == true;
  // Two lists may have a story of the same id.
  const bool named_by_file = std::any_of(data[list].begin(), data[list].end(), [&](const Json& one) {
    return string_or(one, "file") != string_or(data[list].front(), "file");
  });
  for (const Json& one : data[list]) {
    const std::string name =
        cat(noun, " ", printable(one[noun].is_string() ? one[noun].get<std::string>() : to_line(one[noun])),
            named_by_file ? cat(" in ", printable(string_or(one, "file"))) : std::string());
    if (one.contains("error")) {
      out += cat(name, " is left as it is: ", printable(string_or(one, "error")), "\n");
      continue;
    }
    const bool goes = one[dry ? "would_clean" : "cleaned"] == true;
    out += goes ? cat(name, dry ? " would be cleaned up\n" : " is cleaned up\n")
                : cat(name, one[dry ? "would" : "did"].empty() ? " is left as it is" : " is not cleaned up",
                      holds_work(one) ? ": there is work in it that nobody else has\n" : "\n");
    for (const Json& line : one[dry ? "would" : "did"]) out += cat("    ", printable(line.get<std::string>()), "\n");
    append_work(out, one, "uncommitted", "not committed");
    append_work(out, one, "unpushed", "not pushed, and in no branch that it would be merged into");
    append_work(out, one, "by_hand", "only you can put aside");
    if (one.contains("under_way"))
      out += cat("    a ", string_or(one, "under_way"), " is under way: finish or abort it first\n");
    else if (!goes && !one.contains("by_hand"))
      out += data["forced"] == true ? "    it came while this was at work: try again\n"
                                    : "    --force puts it aside and goes on\n";
  }
  return data[list].empty() ? "there is nothing to clean up\n" : out;
}

}  // namespace pawl
