// Properties of the merge. rapidcheck prints the seed of every run ("Using configuration: seed=…"); RC_PARAMS="seed=…"
// runs it again. A case is made from a seed of its own, which is printed with a failure.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "core/merge_rows.h"
#include "support/merge_stage.h"

namespace pawl::merge {
namespace {

RandomCase any_case() {
  const auto seed =
      *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint64_t>(0, 1'000'000'000)).as("seed of the case");
  return random_case(seed, *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(1, 9)).as("size of the case"));
}

Outcome outcome_of(const RandomCase& one) {
  return one.without_base ? merge(one.look(), nullptr) : merge_file(one.look(), one.known());
}

template <class List>
auto find_by_key(List& list, std::string_view key) -> decltype(&*std::begin(list)) {
  const auto key_of = [](const auto& one) -> const std::string& {
    if constexpr (requires { one.entry; }) {
      return one.entry.key;
    } else {
      return one.key;
    }
  };
  const auto found =
      std::find_if(std::begin(list), std::end(list), [&](const auto& one) { return key_of(one) == key; });
  return found == std::end(list) ? nullptr : &*found;
}

// Ours after the merge.
std::vector<OurRecord> after(const Ours& ours, const Outcome& outcome) {
  std::vector<OurRecord> records = ours.records;
  for (const OurRecord& changed : outcome.records) {
    if (OurRecord* old = find_by_key(records, changed.entry.key)) {
      *old = changed;
    } else {
      records.push_back(changed);
    }
  }
  return records;
}

Ours all_active(const Content& content) {
  Ours ours{{}, content.file, order_of(content), content.file};
  for (const Entry& entry : content.entries) ours.records.push_back({entry});
  return ours;
}

const Json* member_in(const Json& object, const std::string& name) {
  return object.contains(name) ? &object.at(name) : nullptr;
}

bool has_conflict(const Outcome& outcome, std::string_view key, std::string_view member) {
  return std::any_of(outcome.conflicts.begin(), outcome.conflicts.end(), [&](const Conflict& c) {
    const bool waits =
        std::any_of(c.group.begin(), c.group.end(), [&](const Waiting& w) { return w.member == member; });
    return c.key == key && (c.member == member || c.member == kPresence || waits);
  });
}

bool has_row(const Outcome& outcome, std::string_view key, std::string_view member, std::string_view row) {
  return std::any_of(outcome.rows.begin(), outcome.rows.end(),
                     [&](const RowHit& hit) { return hit.key == key && hit.member == member && hit.row.row == row; });
}

// merge(b, o, b) = o. An old copy that shows an identity that is over opens a conflict: it would bring it back.
TEST(MergeProperty, AnOldCopyChangesNothing) {
  EXPECT_TRUE(rc::check("merge(b, o, b) = o", [] {
    RandomCase one = any_case();
    if (one.images.empty()) one.images.push_back(one.theirs);
    one.policy.take_whole = false;
    one.theirs = one.images.front();
    std::erase_if(one.theirs.entries, [&](const Entry& entry) {  // known, and not because another owner came and went
      const OurRecord* ours = find_by_key(one.ours.records, entry.key);
      return ours == nullptr || ours->state == State::inactive;
    });
    const Outcome out = merge(one.look(), &one.theirs);
    RC_ASSERT(out.records.empty());
    RC_ASSERT(same_text(out.file, one.ours.file));
    RC_ASSERT(one.ours.order.empty() || out.order == one.ours.order);
    for (const Conflict& conflict : out.conflicts) RC_ASSERT(conflict.code == Code::ended);
  }));
}

// merge(b, b, t) = the law applied to t, cell by cell.
TEST(MergeProperty, WithoutChangesOfOursTheLawDecides) {
  EXPECT_TRUE(rc::check("merge(b, b, t) = law(t)", [] {
    RandomCase one = any_case();
    const Content base = one.images.empty() ? Content{"one", {}, Json::object(), {}} : one.images.back();
    std::vector<Entry> entries;
    for (Entry entry : base.entries) {
      if (status_of(one.law->of(entry.kind), entry.status) == nullptr) entry.status = one.law->of(entry.kind).start();
      entries.push_back(std::move(entry));
    }
    const Content legal{"one", entries, base.file, {}};
    one.ours = all_active(legal);
    one.policy.take_whole = false;
    one.elsewhere.clear();
    const Outcome out = merge(one.look(), &legal);
    const auto ours = after(one.ours, out);
    for (const Entry& t : one.theirs.entries) {
      const KindLaw& law = one.law->of(t.kind);
      const Entry* b = find_by_key(legal.entries, t.key);
      const OurRecord* now = find_by_key(ours, t.key);
      RC_ASSERT(now != nullptr);
      const Status* status = status_of(law, t.status);
      if (b == nullptr) {
        const bool starts =
            status != nullptr && (law.trusts_new || one.policy.first_look || law.is_start(status->name));
        RC_ASSERT(same_text(now->entry.status, starts ? t.status : Json(law.start())));
        RC_ASSERT(starts != has_conflict(out, t.key, kStatus));
        continue;
      }
      const bool changes = !same_text(t.status, b->status);
      const Move* move = move_between(law, b->status, t.status);
      const bool ended = changes && law.identities && move == nullptr && status_of(law, b->status)->terminal;
      RC_ASSERT(ended == has_row(out, t.key, kPresence, "ended"));
      if (ended) continue;
      if (changes && move == nullptr) RC_ASSERT(has_conflict(out, t.key, kStatus));
      if (changes && move != nullptr && move->gates[0].empty()) RC_ASSERT(same_text(now->entry.status, t.status));
      if (!has_conflict(out, t.key, kStatus)) RC_ASSERT(same_text(now->entry.status, t.status));
      for (const auto& [name, values] : align({&b->members, &t.members, nullptr})) {
        const MemberLaw rule = member_law(law.members, name);
        const Json* mine = member_in(now->entry.members, std::string(name));
        const bool waits = rule.rule == MemberRule::of_status || rule.rule == MemberRule::set_by_move;
        const bool kept = !same(values[0], values[1]) && !waits &&
                          (rule.rule == MemberRule::pawls || is_bad(rule, values[1]) ||
                           (rule.rule == MemberRule::counter && falls(values[0], values[1])));
        if (!waits) RC_ASSERT(same(mine, kept ? values[0] : values[1]));
        if (waits && !has_conflict(out, t.key, name)) RC_ASSERT(same(mine, values[1]));
      }
    }
    for (const Entry& b : legal.entries) {
      if (find_by_key(one.theirs.entries, b.key) != nullptr) continue;
      const bool stays = one.law->of(b.kind).on_missing == KindLaw::OnMissing::restore;
      RC_ASSERT((find_by_key(ours, b.key)->state == State::active) == stays);
    }
  }));
}

// Once merged, what the file shows is an image and a base: looking again changes nothing. Nor does it with the base of
// before, but where a status was refused: it is tried anew on what its record is now, and what waited with it may not
// wait again.
TEST(MergeProperty, TwiceIsOnce) {
  EXPECT_TRUE(rc::check("twice is once", [] {
    RandomCase one = any_case();
    one.policy.take_whole = false;
    const Outcome first = outcome_of(one);
    one.ours.records = after(one.ours, first);
    one.ours.file = first.file;
    one.ours.last_shown = first.file;
    one.ours.order = first.order;
    const Outcome second = merge(one.look(), &one.theirs);
    RC_ASSERT(second.records.empty());
    RC_ASSERT(same_text(second.file, first.file));
    RC_ASSERT(second.order.empty() || second.order == first.order);

    const Outcome again = outcome_of(one);
    for (const OurRecord& record : again.records) {
      RC_ASSERT(has_conflict(first, record.entry.key, kStatus));
    }
  }));
}

TEST(MergeProperty, NoCellIsBothTakenAndInConflict) {
  EXPECT_TRUE(rc::check("taken or in conflict", [] {
    const RandomCase one = any_case();
    const Outcome out = outcome_of(one);
    for (const RowHit& hit : out.rows) RC_ASSERT(!hit.row.takes() || !has_conflict(out, hit.key, hit.member));
    std::set<std::pair<std::string, std::string>> cells;
    for (const Conflict& conflict : out.conflicts) RC_ASSERT(cells.emplace(conflict.key, conflict.member).second);
    for (const Note& note : out.notes) {
      RC_ASSERT(note.code != NoteCode::member_removed || !has_conflict(out, note.key, note.member));
    }
  }));
}

// Every value of theirs ends in a record, in a conflict, or is in an image already: that of the base, or, for a
// counter that would fall, that of the bytes that were found. A note names the counter.
TEST(MergeProperty, NothingOfTheirsIsLost) {
  EXPECT_TRUE(rc::check("every value ends somewhere", [] {
    const RandomCase one = any_case();
    const Outcome out = outcome_of(one);
    const auto ours = after(one.ours, out);
    const auto is_old = [&](std::string_view key, const std::string& member, const Json& value) {
      return std::any_of(one.images.begin(), one.images.end(), [&](const Content& image) {
        const Entry* entry = find_by_key(image.entries, key);
        const Json* then = entry == nullptr    ? nullptr
                           : member == kStatus ? &entry->status
                                               : member_in(entry->members, member);
        return same(then, &value);
      });
    };
    for (const Entry& t : one.theirs.entries) {
      const OurRecord* now = find_by_key(ours, t.key);
      const auto ends = [&](const std::string& member, const Json& value, const Json* mine) {
        return same(&value, mine) || has_conflict(out, t.key, member) || is_old(t.key, member, value) ||
               has_row(out, t.key, member, "counter_kept");
      };
      RC_ASSERT(ends(std::string(kStatus), t.status, now == nullptr ? nullptr : &now->entry.status));
      for (const auto& [name, value] : t.members.items()) {
        RC_ASSERT(ends(name, value, now == nullptr ? nullptr : member_in(now->entry.members, name)));
      }
    }
  }));
}

TEST(MergeProperty, ARecordHasALegalStatusWhateverAFileSays) {
  EXPECT_TRUE(rc::check("statuses are legal", [] {
    const RandomCase one = any_case();
    for (const OurRecord& record : outcome_of(one).records) {
      RC_ASSERT(status_of(one.law->of(record.entry.kind), record.entry.status) != nullptr);
    }
  }));
}

TEST(MergeProperty, UndoOfAMergeIsTheRecordBefore) {
  EXPECT_TRUE(rc::check("undo", [] {
    const RandomCase one = any_case();
    for (const OurRecord& changed : outcome_of(one).records) {
      const OurRecord* before = find_by_key(one.ours.records, changed.entry.key);
      const Reverted back = revert(before, &changed, &changed);
      RC_ASSERT(!back.refused);
      if (before != nullptr) {
        RC_ASSERT(same(back.record->entry, before->entry) && back.record->state == before->state);
        RC_ASSERT(back.record->unverified == before->unverified && back.record->removed_by == before->removed_by);
      } else {
        RC_ASSERT(back.record->state == State::removed);
      }
    }
  }));
}

TEST(MergeProperty, AnOrderThatIsWovenHasEveryKeyOnceAndKeepsTheFirst) {
  EXPECT_TRUE(rc::check("weave", [] {
    const auto keys = *rc::gen::unique<std::vector<std::string>>(rc::gen::string<std::string>());
    const auto half = static_cast<std::ptrdiff_t>(keys.size() / 2);
    const Order first(keys.begin(), keys.begin() + half);
    Order second = keys;
    std::reverse(second.begin(), second.end());
    Order woven = weave(first, second);
    RC_ASSERT(woven.size() == keys.size());
    std::erase_if(woven,
                  [&](const std::string& key) { return std::find(first.begin(), first.end(), key) == first.end(); });
    RC_ASSERT(woven == first);
  }));
}

}  // namespace
}  // namespace pawl::merge
