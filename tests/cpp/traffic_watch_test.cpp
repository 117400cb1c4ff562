// SPDX-License-Identifier: BSD-3-Clause
// A traffic watch detects traffic on the connections of other libraries, here over the loopback device.
#include "progress/thread/traffic_watch.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tcp_connection.hpp"
#include "temporary_path.hpp"

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

/// Closes the kernel's event files of this process, as a program that closes all descriptors, and opens files
/// of the program's own under all these numbers.
std::vector<int> replace_event_files(const testing::TemporaryPath& path) {
  std::vector<int> numbers;
  for (int number = 3; number < 1024; ++number) {
    std::array<char, 64> target{};
    const std::string link = "/proc/self/fd/" + std::to_string(number);
    const ssize_t length = readlink(link.c_str(), target.data(), target.size() - 1);
    if (length > 0 && std::string_view(target.data()).starts_with("anon_inode")) numbers.push_back(number);
  }
  const int file = open(path.get().c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
  for (const int number : numbers) dup2(file, number);
  close(file);
  return numbers;
}

TEST(TrafficWatch, LeavesFilesOfTheProgramAlone) {
  const testing::TemporaryPath path;
  std::vector<int> numbers;
  {
    TrafficWatch watch;
    numbers = replace_event_files(path);
    ASSERT_GE(numbers.size(), 3U);
    watch.wake();
    EXPECT_FALSE(watch.sleep(1ms)) << "nothing can wake it any more";
    EXPECT_EQ(watch.wait(1ms), WakeUp::timeout);
    watch.stop();
    EXPECT_FALSE(watch.sleep(60s));
    EXPECT_EQ(watch.wait(60s), WakeUp::timeout);
  }
  struct stat of {};
  for (const int number : numbers) EXPECT_EQ(fstat(number, &of), 0) << "a file of the program is closed";
  EXPECT_EQ(of.st_size, 0) << "a file of the program is written to";
  for (const int number : numbers) close(number);
}

TEST(TrafficWatch, AStopEndsASleepWhoseDescriptorsAreClosed) {
  const testing::TemporaryPath path;
  TrafficWatch watch;
  std::thread sleeper([&] { EXPECT_FALSE(watch.sleep(24h)); });
  std::this_thread::sleep_for(50ms);
  const std::vector<int> numbers = replace_event_files(path);
  watch.stop();
  sleeper.join();
  for (const int number : numbers) close(number);
}

TEST(TrafficWatch, NoThreadIsCancelledWhereItWakesAnother) {
  TrafficWatch watch;
  std::atomic<bool> has_woken = false;
  std::thread caller([&] {
    pthread_cancel(pthread_self());
    watch.wake();
    has_woken = true;
    pthread_testcancel();
  });
  caller.join();
  EXPECT_TRUE(has_woken);
  EXPECT_TRUE(watch.sleep(60s));
}

}  // namespace
}  // namespace stretto::progress
