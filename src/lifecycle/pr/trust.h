// Which blocks are believed. Anybody may write a comment, so a block counts by who wrote it and by what only the bot
// can write:
//   1. Without a key: blocks in the bot's own comments, and no others.
//   2. With a key: blocks whose signature holds, wherever they stand. A signature covers the repository, the pull
//      request, the comment that is answered, the type, a nonce and the content, so that none of it can be moved
//      elsewhere; of one nonce one block counts, the bot's own before anybody's, then the oldest.
//   3. With a key the bot's unsigned blocks count as long as their comments were last written before anything was
//      signed: they are from before there was a key. Each signed block says since when it is (`signedAt`, which its
//      signature covers), as comments of before the key are signed when they are next touched.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lifecycle/pr/block.h"
#include "lifecycle/pr/talk.h"

namespace pawl::pr {

// A keyed hash of a message, in hex; empty where there is no key. (SHA-256 needs a library that the law does not know.)
using Mac = std::function<std::string(std::string_view)>;

// Where a block stands, as its signature says it.
struct Standing {
  std::string scope;         // "octo/cat#7"
  std::uint64_t parent = 0;  // the comment that it answers; 0: none
};

// With `nonce` and, where there is a key, `signedAt` and `signature`. A block that was signed before keeps its time.
[[nodiscard]] Json sealed(Json data, const Standing& where, std::string_view nonce, const Mac& mac,
                          std::string_view now);
[[nodiscard]] bool signature_holds(const Json& data, const Standing& where, const Mac& mac);

struct Believed {
  Block block;
  const Remark* remark = nullptr;
  const TalkThread* thread = nullptr;  // nullptr: not in one
  bool legacy = false;                 // unsigned, where there is a key
};

// In the order of the talk: comments, then threads. In one comment the last of a type stands.
[[nodiscard]] std::vector<Believed> believed(const Talk& talk, const Mac& mac);

// A comment's number in a block: a text, or a number of all its bits.
[[nodiscard]] std::uint64_t id_in(const Json& data, std::string_view member);

}  // namespace pawl::pr
