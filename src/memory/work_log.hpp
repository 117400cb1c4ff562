// SPDX-License-Identifier: BSD-3-Clause
// One thread's computation between two MPI calls: how long it stored at each place of the code, and which
// arrival (epoch) the stored values depend on. One store in many is a sample. The time since the sample
// before is divided between the marked and the unmarked stores since then in proportion to their numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "memory/computation.hpp"
#include "memory/irregular.hpp"
#include "memory/thread_state.hpp"
#include "memory/watch.hpp"

namespace stretto::memory {

class WorkLog {
 public:
  explicit WorkLog(ThreadState& thread) : thread_(thread) {}

  /// The thread computes from now on, outside of MPI.
  void resume();
  /// The thread enters an MPI call.
  void pause(std::uint64_t now);
  /// Divides the time since the last sample. `pc`: where the program stores now.
  void sample(std::uint64_t now, std::uintptr_t pc);
  /// A sample of unmarked stores, before the first marked one at `pc`: their time ends here, and that of
  /// marked stores, which take longer to watch, begins.
  void end_unmarked(std::uint64_t now, std::uintptr_t pc) {
    sample(now, last_place_ != 0 ? last_place_ : pc);
  }
  /// The time until now is the runtime's own, from `begin` on.
  void resume_sample(std::uint64_t begin);
  /// All work depends on this slot from now on, too.
  void depend_on(std::uint8_t slot, std::uint64_t now);

  /// The work between the last two calls.
  [[nodiscard]] const std::vector<Work>& work() const { return work_; }
  [[nodiscard]] const ComputationHistory& history() const { return history_; }

  /// The epoch that the present MPI call has begun; 0: none.
  std::uint32_t epoch_of_call = 0;
  /// What MPI no longer reads since the present call.
  std::vector<Data> returned;

 private:
  /// Work as it is measured. Stores of samples without marked stores are `pure`.
  struct Measured {
    std::uint32_t stores = 0;
    double ticks = 0;
    std::uint32_t pure_stores = 0;
    double pure_ticks = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };

  /// A moment, and what processor time the thread had used until then.
  struct ProcessorTime {
    std::uint64_t ticks = 0;
    std::uint64_t wall_ns = 0;
    std::uint64_t thread_ns = 0;
  };
  static ProcessorTime processor_time();

  /// A sample that ends now.
  struct Sample {
    std::uintptr_t pc;
    std::uint32_t epoch;
    std::uint32_t stores;
    double ticks;
    bool pure;
  };
  void add(const Sample& sample, std::uint64_t now);
  /// Ticks without a processor since the call before.
  double without_processor();
  /// Marked stores take longer to watch than others. In a loop with both they count with the others' time.
  void correct();

  static constexpr std::uint32_t first_samples = 8;  // stores before the first sample after a call
  static constexpr std::uint32_t max_stores = 112;   // stores between samples
  static constexpr std::size_t max_places = 1024;
  static constexpr std::uint32_t enough_stores = 32;  // to know the time of one

  ThreadState& thread_;
  bool computes_ = false;
  std::uint32_t base_epoch_ = 0;
  std::uint64_t since_ = 0;
  double without_ = 0;             // ticks without a processor since the last call
  std::uintptr_t last_place_ = 0;  // of the last sample since the last call
  ProcessorTime checked_;
  IrregularDistances distances_;
  Computation computation_;
  ComputationHistory history_;
  std::vector<Measured> measured_;  // of `work_`
  std::vector<Work> work_;
};

}  // namespace stretto::memory
