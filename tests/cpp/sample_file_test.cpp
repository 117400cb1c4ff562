// SPDX-License-Identifier: BSD-3-Clause
#include "record/sample_file.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <system_error>

#include "temporary_path.hpp"

namespace stretto::record {
namespace {

TEST(SampleFile, EveryRowIsReadableBeforeTheFileIsClosed) {
  const stretto::testing::TemporaryPath path;
  SampleFile file(path.get());
  file.append(Header{});
  file.append(NoiseFloor{.value_s = 1e-7, .n = 5});
  EXPECT_EQ(path.lines().size(), 2U);
}

TEST(SampleFile, TheEndCountsTheRowsBeforeIt) {
  const stretto::testing::TemporaryPath path;
  SampleFile file(path.get());
  file.append(Header{});
  file.append_line(R"({"row":"bound"})");
  file.finish();
  EXPECT_EQ(nlohmann::json::parse(path.lines().back()), nlohmann::json({{"row", "end"}, {"rows", 2}}));
}

TEST(SampleFile, AnExistingFileIsNotOverwritten) {
  const stretto::testing::TemporaryPath path;
  SampleFile{path.get()}.append(Header{});
  EXPECT_THROW(SampleFile{path.get()}, std::system_error);
  EXPECT_EQ(path.lines().size(), 1U);
}

TEST(SampleFile, AMissingDirectoryIsAnError) {
  EXPECT_THROW(SampleFile{"/nonexistent/samples.jsonl"}, std::system_error);
}

}  // namespace
}  // namespace stretto::record
