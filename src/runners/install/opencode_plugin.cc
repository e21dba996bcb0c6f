#include "runners/install/opencode_plugin.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>

#include "base/text.h"

namespace pawl::install {
namespace {

constexpr std::string_view kFirstWords = "// Written by `pawl init --opencode`";

constexpr std::string_view kRest =
    R"js(// It tells pawl what happens and does what pawl answers. Without pawl nothing is decided.
import { spawn } from "node:child_process"

const ask = (folder, event) =>
  new Promise((resolve) => {
    const child = spawn("pawl", ["hook", "opencode"], { cwd: folder, stdio: ["pipe", "pipe", "ignore"] })
    let out = ""
    child.on("error", () => resolve(null))
    child.stdin.on("error", () => {})
    child.stdout.on("data", (data) => (out += data))
    child.on("close", () => {
      try {
        resolve(JSON.parse(out))
      } catch {
        resolve(null)
      }
    })
    child.stdin.end(JSON.stringify(event))
  })

// What was said and done since somebody last said something to the session.
const lastTurn = async (client, session) => {
  const turn = { text: "", earlier: [], tokens: 0, used_a_tool: false }
  const { data } = await client.session.messages({ path: { id: session } })
  for (const { info, parts } of [...(data ?? [])].reverse()) {
    if (info.role !== "assistant") break
    if (info.error) turn.aborted = true // by the user, for one: that is no wish to go on
    if (!turn.tokens && info.tokens) {
      const { input = 0, output = 0, cache = {} } = info.tokens
      turn.tokens = input + output + (cache.read ?? 0) + (cache.write ?? 0)
    }
    const text = parts.filter((part) => part.type === "text").map((part) => part.text).join("\n")
    if (text && turn.text && info.time?.created) turn.earlier.push({ text, at: info.time.created })
    turn.text ||= text
    turn.used_a_tool ||= parts.some((part) => part.type === "tool")
  }
  return turn
}

export const Pawl = async ({ client, directory }) => {
  const edits = new Map()
  return {
    event: async ({ event }) => {
      if (event.type !== "session.idle") return
      const session = event.properties.sessionID
      const turn = await lastTurn(client, session).catch(() => ({}))
      if (turn.aborted) return
      const answer = await ask(directory, { event: "session.idle", session, ...turn })
      if (answer?.tell) await client.tui?.showToast({ body: { message: answer.tell, variant: "info" } }).catch(() => {})
      if (!answer?.prompt) return
      const body = { parts: [{ type: "text", text: answer.prompt }] }
      await client.session.prompt({ path: { id: session }, body })
    },
    "tool.execute.before": async (input, output) => {
      const { filePath, content, oldString, edits: many } = output.args ?? {}
      if (!filePath || (content ?? oldString ?? many) === undefined) return
      const event = { event: "tool.execute.before", session: input.sessionID, arguments: output.args }
      const answer = await ask(directory, event)
      if (answer?.deny) throw new Error(answer.deny)
      edits.set(input.callID, output.args)
    },
    "tool.execute.after": async (input, output) => {
      const args = edits.get(input.callID)
      if (!edits.delete(input.callID)) return
      const answer = await ask(directory, { event: "tool.execute.after", session: input.sessionID, arguments: args })
      if (answer?.tell) output.output = `${output.output ?? ""}\n${answer.tell}`
    },
    "shell.env": async (input, output) => {
      if (input.sessionID) output.env.PAWL_SESSION = input.sessionID
    },
  }
}
)js";

}  // namespace

std::string marked_plugin(std::string_view rest) {
  const std::uint64_t mark = XXH3_64bits(rest.data(), rest.size());
  return cat(kFirstWords, "; `pawl init --opencode --remove` takes it away, unless somebody changed it. Mark: ", mark,
             "\n", rest);
}

std::string opencode_plugin() { return marked_plugin(kRest); }

bool began_as_plugin(std::string_view text) { return text.starts_with(kFirstWords); }

bool is_unchanged_plugin(std::string_view text) {
  const std::size_t end = text.find('\n');
  if (!began_as_plugin(text) || end == std::string_view::npos) return false;
  const std::string_view rest = text.substr(end + 1);
  // Another version may say the rest of its first line in other words.
  return text.substr(0, end).ends_with(cat(" ", XXH3_64bits(rest.data(), rest.size())));
}

}  // namespace pawl::install
