// What the rows' conditions ask, and what follows from a conflict's code.
#include "core/merge_rows.h"

#include <algorithm>

namespace pawl::merge {
namespace {

constexpr std::array<std::string_view, 14> kCodes = {
    "unknown_status", "no_move",   "gate",   "not_a_start", "ended",   "elsewhere", "removed",
    "pawls",          "bad_value", "unread", "git",         "markers", "too_large", "unreadable"};

bool is_over(const KindLaw& law, const Json& status) {
  const Status* found = status_of(law, status);
  return found != nullptr && found->terminal;
}

}  // namespace

std::string_view name_of(Code code) { return kCodes[static_cast<std::size_t>(code)]; }
std::optional<Code> code_named(std::string_view name) {
  const auto found = std::find(kCodes.begin(), kCodes.end(), name);
  return found == kCodes.end() ? std::nullopt : std::optional(static_cast<Code>(found - kCodes.begin()));
}

const Tables& all_tables() {
  static constexpr Tables kTables;
  return kTables;
}

Verdict judge_file(const FileCase& found, const Tables& tables) { return first_row(tables.file, found); }

bool same(const Json* a, const Json* b) { return a == b || (a != nullptr && b != nullptr && same_text(*a, *b)); }
bool same(const Entry& a, const Entry& b) { return same(&a.status, &b.status) && same(&a.members, &b.members); }

const Status* status_of(const KindLaw& law, const Json& value) {
  return value.is_string() ? law.machine->status(value.get_ref<const std::string&>()) : nullptr;
}

const Move* move_between(const KindLaw& law, const Json& from, const Json& to) {
  const Status *old = status_of(law, from), *next = status_of(law, to);
  return old != nullptr && next != nullptr ? law.machine->move(old->name, next->name) : nullptr;
}

bool is_start(const KindLaw& law, const Json& status) {
  const Status* known = status_of(law, status);
  return known != nullptr && law.is_start(known->name);
}

bool has_ended(const KindLaw& law, const OurRecord* o, const Entry& t) {
  if (o == nullptr || !law.identities) return false;
  const bool changes = !same(&o->entry.status, &t.status) && move_between(law, o->entry.status, t.status) == nullptr;
  return o->state == State::removed || (is_over(law, o->entry.status) && changes);
}

bool all_over(const FileLaw& law, std::span<const OurRecord> ours, const Content& theirs) {
  const auto is_over_still = [&law, known = by_key(ours)](const Entry& t) {
    const KindLaw& kind = law.of(t.kind);
    const OurRecord* o = find(known, t.key);
    if (o == nullptr || !kind.identities) return false;
    return has_ended(kind, o, t) || (is_over(kind, o->entry.status) && is_over(kind, t.status));
  };
  return !theirs.entries.empty() && std::all_of(theirs.entries.begin(), theirs.entries.end(), is_over_still);
}

OurRecord gone(const FileLaw& law, OurRecord record) {
  const bool removes = law.on_gone == FileLaw::OnGone::remove;
  record.state = removes ? State::removed : State::inactive;
  if (removes) record.removed_by = RemovedBy::outside;
  const bool is_open = !is_over(law.of(record.entry.kind), record.entry.status);
  if (law.on_gone == FileLaw::OnGone::end && is_open) record.entry.status = law.gone_status;
  return record;
}

bool is_bad(const MemberLaw& law, const Json* t) {
  if (t == nullptr) return law.required || law.rule == MemberRule::counter;
  if (t->is_null() && law.nullable) return false;
  const bool is_number = law.type == MemberType::number || law.rule == MemberRule::counter;
  if (is_number) return !nearest_double(*t);
  if (law.type == MemberType::boolean) return !t->is_boolean();
  return law.type != MemberType::any && (!t->is_string() || (law.required && t->get_ref<const std::string&>().empty()));
}

bool falls(const Json* o, const Json* t) {
  const auto ours = o == nullptr ? std::nullopt : nearest_double(*o);
  const auto theirs = t == nullptr ? std::nullopt : nearest_double(*t);
  return ours && theirs && *theirs < *ours;
}

bool leaves_file_alone(Code code) { return code == Code::git || code == Code::markers || code == Code::too_large; }
bool is_of_whole_file(Code code) { return leaves_file_alone(code) || code == Code::unreadable; }

bool can_be_accepted(const FileLaw& law, const Conflict& conflict) {
  if (conflict.code == Code::removed) {
    const bool is_value = conflict.theirs && conflict.theirs->is_object();
    return is_value &&
           status_of(law.of(conflict.kind), conflict.theirs->value(std::string(kStatus), Json())) != nullptr;
  }
  return conflict.code == Code::gate || conflict.code == Code::not_a_start || conflict.code == Code::git;
}

bool blocks(const Conflict& conflict) { return conflict.member == kStatus && !conflict.ours; }

bool is_left_in_file(const Conflict& conflict, const Policy& policy, bool found, bool displaced) {
  const bool nothing_to_write = !conflict.ours && conflict.member != kPresence && conflict.member != kStatus;
  const bool stands = leaves_file_alone(conflict.code) || nothing_to_write;
  return !displaced && (found || stands || policy.take_whole || policy.outside == Outside::flag);
}

bool survives_write(const Conflict& conflict, Outside outside) {
  const bool nothing_to_write = !conflict.ours && conflict.member != kPresence;
  return is_of_whole_file(conflict.code) || nothing_to_write || outside == Outside::flag;
}

Json status_meant(const KindLaw& law, const Json* spelled) {
  const bool is_missing = spelled == nullptr || spelled->is_null();
  return !is_missing ? *spelled : law.default_status.empty() ? Json() : Json(law.default_status);
}

}  // namespace pawl::merge
