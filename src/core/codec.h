// A codec reads and writes one file format: bytes to content and back. It is the part of a format that cannot be
// declared as data (core/file_law.h has the rest). Pure: where the file is, whether it may be written, and who changed
// it is the engine's business.
//
// Every codec keeps these promises:
//   round trip    parse(patch(bytes, wanted)) shows `wanted`, except what is left as it is spelled
//   minimal       patch changes only the bytes of values that differ; patch(bytes, parse(bytes)) == bytes
//   no invention  nothing that was not in the bytes or in `wanted` comes into a file
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "core/merge.h"

namespace pawl::merge {

// What tells records apart whose file does not name them, or names two alike.
struct Known {
  std::span<const OurRecord> records = {};   // of the owner that the file shows, removed ones too
  std::span<const Content> images = {};      // what earlier images of that owner showed, under which keys; newest first
  std::span<const std::string> pieces = {};  // Content::pieces of these very bytes, as they were read before
};

// What a file is to show.
struct Wanted {
  const Content& content;  // its records in the order of the file, and its own members; `unread` does not count
  // Cells that stay as the file spells them, by record key: conflicts that are left in the file. The cell kPresence
  // stands for the whole record.
  std::map<std::string, std::set<std::string>, std::less<>> left = {};
  // Earlier bytes of the same owner's file, newest first: how records that the file lacks were spelled.
  std::span<const std::string_view> earlier = {};
  // As when the bytes that are patched were parsed: the same pieces are the records.
  Known known = {};
};

class Codec {
 public:
  virtual ~Codec() = default;

  // Whose file the bytes show: needed before records are known again. Empty: no owner, or they cannot be read.
  [[nodiscard]] virtual std::string owner(std::string_view bytes) const = 0;
  // An error is damage; its message says what is wrong, with the line.
  [[nodiscard]] virtual Result<Content> parse(std::string_view path, std::string_view bytes,
                                              const Known& known) const = 0;
  // `bytes` can be parsed.
  [[nodiscard]] virtual std::string patch(std::string_view path, std::string_view bytes,
                                          const Wanted& wanted) const = 0;
  [[nodiscard]] virtual std::string fresh(std::string_view path, const Wanted& wanted) const = 0;
};

}  // namespace pawl::merge
