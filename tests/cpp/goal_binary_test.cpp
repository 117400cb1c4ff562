// SPDX-License-Identifier: BSD-3-Clause
// LogGOPSim's binary, byte by byte as its Parser.hpp lays it out, and what is refused.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "refusal.hpp"
#include "replay_schedules.hpp"

namespace stretto::replay {
namespace {

class Bytes {
 public:
  Bytes& u8(std::uint8_t value) { return put(value); }
  Bytes& u32(std::uint32_t value) { return put(value); }
  Bytes& u64(std::uint64_t value) { return put(value); }
  [[nodiscard]] const std::string& text() const { return bytes_; }

  /// Dependencies, type, peer, size, tag, cpu, nic, then count and begin of those that wait for the end, and
  /// of those that wait for the start.
  Bytes& operation(std::uint32_t waits, std::uint8_t type, std::uint32_t peer, std::uint64_t size,
                   std::uint32_t tag, std::uint8_t cpu, std::uint8_t nic,
                   const std::vector<std::uint32_t>& dependents) {
    u32(waits).u8(type).u32(peer).u64(size).u32(tag).u8(cpu).u8(nic);
    for (const std::uint32_t one : dependents) u32(one);
    return *this;
  }

 private:
  template <typename T>
  Bytes& put(T value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes_.append(raw, sizeof raw);
    return *this;
  }
  std::string bytes_;
};

// rank 0: a calc; a send that requires it; a receive that irequires the send. rank 1: a receive.
constexpr std::size_t rank0_at = 6 + 2 * 16;
constexpr std::size_t rank0_bytes = 8 + 4 + 3 * 39 + 2 * 4;
constexpr std::size_t rank1_bytes = 8 + 4 + 39;

Bytes header(std::uint32_t ranks = 2) {
  Bytes bytes;
  bytes.u64(4223).u32(ranks).u8(3).u8(2);
  bytes.u64(rank0_at).u64(rank0_at + rank0_bytes);
  bytes.u64(rank0_at + rank0_bytes).u64(rank0_at + rank0_bytes + rank1_bytes);
  return bytes;
}

std::string example() {
  Bytes bytes = header();
  bytes.u32(3).u32(1).u32(0);
  bytes.operation(0, 3, 0, 500, 0, 3, 0, {1, 0, 0, 1});
  bytes.operation(1, 1, 1, 64, 9, 0, 2, {0, 1, 1, 1});
  bytes.operation(1, 2, 0xFFFFFFFF, 8, 0xFFFFFFFF, 0, 0, {0, 2, 0, 2});
  bytes.u32(1).u32(2);
  bytes.u32(1).u32(1).u32(0);
  bytes.operation(0, 2, 0, 64, 9, 0, 0, {0, 0, 0, 0});
  return bytes.text();
}

constexpr const char* example_text =
    "num_ranks 2\n\nrank 0 {\nl1: calc 500 cpu 3\nl2: send 64b to 1 tag 9 nic 2\nl3: recv 8b from -1 tag -1\n"
    "l2 requires l1\nl3 irequires l2\n}\n\nrank 1 {\nl1: recv 64b from 0 tag 9\n}\n";

TEST(GoalBinary, ReadsTheLayoutOfLogGopsim) {
  ASSERT_TRUE(is_goal_binary(example()));
  EXPECT_EQ(to_goal_text(parse_goal_binary(example(), "x.bin")), example_text);
}

TEST(GoalBinary, WritesTheLayoutOfLogGopsim) {
  EXPECT_EQ(to_goal_binary(parse_goal_text(example_text, "x.goal")), example());
}

std::string refusal(const std::string& bytes) {
  return testing::refusal_of<GoalError>([&] { return parse_goal_binary(bytes, "x.bin"); });
}

template <typename T>
std::string with(std::size_t at, T value) {
  std::string bytes = example();
  std::memcpy(bytes.data() + at, &value, sizeof value);
  return bytes;
}

constexpr std::size_t operation0_at = 8 + rank0_at + 12;

TEST(GoalBinary, EveryTruncationIsRefused) {
  const std::string whole = example();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_NE(refusal(whole.substr(0, length)), "") << length;
  }
}

TEST(GoalBinary, RefusesOffsetsBeyondTheFile) {
  const std::string again = "; make it again with txt2bin";
  EXPECT_EQ(refusal(with<std::uint32_t>(8, 0xFFFFFFFF)),
            "x.bin: says 4294967295 ranks, and is too short for their table" + again);
  EXPECT_EQ(refusal(with<std::uint64_t>(14, 1ULL << 63U)), "x.bin: rank 0 lies outside of the file" + again);
  EXPECT_EQ(refusal(with<std::uint32_t>(8 + rank0_at, 0xFFFFFFFF)),
            "x.bin: rank 0 is too short for 4294967295 operations" + again);
  EXPECT_EQ(refusal(with<std::uint32_t>(operation0_at + 23, 0xFFFFFFFF)),
            "x.bin: rank 0, operation 0: its dependents lie outside of the appendix" + again);
  EXPECT_EQ(refusal(with<std::uint32_t>(operation0_at + 3 * 39, 77)),
            "x.bin: rank 0, operation 0: operation 77 waits for it and is none" + again);
}

TEST(GoalBinary, RefusesInvalidSchedules) {
  const std::string again = "; make it again with txt2bin";
  EXPECT_EQ(refusal(with<std::uint8_t>(operation0_at + 4, 4)),
            "x.bin: rank 0, operation 0: there is no operation of type 4" + again);
  EXPECT_EQ(refusal(with<std::uint32_t>(operation0_at, 1)),
            "x.bin: rank 0, operation 0: its dependencies are not as many as it says" + again);
  EXPECT_EQ(refusal(with<std::uint32_t>(operation0_at + 39 + 5, 2)),
            "x.bin: rank 0: 'send 64b to 2 tag 9 nic 2' names a rank that the schedule does not have");
  EXPECT_EQ(refusal(with<std::uint32_t>(operation0_at + 3 * 39, 0)),
            "x.bin: rank 0, operation 0: its dependencies are not as many as it says" + again);
  EXPECT_EQ(refusal("num_ranks 1"), "x.bin: is no binary of LogGOPSim");
}

}  // namespace
}  // namespace stretto::replay
