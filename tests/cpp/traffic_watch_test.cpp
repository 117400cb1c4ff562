// SPDX-License-Identifier: BSD-3-Clause
// A watch hears of traffic on connections of others, over the loopback device; how long a helper rests and
// listens.
#include "rma/progress/traffic_watch.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "rma/progress/adaptive_backoff.hpp"

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

TEST(Rest, IsShortForARequestAndAPaceForMore) {
  Rest rest(1ms);
  for (const auto asked : {250us, 500us, 1000us, 1000us}) EXPECT_EQ(rest.next(0.05, false), asked);
  rest.begin_anew();
  EXPECT_EQ(rest.next(0.05, false), 250us);
}

TEST(Rest, IsFourPacesForBulkAndNoMoreThanOneAfterIt) {
  Rest rest(1ms);
  for (const auto asked : {250us, 500us, 1000us, 2000us, 4000us, 4000us}) {
    EXPECT_EQ(rest.next(0.2, true), asked);
  }
  EXPECT_EQ(rest.next(0.05, false), 1000us);
}

TEST(Rest, IsShorterWhereBuffersNearlyWereTooFew) {
  Rest rest(1ms);
  for (int i = 0; i < 5; ++i) (void)rest.next(0.2, true);
  EXPECT_EQ(rest.next(0.4, true), 4000us) << "as long again";
  for (const auto asked : {2000us, 1000us, 500us, 250us, 250us}) EXPECT_EQ(rest.next(0.9, true), asked);
  EXPECT_EQ(rest.next(0.4, true), 250us);
}

TEST(Rest, IsNoLongerAfterAFewLooksInVain) {
  Rest rest(1ms);
  (void)rest.next(0.05, false);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(rest.next_in_vain(), 250us);
  for (const auto asked : {500us, 1000us, 1000us})
    EXPECT_EQ(rest.next_in_vain(), asked) << "traffic of others";
  rest.begin_anew();
  EXPECT_EQ(rest.next_in_vain(), 250us);
  EXPECT_EQ(rest.next(0.05, false), 500us);
  EXPECT_EQ(rest.next_in_vain(), 250us) << "what came to somebody before does not count";
}

void stay_silent(Listening& listening, int paces) {
  for (int i = 0; i < paces; ++i) listening.silent(false);
}

TEST(Listening, IsLongAfterFourPacesOfSilenceOfANetworkThatIsHeard) {
  Listening listening(1ms);
  listening.heard();
  stay_silent(listening, 3);
  EXPECT_EQ(listening.next(), 1ms);
  stay_silent(listening, 1);
  EXPECT_EQ(listening.next(), 4ms);
  listening.heard();
  EXPECT_EQ(listening.next(), 1ms);
}

TEST(Listening, IsAPaceWhereWhatComesIsNotHeard) {
  Listening listening(1ms);
  stay_silent(listening, 100);
  EXPECT_EQ(listening.next(), 1ms) << "nothing has ever been heard of";
  listening.heard();
  listening.silent(true);
  stay_silent(listening, 100);
  EXPECT_EQ(listening.next(), 1ms) << "as much came unheard";
  listening.heard();
  stay_silent(listening, 100);
  EXPECT_EQ(listening.next(), 4ms);
}

TEST(TrafficWatch, EndsAWaitWhenSomethingComesAndNotBefore) {
  const Connection connection;
  TrafficWatch watch;
  (void)watch.wait(1ms);  // that both ends may be written to is news, too
  EXPECT_FALSE(watch.wait(1ms));
  std::thread sender([&] { connection.send_a_byte(); });
  EXPECT_TRUE(watch.wait(10s));
  sender.join();
  EXPECT_FALSE(watch.wait(1ms)) << "what was heard of once is not told again, though nobody has read it";
}

TEST(TrafficWatch, WhatCameWhileNobodyWaitedCounts) {
  const Connection connection;
  TrafficWatch watch;
  (void)watch.wait(1ms);
  connection.send_a_byte();
  watch.rest(1ms);
  EXPECT_TRUE(watch.wait(10s));
}

TEST(TrafficWatch, HurryEndsOneRest) {
  TrafficWatch watch;
  std::thread other([&] { watch.hurry(); });
  EXPECT_TRUE(watch.rest(60s));
  other.join();
  EXPECT_FALSE(watch.rest(1ms));
  watch.hurry();
  watch.hurry();
  EXPECT_TRUE(watch.rest(60s)) << "one that comes before the rest counts";
  EXPECT_FALSE(watch.rest(1ms));
  EXPECT_FALSE(watch.wait(1ms)) << "it is no traffic";
}

TEST(TrafficWatch, StopEndsEveryWait) {
  TrafficWatch watch;
  std::thread stopper([&] { watch.stop(); });
  EXPECT_FALSE(watch.wait(60s));
  EXPECT_FALSE(watch.rest(60s));
  stopper.join();
}

}  // namespace
}  // namespace stretto::rma
