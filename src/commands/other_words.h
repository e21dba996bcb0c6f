// What people type who know other tools, or who guess: words that are no verbs here, and what does the same. The words
// of the table itself are not repeated; a test holds each of these to it.
#pragma once

#include <array>
#include <string_view>

namespace pawl::other_words {

// What other tools call the same thing; only those are offered that the table has.
struct Synonym {
  std::string_view other;
  std::string_view here;
};
inline constexpr std::array kSynonyms = {
    Synonym{"ls", "list"},       Synonym{"all", "list"},     Synonym{"rm", "remove"},       Synonym{"del", "remove"},
    Synonym{"delete", "remove"}, Synonym{"cat", "show"},     Synonym{"view", "show"},       Synonym{"info", "show"},
    Synonym{"update", "set"},    Synonym{"mark", "set"},     Synonym{"history", "log"},     Synonym{"revert", "undo"},
    Synonym{"rollback", "undo"}, Synonym{"check", "doctor"}, Synonym{"verify", "check"},    Synonym{"fsck", "doctor"},
    Synonym{"status", "show"},   Synonym{"state", "show"},   Synonym{"follow", "watch"},    Synonym{"tail", "watch"},
    Synonym{"dump", "backup"},   Synonym{"demo", "tour"},    Synonym{"rm", "clear"},        Synonym{"rm", "drop"},
    Synonym{"rm", "clean"},      Synonym{"delete", "clear"}, Synonym{"delete", "drop"},     Synonym{"remove", "clear"},
    Synonym{"remove", "drop"},   Synonym{"remove", "clean"}, Synonym{"resume", "continue"}, Synonym{"start", "run"},
    Synonym{"cancel", "stop"},   Synonym{"kill", "stop"},    Synonym{"submit", "post"},     Synonym{"new", "add"},
    Synonym{"create", "add"},    Synonym{"create", "start"}, Synonym{"new", "start"},
};

// What a word that is no verb of a noun would do here, where no verb alone says it.
struct Meaning {
  std::string_view noun;
  std::string_view word;
  std::string_view hint;
};
inline constexpr std::string_view kEndLoop =
    "`pawl ralph cancel` ends the loop for good; Ctrl-C stops `pawl ralph run`, and the next run goes on with it";
inline constexpr std::string_view kGoOn = "`pawl ralph run -- AGENT` goes on with a loop that is under way";
inline constexpr std::string_view kGiveBack =
    "`pawl claim release story/ID --token T` gives a story back; it is free without that when its time is over";
inline constexpr std::string_view kTake = "`pawl story next --claim --worker W` takes the next one";
inline constexpr std::string_view kEndStory =
    "`pawl story move ID STATUS` moves it on; `pawl story show ID` says where it can go";
inline constexpr std::string_view kEndIssue = "`pawl issue set N complete` says that it is done";
inline constexpr std::array kMeanings = {
    Meaning{"ralph", "stop", kEndLoop},      Meaning{"ralph", "pause", kEndLoop},
    Meaning{"ralph", "abort", kEndLoop},     Meaning{"ralph", "kill", kEndLoop},
    Meaning{"ralph", "end", kEndLoop},       Meaning{"ralph", "resume", kGoOn},
    Meaning{"ralph", "continue", kGoOn},     Meaning{"ralph", "restart", kGoOn},
    Meaning{"story", "release", kGiveBack},  Meaning{"story", "claim", kTake},
    Meaning{"story", "take", kTake},         Meaning{"story", "done", kEndStory},
    Meaning{"story", "complete", kEndStory}, Meaning{"story", "set", kEndStory},
    Meaning{"issue", "done", kEndIssue},     Meaning{"issue", "complete", kEndIssue},
    Meaning{"issue", "finish", kEndIssue},
};

}  // namespace pawl::other_words
