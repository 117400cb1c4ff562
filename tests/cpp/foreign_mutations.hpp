// SPDX-License-Identifier: BSD-3-Clause
// Damaged traces of other tools: each is converted to a trace that can be read, or refused with one line.
// STRETTO_FUZZ_INPUTS is the number of inputs.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <string>

#include "mutator.hpp"
#include "replay/trace_file.hpp"
#include "replayable.hpp"
#include "trace_writing.hpp"

namespace stretto::foreign::test {

/// Files by name, `run/...` too.
using Files = std::map<std::string, std::string>;

inline void write_files(const replay::trace_test::TemporaryDirectory& directory, const Files& files) {
  std::filesystem::create_directories(directory.file("run"));
  for (const auto& [name, bytes] : files) replay::trace_test::write_bytes(directory.file(name), bytes);
}

/// Damages one of the files for each input. `convert` reads them from a directory, and writes a trace to
/// another.
inline void expect_read_or_refused(
    const Files& whole, testing::Mutator mutator,
    const std::function<void(const std::filesystem::path&, const std::filesystem::path&)>& convert) {
  const int inputs = testing::fuzz_inputs(300);
  const replay::trace_test::TemporaryDirectory directory;
  const std::filesystem::path made = directory.file("made");
  write_files(directory, whole);
  const auto is_read = [&] {
    std::filesystem::remove_all(made);
    std::filesystem::create_directory(made);
    return replay::is_accepted([&] { convert(directory.file(""), made); });
  };
  ASSERT_TRUE(is_read());
  int read = 0;
  for (int i = 0; i < inputs; ++i) {
    const auto& [name, bytes] =
        *std::next(whole.begin(), static_cast<std::ptrdiff_t>(mutator.below(whole.size())));
    replay::trace_test::write_bytes(directory.file(name), mutator.mutate(bytes));
    if (is_read()) {
      ++read;
      for (const auto& file : replay::trace_files(made))
        EXPECT_NO_THROW(replay::TraceReader(file).for_each([](std::uint32_t, const record::Record&) {}));
    }
    replay::trace_test::write_bytes(directory.file(name), bytes);
  }
  EXPECT_GT(read, inputs / 20);
  EXPECT_LT(read, inputs - inputs / 20);
}

}  // namespace stretto::foreign::test
