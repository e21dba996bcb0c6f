// `pawl practice`: the row; what it does is in commands/world/practice.cc.
#include <array>

#include "base/text.h"
#include "commands/table.h"

namespace pawl {
namespace {

constexpr std::array kParams = {
    Param{.name = "port", .type = ParamType::positive, .value = "P", .summary = "listen on this port of 127.0.0.1"},
    Param{.name = "socket", .value = "FILE", .summary = "listen on a Unix socket instead", .max_bytes = 107},
    Param{.name = "world",
          .value = "FILE",
          .summary = "begin with the repositories in this JSON file",
          .max_bytes = 4096},
    Param{.name = "folder", .value = "DIR", .summary = "keep the git repositories here", .max_bytes = 4096},
    Param{.name = "record",
          .value = "FILE",
          .summary = "append every answer to this file, a line of JSON each",
          .max_bytes = 4096},
};

constexpr std::array kPracticeExamples = {
    Example{"pawl practice --port 8080",
            "GITHUB_API_URL=http://127.0.0.1:8080 GH_TOKEN=practice pawl pr view practice/demo#1"},
    Example{"pawl practice --socket /tmp/gh.sock", "gh config set http_unix_socket /tmp/gh.sock"},
};

std::string text(const Json& data, const TextStyle&) {
  return data.contains("at")
             ? cat("practising at ", printable(string_or(data, "at")), ", token “", printable(string_or(data, "token")),
                   "”, git repositories in ", printable(string_or(data, "folder")), "; stop with Ctrl-C\n")
             : std::string();
}

}  // namespace

const Verb kPractice = {
    .name = "practice",
    .summary = "run a stand-in for GitHub, to try a bot on",
    .manual =
        "Starts a small server on this machine that answers as GitHub would: repositories, pull requests, issues, "
        "comments, threads, reviews, checks and merges, over REST and GraphQL. Nothing leaves the machine. When it "
        "listens, it prints one line: where, with which token, and the folder of its git repositories; Ctrl-C ends "
        "it.\n\n"
        "The repositories are real: a push moves the pull request. With git config url.FOLDER/.insteadOf "
        "https://github.com/ git finds them under GitHub's addresses. Without --folder they go when the server "
        "does.\n\n"
        "Requests below /_practice/ set the stage: comments of other people, pushes, checks, and faults such as slow "
        "or lost answers.",
    .params = kParams,
    .examples = kPracticeExamples,
    .read_only = true,
    .streams = true,
    .world = true,
    .text = text,
};

}  // namespace pawl
