// SPDX-License-Identifier: BSD-3-Clause
// A started collective: the code of the blocking operation on a stack of its own. Its flat operations are
// MPI's nonblocking ones; each returns to the caller of test() or wait() until it is complete.
#pragma once

#include <mpi.h>
#include <ucontext.h>

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>

#include "collective/flat.hpp"

namespace stretto::collective::detail {

class StartedOperation {
 public:
  explicit StartedOperation(std::function<void()> body);
  StartedOperation(const StartedOperation&) = delete;
  StartedOperation& operator=(const StartedOperation&) = delete;
  ~StartedOperation() = default;

  /// Runs the body until it waits for a flat operation, or ends.
  void resume();
  [[nodiscard]] bool is_complete() const { return complete_; }
  /// Whether it waits for its turn on a communicator, where progress_all() resumes it.
  [[nodiscard]] bool is_queued() const { return queued_; }
  void set_queued() { queued_ = true; }
  /// Throws what the body threw.
  void rethrow() const;

  /// The operation that runs now; null outside of any.
  static StartedOperation* running();
  /// Returns to resume(), from within the body.
  void yield();

 private:
  static void enter(unsigned int low, unsigned int high);

  std::function<void()> body_;
  std::unique_ptr<std::byte[]> stack_;
  ucontext_t own_{};
  ucontext_t caller_{};
  bool complete_ = false;
  bool queued_ = false;
  std::exception_ptr failed_;
};

/// The flat operations inside a started one.
[[nodiscard]] const FlatOperations& nonblocking_operations();

/// Starts `body` after the operations that were started on this communicator before.
[[nodiscard]] std::shared_ptr<StartedOperation> start(MPI_Comm communicator, std::function<void()> body);
/// Lets each communicator's first operation run as far as it can.
void progress_all();
/// Completes what was started on this communicator, before a blocking operation uses its groups. Does nothing
/// inside a started operation.
void complete_before(MPI_Comm communicator);

}  // namespace stretto::collective::detail
