// SPDX-License-Identifier: BSD-3-Clause
// What is under the lock touches no memory but its own: a fault of its own thread would wait for itself. So
// the table and this object lie apart from the heap.
#include "memory/pages.hpp"

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace stretto::memory {
namespace {

constexpr unsigned page_bits = 12;
#if defined(__x86_64__)
constexpr unsigned address_bits = 47;
#else
constexpr unsigned address_bits = 48;
#endif
constexpr std::uintptr_t table_pages = std::uintptr_t{1} << (address_bits - page_bits);
constexpr std::uint16_t most_lent = 0xFFFF;
constexpr std::uint64_t fault_ns = 2500;  // with what it costs in caches, beside what the handler does

constinit PageWatch the_watch;
std::atomic<PageWatch*> active = nullptr;
struct sigaction handler_before;
// libc's own: the recorder has the program's calls of it come to handler_before.
decltype(&::sigaction) install = nullptr;
sem_t stored_to;

std::uintptr_t first_page(Range data) { return data.begin >> page_bits; }
std::uintptr_t last_page(Range data) { return (data.end() - 1) >> page_bits; }

bool is_store(const void* context) {
#if defined(__x86_64__)
  constexpr greg_t by_a_store = 2;
  return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & by_a_store) != 0;
#else
  return context != nullptr;  // not told apart: it may be one
#endif
}

void pass_on(int number, siginfo_t* info, void* context) {
  if ((handler_before.sa_flags & SA_SIGINFO) != 0 && handler_before.sa_sigaction != nullptr) {
    handler_before.sa_sigaction(number, info, context);
  } else if (handler_before.sa_handler != SIG_DFL && handler_before.sa_handler != SIG_IGN) {
    handler_before.sa_handler(number);
  } else {
    struct sigaction ends = {};
    ends.sa_handler = SIG_DFL;
    install(number, &ends, nullptr);  // it faults again, and the program ends as it would have
  }
}

void handle(int number, siginfo_t* info, void* context) {
  const int error = errno;
  PageWatch* watch = active.load(std::memory_order_acquire);
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (watch == nullptr || info->si_code != SEGV_ACCERR || !watch->on_fault(address, is_store(context))) {
    pass_on(number, info, context);
  }
  errno = error;
}

}  // namespace

bool PageWatch::fits(Range data) { return data.bytes > 0 && last_page(data) < table_pages; }

class PageWatch::Held {
 public:
  explicit Held(std::atomic_flag& busy) : busy_(busy) {
    while (busy_.test_and_set(std::memory_order_acquire)) ::sched_yield();
  }
  ~Held() { busy_.clear(std::memory_order_release); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

 private:
  std::atomic_flag& busy_;
};

PageWatch* PageWatch::begin(bool (*not_the_program)()) {
  const std::size_t bytes = table_pages * sizeof(Page);
  void* room =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return nullptr;
  ::madvise(room, bytes, MADV_NOHUGEPAGE);
  ::madvise(room, bytes, MADV_DONTDUMP);
  the_watch.table_ = static_cast<Page*>(room);
  the_watch.not_the_program_ = not_the_program;
  the_watch.begin_ns_ = clock_ns();
  struct sigaction action = {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  install = reinterpret_cast<decltype(install)>(::dlsym(RTLD_NEXT, "sigaction"));
  if (install == nullptr || install(SIGSEGV, &action, &handler_before) != 0) return nullptr;
  active.store(&the_watch, std::memory_order_release);
  ::pthread_atfork(nullptr, nullptr, [] { the_watch.end_in_child(); });
  the_watch.begin_rounds();
  return &the_watch;
}

/// The thread that protects again takes none of the program's signals.
void PageWatch::begin_rounds() {
  ::sem_init(&stored_to, 0, 0);
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread{};
  if (::pthread_create(&thread, nullptr, rounds, this) == 0) ::pthread_detach(thread);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void* PageWatch::rounds(void* self) {
  constexpr timespec round = {0, static_cast<long>(round_ns)};
  for (;;) {
    while (::sem_wait(&stored_to) != 0) {
    }
    ::nanosleep(&round, nullptr);
    static_cast<PageWatch*>(self)->watch_stores_again();
  }
  return nullptr;
}

void PageWatch::watch_stores_again() {
  const Held held(busy_);
  const std::uint64_t now_ns = clock_ns();
  for (std::size_t i = 0; i < stored_; ++i) {
    Page& page = page_of(stored_pages_[i]);
    if (page.protection != Protection::open || page.lent > 0 || holds_ > 0) continue;
    if (may_spend(now_ns)) {
      protect(stored_pages_[i], 1, Protection::no_stores);
    } else {
      page.stores_seen = false;
    }
  }
  stored_ = 0;
}

bool PageWatch::may_spend(std::uint64_t now_ns) const {
  constexpr std::uint64_t allowance_ns = 500'000;
  const auto share = static_cast<std::uint64_t>(most_of_the_time * static_cast<double>(now_ns - begin_ns_));
  return spent_ns_ < share + allowance_ns;
}

void PageWatch::protect(std::uintptr_t page, std::size_t count, Protection protection) {
  constexpr int access[] = {PROT_READ | PROT_WRITE, PROT_READ, PROT_NONE};
  const std::uint64_t begin_ns = clock_ns();
  // It may not be mapped any more: then there is nothing to see, and no harm done.
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a page is known by its number
  ::mprotect(reinterpret_cast<void*>(page << page_bits), count << page_bits,
             access[static_cast<int>(protection)]);
  for (std::size_t i = 0; i < count; ++i) page_of(page + i).protection = protection;
  spent_ns_ += clock_ns() - begin_ns;
}

/// Runs of neighbouring pages in one call each.
template <typename Which>
void PageWatch::protect_where(Range data, Protection protection, const Which& which) {
  const std::uintptr_t end = last_page(data) + 1;
  for (std::uintptr_t page = first_page(data); page < end;) {
    std::uintptr_t until = page;
    while (until < end && which(page_of(until))) ++until;
    if (until > page) protect(page, until - page, protection);
    page = until + 1;
  }
}

bool PageWatch::on_fault(std::uintptr_t address, bool is_store) {
  const std::uintptr_t number = address >> page_bits;
  if (number >= table_pages) return false;
  static thread_local std::uintptr_t last_address = 0;
  static thread_local unsigned times = 0;
  const std::uint64_t now_ns = clock_ns();  // and not when others are done
  const Held held(busy_);
  Page& page = page_of(number);
  if (page.kind != Kind::watchable) return false;
  if (page.protection ==
      Protection::open) {  // another thread's fault was first; or it is protected by others
    constexpr unsigned most_times = 64;
    times = last_address == address ? times + 1 : 0;
    last_address = address;
    return times < most_times;
  }
  spent_ns_ += fault_ns;
  const bool own = !not_the_program_();
  if (page.expecting) {
    page.expecting = false;
    page.load_seen = own;
    page.load_ns = now_ns;
  }
  if (is_store && own) page.store_ns = now_ns;
  if (is_store && !own) page.stores_seen = false;
  protect(number, 1, !is_store && page.sends ? Protection::no_stores : Protection::open);
  if (is_store && page.sends) {
    if (stored_ < most_stored) {
      stored_pages_[stored_++] = number;
      if (stored_ == 1) ::sem_post(&stored_to);
    } else {
      page.stores_seen = false;
    }
  }
  return true;
}

/// Whether all pages were known before, and can be watched.
bool PageWatch::know(Range data) {
  bool known = true;
  for (std::uintptr_t page = first_page(data); page <= last_page(data); ++page) {
    if (page_of(page).kind == Kind::unknown) {
      classify(first_page(data), last_page(data));
      return false;
    }
    known &= page_of(page).kind == Kind::watchable;
  }
  return known;
}

/// Only what the program may both read and write, and no stack: a handler needs one itself.
void PageWatch::classify(std::uintptr_t first, std::uintptr_t last) {
  std::uintptr_t stack_begin = 0;
  std::size_t stack_bytes = 0;
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) == 0) {
    void* stack = nullptr;
    ::pthread_attr_getstack(&attributes, &stack, &stack_bytes);
    ::pthread_attr_destroy(&attributes);
    stack_begin = reinterpret_cast<std::uintptr_t>(stack) >> page_bits;
  }
  std::FILE* maps = std::fopen("/proc/self/maps", "re");
  if (maps == nullptr) return;
  char line[512];
  while (std::fgets(line, sizeof line, maps) != nullptr) {
    unsigned long begin = 0;
    unsigned long end = 0;
    char access[5] = "";
    if (std::sscanf(line, "%lx-%lx %4s", &begin, &end, access) != 3) continue;
    const bool fits = std::strncmp(access, "rw-", 3) == 0 && std::strstr(line, "[stack") == nullptr &&
                      std::strstr(line, "/dev/") == nullptr;
    const Held held(busy_);
    for (std::uintptr_t number = std::max<std::uintptr_t>(first, begin >> page_bits);
         number <= last && number < end >> page_bits; ++number) {
      Page& page = page_of(number);
      const bool stack = number >= stack_begin && number < stack_begin + (stack_bytes >> page_bits);
      if (page.kind != Kind::unknown) continue;
      page.kind = fits && !stack && known_ < most_pages ? Kind::watchable : Kind::excluded;
      page.since_ns = clock_ns();
      if (page.kind == Kind::watchable) known_pages_[known_++] = number;
    }
  }
  std::fclose(maps);
}

bool PageWatch::produced(Range data, PartTimes& last_stores) {
  if (!fits(data)) return false;
  bool known = know(data);
  const Held held(busy_);
  const std::uint64_t now_ns = clock_ns();
  for (std::size_t part = 0; part < parts; ++part) {
    std::uint64_t last = 0;
    std::uint64_t earliest = now_ns;
    for (std::uintptr_t number = first_page(data.part(part)); number <= last_page(data.part(part));
         ++number) {
      const Page& page = page_of(number);
      known &= page.sends && page.stores_seen;
      const std::uint64_t store_ns = std::max(page.since_ns, page.store_ns);
      last = std::max(last, store_ns);
      earliest = std::min(earliest, store_ns);
    }
    last_stores.ns[part] = last;
    last_stores.other_end_ns[part] = earliest;
  }
  for (std::uintptr_t number = first_page(data); number <= last_page(data); ++number) {
    Page& page = page_of(number);
    page.sends = page.kind == Kind::watchable;
    page.stores_seen = false;  // until it is protected when it is given back
  }
  return known;
}

void PageWatch::arrived(Range data) {
  if (!fits(data)) return;
  know(data);
  const Held held(busy_);
  const std::uint64_t now_ns = clock_ns();
  const bool watch = may_spend(now_ns) && holds_ == 0;
  protect_where(data, Protection::closed, [&](Page& page) {
    page.store_ns = now_ns;
    page.load_ns = 0;
    page.expecting = page.load_seen = watch && page.lent == 0 && page.kind == Kind::watchable;
    return page.expecting;
  });
}

void PageWatch::overwritten(Range data) {
  if (!fits(data)) return;
  const Held held(busy_);
  for (std::uintptr_t number = first_page(data); number <= last_page(data); ++number) {
    if (page_of(number).kind == Kind::watchable) page_of(number).store_ns = clock_ns();
  }
}

bool PageWatch::consumed(Range data, PartTimes& first_loads) {
  if (!fits(data)) return false;
  const Held held(busy_);
  for (std::size_t part = 0; part < parts; ++part) {
    std::uint64_t first = 0;
    std::uint64_t latest = 0;
    for (std::uintptr_t number = first_page(data.part(part)); number <= last_page(data.part(part));
         ++number) {
      const Page& page = page_of(number);
      if (!page.load_seen) return false;
      if (page.load_ns == 0) continue;
      first = first == 0 ? page.load_ns : std::min(first, page.load_ns);
      latest = std::max(latest, page.load_ns);
    }
    first_loads.ns[part] = first;
    first_loads.other_end_ns[part] = latest;
  }
  return true;
}

void PageWatch::lend(Range data) {
  if (!fits(data)) return;
  const Held held(busy_);
  protect_where(data, Protection::open, [](Page& page) {
    page.lent += page.lent < most_lent ? 1 : 0;
    page.expecting = false;
    return page.protection != Protection::open;
  });
}

void PageWatch::give_back(Range data) {
  if (!fits(data)) return;
  const Held held(busy_);
  const bool watch = may_spend(clock_ns()) && holds_ == 0;
  protect_where(data, Protection::no_stores, [&](Page& page) {
    page.lent -= page.lent > 0 && page.lent < most_lent ? 1 : 0;  // so often: for good
    const bool again = watch && page.sends && page.lent == 0;
    if (page.sends && page.lent == 0) page.stores_seen = again;
    return again;
  });
}

void PageWatch::lend_all() {
  const Held held(busy_);
  ++holds_;
  for (std::size_t i = 0; i < known_; ++i) {
    Page& page = page_of(known_pages_[i]);
    if (page.protection == Protection::open) continue;
    protect(known_pages_[i], 1, Protection::open);
    if (page.expecting) page.expecting = page.load_seen = false;
    page.stores_seen = false;
  }
}

void PageWatch::give_back_all() {
  const Held held(busy_);
  holds_ -= holds_ > 0 ? 1 : 0;
}

void PageWatch::touched(Range data, bool stores) {
  if (!fits(data) || not_the_program_()) return;
  const Held held(busy_);
  const std::uint64_t now_ns = clock_ns();
  for (std::uintptr_t number = first_page(data); number <= last_page(data); ++number) {
    Page& page = page_of(number);
    if (page.expecting) page.load_ns = now_ns;
    page.expecting = false;
    if (stores && page.sends) page.store_ns = now_ns;
  }
}

void PageWatch::freed(Range data) {
  if (!fits(data)) return;
  const Held held(busy_);
  protect_where(data, Protection::open, [](Page& page) {
    const bool is_protected = page.protection != Protection::open;
    if (is_protected) page.expecting = page.load_seen = page.stores_seen = false;
    return is_protected;
  });
}

void PageWatch::end_in_child() {
  busy_.clear();
  lend_all();
}

KernelLoan::KernelLoan(const void* begin, std::size_t bytes, bool stores)
    : watch_(active.load(std::memory_order_acquire)), data_{reinterpret_cast<std::uintptr_t>(begin), bytes} {
  if (watch_ == nullptr) return;
  watch_->touched(data_, stores);
  watch_->lend(data_);
}

KernelLoan::~KernelLoan() {
  if (watch_ != nullptr) watch_->give_back(data_);
}

void memory_is_freed(void* begin) {
  PageWatch* watch = active.load(std::memory_order_acquire);
  if (watch == nullptr || begin == nullptr) return;
  // The allocator's own words before and behind it.
  constexpr std::size_t around = 16;
  watch->freed({reinterpret_cast<std::uintptr_t>(begin) - around, ::malloc_usable_size(begin) + 2 * around});
}

struct sigaction* program_handler() {
  return active.load(std::memory_order_acquire) == nullptr ? nullptr : &handler_before;
}

}  // namespace stretto::memory
