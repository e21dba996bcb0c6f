// The rules for what was found in a file (core/outside.h), for whoever takes it over: the absorber, `pawl accept` of a
// copy, and whoever comes back. One question, so that no way in asks less than another.
#pragma once

#include <optional>
#include <string>

#include "core/outside.h"
#include "engine/mirror.h"
#include "engine/view.h"

namespace pawl {

struct FoundGate {
  GateBeside gate;
  RecordId under;    // whose place it is kept in
  std::string text;  // what is kept; "": nothing is, and other records show that it is asked for
};

// A gate of the record's own, if it has one for now. Where a file was moved, what is kept beside its record is so under
// its old place.
[[nodiscard]] Result<std::optional<FoundGate>> gate_found(const View& view, const Lifecycle& lifecycle,
                                                          const RecordId& id);

// Does whoever takes this over although it was refused have to say why, as whoever makes that move by command has to?
[[nodiscard]] bool takes_reason(const Lifecycles& lifecycles, const RecordId& id, std::string_view from,
                                std::string_view to);

// `accepted_by`: the person who takes it as it is; "": nobody does.
[[nodiscard]] Result<OutsideRules> outside_rules(const MirrorWorld& world, const View& view, const RecordId& id,
                                                 const std::string& accepted_by, bool by_git = false);

}  // namespace pawl
