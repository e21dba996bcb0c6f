#include "commands/board_kinds.h"

#include <array>

#include "base/text.h"
#include "commands/review.h"
#include "engine/told_apart.h"
#include "lifecycles/issue/issue.h"
#include "lifecycles/review/review.h"
#include "lifecycles/story/story.h"
#include "runners/story_check.h"

namespace pawl {

// A kind that has nothing to say at one of them has none.
struct KindLook {
  bool (*is_of)(std::string_view kind);
  Done (*see)(BoardKinds& kinds, const Record& record, Placed& row);
  Done (*sort)(BoardKinds& kinds, std::vector<Placed>& rows, std::size_t most_next);
  Done (*advise)(BoardKinds& kinds, Placed& row);
  Result<std::vector<Placed>> (*without_record)(BoardKinds& kinds);
};

namespace {

bool is_issue(std::string_view kind) { return kind == issue::kKind; }
bool is_of_pr(std::string_view kind) { return pr::machine_of(kind) != nullptr; }
bool is_review(std::string_view kind) { return kind == review::kReview; }

Done see_issue(BoardKinds& kinds, const Record& record, Placed& row) {
  return row.stand.place == BoardPlace::running ? kinds.issues.see_running(record, row) : done();
}

Done advise_issue(BoardKinds& kinds, Placed& row) {
  const bool failed = row.record.status == issue::kError && !row.record.held;
  if (failed && row.stand.place == BoardPlace::needs_person) {
    if (const Done advised = kinds.issues.advise(row); !advised)  // then it says what it says of any
      kinds.engine.note(cat("what is left of ", printable(row.record.id.ref()),
                            " could not be looked at: ", advised.error().message));
  }
  row.stand.advice = issue::typed_for(row.record.id, kinds.engine.settings(), row.stand.advice);
  return done();
}

Result<std::vector<Placed>> issues_without_status(BoardKinds& kinds) { return kinds.issues.without_status(); }

Done see_pr(BoardKinds& kinds, const Record& record, Placed& row) {
  if (record.id.kind == pr::kFindingKind && row.stand.place == BoardPlace::waiting) {
    if (auto stand = pr::stand_by_rules(record, kinds.rules)) row.stand = std::move(*stand);
    return done();
  }
  if (!row.gone.empty()) row.stand.advice = cat(pr::how_to_run(record), "  # goes on with it");
  return done();
}

Done see_review(BoardKinds& kinds, const Record& record, Placed& row) {
  return review::see_on_board(kinds.engine, kinds.view, record, row.stand);
}

Done see_story(BoardKinds& kinds, const Record& record, Placed& row) { return kinds.stories.see(record, row); }

// Another list may have the same id though none of its rows is shown: each that says what to type is looked up.
Done advise_story(BoardKinds& kinds, Placed& row) {
  if (row.to_verify)
    row.stand.advice = how_to_show(kinds.engine, row.record);  // there a check lacks its command as often as not
  PAWL_ASSIGN(row.stand.advice, told_apart(kinds.view, kinds.engine.lifecycles(), row.record.id, row.stand.advice));
  return done();
}

Done sort_stories(BoardKinds& kinds, std::vector<Placed>& rows, std::size_t most_next) {
  return kinds.stories.sort(rows, most_next);
}

constexpr std::array kLooks = {
    KindLook{is_issue, see_issue, nullptr, advise_issue, issues_without_status},
    KindLook{is_of_pr, see_pr, nullptr, nullptr, nullptr},
    KindLook{is_review, see_review, nullptr, nullptr, nullptr},
    KindLook{story::is_story, see_story, sort_stories, advise_story, nullptr},
};

}  // namespace

BoardKinds::BoardKinds(Engine& of_engine, const View& of_view, const Now& at)
    : engine(of_engine),
      view(of_view),
      now(at),
      issues(of_engine, of_view),
      stories(of_engine, of_view, at),
      rules(pr::rules_of(of_engine.settings())) {}

const KindLook* BoardKinds::look_of(const std::string& kind) {
  if (kind == kind_) return look_;
  kind_ = kind;
  look_ = nullptr;
  for (const KindLook& one : kLooks) {
    if (one.is_of(kind)) look_ = &one;
  }
  return look_;
}

Done BoardKinds::see(const Record& record, Placed& row) {
  const KindLook* const look = look_of(record.id.kind);
  return look != nullptr && look->see != nullptr ? look->see(*this, record, row) : done();
}

Done BoardKinds::sort(std::vector<Placed>& rows, std::size_t most_next) {
  for (const KindLook& one : kLooks) {
    if (one.sort != nullptr) PAWL_TRY(one.sort(*this, rows, most_next));
  }
  return done();
}

Done BoardKinds::advise(Placed& row) {
  const KindLook* const look = look_of(row.record.id.kind);
  return look != nullptr && look->advise != nullptr ? look->advise(*this, row) : done();
}

Result<std::vector<Placed>> BoardKinds::without_record() {
  std::vector<Placed> out;
  for (const KindLook& one : kLooks) {
    if (one.without_record == nullptr) continue;
    PAWL_ASSIGN(auto rows, one.without_record(*this));
    for (Placed& row : rows) out.push_back(std::move(row));
  }
  return out;
}

}  // namespace pawl
