// SPDX-License-Identifier: BSD-3-Clause
// Replaces libc's functions that set handlers: run_handler() stands before each handler of the program, which
// sees its own. A handler that is left by longjmp counts as ended.
#include "memory/signal_handlers.hpp"

#include <dlfcn.h>

#include <array>
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdlib>

#include "memory/signal_flags.hpp"

#define STRETTO_REPLACED extern "C" __attribute__((visibility("default")))
#define STRETTO_JUMP extern "C" __attribute__((visibility("default"), noreturn))

namespace stretto::memory {

constinit thread_local unsigned signal_handlers = 0;

namespace {

using Handler = void (*)(int, siginfo_t*, void*);
using Action = struct sigaction;

/// Those of the program, by signal. The kernel passes three arguments to any handler.
std::array<std::atomic<Handler>, NSIG> handlers;

/// A function of libc, looked up once.
template <typename Function>
class NextOne {
 public:
  explicit constexpr NextOne(const char* name) : name_(name) {}
  Function get() {
    Function found = found_.load(std::memory_order_relaxed);
    if (found != nullptr) return found;
    found = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name_));
    if (found == nullptr) std::abort();  // no libc is without it
    found_.store(found, std::memory_order_relaxed);
    return found;
  }

 private:
  const char* name_;
  std::atomic<Function> found_ = nullptr;
};

constinit NextOne<int (*)(int, const Action*, Action*)> next_action("sigaction");
constinit NextOne<sighandler_t (*)(int, sighandler_t)> next_set("sigset");
constinit NextOne<void (*)(__jmp_buf_tag*, int)> next_jump("longjmp");
constinit NextOne<void (*)(__jmp_buf_tag*, int)> next_checked_jump("__longjmp_chk");

/// A jump in a handler may be the first one.
[[gnu::constructor]] void find_jumps() {
  next_jump.get();
  next_checked_jump.get();
}

class InHandler {
 public:
  InHandler() { ++signal_handlers; }
  ~InHandler() {
    if (signal_handlers > 0) --signal_handlers;
  }
  InHandler(const InHandler&) = delete;
  InHandler& operator=(const InHandler&) = delete;
};

void run_handler(int number, siginfo_t* info, void* context) {
  const InHandler here;
  handlers[static_cast<std::size_t>(number)].load()(number, info, context);
}

/// The kernel's structure has both types of handlers in one place.
sighandler_t simple(Handler handler) {
  Action action = {};
  action.sa_sigaction = handler;
  return action.sa_handler;
}
Handler full(sighandler_t handler) {
  Action action = {};
  action.sa_handler = handler;
  return action.sa_sigaction;
}

sighandler_t programs_of(int number) { return simple(handlers[static_cast<std::size_t>(number)].load()); }

bool is_function(const Action& action) {
  return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

int change(int number, const Action* requested, Action* before) noexcept {
  if (number <= 0 || number >= NSIG) return next_action.get()(number, requested, before);
  std::atomic<Handler>& handler = handlers[static_cast<std::size_t>(number)];
  const Handler programs = handler.load();
  Action changed = {};
  if (requested != nullptr) {
    changed = *requested;
    if (is_function(changed)) {
      handler.store(changed.sa_sigaction);  // before it may be called
      changed.sa_sigaction = run_handler;
    }
  }
  const int error = next_action.get()(number, requested != nullptr ? &changed : nullptr, before);
  if (error != 0) {
    handler.store(programs);
  } else if (before != nullptr && before->sa_sigaction == run_handler) {
    before->sa_sigaction = programs;
  }
  return error;
}

sighandler_t change_by_name(int number, sighandler_t requested, int flags) noexcept {
  Action action = {};
  Action before = {};
  action.sa_handler = requested;
  action.sa_flags = flags;
  return change(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

/// Or blocks the signal, for SIG_HOLD, which is no function.
sighandler_t change_and_unblock(int number, sighandler_t requested) noexcept {
  const bool sets = requested != SIG_HOLD && requested != SIG_ERR && number > 0 && number < NSIG;
  if (!sets || requested == SIG_DFL || requested == SIG_IGN) {
    const sighandler_t before = next_set.get()(number, requested);
    return before == simple(run_handler) ? programs_of(number) : before;
  }
  const sighandler_t programs = programs_of(number);
  handlers[static_cast<std::size_t>(number)].store(full(requested));
  const sighandler_t before = next_set.get()(number, simple(run_handler));
  return before == simple(run_handler) ? programs : before;
}

[[noreturn]] void jump(NextOne<void (*)(__jmp_buf_tag*, int)>& next, __jmp_buf_tag* place, int value) {
  signal_handlers = 0;
  next.get()(place, value);
  std::abort();
}

}  // namespace
}  // namespace stretto::memory

using namespace stretto::memory;

// NOLINTBEGIN(bugprone-reserved-identifier,readability-inconsistent-declaration-parameter-name): libc's own
STRETTO_REPLACED int sigaction(int number, const struct sigaction* requested,
                               struct sigaction* before) noexcept {
  return change(number, requested, before);
}
STRETTO_REPLACED sighandler_t signal(int number, sighandler_t requested) noexcept {
  return change_by_name(number, requested, bsd_handler);
}
STRETTO_REPLACED sighandler_t bsd_signal(int number, sighandler_t requested) noexcept {
  return change_by_name(number, requested, bsd_handler);
}
STRETTO_REPLACED sighandler_t ssignal(int number, sighandler_t requested) noexcept {
  return change_by_name(number, requested, bsd_handler);
}
STRETTO_REPLACED sighandler_t __sysv_signal(int number, sighandler_t requested) noexcept {
  return change_by_name(number, requested, sysv_handler);
}
STRETTO_REPLACED sighandler_t sysv_signal(int number, sighandler_t requested) noexcept {
  return change_by_name(number, requested, sysv_handler);
}
STRETTO_REPLACED sighandler_t sigset(int number, sighandler_t requested) noexcept {
  return change_and_unblock(number, requested);
}
STRETTO_JUMP void longjmp(__jmp_buf_tag* place, int value) noexcept(noexcept(::longjmp(place, value))) {
  jump(next_jump, place, value);
}
STRETTO_JUMP void _longjmp(__jmp_buf_tag* place, int value) noexcept(noexcept(::_longjmp(place, value))) {
  jump(next_jump, place, value);
}
STRETTO_JUMP void siglongjmp(__jmp_buf_tag* place, int value) noexcept(noexcept(::siglongjmp(place, value))) {
  jump(next_jump, place, value);
}
STRETTO_JUMP void __longjmp_chk(__jmp_buf_tag* place, int value) { jump(next_checked_jump, place, value); }
// NOLINTEND(bugprone-reserved-identifier,readability-inconsistent-declaration-parameter-name)
