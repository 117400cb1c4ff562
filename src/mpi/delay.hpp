// SPDX-License-Identifier: BSD-3-Clause
// Points at which a build with STRETTO_DELAY gives up the processor at random, so that threads and ranks meet
// in orders that a quiet machine seldom has. The choices of each thread come from a seed. In all other builds
// a point is nothing.
#pragma once

#ifdef STRETTO_DELAY
#include <sched.h>
#include <time.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#endif

namespace stretto::mpi {

#ifdef STRETTO_DELAY

namespace delay {

/// STRETTO_YIELD_SEED, or what the last reseed() said.
inline std::atomic<std::uint64_t>& seed() {
  static std::atomic<std::uint64_t> value = [] {
    const char* const given = std::getenv("STRETTO_YIELD_SEED");
    return given == nullptr ? std::uint64_t{1} : std::strtoull(given, nullptr, 10);
  }();
  return value;
}

/// The rank that the launcher has given to this process: others choose otherwise.
inline std::uint64_t rank_of_process() {
  for (const char* const name : {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK"}) {
    if (const char* const given = std::getenv(name)) return std::strtoull(given, nullptr, 10);
  }
  return 0;
}

struct Choices {
  std::uint64_t seed = 0;
  std::uint64_t state = 0;

  /// SplitMix64. `thread` is a number of this thread.
  std::uint64_t next(std::uint64_t thread) {
    const std::uint64_t now = delay::seed().load(std::memory_order_relaxed);
    if (now != seed || state == 0) {
      static const std::uint64_t rank = rank_of_process();
      seed = now;
      state = ((now * 1024 + rank) * 4096 + thread) * 0x9E3779B97F4A7C15U + 1;
    }
    std::uint64_t x = state += 0x9E3779B97F4A7C15U;
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31U);
  }
};

/// How many threads have a number.
inline std::atomic<std::uint64_t>& threads() {
  static std::atomic<std::uint64_t> count{0};
  return count;
}

inline std::uint64_t number_of_thread() {
  thread_local const std::uint64_t number = threads()++;
  return number;
}

/// The points that this thread has passed.
inline std::uint64_t& passed() {
  thread_local std::uint64_t count = 0;
  return count;
}

}  // namespace delay

/// Lets the choices of all threads begin again, while this thread is the only one. The next ones are counted
/// from here on, so that they choose alike whatever ran before.
inline void reseed_delays(std::uint64_t seed) {
  (void)delay::number_of_thread();
  delay::threads() = 1;
  delay::seed() = seed;
}

/// One point in 32 yields, one in 512 sleeps up to 0.1 ms, and one in 8192 sleeps 1 ms, longer than a rest of
/// the progress thread.
inline void delay_point() {
  thread_local delay::Choices choices;
  ++delay::passed();
  const std::uint64_t choice = choices.next(delay::number_of_thread());
  if (choice % 32 != 0) return;
  if (choice % 512 != 0) {
    sched_yield();
    return;
  }
  const long longest = choice % 8192 == 0 ? 1'000'000 : 100'000;
  const timespec pause{.tv_sec = 0, .tv_nsec = static_cast<long>((choice >> 20U) % 1000) * longest / 1000};
  nanosleep(&pause, nullptr);
}

#else

inline void reseed_delays(unsigned long /*seed*/) {}
inline void delay_point() {}

#endif

}  // namespace stretto::mpi
