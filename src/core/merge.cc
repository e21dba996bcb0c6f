#include "core/merge.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/merge_rows.h"

namespace pawl::merge {
namespace {

using Members = Json::object_t;

const Members& members_in(const Json& object) { return object.get_ref<const Members&>(); }
void add_member(Json& object, std::string_view name, const Json& value) {
  object.get_ref<Members&>().emplace_back(std::string(name), value);
}

std::optional<Json> copy_of(const Json* value) { return value ? std::optional(*value) : std::nullopt; }

// A record, and what the rows say of it.
struct Decided {
  RecordCase found;
  Outcome out = {};
};

class Merger {
 public:
  Merger(const Look& look, const Content* base, const Tables& tables) : look_(look), base_(base), tables_(tables) {}

  // A record that fails a gate is tried once more, as the gate may look at siblings that this edit changes.
  Outcome run() {
    collect();
    for (Decided& one : all_) decide(one);
    for (Decided& one : all_) {
      const auto& conflicts = one.out.conflicts;
      if (std::none_of(conflicts.begin(), conflicts.end(), [](const Conflict& c) { return c.code == Code::gate; }))
        continue;
      records_[one.found.t->key] = one.found.o;
      one.out = {};
      decide(one);
    }
    Outcome out = merge_file_members();
    for (Decided& one : all_) {
      const auto append = [](auto& to, auto& from) { std::move(from.begin(), from.end(), std::back_inserter(to)); };
      append(out.records, one.out.records);
      append(out.conflicts, one.out.conflicts);
      append(out.notes, one.out.notes);
      append(out.rows, one.out.rows);
    }
    out.order = base_ != nullptr ? merge_order(*base_, look_.theirs, look_.ours.order) : order_of(look_.theirs);
    return out;
  }

 private:
  // Every record that theirs or the base shows.
  void collect() {
    const std::vector<Entry> none;
    const std::vector<Entry>& base = base_ != nullptr ? base_->entries : none;
    const auto in_base = by_key<Entry>(base), in_theirs = by_key<Entry>(look_.theirs.entries);
    const auto add = [&](const Entry& shown, const Entry* b, const Entry* t) {
      all_.push_back({{look_, look_.law.of(shown.kind), b, find(records_, shown.key), t}});
    };
    for (const Entry& t : look_.theirs.entries) add(t, find(in_base, t.key), &t);
    for (const Entry& b : base) {
      if (find(in_theirs, b.key) == nullptr) add(b, &b, nullptr);
    }
  }

  void decide(Decided& one) {
    const auto& [look, law, b, o, t, policy, removed] = one.found;
    const Verdict row = first_row(tables_.presence, one.found);
    const Entry& shown = t != nullptr ? *t : *b;
    if (row.act != Act::keep && row.act != Act::go_on) one.out.rows.push_back({shown.key, std::string(kPresence), row});
    if (row.act == Act::conflict) {
      const auto value = [](const Entry* entry) { return entry ? std::optional(value_of(*entry)) : std::nullopt; };
      refuse(one.out, shown, kPresence, value(o == nullptr || removed ? nullptr : &o->entry), value(t), row);
    } else if (row.act == Act::on_missing) {
      remove(one);
    } else if (row.act == Act::adopt && t != nullptr) {
      adopt(one);
    } else if (row.act == Act::resume && t != nullptr) {
      const OurRecord back{o->entry, State::active, o->unverified};
      put(one, merge_members(one, back, back.entry).value_or(back));
    } else if (row.act == Act::go_on && t != nullptr && o != nullptr) {
      if (auto merged = merge_members(one, *o, b != nullptr ? *b : o->entry)) put(one, *std::move(merged));
    }
  }

  void put(Decided& one, OurRecord record) {
    one.out.records = {std::move(record)};
    records_.insert_or_assign(one.out.records[0].entry.key, &one.out.records[0]);
  }

  static void refuse(Outcome& out, const Entry& shown, std::string_view member, std::optional<Json> ours,
                     std::optional<Json> theirs, const Verdict& row) {
    const Code code = code_named(row.row).value_or(Code::unreadable);
    out.conflicts.push_back({shown.key, shown.kind, std::string(member), std::move(ours), std::move(theirs), code});
  }

  void remove(Decided& one) {
    OurRecord record = *one.found.o;
    const bool restores = !look_.policy.take_whole && one.found.law.on_missing == KindLaw::OnMissing::restore;
    one.out.notes.push_back({restores ? NoteCode::restored : NoteCode::removed, record.entry.key});
    if (restores) return;
    record.state = State::removed;
    record.removed_by = RemovedBy::outside;
    put(one, std::move(record));
  }

  // A record has a known status from the first. If that is not its own, the conflict blocks it.
  void adopt(Decided& one) {
    const auto& [look, law, b, o, t, policy, removed] = one.found;
    const Verdict row = first_row(tables_.start, one.found);
    if (row.act == Act::conflict) refuse(one.out, *t, kStatus, std::nullopt, t->status, row);
    OurRecord record{{t->key, t->kind, row.act == Act::take ? t->status : Json(law.start())}};
    for (const auto& [name, value] : members_in(t->members)) {
      if (is_bad(member_law(law.members, name), &value)) {
        refuse(one.out, *t, name, std::nullopt, value, {name_of(Code::bad_value), Act::conflict});
      } else {
        add_member(record.entry.members, name, value);
      }
    }
    one.out.notes.push_back({NoteCode::adopted, t->key});
    put(one, std::move(record));
  }

  // Members first, then the status, so that gates see the members of the same edit. nullopt: nothing was taken.
  std::optional<OurRecord> merge_members(Decided& one, const OurRecord& before, const Entry& base) {
    const RecordCase& c = one.found;
    const Json& ours = before.entry.members;
    Changes changes, waiting;
    for (const auto& [name, value] : align({&base.members, &ours, &c.t->members})) {
      const MemberLaw law = member_law(c.law.members, name);
      const Json* t = value[2];
      if (!decide_member(one.out, *c.t, {law, c.policy.take_whole, value[0], value[1], t})) continue;
      changes.emplace(name, t);
      const bool emptied = t == nullptr || t->is_null();
      if (law.rule == MemberRule::of_status || (law.rule == MemberRule::set_by_move && emptied))
        waiting.emplace(name, t);
    }
    std::optional<Json> members;
    if (!changes.empty()) members = with_changes(ours, changes);
    const Verdict row = decide_status(c, before, base.status, members ? *members : ours);
    if (row.act != Act::keep) one.out.rows.push_back({c.t->key, std::string(kStatus), row});
    if (row.act == Act::conflict) {
      const Json* kept = c.policy.take_whole ? nullptr : &before.entry.status;
      refuse(one.out, *c.t, kStatus, copy_of(kept), c.t->status, row);
      for (const auto& [name, t] : waiting) {  // what belongs to the status waits with it
        changes.erase(name);
        one.out.conflicts.back().group.push_back({std::string(name), copy_of(t)});
      }
      const auto waits = [&](const auto& hit) { return !hit.member.empty() && waiting.contains(hit.member); };
      std::erase_if(one.out.rows, waits);
      std::erase_if(one.out.notes, waits);
      if (!waiting.empty()) members = with_changes(ours, changes);
    }
    if (changes.empty() && !row.takes()) return std::nullopt;
    OurRecord after{
        {c.t->key, c.t->kind, row.takes() ? c.t->status : before.entry.status, members ? *std::move(members) : ours}};
    after.unverified = row.takes() ? row.act == Act::take_unverified : before.unverified;
    return after;
  }

  Verdict decide_status(const RecordCase& c, const OurRecord& before, const Json& base, const Json& members) {
    StatusCase status{c, &base, &before.entry.status, &c.t->status, nullptr, false, false};
    status.move = move_between(c.law, *status.o, *status.t);
    for (std::size_t i = 0; status.move != nullptr && i < kMaxGates && !status.move->gates[i].empty(); ++i) {
      const std::string_view gate = status.move->gates[i];
      if (look_.gate_met && look_.gate_met(before, gate, members, records_)) continue;
      status.lacks_gates = true;
      status.lacks_a_person = status.lacks_a_person || gate == kPersonGate;
    }
    return first_row(tables_.status, status);
  }

  // True if theirs is taken.
  bool decide_member(Outcome& out, const Entry& shown, const MemberCase& c) {
    const Verdict row = first_row(tables_.member, c);
    const std::string name(c.law.name);
    if (row.act != Act::keep) out.rows.push_back({shown.key, name, row});
    if (row.act == Act::conflict) refuse(out, shown, name, copy_of(c.o), copy_of(c.t), row);
    if (row.act == Act::keep_and_note) out.notes.push_back({NoteCode::counter_kept, shown.key, name});
    if (row.act == Act::take && c.t == nullptr) out.notes.push_back({NoteCode::member_removed, shown.key, name});
    return row.act == Act::take;
  }

  // Without a base they are compared with what their owner's file last showed, and taken if the owner is new.
  Outcome merge_file_members() {
    Outcome out;
    const Entry file{std::string(kFileKey), "", {}};
    const auto& [records, mine, order, last_shown] = look_.ours;
    const Json& ours = base_ != nullptr ? mine : last_shown ? *last_shown : look_.theirs.file;
    const Json& base = base_ != nullptr ? base_->file : ours;
    Changes changes;
    for (const auto& [name, value] : align({&base, &ours, &look_.theirs.file})) {
      const MemberCase c{member_law(look_.law.members, name), look_.policy.take_whole, value[0], value[1], value[2]};
      if (decide_member(out, file, c)) changes.emplace(name, c.t);
    }
    out.file = with_changes(ours, std::move(changes));
    return out;
  }

  const Look& look_;
  const Content* base_;
  const Tables& tables_;
  Records records_ = by_key<OurRecord>(look_.ours.records);
  std::vector<Decided> all_;
};

// What a file would show that is as the store has it.
Content as_content(const Look& look) {
  Content content{look.theirs.owner, {}, look.ours.file, {}};
  Records left = by_key<OurRecord>(look.ours.records);
  const auto add = [&](const std::string& key) {
    const auto record = left.extract(key);
    if (record && record.mapped()->state == State::active) content.entries.push_back(record.mapped()->entry);
  };
  for (const std::string& key : look.ours.order) add(key);
  for (const OurRecord& record : look.ours.records) add(record.entry.key);
  return content;
}

}  // namespace

Aligned align(std::array<const Json*, 3> objects) {
  Aligned out;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (objects[i] == nullptr) continue;
    for (const auto& [name, value] : members_in(*objects[i])) out[name][i] = &value;
  }
  return out;
}

Json with_changes(const Json& object, Changes changes) {
  Json out = Json::object();
  for (const auto& [name, value] : members_in(object)) {
    const auto change = changes.extract(name);
    const Json* now = change ? change.mapped() : &value;
    if (now != nullptr) add_member(out, name, *now);
  }
  for (const auto& [name, value] : changes) {
    if (value != nullptr) add_member(out, name, *value);
  }
  return out;
}

Json value_of(const Entry& entry) {
  Json out = {{kStatus, entry.status}};
  for (const auto& [name, value] : members_in(entry.members)) add_member(out, name, value);
  return out;
}

Outcome merge(const Look& look, const Content* base, const Tables& tables) { return Merger(look, base, tables).run(); }

Outcome merge_file(const Look& look, std::span<const Baseline> known, const Tables& tables) {
  const Content mine = look.policy.take_whole ? as_content(look) : Content();
  if (look.policy.take_whole) return merge(look, &mine, tables);
  const Content* base = choose_base(known, look.theirs);
  Outcome out = merge(look, base, tables);
  if (!known.empty() && base != known.back().content) out.notes.push_back({NoteCode::old_copy, std::string(kFileKey)});
  return out;
}

std::optional<Json> revert_members(const Json& before, const Json& after, const Json& now) {
  Changes changes;
  for (const auto& [name, value] : align({&before, &after, &now})) {
    if (same(value[0], value[1])) continue;
    if (!same(value[1], value[2])) return std::nullopt;
    changes.emplace(name, value[0]);
  }
  return with_changes(now, std::move(changes));
}

Reverted revert(const OurRecord* before, const OurRecord* after, const OurRecord* now) {
  const auto fields = [](const OurRecord& r) {  // all but the members, as one object
    return Json{{"state", r.state}, {"status", r.entry.status}, {"unverified", r.unverified}, {"by", r.removed_by}};
  };
  Reverted out;
  if (before != nullptr) out.record = *before;
  if (now == nullptr || after == nullptr) return now == after ? out : Reverted{true, {}};
  if (before == nullptr || before->state == State::removed) {  // all of the record came with the operation
    const bool changed = !same_text(fields(*now), fields(*after)) || !same(now->entry, after->entry);
    if (changed) return {true, {}};
    if (before == nullptr) out.record = {now->entry, State::removed, now->unverified, RemovedBy::command};
    return out;
  }
  auto members = revert_members(before->entry.members, after->entry.members, now->entry.members);
  const auto back = revert_members(fields(*before), fields(*after), fields(*now));
  if (!members || !back) return {true, {}};
  out.record = {{now->entry.key, now->entry.kind, back->at("status"), std::move(*members)},
                back->at("state").get<State>(),
                back->at("unverified").get<bool>(),
                back->at("by").get<RemovedBy>()};
  return out;
}

}  // namespace pawl::merge
