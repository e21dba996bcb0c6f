#include "verbs/tour_guide.h"

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include "base/file.h"
#include "base/text.h"

namespace pawl::tour {
namespace {

constexpr std::size_t kMaxOutput = 1 << 20;
volatile sig_atomic_t g_stopped = 0;

}  // namespace

void stop_between_steps() {
  struct sigaction action {};
  action.sa_handler = [](int) { g_stopped = 1; };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

Result<TemporaryRepository> TemporaryRepository::make() {
  const char* base = getenv("TMPDIR");
  std::string pattern = cat(base != nullptr && *base == '/' ? base : "/tmp", "/pawl-tour-XXXXXX");
  if (mkdtemp(pattern.data()) == nullptr) return tl::unexpected(io_error("make", pattern, errno));
  TemporaryRepository repository;
  repository.path_ = pattern;
  // As little as makes a repository; the tour needs no git.
  for (const char* folder : {"/.git", "/.git/objects", "/.git/refs", "/.git/refs/heads"})
    PAWL_TRY(make_folders(pattern + folder, 0777));
  PAWL_TRY(write_synced_at(AT_FDCWD, pattern + "/.git/HEAD", "ref: refs/heads/main\n"));
  return repository;
}

TemporaryRepository::~TemporaryRepository() {
  if (!path_.empty())
    nftw(
        path_.c_str(), [](const char* name, const struct stat*, int, struct FTW*) { return remove(name); }, 16,
        FTW_DEPTH | FTW_PHYS);
}

void Guide::title(std::string_view text) { context_.emit(Json{{"title", text}}); }
void Guide::say(std::string_view text) { context_.emit(Json{{"say", text}}); }

Result<Ran> Guide::pawl(const std::vector<std::string>& words) {
  PAWL_ASSIGN(Ran ran, quietly(words));
  std::string typed = "pawl";
  for (const std::string& word : words)
    typed += cat(" ", word.find(' ') == std::string::npos ? word : cat("'", word, "'"));
  context_.emit(Json{{"command", typed}, {"output", ran.out}, {"exit", ran.exit_code}});
  return ran;
}

Result<Ran> Guide::quietly(const std::vector<std::string>& words) const {
  if (g_stopped != 0) return fail(ErrorCode::unavailable, "the tour was stopped");
  return run_program(command(words), kMaxOutput, StandardError::with_output);
}

std::vector<std::string> Guide::command(const std::vector<std::string>& words) const {
  std::vector<std::string> argv;
  if (!given_.empty()) {
    argv.emplace_back("env");
    argv.insert(argv.end(), given_.begin(), given_.end());
  }
  argv.insert(argv.end(), {context_.self(), "-C", folder_, "--no-color"});
  argv.insert(argv.end(), words.begin(), words.end());
  return argv;
}

Done Guide::show_file(std::string_view path) {
  PAWL_ASSIGN(const FileImage image, read_file(cat(folder_, "/", path), kMaxOutput));
  context_.emit(Json{{"command", cat("cat ", path)}, {"output", image.bytes}, {"exit", 0}});
  return done();
}

// Another tool's work: the whole file, with one word changed.
Done Guide::edit_file(std::string_view path, std::string_view from, std::string_view to) {
  const std::string file = cat(folder_, "/", path);
  PAWL_ASSIGN(FileImage image, read_file(file, kMaxOutput));
  if (const std::size_t at = image.bytes.find(from); at != std::string::npos) image.bytes.replace(at, from.size(), to);
  context_.emit(Json{{"command", cat("sed -i 's/", from, "/", to, "/' ", path)}, {"output", ""}, {"exit", 0}});
  return write_synced_at(AT_FDCWD, file, image.bytes);
}

Done Guide::write_file(std::string_view path, std::string_view text) {
  const std::string whole = cat(folder_, "/", path);
  PAWL_TRY(make_folders(whole.substr(0, whole.rfind('/')), 0777));
  return write_synced_at(AT_FDCWD, whole, text);
}

Done Guide::write_program(std::string_view path, std::string_view text) {
  return write_synced_at(AT_FDCWD, cat(folder_, "/", path), text, {0755, {}});
}

bool is_there(const char* program) {
  const auto ran = run_program({"sh", "-c", cat("command -v ", program)}, 4096);
  return ran && ran->exit_code == 0;
}

}  // namespace pawl::tour
