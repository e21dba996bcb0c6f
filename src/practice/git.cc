#include "practice/git.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/file.h"
#include "base/process.h"
#include "base/text.h"

namespace pawl::practice {
namespace {

constexpr std::size_t kMaxOutput = 256UL << 20U;
constexpr std::size_t kMaxReflog = 64UL << 20U;
constexpr std::string_view kNobody = "0000000000000000000000000000000000000000";
// Fields are parted by NUL, which no message can hold; a commit ends with an extra one.
constexpr std::string_view kFormat = "--format=%H%x00%T%x00%P%x00%an%x00%ae%x00%at%x00%cn%x00%ce%x00%ct%x00%B%x00";

std::int64_t number(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Files to be stored must be files: hash-object reads no argument. Gone with the object.
class Staging {
 public:
  Staging() { path_ = make_temporary_folder("pawl-practice").value_or(""); }
  ~Staging() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::vector<Commit> parse_commits(std::string_view text) {
  std::vector<Commit> commits;
  const auto fields = split(text, '\0');
  for (std::size_t i = 0; i + 10 <= fields.size(); i += 10) {
    Commit one;
    std::string_view sha = fields[i];
    while (sha.starts_with('\n')) sha.remove_prefix(1);
    one.sha = sha;
    one.tree = fields[i + 1];
    for (const std::string_view parent : split(fields[i + 2], ' ')) {
      if (!parent.empty()) one.parents.emplace_back(parent);
    }
    one.author = fields[i + 3];
    one.author_email = fields[i + 4];
    one.authored_ms = number(fields[i + 5]) * 1000;
    one.committer = fields[i + 6];
    one.committer_email = fields[i + 7];
    one.committed_ms = number(fields[i + 8]) * 1000;
    one.message = fields[i + 9];
    while (one.message.ends_with('\n')) one.message.pop_back();
    commits.push_back(std::move(one));
  }
  return commits;
}

}  // namespace

Result<std::string> Git::run(std::vector<std::string> words, const Hand& hand) const {
  // The user's own settings (signing, hooks, other merge drivers) have no part in this world.
  std::vector<std::string> argv = {
      "env",     "-u", "GIT_DIR", "-u", "GIT_WORK_TREE", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
      "LC_ALL=C"};
  if (!hand.login.empty()) {
    const std::string when = cat(hand.at_ms / 1000, " +0000");
    for (const std::string_view who : {"AUTHOR", "COMMITTER"}) {
      argv.push_back(cat("GIT_", who, "_NAME=", hand.login));
      argv.push_back(cat("GIT_", who, "_EMAIL=", hand.login, "@users.noreply.github.com"));
      argv.push_back(cat("GIT_", who, "_DATE=", when));
    }
  }
  while (words.front().starts_with("GIT_")) {
    argv.push_back(words.front());
    words.erase(words.begin());
  }
  argv.insert(argv.end(), {"git", cat("--git-dir=", path_), "-c", "core.quotePath=false"});
  const std::string name = words.front();
  argv.insert(argv.end(), std::make_move_iterator(words.begin()), std::make_move_iterator(words.end()));
  PAWL_ASSIGN(Ran ran, run_program(argv, kMaxOutput));
  if (ran.exit_code != 0) return fail(ErrorCode::io, cat("git ", name, " failed in ", path_));
  return std::move(ran.out);
}

Result<Git> Git::create(const std::string& path, const std::string& branch) {
  Git git;
  git.path_ = path;
  const std::string head = path + "/HEAD";
  if (access(head.c_str(), F_OK) == 0) return git;
  PAWL_TRY(make_folders(path, 0755));
  PAWL_TRY(git.run({"init", "-q", "--bare", "-b", branch}));
  PAWL_TRY(git.run({"config", "core.logAllRefUpdates", "always"}));
  return git;
}

std::string Git::resolve(const std::string& name) const {
  if (name.empty() || name.starts_with('-')) return {};
  auto out = run({"rev-parse", "--verify", "-q", name + "^{commit}"});
  if (!out) return {};
  while (out->ends_with('\n')) out->pop_back();
  return *out;
}

std::map<std::string, std::string> Git::branches() const {
  std::map<std::string, std::string> found;
  const auto out = run({"for-each-ref", "--format=%(objectname) %(refname:lstrip=2)", "refs/heads"});
  if (!out) return found;
  for (const std::string_view line : split(*out, '\n')) {
    if (line.size() > 41) found[std::string(line.substr(41))] = line.substr(0, 40);
  }
  return found;
}

Result<std::string> Git::commit(const std::vector<std::string>& parents, const Changes& changes,
                                const std::string& message, const Hand& hand) {
  const Staging staging;
  const std::string index = "GIT_INDEX_FILE=" + staging.path() + "/index";
  if (!parents.empty()) PAWL_TRY(run({index, "read-tree", parents.front()}));
  std::vector<std::string> hash = {"hash-object", "-w", "--no-filters"};
  std::vector<std::string> written,
      removed = {index, "GIT_WORK_TREE=" + staging.path(), "update-index", "--force-remove", "--"};
  PAWL_ASSIGN(const Fd folder, open_folder(staging.path()));
  for (const auto& [name, content] : changes) {
    if (!content) {
      removed.push_back(name);
      continue;
    }
    PAWL_TRY(write_synced_at(folder.get(), cat("f", written.size()), *content));
    hash.push_back(cat(staging.path(), "/f", written.size()));
    written.push_back(name);
  }
  if (!written.empty()) {
    PAWL_ASSIGN(const std::string hashes, run(std::move(hash)));
    std::vector<std::string> update = {index, "update-index", "--add"};
    for (std::size_t i = 0; i < written.size(); ++i) {
      update.insert(update.end(), {"--cacheinfo", cat("100644,", hashes.substr(i * 41, 40), ",", written[i])});
    }
    PAWL_TRY(run(std::move(update)));
  }
  if (removed.size() > 5) PAWL_TRY(run(std::move(removed)));
  PAWL_ASSIGN(std::string tree, run({index, "write-tree"}));
  tree.resize(40);
  return commit_tree(tree, parents, message, hand);
}

Result<std::string> Git::commit_tree(const std::string& tree, const std::vector<std::string>& parents,
                                     const std::string& message, const Hand& hand) {
  std::vector<std::string> words = {"commit-tree", tree, "-m", message};
  for (const std::string& parent : parents) words.insert(words.end(), {"-p", parent});
  PAWL_ASSIGN(std::string sha, run(std::move(words), hand));
  sha.resize(40);
  return sha;
}

Done Git::move_branch(const std::string& ref, const std::string& sha, const Hand& hand, const std::string& why) {
  PAWL_TRY(run({"update-ref", "-m", why, ref, sha}, hand));
  return done();
}

Done Git::remove_ref(const std::string& ref) {
  PAWL_TRY(run({"update-ref", "-d", ref}));
  return done();
}

std::string Git::merge_base(const std::string& one, const std::string& other) const {
  auto out = run({"merge-base", one, other});
  if (!out) return {};
  out->resize(40);
  return *out;
}

Result<std::string> Git::diff(const std::string& base, const std::string& head) const {
  const std::string from = merge_base(base, head);
  return run({"diff", "--full-index", "--no-color", "--no-ext-diff", "-M", from.empty() ? base : from, head});
}

Result<std::vector<Commit>> Git::commits(const std::string& base, const std::string& head) const {
  PAWL_ASSIGN(const std::string text,
              run({"log", "--reverse", "--topo-order", std::string(kFormat), cat(base, "..", head)}));
  return parse_commits(text);
}

Result<Commit> Git::show(const std::string& sha) const {
  if (const auto known = shown_.find(sha); known != shown_.end()) return known->second;
  PAWL_ASSIGN(const std::string text, run({"log", "-1", std::string(kFormat), sha}));
  auto commits = parse_commits(text);
  if (commits.empty()) return fail(ErrorCode::not_found, "Not Found");
  if (sha.size() == kNobody.size()) shown_[sha] = commits.front();
  return std::move(commits.front());
}

std::optional<std::string> Git::merged_tree(const std::string& base, const std::string& head) const {
  const auto out = run({"merge-tree", "--write-tree", base, head});
  if (!out || out->size() < 40) return std::nullopt;
  return out->substr(0, 40);
}

Done Git::fetch(const Git& other, const std::string& ref, const std::string& into) {
  PAWL_TRY(run({"fetch", "-q", other.path(), cat("+", ref, ":", into)}));
  return done();
}

std::vector<Push> Git::pushes() const {
  namespace fs = std::filesystem;
  std::vector<Push> found;
  const fs::path logs = fs::path(path_) / "logs" / "refs" / "heads";
  std::error_code ignored;
  for (auto at = fs::recursive_directory_iterator(logs, ignored); at != fs::recursive_directory_iterator();
       at.increment(ignored)) {
    const auto image = read_file(at->path().string(), kMaxReflog);
    if (!image || !image->exists) continue;
    const std::string ref = "refs/heads/" + fs::relative(at->path(), logs, ignored).string();
    const std::size_t first = found.size();
    for (const std::string_view line : split(image->bytes, '\n')) {
      // "before after name <email> seconds zone\twhy"
      const std::size_t mail = line.find('<'), mail_end = line.find('>'), tab = line.find('\t');
      if (line.size() < 82 || mail == std::string_view::npos || mail_end == std::string_view::npos || mail < 83) {
        continue;
      }
      found.push_back({ref, std::string(line.substr(0, 40)), std::string(line.substr(41, 40)),
                       std::string(line.substr(82, mail - 83)),
                       tab == std::string_view::npos ? std::string() : std::string(line.substr(tab + 1)),
                       number(line.substr(mail_end + 2)) * 1000});
    }
    // A reflog counts in seconds: what it says within one stays in its order, the newest first.
    std::reverse(found.begin() + static_cast<std::ptrdiff_t>(first), found.end());
  }
  std::stable_sort(found.begin(), found.end(), [](const Push& a, const Push& b) { return a.at_ms > b.at_ms; });
  for (Push& push : found) {
    if (push.before == kNobody) {
      push.what = "branch_creation";
    } else if (push.what != "pr_merge") {
      push.what = merge_base(push.before, push.after) == push.before ? "push" : "force_push";
    }
  }
  return found;
}

}  // namespace pawl::practice
