// A copy of the database with its journal or WAL, in a folder of our own, for a reader that must not write: opening
// a database in WAL mode writes beside it, and an interrupted write would be rolled back.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "store/sqlite/connection.h"
#include "store/sqlite/gate.h"

namespace pawl::sqlite {

class PrivateCopy {
 public:
  // Keeps pawl's writers away while it copies.
  [[nodiscard]] static Result<std::unique_ptr<PrivateCopy>> make(const Connection& database, GateFile& gate,
                                                                 bool interrupted);
  PrivateCopy(const PrivateCopy&) = delete;
  PrivateCopy& operator=(const PrivateCopy&) = delete;
  ~PrivateCopy();

  [[nodiscard]] const std::string& path() const { return path_; }
  // A write was left half done: a journal that has to be rolled back.
  [[nodiscard]] bool interrupted() const { return interrupted_; }

 private:
  explicit PrivateCopy(std::string folder);

  std::string folder_;
  std::string path_;
  bool interrupted_ = false;
};

}  // namespace pawl::sqlite
