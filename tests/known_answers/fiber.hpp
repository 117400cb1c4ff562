// SPDX-License-Identifier: BSD-3-Clause
// A function that can be suspended and resumed: it has its own stack and runs in the thread that resumes
// it. There is no scheduler; the caller decides which fiber runs next.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace stretto::known_answers {

class Fiber {
 public:
  /// Thrown by suspend() when a suspended fiber is destroyed. It is not a std::exception, so that error
  /// handlers ignore it; code that catches everything must rethrow it.
  struct Unwound {};

  static constexpr std::size_t default_stack_bytes = std::size_t{512} << 10U;

  /// `body` runs at the first resume(). Untouched pages of the stack cost nothing; the page below it is a
  /// guard page. Throws std::bad_alloc.
  explicit Fiber(std::function<void()> body, std::size_t stack_bytes = default_stack_bytes);
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  /// Unwinds the body first if it is suspended.
  ~Fiber();

  /// Runs the body until it suspends or ends; rethrows the body's exception. Not allowed from inside the
  /// body, or once done().
  void resume();

  /// Returns to the caller of resume(), and continues at the next resume(). Only allowed from inside the
  /// body.
  void suspend();

  [[nodiscard]] bool done() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace stretto::known_answers
