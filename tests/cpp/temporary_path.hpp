// SPDX-License-Identifier: BSD-3-Clause
// A path for one test; its file is removed with it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace stretto::testing {

class TemporaryPath {
 public:
  TemporaryPath() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string name =
        std::string{test->test_suite_name()} + "-" + test->name() + "-" + std::to_string(::getpid());
    std::ranges::replace(name, '/', '-');  // of tests with parameters
    path_ = std::filesystem::temp_directory_path() / name;
    std::filesystem::remove(path_);
  }
  TemporaryPath(const TemporaryPath&) = delete;
  TemporaryPath& operator=(const TemporaryPath&) = delete;
  ~TemporaryPath() { std::filesystem::remove(path_); }

  [[nodiscard]] const std::filesystem::path& get() const { return path_; }

  [[nodiscard]] std::vector<std::string> lines() const {
    std::ifstream file(path_);
    std::vector<std::string> all;
    for (std::string line; std::getline(file, line);) all.push_back(line);
    return all;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace stretto::testing
