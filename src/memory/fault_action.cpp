// SPDX-License-Identifier: BSD-3-Clause
#include "memory/fault_action.hpp"

#include <dlfcn.h>
#include <ucontext.h>

#include <atomic>

#include "memory/fault_mask.hpp"

namespace stretto::memory {
namespace {

struct sigaction programs;
std::atomic<bool> is_taken_over = false;
// libc's own sigaction. The recorder redirects the program's calls of it to `programs`.
decltype(&::sigaction) install = nullptr;

/// As by the default action: a fault happens again when the handler returns, a signal is sent again.
void end_program(int number, bool is_sent) {
  struct sigaction ends = {};
  ends.sa_handler = SIG_DFL;
  install(number, &ends, nullptr);
  if (is_sent) ::raise(number);
}

void call_handler(const struct sigaction& action, int number, siginfo_t* info, void* context) {
  if ((action.sa_flags & SA_RESETHAND) != 0) programs.sa_handler = SIG_DFL;
  const bool blocks = (action.sa_flags & SA_NODEFER) == 0 || ::sigismember(&action.sa_mask, SIGSEGV) == 1;
  const InFaultHandler in_handler(static_cast<const ucontext_t*>(context)->uc_sigmask, action.sa_mask,
                                  blocks);
  if ((action.sa_flags & SA_SIGINFO) != 0) {
    action.sa_sigaction(number, info, context);
  } else {
    action.sa_handler(number);
  }
}

}  // namespace

bool take_over_faults(const struct sigaction& handler) {
  install = reinterpret_cast<decltype(install)>(::dlsym(RTLD_NEXT, "sigaction"));
  if (install == nullptr || install(SIGSEGV, &handler, &programs) != 0) return false;
  is_taken_over.store(true, std::memory_order_release);
  return true;
}

struct sigaction* program_action() {
  return is_taken_over.load(std::memory_order_acquire) ? &programs : nullptr;
}

void pass_on_fault(int number, siginfo_t* info, void* context) {
  const bool is_sent = info->si_code <= 0;  // by kill() or raise(), and not a fault
  const bool is_blocked = program_blocks_faults();
  const struct sigaction action = programs;
  if (is_sent && is_blocked) {
    keep_fault_pending();
  } else if (is_blocked || action.sa_handler == SIG_DFL || (action.sa_handler == SIG_IGN && !is_sent)) {
    end_program(number, is_sent);
  } else if (action.sa_handler != SIG_IGN) {
    call_handler(action, number, info, context);
  }
}

}  // namespace stretto::memory
