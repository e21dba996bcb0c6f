// What a format declares, so that the engine can keep its files in step without asking it anything else.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/codec.h"

namespace pawl {

struct FileSpec {
  const FileLaw* law = nullptr;
  const merge::Codec* codec = nullptr;
  std::size_t size_cap = std::size_t{1} << 20U;  // a larger file is left alone
  // Of a file that holds one record: its key. nullptr: the file is a list, and shows every record of its scope.
  std::string (*only_key)(std::string_view path, std::string_view owner) = nullptr;
  bool unnamed = false;          // the file does not name its records: earlier images tell which they are
  merge::GateMet gate_met = {};  // empty: an edit alone meets no gate
};

}  // namespace pawl
