// Comparing with the model of the merge, a Python program. PAWL_MODEL is its folder; without it such tests are skipped.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace pawl::test {

[[nodiscard]] std::uint64_t number_from(const char* variable, std::uint64_t fallback);

class ModelTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // What a script of tests/support answers to each case, one JSON line each.
  [[nodiscard]] std::vector<Json> ask(std::string_view script, const std::vector<Json>& cases) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace pawl::test
