// The status of an issue that an agent works on: running, complete or error. What may follow what, and
// what each command makes of the document. Pure; the file it shows in is status_file.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "core/decide.h"
#include "core/lifecycle.h"
#include "lifecycles/issue/naming.h"

namespace pawl::issue {

inline constexpr std::string_view kKind = "issue";
inline constexpr std::string_view kRunning = "running", kComplete = "complete", kError = "error";
inline constexpr std::size_t kMaxMessageBytes = 65'536;
inline constexpr std::size_t kMaxSessionBytes = 1'024;

[[nodiscard]] const Machine& machine();
[[nodiscard]] const Lifecycle& lifecycle();

[[nodiscard]] RecordId id_of(std::int64_t number, const Settings& settings);
// The base folder that it is below: what its scope says.
[[nodiscard]] std::string base_dir_of(const RecordId& id);
// What to type about one that is below another base folder than the settings name: each line says which folder.
[[nodiscard]] std::string typed_for(const RecordId& id, const Settings& settings, std::string_view advice);

struct SetStatus {
  std::int64_t number = 0;
  std::string status;
  std::optional<std::string> session;  // nullopt: the one it has, else by the naming rule
  std::optional<std::string> message;
  std::string reason;  // needed to correct complete to error or back
};

[[nodiscard]] Result<Change> decide(const Record& current, const SetStatus& command, const Now& now,
                                    const Settings& settings);

struct Remove {
  std::string reason;
};

// Where there is no status, a file that nobody can read is taken away all the same: what there was of a status does not
// change by that, but who took it away is told.
[[nodiscard]] Result<Change> decide(const Record& current, const Remove& command);
inline constexpr std::string_view kUnreadable = "its file could not be read, and was taken away";

// What is read of one that is absent or held, and of a file that cannot be read. No status: nothing can be set to it.
inline constexpr std::string_view kUnknown = "unknown";
// "running", "complete", "error", or kUnknown.
[[nodiscard]] std::string status_word(const Record& record);
[[nodiscard]] std::int64_t number_of(const Record& record);

// What a person can do about a run that failed, or that runs by its status alone.
enum class WayOn {
  resume,         // its session is gone
  another_agent,  // the one it was to be run with does not exist
  read_output,    // see what it printed
};
[[nodiscard]] WayOn way_on(const Record& record);

// Text that is not fit to be stored, with what is wrong with it.
[[nodiscard]] Done check_text(std::string_view name, std::string_view text, std::size_t max_bytes);

}  // namespace pawl::issue
