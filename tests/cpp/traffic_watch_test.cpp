// SPDX-License-Identifier: BSD-3-Clause
// A traffic watch detects traffic on the connections of other libraries, here over the loopback device.
#include "progress/thread/traffic_watch.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "tcp_connection.hpp"

namespace stretto::progress {
namespace {

using test::TcpConnection;
using namespace std::chrono_literals;

TEST(TrafficWatch, EndsAWaitWhenTrafficComesAndNotBefore) {
  const TcpConnection connection;
  TrafficWatch watch;
  (void)watch.wait(1ms);  // both ends become writable, which is an event, too
  EXPECT_EQ(watch.wait(1ms), WakeUp::timeout);
  std::thread sender([&] { connection.send_a_byte(); });
  EXPECT_EQ(watch.wait(10s), WakeUp::traffic);
  sender.join();
  EXPECT_EQ(watch.wait(1ms), WakeUp::timeout)
      << "traffic is reported once, although nothing has read the data";
}

TEST(TrafficWatch, TrafficBeforeAWaitEndsIt) {
  const TcpConnection connection;
  TrafficWatch watch;
  (void)watch.wait(1ms);
  connection.send_a_byte();
  watch.sleep(1ms);
  EXPECT_EQ(watch.wait(10s), WakeUp::traffic);
}

TEST(TrafficWatch, TellsWhatTheBuffersHold) {
  const TcpConnection connection;
  TrafficWatch watch;
  EXPECT_EQ(watch.buffered().unread.bytes, 0) << "no wait has ended with traffic";
  (void)watch.wait(1ms);
  connection.send_all_that_fits();
  ASSERT_EQ(watch.wait(10s), WakeUp::traffic);
  const Buffered buffered = watch.buffered();
  EXPECT_GT(buffered.unread.bytes, 10'000);
  EXPECT_GT(buffered.unread.share, 0.3) << "as full as the sender may make it";
  (void)watch.wait(1ms);
  EXPECT_EQ(watch.buffered().unread.bytes, 0) << "of the last wait only";
}

TEST(TrafficWatch, TellsWhetherDataIsUnderWay) {
  const TcpConnection connection;
  TrafficWatch watch;
  EXPECT_FALSE(watch.sending()) << "it has not searched for connections";
  (void)watch.wait(1ms);
  EXPECT_FALSE(watch.sending());
  connection.send_all_that_fits();
  EXPECT_TRUE(watch.sending()) << "the peer's buffer is full";
}

TEST(TrafficWatch, WakeEndsOneSleep) {
  TrafficWatch watch;
  std::thread other([&] { watch.wake(); });
  EXPECT_TRUE(watch.sleep(60s));
  other.join();
  EXPECT_FALSE(watch.sleep(1ms));
  watch.wake();
  watch.wake();
  EXPECT_TRUE(watch.sleep(60s)) << "a wake-up before the sleep counts";
  EXPECT_FALSE(watch.sleep(1ms));
  EXPECT_EQ(watch.wait(1ms), WakeUp::timeout) << "a wake-up ends one sleep";
}

TEST(TrafficWatch, WakeEndsAWaitAndIsNoTraffic) {
  const TcpConnection connection;
  TrafficWatch watch;
  (void)watch.wait(1ms);  // the new connection itself
  watch.wake();
  EXPECT_EQ(watch.wait(60s), WakeUp::call);
  EXPECT_EQ(watch.wait(1ms), WakeUp::timeout);
  watch.wake();
  connection.send_a_byte();
  EXPECT_EQ(watch.wait(60s), WakeUp::traffic) << "of both, traffic is reported";
  EXPECT_EQ(watch.wait(1ms), WakeUp::timeout) << "and the wake-up is over, too";
}

TEST(TrafficWatch, StopEndsEveryWait) {
  TrafficWatch watch;
  std::thread stopper([&] { watch.stop(); });
  EXPECT_EQ(watch.wait(60s), WakeUp::timeout);
  EXPECT_FALSE(watch.sleep(60s));
  stopper.join();
}

}  // namespace
}  // namespace stretto::progress
