// SPDX-License-Identifier: BSD-3-Clause
// Ordinary blocking code that can be put aside and taken up again: a function on its own stack, in the
// thread of whoever resumes it. No scheduler: who runs next is the caller's.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace stretto::replay {

class Fiber {
 public:
  /// Thrown out of suspend() when the fiber is destroyed while it is suspended. No std::exception, so
  /// that no handler of errors takes it for one; whoever catches everything has to throw it again.
  struct Unwound {};

  static constexpr std::size_t default_stack_bytes = std::size_t{512} << 10U;

  /// `body` runs at the first resume(). Pages of the stack cost nothing before they are touched; one page
  /// below it is no-access. Throws std::bad_alloc.
  explicit Fiber(std::function<void()> body, std::size_t stack_bytes = default_stack_bytes);
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  /// Unwinds the body first if it is suspended.
  ~Fiber();

  /// Runs the body until it suspends or ends; throws what the body threw. Not from inside, not once done().
  void resume();

  /// Back to who resumed this fiber; returns at the next resume(). Only from inside the body.
  void suspend();

  [[nodiscard]] bool done() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace stretto::replay
