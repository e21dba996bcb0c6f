// What the verbs of `pawl story` share: which story is meant, how one is changed, and how it is shown.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "commands/context.h"
#include "commands/verb.h"
#include "engine/engine.h"
#include "lifecycles/story/rank.h"
#include "lifecycles/story/story.h"
#include "runners/story_list.h"

namespace pawl::story {

inline constexpr std::size_t kMaxIdBytes = 1'024;
inline constexpr std::size_t kMaxTextBytes = 65'536;

inline constexpr Param kIdParam{.name = "id",
                                .value = "ID",
                                .summary = "the story's id, as its file has it",
                                .positional = true,
                                .required = true,
                                .max_bytes = kMaxIdBytes,
                                .not_empty = true,
                                .offer = Offer::records,
                                .offer_kind = "story passes"};
inline constexpr Param kFileParam{.name = "file",
                                  .value = "FILE",
                                  .summary = "the list that it is in, where two have a story with this id",
                                  .max_bytes = kMaxTextBytes,
                                  .not_empty = true};
inline constexpr Param kTokenParam{.name = "token",
                                   .type = ParamType::positive,
                                   .value = "T",
                                   .summary = "only if the claim with this token still holds"};

// The one with the id in the arguments, in the file that they name or the only one that has it. not_found, or which
// files have it.
[[nodiscard]] Result<Record> story_meant(const Engine& engine, const View& view, const Arguments& arguments);
[[nodiscard]] Result<Record> read_story(Context& context, const Arguments& arguments);

// One change of the story that is meant; the answer is the story as it is then.
using DecideStory = std::function<Result<Change>(const Record&, const Now&)>;
// `more` refuses by what else is there, and adds to the answer: that is kept, and given again for the same key.
using AnswerStory = std::function<Done(const View&, const Change&, Json& answer)>;
[[nodiscard]] Result<Outcome> change_story(Context& context, const Arguments& arguments, const DecideStory& decide,
                                           const AnswerStory& more = {});

// An error that says what is wrong where a list of stories cannot be read, and so nothing is known of what is in it.
[[nodiscard]] Done lists_can_be_read(Engine& engine);

// Where its file is: "prd.json".
[[nodiscard]] std::string file_of(const RecordId& id);

// The story's own members, as its file has them, with `status` (of both kinds); then what pawl knows of it: `file`,
// `tier`, `held`, `not_picked`, `due_at`.
[[nodiscard]] Json story_json(const Record& record);
// The same with what came of a move: `unverified`, `lacked`.
[[nodiscard]] Json moved_json(const Change& change);

// "story US-1 is committed": untrusted text is made printable.
[[nodiscard]] std::string text_of_changed(const Json& story, const TextStyle& style);
[[nodiscard]] std::string shown_id(const Json& story);
[[nodiscard]] std::string shown_status(const Json& story);

}  // namespace pawl::story
