// SPDX-License-Identifier: BSD-3-Clause
// Boost.Context only switches stacks. Two things must follow each switch explicitly. One is the C++
// runtime's list of exceptions being handled: a fiber that suspends in a catch block would otherwise
// corrupt another's. The other is the address sanitizer's record of the current stack.
#include "known_answers/fiber.hpp"

#include <cxxabi.h>

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <cassert>
#include <exception>
#include <new>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace stretto::known_answers {
namespace {

namespace context = boost::context;

/// The Fiber owns the stack: Boost must not free it while running on it.
struct BorrowedStack {
  static context::stack_context allocate() { throw std::bad_alloc(); }
  static void deallocate(context::stack_context& /*stack*/) noexcept {}
};

}  // namespace

// What the state is made of is nested in it, because a unity build merges sources: of a type with external
// linkage GCC wants members that have it, too.
struct Fiber::State {
  /// The data at __cxa_get_globals() (Itanium C++ ABI, exception handling, section 2.2.2).
  struct HandledExceptions {
    void* caught = nullptr;
    unsigned int uncaught = 0;

    void exchange() { std::swap(*this, *reinterpret_cast<HandledExceptions*>(abi::__cxa_get_globals())); }
  };

  struct StackBounds {
    const void* bottom = nullptr;
    std::size_t size_bytes = 0;
  };

#if defined(__SANITIZE_ADDRESS__)
  static void before_jump(void** own, const StackBounds& target) {
    __sanitizer_start_switch_fiber(own, target.bottom, target.size_bytes);
  }
  static void after_jump(void* own, StackBounds* origin) {
    __sanitizer_finish_switch_fiber(own, origin == nullptr ? nullptr : &origin->bottom,
                                    origin == nullptr ? nullptr : &origin->size_bytes);
  }
  /// Frames that were left by a switch have not removed their red zones.
  static void forget_frames(const StackBounds& stack) {
    __asan_unpoison_memory_region(stack.bottom, stack.size_bytes);
  }
#else
  static void before_jump(void** /*own*/, const StackBounds& /*target*/) {}
  static void after_jump(void* /*own*/, StackBounds* /*origin*/) {}
  static void forget_frames(const StackBounds& /*stack*/) {}
#endif

  std::function<void()> body;
  context::protected_fixedsize_stack allocator;
  context::stack_context stack;
  StackBounds bounds;
  StackBounds resumer_bounds;
  context::fiber self;     // while suspended
  context::fiber resumer;  // while running
  HandledExceptions handled;
  std::exception_ptr error;
  void* sanitizer_self = nullptr;
  void* sanitizer_resumer = nullptr;
  bool done = false;
  bool unwinding = false;

  State(std::function<void()> code, std::size_t stack_bytes)
      : body(std::move(code)), allocator(stack_bytes), stack(allocator.allocate()) {
    bounds = {static_cast<char*>(stack.sp) - stack.size, stack.size};
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    forget_frames(bounds);
    allocator.deallocate(stack);
  }

  context::fiber run(context::fiber&& caller) {
    after_jump(nullptr, &resumer_bounds);
    resumer = std::move(caller);
    try {
      if (!unwinding) body();
    } catch (const Unwound&) {  // NOLINT(bugprone-empty-catch): the body only had to unwind
    } catch (...) {
      error = std::current_exception();
    }
    done = true;
    before_jump(nullptr, resumer_bounds);
    return std::move(resumer);
  }

  void jump_in() {
    handled.exchange();
    before_jump(&sanitizer_resumer, bounds);
    self = std::move(self).resume();
    after_jump(sanitizer_resumer, nullptr);
    handled.exchange();
  }
};

Fiber::Fiber(std::function<void()> body, std::size_t stack_bytes)
    : state_(std::make_unique<State>(std::move(body), stack_bytes)) {
  State* state = state_.get();
  // Boost switches to the new stack already here, to create its frame, before the sanitizer can be
  // informed.
  state->self = context::fiber(
      std::allocator_arg, context::preallocated(state->stack.sp, state->stack.size, state->stack),
      BorrowedStack{}, [state](context::fiber&& caller) { return state->run(std::move(caller)); });
}

Fiber::~Fiber() {
  if (state_->done) return;
  state_->unwinding = true;
  while (!state_->done) state_->jump_in();
}

void Fiber::resume() {
  assert(!state_->done);
  state_->jump_in();
  if (state_->error) std::rethrow_exception(std::exchange(state_->error, nullptr));
}

void Fiber::suspend() {
  State& state = *state_;
  State::before_jump(&state.sanitizer_self, state.resumer_bounds);
  state.resumer = std::move(state.resumer).resume();
  State::after_jump(state.sanitizer_self, &state.resumer_bounds);
  if (state.unwinding) throw Unwound{};
}

bool Fiber::done() const { return state_->done; }

}  // namespace stretto::known_answers
