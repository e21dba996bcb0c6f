// `pawl pr …`: the rows, and how their answers read; what talks to GitHub is in commands/world/.
#include <array>
#include <map>

#include "base/text.h"
#include "commands/present.h"
#include "commands/table.h"

namespace pawl {
namespace {

// "3 passed, 1 failed"
std::string counted(const Json& list, const std::string& member) {
  std::map<std::string, int> counts;
  for (const Json& one : list) ++counts[string_or(one, member)];
  std::string out;
  for (const auto& [word, count] : counts) out += cat(out.empty() ? "" : ", ", count, " ", printable(word));
  return out.empty() ? "none" : out;
}

std::string checks_text(const Json& checks, const TextStyle& style) {
  std::string out = cat("checks    ", counted(checks, "state"), "\n");
  for (const Json& check : checks) {
    if (string_or(check, "state") == "failed")
      out += cat("          ", bold(printable(string_or(check, "name")), style), " ",
                 printable(string_or(check, "detail")), "\n");
  }
  return out;
}

std::string threads_text(const Json& threads) {
  std::size_t open = 0;
  for (const Json& thread : threads) open += thread["resolved"] == false ? 1 : 0;
  std::string out = cat("threads   ", threads.size(), open == 0 ? "" : cat(", ", open, " not resolved"), "\n");
  for (const Json& thread : threads) {
    if (thread["resolved"] != false) continue;
    out +=
        cat("          ", printable(string_or(thread, "path")),
            integer_or(thread, "line") == 0 ? std::string() : cat(":", integer_or(thread, "line")), "  ",
            printable(string_or(thread, "first_author")), "; last ", printable(string_or(thread, "last_author")), "\n");
  }
  return out;
}

std::string view_text(const Json& data, const TextStyle& style) {
  const auto line = [&](const char* name) { return printable(string_or(data, name)); };
  std::string out = cat(bold(cat(line("ref"), "  ", line("title")), style), "\n");
  out += cat("state     ", line("state"), data["draft"] == true ? ", draft" : "", "; merging: ", line("merge_state"),
             "; reviews: ", line("review_decision"), "\n");
  out += cat("head      ", printable(string_or(data["head"], "ref")), " at ", printable(string_or(data["head"], "sha")),
             " into ", line("base"), "\n");
  out += checks_text(data["checks"], style);
  for (const Json& review : data["reviews"])
    out += cat("review    ", printable(string_or(review, "author")), " ", printable(string_or(review, "state")), "\n");
  out += threads_text(data["threads"]);
  out += cat("comments  ", integer_or(data, "comments"), "\n");
  out += cat("last      ", printable(string_or(data["last"], "who")), " ", printable(string_or(data["last"], "what")),
             ", ", printable(string_or(data["last"], "at")), "\n");
  return cat(out, line("url"), "\n");
}

constexpr std::array kViewParams = {
    Param{.name = "ref",
          .value = "REF",
          .summary = "owner/repo#123, a URL, a number, or nothing: the current branch's",
          .positional = true,
          .max_bytes = 1024,
          .offer = Offer::records,
          .offer_kind = "review pr-finding pr-question pr-manual-review pr-auto-review"},
};

constexpr std::array kViewExamples = {
    Example{"pawl pr view", "the pull request of the current branch"},
    Example{"pawl pr view octo/cat#7 --json", "another one, for a script"},
};

}  // namespace

const Verb kPrView = {
    .noun = "pr",
    .name = "view",
    .summary = "show a pull request: state, checks, reviews, threads, who went last",
    .manual =
        "Asks GitHub, and changes nothing there. Where: GITHUB_API_URL and GITHUB_GRAPHQL_URL, or GH_HOST, or "
        "github.com; "
        "gh's http_unix_socket is used. Who: PAWL_GITHUB_TOKEN, GH_TOKEN or GITHUB_TOKEN, or what `gh auth token` "
        "says.\n\n"
        "Every page is read. When GitHub asks to slow down this waits, for at most github.max_wait (10m) in all; one "
        "call "
        "may take github.timeout (30s).",
    .params = kViewParams,
    .examples = kViewExamples,
    .world = true,
    .text = view_text,
};

}  // namespace pawl
