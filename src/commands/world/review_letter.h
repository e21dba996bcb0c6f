// What is to be posted of a review, and what a person agreed to when they said yes to it.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "commands/review.h"
#include "commands/world/forge_for.h"
#include "commands/world/review_sent.h"

namespace pawl::review {

struct Letter {
  std::optional<Whole> whole;  // nothing: from an export alone
  PullRef ref;
  std::string head;
  std::vector<Json> findings;          // documents
  Json shown = Json::array();          // the same, as they are listed
  Json there = Json::array();          // those that are on GitHub already, by an earlier post
  bool exported = false;               // what an export says, which may lack findings of the review
  std::string from;                    // that export's file, as it was typed
  std::vector<LookAlike> look_alikes;  // in it
  std::set<RecordId> lacks;            // marked findings that it does not say, in whatever words
};

// "octo/cat#7", which is a review's key.
[[nodiscard]] PullRef pull_of(std::string_view pr);

// The marked findings of the review that is meant, or what an export says.
[[nodiscard]] Result<Letter> letter_from(Context& context, const Arguments& arguments);

// What is on GitHub already is not said again: it goes from `findings` to `there`.
void leave_out(Letter& letter, const std::vector<Post>& posts);

// What goes with the intent, so that whoever concludes it knows what was posted: what is said, what every finding of
// the review says, and the list that was shown.
[[nodiscard]] Json remembered(const Letter& letter);

// Is the review still the one that the letter was written from? conflict: it is not.
[[nodiscard]] Done must_be_same(const View& view, const Letter& letter);

// Findings that were not there, said something else or were not marked when the intent was made. `request` is the
// effect's.
[[nodiscard]] std::vector<Record> come_since(const Whole& whole, const Json& request);

// What looks like a finding and is not said, in the review's file and in the export.
[[nodiscard]] Json look_alikes_in(const Letter& letter);

}  // namespace pawl::review
