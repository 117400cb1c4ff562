// SPDX-License-Identifier: BSD-3-Clause
#include "memory/fault_mask.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/auxv.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string_view>
#include <utility>

#include "memory/fault_stack.hpp"
#include "memory/pages.hpp"

namespace stretto::memory {
namespace {

constinit thread_local bool blocked = false;             // by the program, in its own view
constinit thread_local bool pending = false;             // a SIGSEGV that was sent while it is blocked
constinit thread_local unsigned fault_handlers = 0;      // of the program, which run now
constinit thread_local bool blocked_before = false;      // the program's view outside of these
std::array<std::atomic<bool>, NSIG> blocked_by_handler;  // the same of each signal's handler

/// libc's own; this library's would change only what the program sees.
ChangeMask libc_mask() noexcept {
  static const auto found = reinterpret_cast<ChangeMask>(::dlsym(RTLD_NEXT, "pthread_sigmask"));
  return found;
}

/// Makes SIGSEGV deliverable in this thread. Returns false where libc does not.
bool deliver_faults(sigset_t& before) noexcept {
  sigset_t faults;
  ::sigemptyset(&faults);
  ::sigaddset(&faults, SIGSEGV);
  return libc_mask()(SIG_UNBLOCK, &faults, &before) == 0;
}

/// Sends what was kept, once the program does not block it any more.
void deliver_pending() noexcept {
  if (blocked || !pending) return;
  pending = false;
  ::raise(SIGSEGV);
}

struct Addresses {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

Addresses dynamic_linker() noexcept {
  Addresses found{.begin = ::getauxval(AT_BASE), .end = 0};
  ::dl_iterate_phdr(
      [](dl_phdr_info* module, std::size_t /*bytes*/, void* data) {
        auto& linker = *static_cast<Addresses*>(data);
        if (module->dlpi_addr != linker.begin) return 0;
        for (int i = 0; i < module->dlpi_phnum; ++i) {
          const ElfW(Phdr)& part = module->dlpi_phdr[i];
          if (part.p_type != PT_LOAD) continue;
          linker.end = std::max<std::uintptr_t>(linker.end, linker.begin + part.p_vaddr + part.p_memsz);
        }
        return 1;
      },
      &found);
  return found;
}

std::atomic<std::uintptr_t> linker_begin = 0;
std::atomic<std::uintptr_t> linker_end = 0;

/// What a new thread runs.
struct Start {
  void* (*function)(void*);
  void* argument;
  bool blocked;  // by the thread that creates it
};

/// The table of a thread's variables by module (its dtv), as glibc's ABI has it: a count stands before it.
Range variables_of_this_thread() noexcept {
#if defined(__x86_64__) && defined(__GLIBC__)
  struct Entry {
    std::size_t count;
    void* to_free;
  };
  const Entry* table = nullptr;
  asm("mov %%fs:8, %0" : "=r"(table));
  if (table == nullptr) return {};
  const Entry* first = table - 1;
  return {.begin = reinterpret_cast<std::uintptr_t>(first), .bytes = (first->count + 2) * sizeof(Entry)};
#else
  return {};
#endif
}

/// At the end of a thread, however it comes: its function returns, or pthread_exit unwinds it.
struct ThreadEnd {
  ThreadEnd() = default;
  ~ThreadEnd() {
    return_fault_stack();
    PageWatch* watch = PageWatch::running();
    const Range variables = variables_of_this_thread();
    if (watch != nullptr && variables.bytes > 0) watch->exclude(variables);
  }
  ThreadEnd(const ThreadEnd&) = delete;
  ThreadEnd& operator=(const ThreadEnd&) = delete;
};

void* run_thread(void* given) {
  const Start start = *static_cast<Start*>(given);
  delete static_cast<Start*>(given);
  blocked = start.blocked;
  unblock_faults();  // which the attributes of the thread may block
  take_fault_stack();
  const ThreadEnd end;
  return start.function(start.argument);
}

}  // namespace

bool pages_are_watched() noexcept {
  static const bool requested = [] {
    const char* level = std::getenv("STRETTO_TRACE_MEMORY");
    return level != nullptr && std::string_view(level) == "page";
  }();
  return requested;
}

int create_thread(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument,
                  CreateThread next) noexcept {
  if (!pages_are_watched()) return next(thread, attributes, start, argument);
  auto* given = new (std::nothrow) Start{.function = start, .argument = argument, .blocked = blocked};
  if (given == nullptr) return EAGAIN;
  const int error = next(thread, attributes, run_thread, given);
  if (error != 0) delete given;
  return error;
}

int change_mask(int how, const sigset_t* requested, sigset_t* before, ChangeMask next) noexcept {
  if (!pages_are_watched()) return next(how, requested, before);
  sigset_t changed;
  const bool names_faults = requested != nullptr && ::sigismember(requested, SIGSEGV) == 1;
  if (requested != nullptr) {
    changed = *requested;
    if (how != SIG_UNBLOCK) ::sigdelset(&changed, SIGSEGV);
  }
  const int error = next(how, requested != nullptr ? &changed : nullptr, before);
  if (error != 0) return error;
  if (before != nullptr && blocked) ::sigaddset(before, SIGSEGV);
  if (requested != nullptr && (how == SIG_SETMASK || names_faults)) {
    blocked = names_faults && how != SIG_UNBLOCK;
    deliver_pending();
  }
  return error;
}

int change_action(int number, const struct sigaction* requested, struct sigaction* before,
                  ChangeAction next) noexcept {
  if (!pages_are_watched() || number <= 0 || number >= NSIG) return next(number, requested, before);
  std::atomic<bool>& blocks = blocked_by_handler[static_cast<std::size_t>(number)];
  const bool blocked_before = blocks.load();
  struct sigaction changed = {};
  if (requested != nullptr) {
    changed = *requested;
    ::sigdelset(&changed.sa_mask, SIGSEGV);
  }
  const bool names_faults = requested != nullptr && ::sigismember(&requested->sa_mask, SIGSEGV) == 1;
  const int error = next(number, requested != nullptr ? &changed : nullptr, before);
  if (error != 0) return error;
  if (before != nullptr && blocked_before) ::sigaddset(&before->sa_mask, SIGSEGV);
  if (requested != nullptr) blocks.store(names_faults);
  return error;
}

bool program_blocks_faults() noexcept { return blocked; }

sigset_t signals_that_wait() noexcept {
  sigset_t some;
  ::sigfillset(&some);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) ::sigdelset(&some, fault);
  return some;
}

SignalsWait::SignalsWait() noexcept {
  const sigset_t some = signals_that_wait();
  libc_mask()(SIG_BLOCK, &some, &before_);
}

SignalsWait::~SignalsWait() { libc_mask()(SIG_SETMASK, &before_, nullptr); }

InFaultHandler::InFaultHandler(const sigset_t& at_fault, const sigset_t& of_handler, bool blocks) noexcept
    : before_(blocked) {
  if (fault_handlers++ == 0) blocked_before = blocked;
  sigset_t mask = without_faults(at_fault);
  libc_mask()(SIG_SETMASK, &mask, nullptr);
  mask = without_faults(of_handler);
  libc_mask()(SIG_BLOCK, &mask, nullptr);
  blocked = blocked || blocks;
}

InFaultHandler::~InFaultHandler() {
  fault_handlers -= fault_handlers > 0 ? 1 : 0;
  blocked = before_;
  deliver_pending();
}

void fault_handlers_are_left() noexcept {
  if (std::exchange(fault_handlers, 0U) > 0) blocked = blocked_before;
}

void keep_fault_pending() noexcept { pending = true; }

bool fault_is_pending() noexcept { return pending; }

sigset_t without_faults(const sigset_t& mask) noexcept {
  sigset_t changed = mask;
  if (pages_are_watched()) ::sigdelset(&changed, SIGSEGV);
  return changed;
}

void unblock_faults() noexcept {
  if (linker_begin.load(std::memory_order_relaxed) == 0) {
    const Addresses linker = dynamic_linker();
    linker_end.store(linker.end, std::memory_order_relaxed);
    linker_begin.store(linker.begin, std::memory_order_relaxed);
  }
  sigset_t before;
  if (deliver_faults(before) && ::sigismember(&before, SIGSEGV) == 1) blocked = true;
}

FaultsWhileLinking::FaultsWhileLinking(const void* caller) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(caller);
  const bool links = address >= linker_begin.load(std::memory_order_relaxed) &&
                     address < linker_end.load(std::memory_order_relaxed);
  unblocked_ = links && PageWatch::running() != nullptr && deliver_faults(before_);
}

FaultsWhileLinking::~FaultsWhileLinking() {
  if (unblocked_) libc_mask()(SIG_SETMASK, &before_, nullptr);
}

}  // namespace stretto::memory
