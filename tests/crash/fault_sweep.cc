#include "crash/fault_sweep.h"

#include <sys/syscall.h>

#include <array>
#include <cerrno>

#include "base/text.h"
#include "crash/calls.h"

namespace pawl::crash {
namespace {

constexpr std::array kFaults = {
    FaultFacts{Fault::kill, "SIGKILL"},        FaultFacts{Fault::eio, "EIO"},
    FaultFacts{Fault::enospc, "ENOSPC"},       FaultFacts{Fault::eintr, "EINTR"},
    FaultFacts{Fault::short_write, "short"},   FaultFacts{Fault::eio_late, "EIO-late"},
    FaultFacts{Fault::no_memory, "no-memory"}, FaultFacts{Fault::disk_full, "disk-full"},
    FaultFacts{Fault::disk_gone, "disk-gone"},
};

// A program that answers a failing call by making it again, for ever.
constexpr long kTooManyCalls = 100'000;

// Strikes at the n-th call that the fault can meet.
class Striker {
 public:
  Striker(Fault fault, long point) : fault_(fault), point_(point) {}

  CallVerdict entering(const SystemCall& call) {
    if (++calls_ > kTooManyCalls) {
      endless_ = true;
      return CallVerdict::kill();
    }
    own_work_ = own_work_ || takes_path(call.number);
    if (!meets(call)) return CallVerdict::proceed();
    ++met_;
    const bool lasts = fault_ == Fault::disk_full || fault_ == Fault::disk_gone || fault_ == Fault::no_memory;
    if (met_ != point_ && !(lasts && met_ > point_)) return CallVerdict::proceed();
    if (met_ == point_) struck_ = describe(call);
    return verdict(call);
  }

  void left(const SystemCall& call) {
    if (call.number == SYS_brk) memory_end_ = call.result;
  }

  [[nodiscard]] bool struck() const { return met_ >= point_; }
  [[nodiscard]] bool endless() const { return endless_; }
  [[nodiscard]] const std::string& where() const { return struck_; }

 private:
  [[nodiscard]] bool meets(const SystemCall& call) const {
    if (fault_ == Fault::kill) return true;
    if (!own_work_) return false;
    const CallKind kind = kind_of(call.number);
    switch (fault_) {
      case Fault::short_write:
        return writes_count(call.number) && call.args[2] > 1;
      case Fault::no_memory:
        return kind == CallKind::memory;
      case Fault::disk_full:
        return fills_disk(call);
      case Fault::disk_gone:
      case Fault::eio_late:
        return kind == CallKind::files;
      default:
        return kind == CallKind::files || kind == CallKind::other;
    }
  }

  [[nodiscard]] CallVerdict verdict(const SystemCall& call) const {
    // Linux lets go of the descriptor before a close can fail.
    const auto fails = [&](int error) {
      return call.number == SYS_close ? CallVerdict::fail_late(error) : CallVerdict::fail(error);
    };
    switch (fault_) {
      case Fault::kill:
        return CallVerdict::kill();
      case Fault::eio:
      case Fault::disk_gone:
        return fails(EIO);
      case Fault::enospc:
      case Fault::disk_full:
        return fails(ENOSPC);
      case Fault::eintr:
        return fails(EINTR);
      case Fault::no_memory:
        // brk knows no errors: it tells where the memory ends, and that has not moved.
        return call.number == SYS_brk ? CallVerdict::answer(memory_end_) : fails(ENOMEM);
      case Fault::eio_late:
        return CallVerdict::fail_late(EIO);
      case Fault::short_write:
        return CallVerdict::shorten(call.args[2] / 2);
    }
    return CallVerdict::proceed();
  }

  const Fault fault_;
  const long point_;
  long calls_ = 0;
  long met_ = 0;
  std::int64_t memory_end_ = 0;
  bool own_work_ = false;  // past the C library's start
  bool endless_ = false;
  std::string struck_;
};

}  // namespace

std::span<const FaultFacts> all_faults() { return kFaults; }

bool has_many_points(Fault fault) {
  return fault != Fault::kill && fault != Fault::short_write && fault != Fault::disk_full && fault != Fault::no_memory;
}

Result<std::optional<TracedExit>> run_with_fault(const Bench& bench, const Scenario& scenario, Fault fault, long point,
                                                 std::string& struck) {
  PAWL_TRY(write_tree(scenario.prepared, bench.disk()));
  Striker striker(fault, point);
  const CallWatch watch{[&](const SystemCall& call) { return striker.entering(call); },
                        [&](const SystemCall& call) { striker.left(call); }};
  PAWL_ASSIGN(TracedExit end, run_traced(scenario.command, watch));
  struck = striker.where();
  if (striker.endless()) end.err += cat("made ", kTooManyCalls, " system calls without coming to an end");
  if (!striker.struck()) return std::optional<TracedExit>();
  return std::optional<TracedExit>(std::move(end));
}

Result<Tally> sweep(const Bench& bench, const Scenario& scenario, Judge& judge, Fault fault, long stride) {
  const StopWatch watch;
  Tally tally{scenario.name, std::string(kFaults[static_cast<std::size_t>(fault)].name), 0, 0, 0, 0, {}};
  for (long point = 1;; point += stride) {
    std::string struck;
    PAWL_ASSIGN(const std::optional<TracedExit> end, run_with_fault(bench, scenario, fault, point, struck));
    PAWL_ASSIGN(Finding found, judge.look());
    if (!end) {
      if (found.state != State::after)
        tally.breaches.push_back({scenario.name, "an untouched run did not do its work"});
      break;
    }
    weigh_end(found, *end, fault == Fault::kill, scenario.known);
    count(tally, found, std::to_string(point), cat("at ", struck));
  }
  tally.seconds = watch.seconds();
  return tally;
}

}  // namespace pawl::crash
