// How the files that were found are told of: the same before pawl init (doctor) and by it.
#pragma once

#include <string>

#include "commands/verb.h"
#include "engine/doctor.h"

namespace pawl {

[[nodiscard]] Json to_json(const Checkup::File& file);
// One that all projects share: no project's init takes it over.
[[nodiscard]] Checkup::File as_shared(Checkup::File file);

inline constexpr std::string_view kCaseInStep = "in-step";  // as "case" has it
// One that is damaged or git's: a finding says so, in words.
[[nodiscard]] bool is_told_of_by_itself(const Json& file);
// One that pawl knows, and that is not as pawl left it: the next command brings it into step.
[[nodiscard]] bool is_changed(const Json& file);
[[nodiscard]] bool is_new(const Json& file);  // nobody has taken it over

// A line each, what is in it behind its name; many files of one folder in one line. `beside`: what other tools have
// here, as {"path", "what", "would"}.
[[nodiscard]] std::string lines_of_files(const Json& files, const Json& beside, const TextStyle& style);

}  // namespace pawl
