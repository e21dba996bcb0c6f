#include "lifecycles/review/which_block.h"

#include <algorithm>
#include <set>

#include "lifecycles/review/review.h"

namespace pawl::review {
namespace {

std::vector<FindingTraits> traits_of_all(const StateText& state) {
  std::vector<FindingTraits> blocks;
  blocks.reserve(state.findings.size());
  for (const FindingText& finding : state.findings) blocks.push_back(traits_of(state.text, finding));
  return blocks;
}

}  // namespace

BlocksByWords::Words BlocksByWords::words_of(const FindingTraits& one) {
  return {one.title, one.file, one.line, one.severity, without_returns(one.body)};
}

BlocksByWords::BlocksByWords(std::span<const FindingTraits> blocks) {
  for (std::size_t b = 0; b < blocks.size(); ++b) by_words_[words_of(blocks[b])].blocks.push_back(b);
}

std::vector<std::optional<std::size_t>> blocks_of(const StateText& state, std::span<const Record> findings,
                                                  std::span<const Record> before) {
  std::vector<std::optional<std::size_t>> out(findings.size());
  // One that a command has just made is in no file yet.
  std::set<RecordId> known;
  for (const Record& was : before) known.insert(was.id);
  const auto is_new = [&](const Record& one) { return !known.contains(one.id); };
  if (std::all_of(findings.begin(), findings.end(), is_new)) return out;
  const std::vector<FindingTraits> blocks = traits_of_all(state);
  std::vector<bool> taken(blocks.size(), false);
  std::map<std::string_view, std::size_t> by_id;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (!blocks[i].id.empty()) by_id.emplace(blocks[i].id, i);
  }
  std::map<RecordId, std::size_t> index_of;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    index_of.emplace(findings[i].id, i);
    const auto named = by_id.find(part_of_key(findings[i].id.key));
    if (named != by_id.end()) {
      out[i] = named->second;
      taken[named->second] = true;
    }
  }
  BlocksByWords by_words(blocks);
  const auto take_by_words = [&](std::size_t i, const Record& says) {
    if (out[i] || !says.present()) return;
    out[i] = by_words.take(traits_of(says), [&](std::size_t b) { return taken[b]; });
    if (out[i]) taken[*out[i]] = true;
  };
  // What it said comes first: what it is to say may be what another one says already.
  for (const Record& was : before) {
    if (const auto at = index_of.find(was.id); at != index_of.end()) take_by_words(at->second, was);
  }
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!is_new(findings[i])) take_by_words(i, findings[i]);
  }
  std::vector<FindingTraits> wanted;
  std::vector<std::size_t> which;
  for (const Record& was : before) {
    const auto at = index_of.find(was.id);
    if (at == index_of.end() || out[at->second] || !was.present()) continue;
    wanted.push_back(traits_of(was));
    which.push_back(at->second);
  }
  const auto partners = match(wanted, blocks, taken);
  for (std::size_t i = 0; i < partners.size(); ++i) out[which[i]] = partners[i];
  return out;
}

BlockNumbers numbers_of(const StateText& state, BlockNumbers taken, std::span<const Record> others) {
  if (others.empty()) return taken;
  const std::vector<FindingTraits> blocks = traits_of_all(state);
  BlocksByWords by_words(blocks);
  for (const Record& other : others) {
    if (other.id.kind != kFinding || !other.present()) continue;
    const auto block = by_words.take(traits_of(other), [&](std::size_t b) { return taken[b] != 0; });
    if (block) taken[*block] = finding_number(part_of_key(other.id.key));
  }
  return taken;
}

}  // namespace pawl::review
