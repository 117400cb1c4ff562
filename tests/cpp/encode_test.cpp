// SPDX-License-Identifier: BSD-3-Clause
#include "record/encode.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace stretto::record {
namespace {

using Json = nlohmann::json;

Sample a_sample() {
  return {
      .probe = "overlap",
      .case_index = 3,
      .quantity = "T_t",
      .round = 1,
      .time_s = 2.5e-6,
      .messages = 1,
      .ranks = 2,
      .axes = {{"transport", std::string{"mpi-rma"}}, {"size_bytes", std::int64_t{65536}}, {"ratio", 0.5}},
      .mean = {.init_s = 1e-7, .local_work_s = 3e-7},
      .smallest = {.local_work_s = 2e-7},
      .largest = {.init_s = 2e-7, .local_work_s = 4e-7}};
}

TEST(Encode, ASampleHasItsAxesAndTheNonzeroSegments) {
  const Json row = Json::parse(encode(a_sample()));
  EXPECT_EQ(row["row"], "sample");
  EXPECT_EQ(row["size_bytes"], 65536);
  EXPECT_EQ(row["ratio"], 0.5);
  EXPECT_EQ(row["time_s"], 2.5e-6);
  EXPECT_EQ(row["init_s"], 1e-7);
  EXPECT_EQ(row["init_max_s"], 2e-7);
  EXPECT_FALSE(row.contains("init_min_s"));
  EXPECT_EQ(row["local_work_min_s"], 2e-7);
  EXPECT_FALSE(row.contains("work_s"));
}

TEST(Encode, ARowIsOneLine) {
  Header header{.command = {"a\nb"}, .hosts = {"quote\"", "tab\t"}};
  EXPECT_EQ(encode(header).find('\n'), std::string::npos);
  EXPECT_EQ(Json::parse(encode(header))["command"][0], "a\nb");
}

TEST(Encode, NumbersThatAreNotFiniteAreRefused) {
  Sample sample = a_sample();
  sample.time_s = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW((void)encode(sample), std::domain_error);
  sample = a_sample();
  sample.axes.emplace_back("ratio", std::numeric_limits<double>::infinity());
  EXPECT_THROW((void)encode(sample), std::domain_error);
}

TEST(Encode, InvalidUtf8IsReplaced) {
  Header header{.hosts = {"\xff\xfe"}};
  EXPECT_EQ(Json::parse(encode(header))["hosts"].size(), 1U);
}

TEST(Encode, NumbersRoundTripExactly) {
  Sample sample = a_sample();
  sample.time_s = 0.1 + 0.2;
  EXPECT_EQ(Json::parse(encode(sample))["time_s"].get<double>(), sample.time_s);
}

TEST(Encode, SkippedWithoutAnOperationMeansAllOperations) {
  EXPECT_FALSE(Json::parse(encode(Skipped{.probe = "overlap", .transport = "t", .reason = "r"}))
                   .contains("operation"));
  EXPECT_EQ(Json::parse(encode(Skipped{
                .probe = "overlap", .transport = "t", .operation = "get", .reason = "r"}))["operation"],
            "get");
}

}  // namespace
}  // namespace stretto::record
