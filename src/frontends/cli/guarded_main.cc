#include "frontends/cli/guarded_main.h"

#include <malloc.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <exception>
#include <new>

#include "frontends/cli/cli.h"

namespace pawl {
namespace {

constexpr int kInternalExit = 5;

// Nothing here allocates: there may be no memory left. A library's sentence may quote what it was given, so only
// plain characters are let through.
void say(const char* what) {
  std::array<char, 512> line{};
  std::size_t used = 0;
  for (const char* part : {"pawl: internal error: ", what}) {
    for (; *part != 0 && used + 1 < line.size(); ++part) line[used++] = *part >= ' ' && *part <= '~' ? *part : '?';
  }
  line[used++] = '\n';
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), used);
}

// A throw where none may be (out of a destructor, say) ends here, in a sentence and not with a core dump.
[[noreturn]] void on_terminate() {
  say("an error in the handling of an error");
  ::_exit(kInternalExit);
}

}  // namespace

int guarded_main(int argc, char** argv, std::span<const WorldVerb> world) {
  std::set_terminate(on_terminate);
  // A file of a megabyte is copied a few times on its way. Given back to the system in between, each copy costs a page
  // fault for every page of it; a command does not live long enough for that to be of use to anybody.
  constexpr int kLargest = 64 << 20;
  mallopt(M_MMAP_THRESHOLD, kLargest);
  mallopt(M_TRIM_THRESHOLD, kLargest);
  try {
    return run_cli(argc, argv, world);
  } catch (const std::bad_alloc&) {
    say("out of memory");
  } catch (const std::exception& error) {
    say(error.what());
  } catch (...) {
    say("something unknown was thrown");
  }
  return kInternalExit;
}

}  // namespace pawl
