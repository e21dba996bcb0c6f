#include "lifecycles/pr/trust.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <tuple>

#include "base/clock.h"
#include "base/text.h"
#include "lifecycles/pr/pr.h"

namespace pawl::pr {
namespace {

constexpr std::string_view kSignature = "signature";
constexpr std::string_view kSignedAt = "signedAt";

// Members in one order, whatever order a tool has written them in.
Json in_order(const Json& value) {
  if (value.is_array()) {
    Json out = Json::array();
    for (const Json& one : value) out.push_back(in_order(one));
    return out;
  }
  if (!value.is_object()) return value;
  std::map<std::string, const Json*> members;
  for (const auto& [key, member] : value.items()) members[key] = &member;
  Json out = Json::object();
  for (const auto& [key, member] : members) out[key] = in_order(*member);
  return out;
}

// Each part with its length: no two lists of parts make one message.
std::string message(const Json& data, const Standing& where) {
  Json content = data;
  content.erase(std::string(kSignature));
  std::string out = "pawl block 1\n";
  for (const std::string& part : {where.scope, std::to_string(where.parent), string_or(data, "type"),
                                  string_or(data, "nonce"), to_line(in_order(content))})
    out += cat(part.size(), ":", part, "\n");
  return out;
}

// Takes the same time wherever they differ.
bool same(std::string_view a, std::string_view b) {
  unsigned differing = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    differing |= static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]));
  return differing == 0;
}

std::uint64_t parent_of(const Block& block, const Remark& remark, const TalkThread* thread) {
  if (thread == nullptr) {
    const std::uint64_t review = id_in(block.data, "reply_to_review_id");
    return review != 0 ? review : id_in(block.data, "reply_to_comment_id");
  }
  const std::uint64_t first = thread->remarks.front().id;
  return first == remark.id ? 0 : first;
}

struct Candidate : Believed {
  bool is_signed = false;
};

struct Doubt {
  std::set<const Remark*> remarks;
  bool trigger = false;
  void of(const Remark& remark, std::string_view type) {
    if (!remark.by_bot) return;  // what others write is text, and nobody wonders
    remarks.insert(&remark);
    trigger = trigger || type == block_type::kAutoReview;
  }
};

// The last of each type in one comment, those with a signature that holds marked.
void candidates_in(const Talk& talk, const Remark& remark, const TalkThread* thread, const Mac& mac,
                   std::vector<Candidate>& out, Doubt& doubt) {
  // Nearly every comment is somebody else's and says nothing of the kind.
  if (!remark.by_bot && (!mac || remark.body.find(kSignature) == std::string_view::npos)) return;
  std::set<std::string> seen;
  std::vector<Block> blocks = blocks_in(remark.body);
  std::reverse(blocks.begin(), blocks.end());
  if (remark.by_bot && remark.body.starts_with(kTriggerHead) &&
      std::none_of(blocks.begin(), blocks.end(), [](const Block& one) { return one.type == block_type::kAutoReview; }))
    doubt.of(remark, block_type::kAutoReview);  // it had one
  for (Block& block : blocks) {
    if (!is_known_type(block.type) || !seen.insert(block.type).second) continue;
    Candidate one;
    const Standing where{scope_of(talk.repository, talk.pull), parent_of(block, remark, thread)};
    one.is_signed = mac && block.fenced && signature_holds(block.data, where, mac);
    if (!remark.by_bot && !one.is_signed) continue;
    // One that is signed and does not hold is no legacy: it was made to deceive, or was changed.
    if (mac && !one.is_signed && block.data.contains(std::string(kSignature))) {
      doubt.of(remark, block.type);
      continue;
    }
    one.block = std::move(block);
    one.remark = &remark;
    one.thread = thread;
    out.push_back(std::move(one));
  }
}

}  // namespace

void Mac::add(Hash hash, std::int64_t made_ms) {
  made_ms_ = hashes_.empty() ? made_ms : std::min(made_ms_, made_ms);
  hashes_.push_back(std::move(hash));
}

bool Mac::holds(std::string_view text, std::string_view signature) const {
  return std::any_of(hashes_.begin(), hashes_.end(), [&](const Hash& hash) { return same(signature, hash(text)); });
}

std::int64_t key_made_ms(std::string_view key) {
  constexpr std::int64_t kSecond = 1000;
  if (!key.starts_with(kKeyHead)) return 0;
  key.remove_prefix(kKeyHead.size());
  const auto seconds = parse_positive(key.substr(0, key.find('.')));
  constexpr std::int64_t kMost = std::int64_t{1} << 40U;  // some 35,000 years
  return seconds && *seconds < kMost ? *seconds * kSecond : 0;
}

std::uint64_t id_in(const Json& data, std::string_view member) {
  const auto found = data.find(std::string(member));
  if (found == data.end()) return 0;
  if (found->is_number_unsigned()) return found->get<std::uint64_t>();
  if (found->is_number_integer())
    return static_cast<std::uint64_t>(std::max<std::int64_t>(found->get<std::int64_t>(), 0));
  const std::string text = string_or(data, member);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : 0;
}

Json sealed(Json data, const Standing& where, std::string_view nonce, const Mac& mac, std::string_view now) {
  // What is not signed can say what it wants.
  const bool signed_before = data.erase(std::string(kSignature)) != 0;
  if (!mac || !signed_before) data.erase(std::string(kSignedAt));
  data["nonce"] = nonce;
  if (!mac) return data;
  if (!data.contains(std::string(kSignedAt))) data[std::string(kSignedAt)] = now;
  data[std::string(kSignature)] = mac(message(data, where));
  return data;
}

bool signature_holds(const Json& data, const Standing& where, const Mac& mac) {
  const std::string said = string_or(data, kSignature);
  if (!mac || said.empty() || string_or(data, "nonce").empty()) return false;
  return mac.holds(message(data, where), said);
}

bool anything_signed(const Talk& talk) {
  const auto is_signed = [](const Remark& remark) {
    if (!remark.by_bot || remark.body.find(kSignature) == std::string_view::npos) return false;
    const auto blocks = blocks_in(remark.body);
    return std::any_of(blocks.begin(), blocks.end(), [](const Block& one) {
      return is_known_type(one.type) && one.data.contains(std::string(kSignature));
    });
  };
  if (std::any_of(talk.comments.begin(), talk.comments.end(), is_signed)) return true;
  return std::any_of(talk.threads.begin(), talk.threads.end(), [&](const TalkThread& thread) {
    return std::any_of(thread.remarks.begin(), thread.remarks.end(), is_signed);
  });
}

Belief believed(const Talk& talk, const Mac& mac) {
  std::vector<Candidate> all;
  Doubt doubt;
  for (const Remark& remark : talk.comments) candidates_in(talk, remark, nullptr, mac, all, doubt);
  for (const TalkThread& thread : talk.threads) {
    for (const Remark& remark : thread.remarks) candidates_in(talk, remark, &thread, mac, all, doubt);
  }
  const Candidate* first_signed = nullptr;
  std::int64_t first_ms = 0;  // when that was
  std::map<std::string, const Candidate*> by_nonce;
  const auto signed_ms = [](const Candidate& one) {
    // One that does not say so was signed when its comment was written; and none later than that was last done, by
    // GitHub's clock, which no runner can set.
    const std::int64_t written = parse_iso_time(std::max(one.remark->created_at, one.remark->updated_at)).value_or(0);
    const auto said = parse_iso_time(string_or(one.block.data, kSignedAt));
    if (said && !one.remark->by_bot) return *said;
    return said ? std::min(*said, written) : parse_iso_time(one.remark->created_at).value_or(0);
  };
  const auto age = [](const Candidate& one) {
    return std::tuple(!one.remark->by_bot, one.remark->created_at, one.remark->id);
  };
  for (const Candidate& one : all) {
    if (!one.is_signed) continue;
    if (first_signed == nullptr || std::tuple(signed_ms(one), age(one)) < std::tuple(first_ms, age(*first_signed))) {
      first_signed = &one;
      first_ms = signed_ms(one);
    }
    const Candidate*& kept = by_nonce[string_or(one.block.data, "nonce")];
    if (kept == nullptr || age(one) < age(*kept)) kept = &one;
  }
  // Edited later, it may say what it did not say then. GitHub's times are of seconds; in one second the numbers tell,
  // as far as both are of one kind.
  const auto is_legacy = [&, first = first_signed == nullptr ? Candidate() : *first_signed](const Candidate& one) {
    constexpr std::int64_t kSecond = 1000;
    const std::int64_t written = parse_iso_time(std::max(one.remark->created_at, one.remark->updated_at)).value_or(0);
    // The key's time is of seconds too: of that second itself nobody can tell, and what was said in it was said.
    if (mac.made_ms() != 0 && written >= mac.made_ms() + kSecond) return false;
    if (first.remark == nullptr) return true;
    if (written / kSecond != first_ms / kSecond) return written < first_ms;
    return (one.thread == nullptr) == (first.thread == nullptr) && one.remark->id < first.remark->id;
  };
  Belief out;
  for (Candidate& one : all) {
    if (one.is_signed && by_nonce[string_or(one.block.data, "nonce")] != &one) continue;
    if (mac && !one.is_signed && !is_legacy(one)) {
      doubt.of(*one.remark, one.block.type);
      continue;
    }
    one.legacy = mac && !one.is_signed;
    out.blocks.push_back(static_cast<Believed&&>(one));
  }
  for (const Remark* one : doubt.remarks) out.doubted.push_back(one->id);
  std::sort(out.doubted.begin(), out.doubted.end());
  out.trigger_doubted = doubt.trigger;
  return out;
}

}  // namespace pawl::pr
