// SPDX-License-Identifier: BSD-3-Clause
// A traffic watch detects traffic on the connections of other libraries, here over the loopback device.
#include "rma/progress/traffic_watch.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>
#include <vector>

namespace stretto::rma {
namespace {

using namespace std::chrono_literals;

/// Two ends of a TCP connection.
struct Connection {
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  int from = socket(AF_INET, SOCK_STREAM, 0);
  int to = -1;

  Connection() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    EXPECT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&address), length), 0);
    EXPECT_EQ(listen(listener, 1), 0);
    EXPECT_EQ(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length), 0);
    EXPECT_EQ(connect(from, reinterpret_cast<sockaddr*>(&address), length), 0);
    to = accept(listener, nullptr, nullptr);
  }
  ~Connection() {
    for (const int file : {listener, from, to}) close(file);
  }
  void send_a_byte() const { EXPECT_EQ(write(from, "x", 1), 1); }
};

TEST(TrafficWatch, EndsAWaitWhenTrafficComesAndNotBefore) {
  const Connection connection;
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
  const Connection connection;
  TrafficWatch watch;
  (void)watch.wait(1ms);
  connection.send_a_byte();
  watch.sleep(1ms);
  EXPECT_EQ(watch.wait(10s), WakeUp::traffic);
}

TEST(TrafficWatch, TellsWhatTheBuffersHold) {
  const Connection connection;
  TrafficWatch watch;
  EXPECT_EQ(watch.buffered().bytes, 0) << "no wait has ended with traffic";
  (void)watch.wait(1ms);
  fcntl(connection.from, F_SETFL, O_NONBLOCK);
  const std::vector<char> block(1 << 20);
  while (write(connection.from, block.data(), block.size()) > 0) continue;
  ASSERT_EQ(watch.wait(10s), WakeUp::traffic);
  const Buffered buffered = watch.buffered();
  EXPECT_GT(buffered.bytes, 10'000);
  EXPECT_GT(buffered.unread, 0.3) << "as full as the sender may make it";
  (void)watch.wait(1ms);
  EXPECT_EQ(watch.buffered().bytes, 0) << "of the last wait only";
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
  const Connection connection;
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
}  // namespace stretto::rma
