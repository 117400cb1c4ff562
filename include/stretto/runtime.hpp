// SPDX-License-Identifier: BSD-3-Clause
// The one-sided runtime of a process: its ranks, its progress, and completion.
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

namespace onesided {
struct Access;
struct RuntimeState;
}  // namespace onesided

class Aggregate;

class Runtime {
 public:
  /// A runtime over a duplicate of `communicator`; MPI must be initialised. Collective. Throws ArgumentError
  /// for an intercommunicator, and for options that are not possible, such as progress `thread` without
  /// MPI_THREAD_MULTIPLE.
  explicit Runtime(MPI_Comm communicator, const Options& options = {});
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  /// Finalizes, unless finalize() has. Under an exception nothing collective is done.
  ~Runtime();

  /// Completes all operations and frees what the runtime owns. Every later call throws FinalizedError.
  /// Collective. Throws RegionInUseError where regions are not freed, and HandleError where handles or
  /// collectives of teams are pending, on any rank.
  void finalize();

  [[nodiscard]] int rank() const;
  [[nodiscard]] int size() const;
  /// The progress mode in effect.
  [[nodiscard]] Progress progress() const;
  /// The effective options: those that were left open have the values of the profile, or the defaults.
  [[nodiscard]] const Options& options() const;
  /// The team of all ranks.
  [[nodiscard]] Team world() const;
  /// The runtime's duplicate of its communicator, with errors returned. A program may use it for collectives
  /// of MPI, after a barrier() and while no operation is outstanding. The runtime frees it.
  [[nodiscard]] MPI_Comm communicator() const;

  // Local completion: the source of a put may be reused, the data of a get has arrived.
  void wait(Handle& handle);
  void wait_all(std::span<Handle> handles);
  /// Waits until one of the pending handles is complete, completes it and returns its index.
  /// Throws HandleError when none is pending.
  [[nodiscard]] std::size_t wait_any(std::span<Handle> handles);
  /// True when the operation is complete, and then the handle is no longer pending. On the rma path a test
  /// waits for the operation, because MPI has no test for it.
  [[nodiscard]] bool test(Handle& handle);
  /// Sends what the aggregate holds, and waits for it or tests it.
  void wait(Aggregate& aggregate);
  [[nodiscard]] bool test(Aggregate& aggregate);
  /// Waits for the implicit operations of this rank to one rank, or to all. After an error none is pending.
  void wait_implicit(int target);
  void wait_implicit();

  // Remote completion: all puts and accumulates that this rank has started are visible at the target, or at
  // all ranks.
  void fence(int target);
  void fence();
  /// fence() on every rank, and a barrier. Collective over the runtime. One that has thrown TimeoutError
  /// continues when it is called again.
  void barrier();

  /// One progress poll: serves requests of other ranks and moves outstanding operations.
  void poll();

  /// Notifies `target` after everything that this rank has started there is done. Returns the number of
  /// notifications so far.
  std::uint64_t notify(int target);
  /// Waits for the next notification of `source`. Returns how many were waited for.
  std::uint64_t wait_notify(int source);

  [[nodiscard]] Counters counters(int target) const;
  [[nodiscard]] Counters counters() const;
  void reset_counters();

  /// Sets what is called, with a message, when a pending handle is dropped. The default ends the program.
  void on_dropped_handle(std::function<void(const std::string&)> report);

 private:
  friend struct onesided::Access;

  std::shared_ptr<onesided::RuntimeState> state_;
};

}  // namespace stretto
