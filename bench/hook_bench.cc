// An agent's hooks, which it waits for: the Stop hook with and without a loop, and the end of a long transcript.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "bench.h"

namespace pawl::bench {
namespace {

constexpr std::size_t kLongTranscript = std::size_t{200} << 20U;

// Lines as Claude Code writes them: what a tool printed, again and again, and the agent's words at the end.
void write_transcript(const std::string& path, std::size_t bytes) {
  std::ofstream file(path, std::ios::binary);
  const std::string printed =
      R"({"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":")" +
      std::string(4000, 'x') + "\"}]}}\n";
  for (std::size_t written = 0; written < bytes; written += printed.size()) file << printed;
  file << R"({"type":"user","message":{"role":"user","content":"go on"}})"
       << "\n";
  for (int i = 0; i < 4; ++i) file << printed;
  file
      << R"({"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","name":"Bash"},{"type":"text","text":"On it."}],)"
      << R"("usage":{"input_tokens":10,"cache_read_input_tokens":50000,"output_tokens":100}}})"
      << "\n";
}

void write_event(const std::string& path, const std::string& transcript) {
  std::ofstream(path) << R"({"session_id":"s1","transcript_path":")" << transcript
                      << R"(","cwd":"/","hook_event_name":"Stop","stop_hook_active":false})";
}

}  // namespace

std::vector<Figure> bench_hooks(const Options& options) {
  const std::string with = options.folder + "/with-loop", without = options.folder + "/without-loop";
  const std::string programs = options.folder + "/bin";
  const std::string pawl = installed(PAWL_BINARY, programs), empty_program = installed(FLOOR_EMPTY, programs);
  for (const std::string& folder : {with, without}) {
    make_project(folder);
    run_process({pawl, "-C", folder, "issue", "set", "42", "running"});  // there is a store
  }
  run_process({pawl, "-C", with, "ralph", "start", "--session", "s1", "--max", "1000000000", "--prompt",
               "make all the tests pass"});
  const std::string short_event = options.folder + "/short.json", long_event = options.folder + "/long.json";
  write_transcript(options.folder + "/short.jsonl", 0);
  write_transcript(options.folder + "/long.jsonl",
                   static_cast<std::size_t>(static_cast<double>(kLongTranscript) * options.scale));
  write_event(short_event, options.folder + "/short.jsonl");
  write_event(long_event, options.folder + "/long.jsonl");
  ::sync();  // or the first commits would wait for 200 MB of somebody else's to be written
  const std::vector<std::string> hook_with = {pawl, "-C", with, "hook", "claude"};
  const std::vector<std::string> hook_without = {pawl, "-C", without, "hook", "claude"};

  const auto m = medians_in_turn(options.runs, {
                                                   [&] { run_process({empty_program}); },
                                                   [&] { run_process(hook_with, short_event); },
                                                   [&] { run_process(hook_without, short_event); },
                                                   [&] { run_process(hook_with, long_event); },
                                               });
  std::filesystem::remove(options.folder + "/long.jsonl");
  // A hook exits 0 whatever goes wrong: that it held the session every time shows in what it counted.
  std::ifstream state(with + "/.omc/ralph-state.json");
  const std::string text{std::istreambuf_iterator<char>(state), {}};
  if (text.find("\"iteration\": " + std::to_string(2 * options.runs)) == std::string::npos)
    give_up("the Stop hook did not do its work: " + text);
  return {
      at_most("Stop hook with an active loop, synced, file included : empty start", m[1] / m[0], 5.0, both(m[1], m[0])),
      at_most("Stop hook without a loop : empty start", m[2] / m[0], 2.0, both(m[2], m[0])),
      at_most("Stop hook, transcript of 200 MB : its last 16 KB alone", m[3] / m[1], 1.1, both(m[3], m[1])),
  };
}

}  // namespace pawl::bench
