// JSON text in which every choice that JSON leaves is made anew at every place: blanks, escapes, spellings of numbers,
// members that a later one shadows.
#pragma once

#include <functional>
#include <string>

#include "base/json.h"

namespace pawl::test {

class WildWriter {
 public:
  // `below(n)` is a random number from 0 to n - 1.
  explicit WildWriter(std::function<int(int)> below) : below_(std::move(below)) {}

  [[nodiscard]] std::string write(const Json& value);

 private:
  bool one_in(int n) { return below_(n) == n - 1; }
  void blank();
  void any(const Json& value);
  void comma();
  void key(const std::string& text);
  void number(const Json& value);
  void string(const std::string& text);

  std::function<int(int)> below_;
  std::string out_;
};

}  // namespace pawl::test
