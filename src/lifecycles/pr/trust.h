// Which blocks are believed. Anybody may write a comment, so a block counts by who wrote it and by what only the bot
// can write:
//   1. Without a key: blocks in the bot's own comments, and no others; where some of them are signed, nothing is done
//      without the key (runners/pr/worker.cc).
//   2. With a key: blocks whose signature holds, wherever they stand. A signature covers the repository, the pull
//      request, the comment that is answered, the type, a nonce and the content, so that none of it can be moved
//      elsewhere; of one nonce one block counts, the bot's own before anybody's, then the oldest.
//   3. With a key the bot's unsigned blocks count as long as their comments were last written before anything was
//      signed, and before the key was made or in that second, where it says when that was: they are from before there
//      was a key. Each signed block says since when it is (`signedAt`, which its signature covers), as comments of
//      before the key are signed when they are next touched.
// What the bot's own account seems to have written and is not believed is counted: somebody has changed it, or the key
// is another one. It is never taken for nothing at all, or taking out a signature would make a review undone.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lifecycles/pr/block.h"
#include "lifecycles/pr/talk.h"

namespace pawl::pr {

// Keyed hashes of a message, in hex; none where there is no key. (SHA-256 needs a library that the law does not know.)
// The first key signs; an older one beside it is still believed.
class Mac {
 public:
  using Hash = std::function<std::string(std::string_view)>;
  Mac() = default;
  explicit Mac(Hash hash, std::int64_t made_ms = 0) { add(std::move(hash), made_ms); }
  // `made_ms`: when the key was made; 0: it does not say.
  void add(Hash hash, std::int64_t made_ms);
  [[nodiscard]] explicit operator bool() const { return !hashes_.empty(); }
  [[nodiscard]] std::string operator()(std::string_view message) const { return hashes_.front()(message); }
  [[nodiscard]] bool holds(std::string_view message, std::string_view signature) const;
  // Before this nothing can have been signed; 0: it is not known.
  [[nodiscard]] std::int64_t made_ms() const { return made_ms_; }

 private:
  std::vector<Hash> hashes_;
  std::int64_t made_ms_ = 0;
};

// The time in a key as `pawl pr key new` makes it, in milliseconds; 0: it has none.
inline constexpr std::string_view kKeyHead = "pawl1.";
[[nodiscard]] std::int64_t key_made_ms(std::string_view key);

// Where a block stands, as its signature says it.
struct Standing {
  std::string scope;         // "octo/cat#7"
  std::uint64_t parent = 0;  // the comment that it answers; 0: none
};

// With `nonce` and, where there is a key, `signedAt` and `signature`. A block that was signed before keeps its time.
[[nodiscard]] Json sealed(Json data, const Standing& where, std::string_view nonce, const Mac& mac,
                          std::string_view now);
[[nodiscard]] bool signature_holds(const Json& data, const Standing& where, const Mac& mac);

// Has the bot's account signed anything here? Then whoever reads it without the key cannot tell what is the bot's.
[[nodiscard]] bool anything_signed(const Talk& talk);

struct Believed {
  Block block;
  const Remark* remark = nullptr;
  const TalkThread* thread = nullptr;  // nullptr: not in one
  bool legacy = false;                 // unsigned, where there is a key
};

struct Belief {
  std::vector<Believed> blocks;  // in the order of the talk: comments, then threads; in one comment the last of a type
  std::vector<std::uint64_t> doubted;  // comments by the bot's account that say what is not believed
  bool trigger_doubted = false;        // one of them is on an automatic review
};
[[nodiscard]] Belief believed(const Talk& talk, const Mac& mac);

// A comment's number in a block: a text, or a number of all its bits.
[[nodiscard]] std::uint64_t id_in(const Json& data, std::string_view member);

}  // namespace pawl::pr
