// Histories of the merge's model on the real engine: the state after each step is compared with what the model says.
#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "base/json_same.h"
#include "base/text.h"
#include "model/world.h"

namespace pawl::model {
namespace {

// As values: what the order of lists and the spelling of files do not change.
Json comparable(Json state) {
  for (Json& one : state["conflicts"]) {
    const std::string code = one["code"];
    if (code == "git" || code == "markers" || code == "too_large" || code == "unreadable" || code == "unread")
      one["theirs"] = "*";
    if (code == "unread") one["member"] = "";
  }
  // A removed record keeps its last values; after the undo of an addition those are the addition's here.
  for (Json& one : state["records"]) {
    if (one.value("state", "") == "removed") one["status"] = one["members"] = one["unverified"] = nullptr;
  }
  for (const char* const list : {"records", "conflicts"}) {
    std::vector<std::string> lines;
    for (const Json& one : state[list])
      lines.push_back(to_line(Json(nlohmann::json(nlohmann::json::parse(to_line(one))))));
    std::sort(lines.begin(), lines.end());
    state[list] = lines;
  }
  for (auto& [path, text] : state["files"].items()) {
    if (!text.is_string()) continue;
    if (auto value = parse_json(text.get<std::string>())) text = *value;
  }
  return {{"records", state["records"]}, {"files", state["files"]}, {"conflicts", state["conflicts"]}};
}

std::string difference(const Json& want, const Json& have) {
  std::string out;
  for (const auto& [name, value] : want.items()) {
    if (same_text(value, have.at(name))) continue;
    out += cat("  ", name, "\n    model  ", to_line(value), "\n    engine ", to_line(have.at(name)), "\n");
  }
  return out;
}

}  // namespace

int compare_histories(const std::string& file) {
  std::ifstream lines(file);
  std::unique_ptr<World> world;
  std::filesystem::path folder;
  std::string history;
  int histories = 0, steps = 0, differ = 0;
  bool given_up = false;
  const auto shm = std::filesystem::exists("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path().string();
  for (std::string line; std::getline(lines, line);) {
    const Json one = parse_json(line).value();
    if (one.contains("lifecycles")) {
      world.reset();
      if (!folder.empty()) std::filesystem::remove_all(folder);
      std::string name = shm + "/pawl-model-XXXXXX";
      folder = mkdtemp(name.data());
      world = std::make_unique<World>(one, folder.string());
      history = line;
      ++histories;
      given_up = false;
      continue;
    }
    if (given_up) continue;
    ++steps;
    const std::string result = world->apply(one["step"]);
    history += "\n" + to_line(one["step"]);
    const Json want = one["state"];
    // The engine judges a file that it displaced by itself; the model leaves that to the next look.
    if (one["step"].contains("meanwhile")) continue;
    std::string found = difference(comparable(want), comparable(world->state(want["records"])));
    // A refused command may be refused before the point at which it is killed.
    const bool killed = one["step"].contains("kill") && want["result"] == "killed";
    if (result != want["result"] && !killed)
      found += cat("  result: model ", string_or(want, "result"), ", engine ", result, "\n");
    if (found.empty()) continue;
    ++differ;
    given_up = true;
    if (differ <= 10)
      std::cout << "history " << histories << ", step " << steps << ":\n" << history << "\n" << found << std::endl;
  }
  world.reset();
  if (!folder.empty()) std::filesystem::remove_all(folder);
  std::printf("%d histories, %d steps, %d histories that differ\n", histories, steps, differ);
  return differ;
}

}  // namespace pawl::model
