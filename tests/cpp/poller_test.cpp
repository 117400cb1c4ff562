// SPDX-License-Identifier: BSD-3-Clause
// The thread of an unmodified program, with polls and agreements that are counted.
#include "progress/poller.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "progress/activity.hpp"
#include "tcp_connection.hpp"

namespace stretto::progress {
namespace {

using namespace std::chrono_literals;

class NoAgreement final : public Agreement {
 public:
  void post(const Trial::Rates&) override { ++posted; }
  std::optional<Trial::Rates> sums() override { return std::nullopt; }
  std::atomic<int> posted{0};
};

template <typename Done>
void wait_until(Done&& done) {
  const auto deadline = std::chrono::steady_clock::now() + 60s;
  while (!done() && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  EXPECT_TRUE(done());
}

TEST(Poller, PollsWhileRequestsAreOutstanding) {
  NoAgreement agreement;
  std::atomic<int> polls{0};
  Poller poller([&] { ++polls; }, 1ms, agreement);
  activity.started(Activity::Kind::message, 1, Activity::any_size);
  wait_until([&] { return polls >= 3; });
  activity.completed(1);
  const PollCounts counts = poller.stop();
  EXPECT_EQ(counts.polls, polls);
  EXPECT_GE(counts.wakes, counts.polls);
  EXPECT_EQ(counts.empty_polls, counts.polls) << "no connection had traffic";
  EXPECT_GT(counts.on.count(), 0);
  EXPECT_EQ(counts.verdict, Verdict::undecided);
  EXPECT_FALSE(counts.saved);
}

TEST(Poller, ARequestWakesItFromALongSleep) {
  NoAgreement agreement;
  std::atomic<int> polls{0};
  Poller poller([&] { ++polls; }, 1ms, agreement);
  std::this_thread::sleep_for(100ms);  // it is asleep, or nearly
  EXPECT_EQ(polls, 0);
  activity.started(Activity::Kind::message, 1, Activity::any_size);
  wait_until([&] { return polls >= 1; });
  activity.completed(1);
}

TEST(Poller, PollsOnWhilePollsReadData) {
  const test::TcpConnection connection;
  constexpr ssize_t sent = 32 << 10;
  std::vector<char> part(1 << 10);
  for (ssize_t i = 0; i < sent; i += 1 << 10) ASSERT_GT(write(connection.from, part.data(), 1 << 10), 0);
  fcntl(connection.to, F_SETFL, O_NONBLOCK);
  std::atomic<ssize_t> has_read{0};
  NoAgreement agreement;
  activity.started(Activity::Kind::message, 1, Activity::any_size);
  const auto read_part = [&] {
    has_read += std::max<ssize_t>(read(connection.to, part.data(), part.size()), 0);
  };
  Poller poller(read_part, 1h, agreement);
  wait_until([&] { return has_read >= sent; });  // after the first parts it would rest for 15 minutes
  activity.completed(1);
}

TEST(Poller, MayBeStoppedTwice) {
  NoAgreement agreement;
  Poller poller([] {}, 1ms, agreement);
  const PollCounts first = poller.stop();
  EXPECT_EQ(poller.stop().wakes, first.wakes);
}

}  // namespace
}  // namespace stretto::progress
