// SPDX-License-Identifier: BSD-3-Clause
// What instrumented code keeps for each thread, in thread-local storage. in_line.s reads and writes `left`
// and `last_load` by their offsets.
#pragma once

#include <cstddef>
#include <cstdint>

namespace stretto::memory {

class WorkLog;

/// The runtime takes the time of one in so many of its calls.
inline constexpr std::uint32_t timed_accesses = 8;
/// Where a moment took longer, the thread may have lost its core in it.
inline constexpr std::uint64_t suspicious_ticks = 200'000;

/// Stores of one iteration of a loop, as far as the runtime has seen them.
struct Iteration {
  std::uintptr_t first_pc;  ///< of its first store; 0: that was not seen
  std::uint32_t stores;
  std::uint32_t marked;
};

struct ThreadState {
  std::int32_t left;         ///< stores until the runtime looks at one, whether it is marked or not
  std::int32_t period;       ///< `left` when it was last set
  std::uintptr_t last_load;  ///< the address of the last load
  std::uintptr_t last_store_pc;
  std::uint32_t unmarked;   ///< stores since the last sample of unmarked loads
  std::uint32_t marked;     ///< the other stores since the last sample
  std::uint64_t own_ticks;  ///< time in the runtime since the last sample, of one access in `timed_accesses`
  std::uint32_t accesses;   ///< accesses that called the runtime
  std::uint32_t until_sample;  ///< stores from one sample to the next
  std::uint8_t newest;         ///< the newest slot among the loads since the last store
  std::uint8_t straight_line;  ///< the slot of the stores before, while the code runs straight ahead
  std::uint8_t base;           ///< the slot that all work depends on, by the result of a collective operation
  std::uint8_t run;            ///< the slot of the marked stores since the last sample
  std::uintptr_t run_pc;       ///< where the last of them was stored
  std::uintptr_t range_to;     ///< where the last access of many bytes stored
  std::size_t range_bytes;     ///< its length; 0: what it stored is known
  Iteration iteration;         ///< the present one
  std::uintptr_t loop_pc;      ///< the first store of an iteration of the last loop of known length; 0: none
  std::uint32_t loop_stores;   ///< how many stores each of its iterations has
  std::uint32_t awaiting;  ///< marked stores of the iteration before, of a loop of unknown length; 0: none
  WorkLog* log;            ///< null until the thread's computation is logged
};
static_assert(offsetof(ThreadState, left) == 0 && offsetof(ThreadState, last_load) == 8);

}  // namespace stretto::memory

extern "C" {
extern __attribute__((visibility("default"),
                      tls_model("initial-exec"))) __thread stretto::memory::ThreadState stretto_memory_thread;
}
