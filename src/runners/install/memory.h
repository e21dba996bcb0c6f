// What is remembered of a file of the user's that pawl has a part in, in the store's folder:
//
//   .pawl/hooks/.claude+settings.json.before    as it was before pawl came; none where pawl has made the file
//   .pawl/hooks/.claude+settings.json.after     as pawl left it; empty: somebody has written into it since
//   .pawl/hooks/.claude+settings.json.made      how many of its folders pawl has made
//
// A store may have come with a clone, so nothing of this is believed: what was before says which white space and which
// empty lists are the user's, and is given back only where pawl's own entering makes the present file of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/file.h"
#include "engine/engine.h"

namespace pawl::install {

class Memory {
 public:
  Memory(const Engine& engine, std::string path);

  // untrusted: the store itself is a link; nothing is done by way of it.
  [[nodiscard]] Done must_be_no_link() const;
  // untrusted: its folder is none, but a link or a file; then nothing is remembered.
  Done load();

  // It is about to become `after`, and so many of its folders are to be made. `ours`: pawl's part is in it already, so
  // what stands there is not what was before.
  Done keep(const FileImage& now, const std::string& after, bool ours, int folders);
  // All of it: pawl's part is out.
  Done forget();

  // Pawl has written into it, as far as is known.
  [[nodiscard]] bool wrote() const { return wrote_; }
  // Nobody has touched it since.
  [[nodiscard]] bool leads_back(const FileImage& now) const {
    return now.exists && !after_.empty() && now.bytes == after_;
  }
  [[nodiscard]] const std::optional<std::string>& before() const { return before_; }
  [[nodiscard]] int made_folders() const { return made_; }

 private:
  [[nodiscard]] std::optional<std::string> read(const Fd& folder, std::string_view end) const;
  Done drop(std::string_view end);
  // `looks`: who may read the file may read what is remembered of it, and nobody else.
  Done write(std::string_view end, std::string_view bytes, const FileLooks& looks = {});

  std::string store_, folder_, name_, after_;
  std::optional<std::string> before_;
  bool any_ = false;  // there is a store
  bool wrote_ = false;
  int made_ = 0;
};

}  // namespace pawl::install
