// SPDX-License-Identifier: BSD-3-Clause
// The one-sided runtime of a process: who takes part, who makes progress, and what is complete.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stretto/counters.hpp>
#include <stretto/handle.hpp>
#include <stretto/options.hpp>
#include <stretto/team.hpp>
#include <string>

namespace stretto {

namespace rma {
struct State;
}  // namespace rma

class Aggregate;

class Runtime {
 public:
  /// Over a duplicate of `communicator`; MPI must be initialised. Collective.
  /// Throws ArgumentError for options that cannot be, as progress thread without MPI_THREAD_MULTIPLE.
  explicit Runtime(MPI_Comm communicator, const Options& options = {});
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  /// Finalizes, unless finalize() has. Under an exception nothing collective is done.
  ~Runtime();

  /// Completes all, frees what the runtime has, and refuses every later call with FinalizedError. Regions
  /// must be freed before, and handles waited for: else throws on the ranks where they are not. Collective.
  void finalize();

  [[nodiscard]] int rank() const;
  [[nodiscard]] int size() const;
  /// The mode in force.
  [[nodiscard]] Progress progress() const;
  /// All options as they are in force.
  [[nodiscard]] const Options& options() const;
  [[nodiscard]] Team world() const;

  // Local completion: sources of puts may be reused, data of gets is there.
  void wait(Handle& handle);
  void wait_all(std::span<Handle> handles);
  /// Waits until one of the pending handles is complete, completes it and returns its place.
  /// Throws HandleError when none is pending.
  [[nodiscard]] std::size_t wait_any(std::span<Handle> handles);
  /// True when complete, and then the handle is done. On the rma path a test completes the operation, for MPI
  /// cannot be asked whether it is.
  [[nodiscard]] bool test(Handle& handle);
  /// An aggregate goes out, and is waited for or tested.
  void wait(Aggregate& aggregate);
  [[nodiscard]] bool test(Aggregate& aggregate);
  /// Implicit operations of this rank to one rank, or to all.
  void wait_implicit(int target);
  void wait_implicit();

  // Remote completion: all puts and accumulates that this rank has started can be seen at the target, or at
  // all.
  void fence(int target);
  void fence();
  /// fence() on every rank, and everybody has come. Collective over the runtime.
  void barrier();

  /// Gives the runtime the processor for a moment: serves others and moves what is under way.
  void poll();

  /// Everything that this rank started before is done at `target`, and it is told so. Returns how often it
  /// was.
  std::uint64_t notify(int target);
  /// Waits for the next notification of `source` that was not waited for. Returns how many have been.
  std::uint64_t wait_notify(int source);

  [[nodiscard]] Counters counters(int target) const;
  [[nodiscard]] Counters counters() const;
  void reset_counters();

  /// Called with a message instead of ending the program when a pending handle is dropped.
  void on_dropped_handle(std::function<void(const std::string&)> report);

  /// For the runtime's own use.
  [[nodiscard]] const std::shared_ptr<rma::State>& state() const { return state_; }

 private:
  std::shared_ptr<rma::State> state_;
};

}  // namespace stretto
