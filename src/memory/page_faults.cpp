// SPDX-License-Identifier: BSD-3-Clause
// The SIGSEGV handler, and the thread that protects pages again in each round (pages.hpp). The table of
// pages and the watch lie outside of the heap, because pages of the heap may be protected.
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

#include "memory/fault_action.hpp"
#include "memory/fault_mask.hpp"
#include "memory/fault_stack.hpp"
#include "memory/pages.hpp"
#include "memory/reserved.hpp"

namespace stretto::memory {
namespace {

constinit PageWatch the_watch;
std::atomic<PageWatch*> active = nullptr;
sem_t stored_to;

bool is_store(const void* context) {
#if defined(__x86_64__)
  constexpr greg_t by_a_store = 2;
  return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & by_a_store) != 0;
#else
  return context != nullptr;  // unknown on this processor, so it may be a store
#endif
}

void handle(int number, siginfo_t* info, void* context) {
  const int error = errno;
  PageWatch* watch = active.load(std::memory_order_acquire);
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (watch == nullptr || info->si_code != SEGV_ACCERR || !watch->on_fault(address, is_store(context))) {
    pass_on_fault(number, info, context);
  }
  errno = error;
}

}  // namespace

PageWatch* PageWatch::running() { return active.load(std::memory_order_acquire); }

PageWatch* PageWatch::begin(bool (*not_the_program)(), double share) {
  const std::size_t bytes = process_pages * sizeof(Page);
  void* mapped = reserve(bytes);
  if (mapped == nullptr) return nullptr;
  the_watch.table_ = static_cast<Page*>(mapped);
  the_watch.not_the_program_ = not_the_program;
  the_watch.share_ = share;
  the_watch.begin_ns_ = clock_ns();
  struct sigaction action = {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  action.sa_mask = signals_that_wait();
  if (!take_over_faults(action)) return nullptr;
  unblock_faults();
  take_fault_stack();
  active.store(&the_watch, std::memory_order_release);
  exclude_earlier_fault_stacks();
  the_watch.measure_faults();
  ::pthread_atfork(nullptr, nullptr, [] { the_watch.end_in_child(); });
  the_watch.begin_rounds();
  return &the_watch;
}

/// Measures the cost of a fault outside of its handler, by a store to a page of our own. The cost differs by
/// a factor of two between machines.
void PageWatch::measure_faults() {
  constexpr std::size_t bytes = std::size_t{1} << page_bits;
  void* mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return;
  const std::uintptr_t number = reinterpret_cast<std::uintptr_t>(mapped) >> page_bits;
  page_of(number).kind = Kind::watchable;
  page_of(number).since_ns = clock_ns();
  std::uint64_t min_ns = round_ns;
  for (int turn = 0; turn < 16; ++turn) {
    protect(number, 1, Protection::no_stores);
    spent_ns_ = 0;
    const std::uint64_t begin_ns = clock_ns();
    *static_cast<volatile char*>(mapped) = 1;
    min_ns = std::min(min_ns, clock_ns() - begin_ns - spent_ns_);
  }
  fault_ns_ = min_ns;
  spent_ns_ = 0;
  page_of(number) = {};
  ::munmap(mapped, bytes);
}

/// The protecting thread blocks all of the program's signals.
void PageWatch::begin_rounds() {
  ::sem_init(&stored_to, 0, 0);
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  has_rounds_ = true;
  if (::pthread_create(&protecting_, nullptr, rounds, this) != 0) has_rounds_ = false;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void PageWatch::end_rounds() {
  if (!has_rounds_.exchange(false)) return;
  ::sem_post(&stored_to);
  ::pthread_join(protecting_, nullptr);
}

void* PageWatch::rounds(void* self) {
  constexpr timespec round = {0, static_cast<long>(round_ns)};
  auto& watch = *static_cast<PageWatch*>(self);
  for (;;) {
    while (::sem_wait(&stored_to) != 0) {
    }
    if (!watch.has_rounds_) return nullptr;
    ::nanosleep(&round, nullptr);
    watch.watch_stores_again();
  }
}

void PageWatch::watch_stores_again() {
  const HeldWithin held(busy_);
  const std::uint64_t now_ns = clock_ns();
  const std::uint64_t spent_before_ns = spent_ns_;
  // Adjacent pages share a call, because each call also interrupts the threads of the program.
  std::sort(stored_pages_, stored_pages_ + stored_);
  for (std::size_t i = 0; i < stored_;) {
    const std::uintptr_t first = stored_pages_[i];
    std::size_t run = 0;
    while (i + run < stored_ && stored_pages_[i + run] == first + run && to_protect(page_of(first + run))) {
      ++run;
    }
    if (run > 0 && may_spend(now_ns)) {
      protect(first, run, Protection::no_stores);
    } else {
      for (std::size_t at = 0; at < run; ++at) page_of(first + at).stores_seen = false;
    }
    i += std::max<std::size_t>(run, 1);
  }
  stored_ = 0;
  // The cost of a round is mostly its two wake-ups.
  const std::uint64_t protecting_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
  spent_ns_ = std::max(spent_ns_, spent_before_ns + protecting_ns - protecting_ns_);
  protecting_ns_ = protecting_ns;
}

bool PageWatch::on_fault(std::uintptr_t address, bool is_store) {
  const std::uintptr_t number = address >> page_bits;
  if (number >= process_pages) return false;
  static thread_local std::uintptr_t last_address = 0;
  static thread_local std::uint16_t last_changes = 0;
  static thread_local unsigned times = 0;
  const std::uint64_t now_ns = clock_ns();  // the time of the access, before the lock is waited for
  const HeldWithin held(busy_);
  spent_ns_ += clock_ns() - now_ns;
  Page& page = page_of(number);
  if (page.since_ns == 0) return false;  // never watched
  // Between the access and this line, another thread may have opened the page, or ended that it is watched.
  // Otherwise the protection is not ours, and the access faults again with no change of ours between.
  if (page.kind != Kind::watchable || page.protection == Protection::open) {
    constexpr unsigned max_times = 64;
    times = last_address == address && last_changes == page.changes ? times + 1 : 0;
    last_address = address;
    last_changes = page.changes;
    return times < max_times;
  }
  spent_ns_ += fault_ns_;
  const std::uintptr_t offset = address % page_bytes;
  const bool of_a_message = page.own || (offset >= page.begin && offset < page.end);
  if (!of_a_message) ++page.foreign_faults;
  if (of_a_message && page.foreign_faults > 0) --page.foreign_faults;
  const bool tells = of_a_message && !not_the_program_();
  if (page.expecting) {
    page.expecting = false;
    page.load_seen = tells;
    page.load_ns = now_ns;
  }
  if (is_store && tells) page.store_ns = now_ns;
  if (is_store && !tells) page.stores_seen = false;
  protect(number, 1, !is_store && page.sends ? Protection::no_stores : Protection::open);
  if (is_store && page.sends && of_a_message) {
    if (stored_ < max_stored) {
      stored_pages_[stored_++] = number;
      if (stored_ == 1) ::sem_post(&stored_to);
    } else {
      page.stores_seen = false;
    }
  }
  return true;
}

}  // namespace stretto::memory
