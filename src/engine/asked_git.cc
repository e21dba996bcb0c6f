#include "engine/asked_git.h"

#include <sys/random.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/conversation.h"
#include "base/hex.h"
#include "base/text.h"
#include "engine/asking_git.h"

namespace pawl {
namespace {

Conversation with_git(const std::string& root, const std::vector<std::string>& words) {
  return {wary_git(root, words), wary_variables(), kMaxGitAnswer, kGitPatienceMs};
}

std::string by_chance() {
  std::array<unsigned char, 16> bytes{};
  [[maybe_unused]] const ssize_t got = getrandom(bytes.data(), bytes.size(), 0);  // so few are never cut short
  return in_hex(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

// `cat-file --batch` is asked in lines. What does not fit into one is asked for by itself.
bool is_line(std::string_view text) { return text.find('\n') == std::string_view::npos; }

std::optional<std::string> alone(const std::string& root, const char* how, const std::string& name) {
  auto ran = ask_git_warily(root, {"cat-file", how, name});
  return ran && ran->exit_code == 0 ? std::optional(std::move(ran->out)) : std::nullopt;
}

struct Object {
  std::string id, type, bytes;
};

}  // namespace

struct AskedGit::Talk {
  explicit Talk(const Workspace& workspace)
      : log(workspace.git_dir),
        attributes(with_git(workspace.root, {"check-attr", "--stdin", "-z", "filter"})),
        commits(with_git(workspace.root, {"cat-file", "--batch"})),
        checkouts(with_git(workspace.root, {"cat-file", "--batch", "--filters"})),
        nothing(cat("nothing-", by_chance())) {}

  // "ID TYPE SIZE", the bytes, and a line end. With --filters the size is that of the object and not of what is
  // written, so the end of an answer is known by that of a second question, which is always the same.
  std::optional<Object> object(Conversation& with, const std::string& question) const {
    const std::string end = cat(nothing, " missing\n");
    const auto told =
        with.ask(cat(question, "\n", nothing, "\n"), [&](std::string_view answer) { return answer.ends_with(end); });
    if (!told) return std::nullopt;
    const std::string_view answer = std::string_view(*told).substr(0, told->size() - end.size());
    const std::size_t line = answer.find('\n');
    if (line == std::string_view::npos || line + 1 == answer.size()) return std::nullopt;  // "QUESTION missing"
    const auto words = split(answer.substr(0, line), ' ');
    if (words.size() != 3 || !answer.ends_with('\n')) return std::nullopt;
    return Object{std::string(words[0]), std::string(words[1]),
                  std::string(answer.substr(line + 1, answer.size() - line - 2))};
  }

  HeadLog log;
  Conversation attributes, commits, checkouts;
  const std::string nothing;  // a name that no object has, and nobody who writes a file knows
  std::optional<std::set<std::string, std::less<>>> tracked;
};

AskedGit::AskedGit(const Workspace& workspace) : workspace_(workspace) {}
AskedGit::~AskedGit() = default;

AskedGit::Talk& AskedGit::talk() {
  if (!talk_) talk_ = std::make_unique<Talk>(workspace_);
  return *talk_;
}

void AskedGit::forget() { talk_.reset(); }

HeadMoves AskedGit::head_moves_since(const std::string& mark) { return talk().log.moves_since(mark); }

bool AskedGit::has_filter(const std::string& path) {
  const auto told = talk().attributes.ask(path + '\0', [](std::string_view answer) {
    return std::count(answer.begin(), answer.end(), '\0') >= 3;  // the path, the attribute, its value
  });
  return !told || tells_of_filter(*told);
}

std::optional<std::string> AskedGit::as_committed(const std::string& commit, const std::string& path) {
  const std::string name = cat(commit, ":", path);
  if (!is_line(name)) return alone(workspace_.root, "blob", name);
  auto found = talk().object(talk().commits, name);
  return found && found->type == "blob" ? std::optional(std::move(found->bytes)) : std::nullopt;
}

std::optional<std::string> AskedGit::as_checked_out(const std::string& commit, const std::string& path) {
  const std::string name = cat(commit, ":", path);
  if (!is_line(name)) return alone(workspace_.root, "--filters", name);
  // With --filters a question is an object and a path with a blank between them, so the object must have none.
  const auto found = talk().object(talk().commits, name);
  if (!found || found->type != "blob") return std::nullopt;
  auto written = talk().object(talk().checkouts, cat(found->id, " ", path));
  return written ? std::optional(std::move(written->bytes)) : std::nullopt;
}

bool AskedGit::tracks(const std::string& path) {
  auto& tracked = talk().tracked;
  if (!tracked) {
    tracked.emplace();
    const auto ran = ask_git_warily(workspace_.root, {"ls-files", "-z"});
    const std::string_view listed = ran && ran->exit_code == 0 ? std::string_view(ran->out) : std::string_view();
    for (const std::string_view one : split(listed, '\0')) tracked->emplace(one);
  }
  return tracked->contains(path);
}

bool AskedGit::wrote(const std::string& path, const struct stat& file) {
  const auto ran = ask_git_warily(workspace_.root, {"ls-files", "--debug", "--", cat(":(top,literal)", path)});
  if (!ran || ran->exit_code != 0) return false;
  // "  mtime: SECONDS:NANOSECONDS", and "dev: N\tino: N"
  const auto told = [&](std::string_view name) {
    const std::size_t at = ran->out.find(name);
    const std::string_view behind =
        at == std::string::npos ? std::string_view() : std::string_view(ran->out).substr(at + name.size());
    return behind.substr(0, behind.find_first_of("\n\t"));
  };
  return told("\n  mtime: ") == cat(file.st_mtim.tv_sec, ":", file.st_mtim.tv_nsec) &&
         told("\tino: ") == cat(static_cast<std::uint32_t>(file.st_ino));
}

}  // namespace pawl
