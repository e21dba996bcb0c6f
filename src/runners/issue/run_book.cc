#include "runners/issue/run_book.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/log.h"
#include "base/own_folder.h"
#include "base/text.h"
#include "lifecycles/issue/issue.h"

namespace pawl {
namespace {

constexpr std::size_t kSmallFile = 4096;
constexpr int kPatienceMs = 60'000;
constexpr int kLastWordsMs = 1'000, kStepMs = 10;
constexpr std::size_t kMaxScopeName = 100;
constexpr std::string_view kRun = "issue.run:", kStarting = "issue.starting:", kFormer = "issue.former:";

// A base folder of its own has runs of its own, under a name that a file can have.
std::string scope_name(std::string scope) {
  for (char& c : scope) c = c == '/' ? '!' : c;
  return scope.size() <= kMaxScopeName ? scope : scope.substr(scope.size() - kMaxScopeName);
}

// "42-pawl-12ab" → 42
std::optional<std::int64_t> number_of(const std::string& name) {
  const std::size_t dash = name.find('-');
  return dash == std::string::npos ? std::nullopt : parse_positive(std::string_view(name).substr(0, dash));
}

// Read and written under the store's gate, as one.
Done write_kept(Engine& engine, const std::function<Result<Decision>(Transaction&)>& decide) {
  PAWL_ASSIGN(Store* const store, engine.store(true));
  PAWL_ASSIGN(const auto gate, store->gate());
  PAWL_ASSIGN(const auto tx, store->begin(Access::write));
  PAWL_ASSIGN(const Decision decision, decide(*tx));
  if (decision.kept.empty()) return done();
  for (const auto& [name, value] : decision.kept) PAWL_TRY(tx->keep(name, value));
  PAWL_TRY(tx->commit({}));
  return done();
}

}  // namespace

std::string RunBook::root() const {
  const std::string scope = issue::id_of(1, engine_.settings()).scope;
  return cat(engine_.workspace().store, "/runs", scope.empty() ? "" : cat("/of-", scope_name(scope)));
}

std::string RunBook::name_of(std::string_view what, std::int64_t number) const {
  const RecordId id = issue::id_of(number, engine_.settings());
  return cat(what, id.scope, ":", id.key);
}

std::string RunBook::folder(const issue::Run& run) const { return cat(root(), "/", run.number, "-", run.id); }

Result<Fd> RunBook::make_folder(const issue::Run& run) const {
  PAWL_ASSIGN(const std::string store, engine_.folder_to_write());
  return make_below(store, below_store(folder(run)), 0700);
}

std::string RunBook::below_store(const std::string& path) const {
  return path.substr(engine_.workspace().store.size());
}

Result<std::optional<issue::Run>> RunBook::load(Transaction& store, const std::string& name) const {
  PAWL_ASSIGN(const auto text, store.kept(name));
  if (!text || text->empty()) return std::optional<issue::Run>();
  PAWL_ASSIGN(const Json json, parse_json(*text));
  return std::optional(issue::Run::from(json));
}

Result<std::optional<issue::Run>> RunBook::find(Transaction& store, std::int64_t number) const {
  return load(store, name_of(kRun, number));
}

Result<std::optional<issue::Run>> RunBook::find(std::int64_t number) const {
  std::optional<issue::Run> found;
  PAWL_TRY(engine_.read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(found, load(view.store(), name_of(kRun, number)));
    return done();
  }));
  return found;
}

Result<std::optional<issue::Run>> RunBook::starting(Transaction& store, std::int64_t number) const {
  return load(store, name_of(kStarting, number));
}

Result<std::optional<issue::Run>> RunBook::starting(std::int64_t number) const {
  std::optional<issue::Run> found;
  PAWL_TRY(engine_.read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(found, starting(view.store(), number));
    return done();
  }));
  return found;
}

Result<std::optional<issue::Run>> RunBook::former(Transaction& store, std::int64_t number) const {
  return load(store, name_of(kFormer, number));
}

Result<std::optional<issue::Run>> RunBook::former(std::int64_t number) const {
  std::optional<issue::Run> found;
  PAWL_TRY(engine_.read_store([&](const View& view) -> Done {
    PAWL_ASSIGN(found, former(view.store(), number));
    return done();
  }));
  return found;
}

void RunBook::keep_former(Decision& decision, const issue::Run& run) const {
  issue::Run former;
  former.number = run.number;
  former.title = run.title;
  former.made_branch = run.made_branch;
  former.base = run.base;
  decision.kept.emplace_back(name_of(kFormer, run.number), to_line(former.json()));
}

void RunBook::keep(Decision& decision, const issue::Run& run) const {
  decision.kept.emplace_back(name_of(kRun, run.number), to_line(run.json()));
}

void RunBook::keep_started(Decision& decision, const issue::Run& run) const {
  keep(decision, run);
  decision.kept.emplace_back(name_of(kStarting, run.number), "");
}

void RunBook::keep_starting(Decision& decision, const issue::Run& run) const {
  decision.kept.emplace_back(name_of(kStarting, run.number), to_line(run.json()));
}

void RunBook::forget(Decision& decision, std::int64_t number) const {
  decision.kept.emplace_back(name_of(kRun, number), "");
  decision.kept.emplace_back(name_of(kStarting, number), "");
}

Done RunBook::keep_started(const issue::Run& run) const {
  Decision decision;
  keep_started(decision, run);
  return write_kept(engine_, [&](Transaction&) -> Result<Decision> { return decision; });
}

Done RunBook::keep_starting(std::int64_t number, const std::optional<issue::Run>& run) const {
  Decision decision;
  decision.kept.emplace_back(name_of(kStarting, number), run ? to_line(run->json()) : std::string());
  return write_kept(engine_, [&](Transaction&) -> Result<Decision> { return decision; });
}

Done RunBook::amend(const issue::Run& run, const std::function<void(issue::Run&)>& change) const {
  return write_kept(engine_, [&](Transaction& store) -> Result<Decision> {
    PAWL_ASSIGN(auto known, find(store, run.number));
    Decision decision;
    if (!known || known->id != run.id) return decision;
    change(*known);
    decision.kept.emplace_back(name_of(kRun, run.number), to_line(known->json()));
    return decision;
  });
}

std::vector<std::string> RunBook::earlier_folders(const issue::Run& run) const {
  std::vector<std::string> folders;
  issue::Run one;
  one.number = run.number;
  for (const std::string& id : run.earlier) {
    one.id = id;
    struct stat info {};
    if (lstat(folder(one).c_str(), &info) == 0 && S_ISDIR(info.st_mode)) folders.push_back(folder(one));
  }
  return folders;
}

Done RunBook::remove_folders(std::int64_t number, const std::vector<std::string>& but) const {
  struct stat info {};
  if (lstat(root().c_str(), &info) != 0) return done();
  PAWL_ASSIGN(const Fd folder, open_below(engine_.workspace().store, below_store(root())));
  PAWL_ASSIGN(const auto names, names_in(folder.get()));
  for (const std::string& name : names) {
    if (number_of(name) != number || std::find(but.begin(), but.end(), cat(root(), "/", name)) != but.end()) continue;
    std::error_code error;
    // A recorder whose session has just gone puts down its last words, and ends.
    for (int waited = 0; waited <= kLastWordsMs; waited += kStepMs) {
      std::filesystem::remove_all(cat(root(), "/", name), error);
      if (error != std::errc::directory_not_empty && error != std::errc::no_such_file_or_directory) break;
      poll(nullptr, 0, kStepMs);
    }
    if (error) return tl::unexpected(io_error("remove", cat(root(), "/", name), error.value()));
  }
  return done();
}

void RunBook::forget_others(const issue::Run& run) const {
  std::vector<std::string> stay = earlier_folders(run);
  stay.push_back(folder(run));
  // What cannot be removed now goes with the next run.
  if (const Done gone = remove_folders(run.number, stay); !gone) log_info("folder stays", "why", gone.error().message);
}

std::vector<std::string> RunBook::recorder_command(const issue::Run& run, const std::string& self) const {
  return {self,       "-C",       engine_.workspace().store, "issue", "record", std::to_string(run.number),
          "--folder", folder(run)};
}

Result<Fd> RunBook::lock(std::int64_t number) const {
  return lock_called(std::to_string(number), cat("at work on issue ", number));
}

Result<Fd> RunBook::lock_called(const std::string& lock, const std::string& what) const {
  PAWL_ASSIGN(const std::string store, engine_.folder_to_write());
  PAWL_ASSIGN(const Fd folder, make_below(store, below_store(root()), 0700));
  const std::string name = cat(lock, ".lock"), path = cat(root(), "/", name);
  Fd file(openat(folder.get(), name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.valid()) return tl::unexpected(io_error("open", path, errno));
  PAWL_ASSIGN(const bool locked, lock_within(file.get(), LOCK_EX, kPatienceMs, path));
  if (!locked)
    return fail(ErrorCode::busy, cat("another command has been ", what, " for a minute"),
                "try again when it has ended");
  return file;
}

Result<std::optional<Fd>> RunBook::lock_as_watcher(const issue::Run& run) const {
  PAWL_ASSIGN(const Fd inside, make_folder(run));
  const std::string path = cat(folder(run), "/watcher");
  Fd file(openat(inside.get(), "watcher", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.valid()) return tl::unexpected(io_error("open", path, errno));
  if (flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return std::optional<Fd>();
    return tl::unexpected(io_error("lock", path, errno));
  }
  const ProcessIdentity self = identify_process(getpid());
  if (ftruncate(file.get(), 0) != 0) return tl::unexpected(io_error("write", path, errno));
  PAWL_TRY(write_all(file.get(), cat(self.pid, " ", self.started, "\n"), path));
  return std::optional<Fd>(std::move(file));
}

Result<std::set<std::int64_t>> RunBook::numbers() const {
  std::set<std::int64_t> out;
  struct stat info {};
  if (lstat(root().c_str(), &info) != 0) return out;
  PAWL_ASSIGN(const Fd folder, open_below(engine_.workspace().store, below_store(root())));
  PAWL_ASSIGN(const auto names, names_in(folder.get()));
  for (const std::string& name : names) {
    if (const auto number = number_of(name)) out.insert(*number);
  }
  return out;
}

bool RunBook::has_watcher(std::int64_t number) const {
  const auto opened = open_below(engine_.workspace().store, below_store(root()));
  const auto names = opened ? names_in(opened->get()) : Result<std::vector<std::string>>(std::vector<std::string>());
  if (!names) return false;
  return std::any_of(names->begin(), names->end(), [&](const std::string& name) {
    if (number_of(name) != number) return false;
    issue::Run run;
    run.number = number;
    run.id = name.substr(name.find('-') + 1);
    return watcher(run).pid != 0;
  });
}

ProcessIdentity RunBook::watcher(const issue::Run& run) const {
  const std::string path = cat(folder(run), "/watcher");
  const Fd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file.valid() || flock(file.get(), LOCK_SH | LOCK_NB) == 0) return {};
  const auto image = read_file(path, kSmallFile);
  if (!image || !image->exists) return {};
  const auto parts = split(trim(image->bytes), ' ');
  if (parts.size() != 2) return {};
  return {parse_positive(parts[0]).value_or(0), parse_positive(parts[1]).value_or(0)};
}

}  // namespace pawl
