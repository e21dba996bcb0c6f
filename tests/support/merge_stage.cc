#include "support/merge_stage.h"

#include <algorithm>
#include <array>
#include <random>

#include "base/json_same.h"

namespace pawl::merge {
namespace {

using enum MemberRule;
constexpr MoveKind kForward = MoveKind::forward;

constexpr std::array kStoryMoves = {
    Move{kAbsent, "pending"},
    Move{"pending", "committed", kForward, "", {"criteria"}},
    Move{"committed", "pushed", kForward, "", {"pr", "criteria"}},
    Move{"pushed", "merged", kForward, "", {"pr", "person"}},
    Move{"pending", "skipped"},
    Move{"committed", "skipped"},
    Move{"pushed", "pending", kForward, "reset", {"reason"}},
};
constexpr Machine kStoryMachine = {"story", "a story", model::kStoryStatuses, kStoryMoves};
constexpr std::array kStoryKinds = {KindLaw{.kind = "story",
                                            .machine = &kStoryMachine,
                                            .default_status = "pending",
                                            .members = model::kStoryMembers,
                                            .trusts_new = false}};

constexpr std::array kItemMembers = {MemberLaw{"sha", pawls}};
constexpr std::array kReviewKinds = {KindLaw{.kind = "item",
                                             .machine = &model::kAloneMachine,
                                             .default_status = "open",
                                             .members = kItemMembers,
                                             .on_missing = KindLaw::OnMissing::remove}};

constexpr std::array kFindingStatuses = {Status{"open"}, Status{"dropped", true}};
constexpr std::array kFindingMoves = {Move{kAbsent, "open"}, Move{"open", "dropped"}};
constexpr Machine kFindingMachine = {"finding", "a finding", kFindingStatuses, kFindingMoves};
constexpr std::array kPairOfKinds = {
    KindLaw{.kind = "chunk", .machine = &model::kAloneMachine, .default_status = "pending"},
    KindLaw{.kind = "finding",
            .machine = &kFindingMachine,
            .default_status = "open",
            .on_missing = KindLaw::OnMissing::remove}};

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class List>
  const auto& pick(const List& list) {
    return list[below(std::size(list))];
  }

 private:
  std::mt19937_64 engine_;
};

Json random_value(Random& random) {
  static const std::vector<Json> kValues = {
      nullptr, true, 0, 1, 1.0, 2, 3, "", "x", "y", Json::array({1, "x"}), {{"a", 1}, {"b", 2}}, {{"b", 2}, {"a", 1}}};
  return random.pick(kValues);
}

std::string random_member(Random& random, std::span<const MemberLaw> laws) {
  static const std::vector<std::string> kFree = {"title", "ok", "mine"};
  const std::size_t at = random.below(laws.size() + kFree.size());
  return at < laws.size() ? std::string(laws[at].name) : kFree[at - laws.size()];
}

Json random_status(Random& random, const KindLaw& law) {
  if (random.one_in(12)) return "done";
  if (random.one_in(30)) return 7;
  return random.pick(law.machine->statuses).name;
}

Entry random_entry(Random& random, const KindLaw& law, std::string key) {
  Entry entry{std::move(key), std::string(law.kind), random_status(random, law)};
  for (std::size_t i = random.below(5); i > 0; --i)
    entry.members[random_member(random, law.members)] = random_value(random);
  return entry;
}

void edit_members(Random& random, std::span<const MemberLaw> laws, Json& members) {
  const std::string name = random_member(random, laws);
  if (random.one_in(4)) {
    members.erase(name);
  } else {
    const bool counts = member_law(laws, name).rule == counter && !random.one_in(4);
    members[name] = counts ? Json(random.below(9)) : random_value(random);
  }
}

void edit(Random& random, const FileLaw& law, Content& content) {
  static const std::vector<std::string> kKeys = {"A", "B", "C", "D", "E"};
  const std::size_t what = random.below(8);
  if (what == 0) {
    edit_members(random, law.members, content.file);
  } else if (what == 1 || content.entries.empty()) {
    const std::string& key = random.pick(kKeys);
    const bool known =
        std::any_of(content.entries.begin(), content.entries.end(), [&](const Entry& e) { return e.key == key; });
    if (known) return;
    const auto place = static_cast<std::ptrdiff_t>(random.below(content.entries.size() + 1));
    content.entries.insert(content.entries.begin() + place, random_entry(random, random.pick(law.kinds), key));
  } else if (what == 2) {
    content.entries.erase(content.entries.begin() + static_cast<std::ptrdiff_t>(random.below(content.entries.size())));
  } else if (what == 3) {
    std::swap(content.entries[random.below(content.entries.size())],
              content.entries[random.below(content.entries.size())]);
  } else {
    Entry& entry = content.entries[random.below(content.entries.size())];
    const KindLaw& kind = law.of(entry.kind);
    if (what <= 5) {
      entry.status = random_status(random, kind);
    } else {
      edit_members(random, kind.members, entry.members);
    }
  }
}

void edit_often(Random& random, const FileLaw& law, Content& content, std::size_t most) {
  for (std::size_t i = random.below(most + 1); i > 0; --i) edit(random, law, content);
}

OurRecord random_record(Random& random, const FileLaw& law, Entry entry) {
  OurRecord record{std::move(entry)};
  const KindLaw& kind = law.of(record.entry.kind);
  const bool known = record.entry.status.is_string() && kind.machine->status(record.entry.status.get<std::string>());
  if (!known) record.entry.status = kind.start();
  record.unverified = random.one_in(8);
  if (random.one_in(6)) record.state = random.one_in(3) ? State::inactive : State::removed;
  if (record.state == State::removed) record.removed_by = random.one_in(2) ? RemovedBy::command : RemovedBy::outside;
  return record;
}

constexpr std::array<std::string_view, 3> kStates = {"active", "inactive", "removed"};
constexpr std::array<std::string_view, 3> kRemovers = {"", "command", "outside"};

void add(Json& object, const char* name, const std::optional<Json>& value) {
  if (value) object[name] = *value;
}

Json sorted(Json list) {
  std::vector<Json> all(list.begin(), list.end());
  std::stable_sort(all.begin(), all.end(), [](const Json& a, const Json& b) {
    const auto name = [](const Json& one) {
      return one.is_array() ? to_line(one)
                            : string_or(one, "key") + '\n' + string_or(one, "member") + '\n' + string_or(one, "code");
    };
    return name(a) < name(b);
  });
  return all;
}

std::string spelled(const std::optional<Json>& value) { return value ? to_line(*value) : "nothing"; }

}  // namespace

constinit const FileLaw kStoryFile = {
    .kinds = kStoryKinds, .owner_by_content = "title", .on_gone = FileLaw::OnGone::deactivate};
constinit const FileLaw kReviewFile = {
    .kinds = kReviewKinds, .members = model::kReviewMembers, .on_damage = FileLaw::OnDamage::conflict};
constinit const FileLaw kTwoKinds = {.kinds = kPairOfKinds, .members = model::kReviewMembers};

std::vector<NamedLaw> laws_of_one_kind() {
  return {{"issue", &kIssueFile}, {"story", &kStoryFile}, {"loop", &kLoopFile}, {"review", &kReviewFile}};
}

bool test_gate_met(const OurRecord& before, std::string_view gate, const Json& members_after, const Records& siblings) {
  if (gate == "criteria") return members_after.contains("ok") && members_after["ok"] == Json(true);
  if (gate == "pr") return before.entry.members.contains("prNumber");
  if (gate != "alone") return false;
  return std::all_of(siblings.begin(), siblings.end(), [&](const auto& one) {
    return one.first == before.entry.key || one.second->entry.status != Json("in-progress");
  });
}

Look RandomCase::look() const {
  return {*law, ours, theirs, policy, test_gate_met, {elsewhere.begin(), elsewhere.end()}};
}

std::vector<Baseline> RandomCase::known() const {
  std::vector<Baseline> known;
  for (std::size_t i = 0; i < images.size(); ++i) known.push_back({&images[i], by_command[i]});
  return known;
}

RandomCase random_case(std::uint64_t seed, int size) {
  Random random(seed);
  RandomCase out;
  const auto laws = laws_of_one_kind();
  const NamedLaw& law = random.pick(laws);
  const auto most = static_cast<std::size_t>(size);
  out.law_name = law.name;
  out.law = law.law;
  Content content{"one", {}, Json::object(), {}};
  for (std::size_t i = 0; i < 6; ++i) edit(random, *law.law, content);
  for (std::size_t i = random.below(5); i > 0; --i) {
    out.images.push_back(content);
    out.by_command.push_back(random.one_in(2));
    edit_often(random, *law.law, content, most);
  }
  out.theirs = out.images.empty() ? content : random.one_in(2) ? out.images.back() : random.pick(out.images);
  edit_often(random, *law.law, out.theirs, most);

  Content mine = out.images.empty() || random.one_in(3) ? content : out.images.back();
  if (random.one_in(2)) edit_often(random, *law.law, mine, 3);
  for (Entry& entry : mine.entries) out.ours.records.push_back(random_record(random, *law.law, std::move(entry)));
  for (const OurRecord& record : out.ours.records) {
    if (record.state == State::active || random.one_in(2)) out.ours.order.push_back(record.entry.key);
  }
  if (random.one_in(6)) out.ours.order.clear();
  out.ours.file = mine.file;
  out.policy.take_whole = random.one_in(5);
  out.policy.gates = random.one_in(3) ? Gates::record : Gates::require;
  out.policy.first_look = random.one_in(8);
  out.without_base = random.one_in(8);
  if (random.one_in(2)) out.ours.last_shown = out.images.empty() ? mine.file : out.images.back().file;
  for (const char* key : {"A", "B", "C", "D", "E"}) {
    if (law.law->kinds.front().identities && random.one_in(6)) out.elsewhere.emplace_back(key);
  }
  return out;
}

std::vector<std::optional<OurRecord>> random_history(std::uint64_t seed, int size) {
  Random random(seed);
  const FileLaw& law = *random.pick(laws_of_one_kind()).law;
  OurRecord record = random_record(random, law, random_entry(random, law.kinds.front(), "A"));
  std::vector<std::optional<OurRecord>> out;
  for (int i = 0; i < 3; ++i) {
    out.push_back(random.one_in(10) ? std::nullopt : std::optional(record));
    for (std::size_t edits = random.below(static_cast<std::size_t>(size) + 1); edits > 0; --edits) {
      edit_members(random, law.kinds.front().members, record.entry.members);
      if (random.one_in(3)) record = random_record(random, law, record.entry);
      if (random.one_in(3)) record.entry.status = random.pick(law.kinds.front().machine->statuses).name;
    }
  }
  return out;
}

Json as_json(const Content& content) {
  Json entries = Json::array();
  for (const Entry& entry : content.entries) {
    entries.push_back({{"key", entry.key}, {"status", entry.status}, {"members", entry.members}});
  }
  return {{"owner", content.owner}, {"entries", entries}, {"file", content.file}};
}

Json as_json(const OurRecord& record) {
  return {{"key", record.entry.key},         {"status", record.entry.status},
          {"members", record.entry.members}, {"state", kStates[static_cast<std::size_t>(record.state)]},
          {"unverified", record.unverified}, {"removed_by", kRemovers[static_cast<std::size_t>(record.removed_by)]}};
}

Json as_json(const Outcome& outcome) {
  Json records = Json::array(), conflicts = Json::array(), notes = Json::array(), rows = Json::array();
  for (const OurRecord& record : outcome.records) records.push_back(as_json(record));
  for (const Conflict& conflict : outcome.conflicts) {
    Json one = {{"key", conflict.key}, {"member", conflict.member}, {"code", name_of(conflict.code)}};
    add(one, "ours", conflict.ours);
    add(one, "theirs", conflict.theirs);
    for (const Waiting& waiting : conflict.group) {
      Json member = {{"member", waiting.member}};
      add(member, "theirs", waiting.theirs);
      one["group"].push_back(member);
    }
    conflicts.push_back(one);
  }
  for (const Note& note : outcome.notes) notes.push_back(Json::array({note.key, note.member, name_of(note.code)}));
  for (const RowHit& hit : outcome.rows) rows.push_back(Json::array({hit.key, hit.member, hit.row.row}));
  return {{"records", sorted(records)}, {"conflicts", sorted(conflicts)}, {"notes", sorted(notes)},
          {"rows", sorted(rows)},       {"file", outcome.file},           {"order", outcome.order}};
}

Json as_json(const RandomCase& one) {
  const FileLaw& file = *one.law;
  const KindLaw& kind = file.kinds.front();
  const auto rules = [](std::span<const MemberLaw> laws) {
    constexpr std::array<std::string_view, 5> kRules = {"free", "pawls", "counter", "of_status", "set_by_move"};
    Json out = Json::object();
    for (const MemberLaw& law : laws) {
      const bool is_free = law.rule == MemberRule::free;
      out[std::string(law.name)] = !is_free       ? kRules[static_cast<std::size_t>(law.rule)]
                                   : law.required ? "text"
                                                  : "number";
    }
    return out;
  };
  Json law = {{"name", one.law_name},
              {"statuses", Json::object()},
              {"moves", Json::array()},
              {"starts", Json::array()},
              {"default", kind.default_status.empty() ? Json() : Json(kind.default_status)},
              {"rules", rules(kind.members)},
              {"file_rules", rules(file.members)},
              {"identities", kind.identities},
              {"trusts_new", kind.trusts_new},
              {"on_missing", kind.on_missing == KindLaw::OnMissing::remove ? "remove" : "restore"},
              {"on_return", file.on_return == FileLaw::OnReturn::adopt ? "adopt" : "resume"}};
  for (const Status& status : kind.machine->statuses) law["statuses"][std::string(status.name)] = status.terminal;
  for (const Move& move : kind.machine->moves) {
    Json gates = Json::array();
    for (const std::string_view gate : move.gates) {
      if (!gate.empty()) gates.push_back(gate);
    }
    if (move.from == kAbsent) {
      law["starts"].push_back(move.to);
    } else {
      law["moves"].push_back({{"from", move.from}, {"to", move.to}, {"gates", gates}});
    }
  }
  Json images = Json::array(), records = Json::array();
  for (std::size_t i = 0; i < one.images.size(); ++i) {
    images.push_back({{"content", as_json(one.images[i])}, {"command", static_cast<bool>(one.by_command[i])}});
  }
  for (const OurRecord& record : one.ours.records) records.push_back(as_json(record));
  return {{"law", law},
          {"images", images},
          {"ours", records},
          {"file", one.ours.file},
          {"order", one.ours.order},
          {"last_shown", one.ours.last_shown.value_or(nullptr)},
          {"theirs", as_json(one.theirs)},
          {"take_whole", one.policy.take_whole},
          {"gates", one.policy.gates == Gates::record ? "record" : "require"},
          {"first_look", one.policy.first_look},
          {"elsewhere", one.elsewhere},
          {"without_base", one.without_base}};
}

std::string spelled(const OurRecord& record) {
  std::string line = record.entry.key + " is " + to_line(record.entry.status) + " " + to_line(record.entry.members);
  if (record.state != State::active) line += " " + std::string(kStates[static_cast<std::size_t>(record.state)]);
  if (record.removed_by == RemovedBy::command) line += " by a command";
  if (record.removed_by == RemovedBy::outside) line += " outside";
  return line + (record.unverified ? " unverified" : "");
}

std::vector<std::string> lines_of(const Outcome& outcome, const Ours& ours) {
  std::vector<std::string> lines;
  for (const OurRecord& record : outcome.records) lines.push_back(spelled(record));
  for (const Conflict& conflict : outcome.conflicts) {
    std::string line = conflict.key + "/" + conflict.member + " " + std::string(name_of(conflict.code)) + ": " +
                       spelled(conflict.ours) + ", not " + spelled(conflict.theirs);
    for (const Waiting& one : conflict.group) line += " with " + one.member + " " + spelled(one.theirs);
    lines.push_back(line + (blocks(conflict) ? " blocks" : ""));
  }
  for (const Note& note : outcome.notes) {
    lines.push_back(note.key + "/" + note.member + " " + std::string(name_of(note.code)));
  }
  if (outcome.file != ours.file) lines.push_back("file " + to_line(outcome.file));
  if (outcome.order != ours.order) lines.push_back("order " + to_line(Json(outcome.order)));
  return lines;
}

std::vector<std::string> lines_of(const Content& content) {
  std::vector<std::string> lines;
  if (!content.owner.empty()) lines.push_back("owner " + content.owner);
  for (const Entry& entry : content.entries) lines.push_back(spelled(OurRecord{entry}));
  if (!content.file.empty()) lines.push_back("file " + to_line(content.file));
  for (const std::string& piece : content.unread) lines.push_back("unread " + piece);
  return lines;
}

}  // namespace pawl::merge
