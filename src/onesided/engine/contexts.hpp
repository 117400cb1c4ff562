// SPDX-License-Identifier: BSD-3-Clause
// The message path of one rank: one or more engines, and the active messages that they have received. Each
// pair of ranks communicates through one of them, the same on both sides. Threads share no lock and no
// communicator of MPI where their targets have different engines.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "onesided/engine/engine.hpp"
#include "onesided/engine/received_calls.hpp"

namespace stretto::onesided {

class Contexts {
 public:
  /// `count` engines, or as many as there are ranks where these are fewer. Collective.
  Contexts(const mpi::Communicator& parent, const EngineOptions& options, int count,
           const std::vector<int>& sources, CounterTable& counters);

  /// The engine of the operations to a rank, and of its requests.
  [[nodiscard]] Engine& of(int rank) { return *engines_[index_of(rank)]; }
  [[nodiscard]] ReceivedCalls& calls() { return calls_; }

  void add_region(std::uint32_t region, Engine::Memory memory);
  void remove_region(std::uint32_t region);

  /// Moves what can be moved, then runs the handlers of active messages. True when anything moved. `awaited`
  /// is the rank that the caller waits for, or -1. With several engines, that rank's is polled in every call
  /// and the others in some; what another thread polls is left to it.
  bool progress(int awaited);
  /// One poll of the progress thread of all engines.
  progress::PollResult try_progress() noexcept;
  /// Does what the progress thread does besides. What it throws, progress() throws next.
  void guard(const std::function<void()>& work) noexcept { engines_.front()->guard(work); }
  /// Throws what guard() has kept.
  void throw_kept();
  void synchronise_memory();

  [[nodiscard]] bool is_idle();
  [[nodiscard]] bool is_replying();
  [[nodiscard]] bool is_serving();
  [[nodiscard]] bool awaits_abandoned();
  [[nodiscard]] bool uses_program_memory();
  void abandon_all();
  [[nodiscard]] std::size_t packet_bytes() const { return engines_.front()->packet_bytes(); }

 private:
  [[nodiscard]] std::size_t index_of(int rank) const {
    return static_cast<std::size_t>(rank + rank_) % engines_.size();
  }
  bool progress_of_engines(int awaited);

  int rank_;
  ReceivedCalls calls_;
  std::vector<std::unique_ptr<Engine>> engines_;
};

}  // namespace stretto::onesided
