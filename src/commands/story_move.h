// `pawl story move`: facts are gathered for the gates of the move, then the law decides. git's facts are had in every
// executable; GitHub's only in the second one, which the command is handed over to where a gate needs them.
#pragma once

#include <functional>
#include <string_view>

#include "commands/story.h"

namespace pawl::story {

// The facts for one gate, in the form that lifecycles/story/gates.h gives. An error: they could not be had; the move is
// then refused with it, or with `gates = "record"` made and marked unverified.
using Gather =
    std::function<Result<Json>(Engine&, const Record& story, const MoveStory& command, std::string_view gate)>;

// Of a gate that git alone can tell about; the others have no facts here.
[[nodiscard]] Result<Json> gather_evidence(Engine& engine, const Record& story, const MoveStory& command,
                                           std::string_view gate);

// Whether it came to where it is without what that needs, and what that was, where the command is about just that.
[[nodiscard]] Done see_doubt(Engine& engine, const Record& story, MoveStory& command);

// What was asked for on the command line.
[[nodiscard]] MoveStory move_in(const Context& context, const Engine& engine, const Arguments& arguments);

// Gathers for every gate of the move, and moves. `story`: as it was read just now.
[[nodiscard]] Result<Reply> move_story(Context& context, const Arguments& arguments, const Record& story,
                                       const Gather& gather);
[[nodiscard]] Result<Reply> move_story(Context& context, const Arguments& arguments, const Gather& gather);

// The branch that the story is worked on: what the command says, else the story; "" for neither.
[[nodiscard]] std::string branch_of(const Record& story, const MoveStory& command);

}  // namespace pawl::story
