// SPDX-License-Identifier: BSD-3-Clause
// Watches the data of messages in unmodified programs, by page protection. States of a page:
//
//   state      faults    begins when                                ends at
//   closed     loads,    a message has arrived in the page          the first access; its time is noted
//              stores
//   no_stores  stores    data was sent from the page; each round;   the first store; its time is noted
//                        after the first load of a closed page
//   open       nothing   MPI or the kernel is about to access the   reprotect(), or the next round
//                        page (unprotect); after a store
//
// So the first access after an arrival is exact. The last store before a send is known to within a round
// (`round_ns`), after which pages that were stored to are protected again. Pages are open while MPI or the
// kernel accesses them, because a system call does not fault at a protected page, it fails. Knows no MPI.
#pragma once

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <span>

#include "memory/addresses.hpp"
#include "memory/fault_mask.hpp"
#include "memory/watch.hpp"

namespace stretto::memory {

inline constexpr std::uint64_t round_ns = 1'000'000;
/// Default share of time for protecting pages and handling faults, without cache effects. Messages are not
/// watched while the share is exceeded.
inline constexpr double default_share = 0.04;

inline std::uintptr_t first_page(Range data) { return data.begin >> page_bits; }
inline std::uintptr_t last_page(Range data) { return (data.end() - 1) >> page_bits; }

/// Pages from the first to the last.
struct Pages {
  std::uintptr_t first;
  std::uintptr_t last;
};
inline Pages all_of(Range data) { return {first_page(data), last_page(data)}; }

/// A page with fewer bytes of a message counts as shared: accesses to its other data fault, too.
inline constexpr std::size_t nearly_whole = page_bytes / 4 * 3;

/// Number of the page's bytes that belong to the message.
[[nodiscard]] inline std::size_t covered(std::uintptr_t page, Range data) {
  const std::uintptr_t begin = page << page_bits;
  return std::min(begin + page_bytes, data.end()) - std::max(begin, data.begin);
}

class PageWatch final : public Watch {
 public:
  /// Creates the only watch and installs the SIGSEGV handler. `not_the_program`: whether the current thread
  /// runs code other than the program's own. `share`: the share of time that watching may take. Null where
  /// the system has no space for the table of pages.
  static PageWatch* begin(bool (*not_the_program)(), double share);

  /// Null while nothing is watched by page.
  [[nodiscard]] static PageWatch* running();

  bool produced(const Data& message, PartTimes& last_stores) override;
  std::uint32_t arrived(const Data& message) override;
  std::uint32_t overwritten(const Data& message) override;
  bool consumed(const Data& message, std::uint32_t epoch, PartTimes& first_loads) override;
  void unprotect(Range data) override;
  void reprotect(Range data) override;
  void unprotect_all() override;
  void reprotect_all() override;
  [[nodiscard]] std::string limits() const override;

  /// Notes that the program passes this memory to the kernel.
  void touched(Range data, bool stores);
  /// Notes that the memory is freed. It becomes accessible for its next user, which may be MPI or the kernel.
  void freed(Range data);
  /// Notes that the program moves, unmaps or protects this memory. Nothing is known of its pages afterwards.
  void remapped(Range data);
  /// Never watches the pages of this memory.
  void exclude(Range data);
  /// Starts the protecting thread.
  void begin_rounds();
  /// Ends it, when all memory is unprotected: a process ends with its last thread, if main ends by
  /// pthread_exit.
  void end_rounds();
  /// Ends watching in a child of fork(), which has no protecting thread.
  void end_in_child();
  /// Handles a fault. False where the page is not watched.
  bool on_fault(std::uintptr_t address, bool is_store);

 private:
  enum class Kind : std::uint8_t { unknown, watchable, excluded };
  enum class Protection : std::uint8_t { open, no_stores, closed };

  struct Page {
    Kind kind;
    Protection protection;
    bool sends;        // messages are sent from it: stores are of interest
    bool stores_seen;  // all stores since the last send from the page
    bool expecting;    // a message arrived, and was not touched yet
    bool load_seen;    // whether it was
    std::uint16_t unprotected;
    bool own;                     // the page belongs to messages, wholly or nearly
    std::uint8_t foreign_faults;  // otherwise: recent faults at data other than messages
    std::uint16_t begin;          // offsets of the messages' data
    std::uint16_t end;
    std::uint16_t changes;   // of its protection, modulo 2^16
    std::uint64_t since_ns;  // when it was first looked at; 0 for a page that never held a message
    std::uint64_t store_ns;
    std::uint64_t load_ns;
  };

  /// Holds the lock for its lifetime, where all signals are blocked: in the handler and the protecting
  /// thread.
  class HeldWithin {
   public:
    explicit HeldWithin(std::atomic_flag& busy) : busy_(busy) {
      while (busy_.test_and_set(std::memory_order_acquire)) ::sched_yield();
    }
    ~HeldWithin() { busy_.clear(std::memory_order_release); }
    HeldWithin(const HeldWithin&) = delete;
    HeldWithin& operator=(const HeldWithin&) = delete;

   private:
    std::atomic_flag& busy_;
  };

  /// The same in the program's threads. Signals wait until then: a handler of the program that touches a
  /// protected page, or writes, would wait for the lock of the thread that it interrupts.
  class Held {
   public:
    explicit Held(std::atomic_flag& busy) : held_(busy) {}

   private:
    SignalsWait signals_;
    HeldWithin held_;
  };

  [[nodiscard]] static bool fits(Range data) { return data.bytes > 0 && last_page(data) < process_pages; }
  /// Data in several blocks is not watched.
  [[nodiscard]] static Range only_block(const Data& data) {
    return data.blocks().size() == 1 ? data.blocks().front() : Range{};
  }
  [[nodiscard]] Page& page_of(std::uintptr_t page) { return table_[page]; }
  [[nodiscard]] std::span<Page> in(Pages pages) {
    return {table_ + pages.first, pages.last - pages.first + 1};
  }
  [[nodiscard]] std::uintptr_t number_of(const Page& page) const {
    return static_cast<std::uintptr_t>(&page - table_);
  }
  /// The pages that represent a message: pages that belong to it, or, if there are none, pages that it
  /// shares.
  [[nodiscard]] static Pages representative(Range data);
  /// The pages that represent a part: a page counts for the part that has more of it, and a part without a
  /// page takes the nearest one.
  [[nodiscard]] static Pages part_of(Pages pages, Range part);
  bool know(Pages pages, Range data);
  void forget(Pages gone);
  [[nodiscard]] bool holds_messages(Pages pages);
  void classify(Pages pages);
  /// Whether to stop watching a page that messages share with other data, because mostly the other data is
  /// accessed.
  [[nodiscard]] static bool is_tried(const Page& page) {
    return page.kind == Kind::watchable && (page.own || page.foreign_faults < max_foreign_faults);
  }
  [[nodiscard]] bool may_spend(std::uint64_t now_ns) const;
  void protect(std::uintptr_t page, std::size_t count, Protection protection);
  template <typename Which>
  void protect_where(Pages pages, Protection protection, const Which& which);
  /// Whether the page was stored to, and no call needs it unprotected.
  [[nodiscard]] bool to_protect(const Page& page) const {
    return page.sends && page.protection == Protection::open && page.unprotected == 0 && holds_ == 0;
  }
  void watch_stores_again();
  static void* rounds(void* self);
  void measure_faults();

  static constexpr std::size_t max_pages = std::size_t{1} << 16U;  // pages of messages: 256 MiB
  static constexpr std::size_t max_stored = 4096;
  static constexpr std::uint8_t max_foreign_faults = 2;

  Page* table_ = nullptr;
  pthread_t protecting_ = {};
  std::atomic<bool> has_rounds_ = false;
  std::atomic_flag busy_;
  bool (*not_the_program_)() = nullptr;
  double share_ = 0;
  std::uint64_t begin_ns_ = 0;
  std::uint64_t spent_ns_ = 0;
  std::uint64_t fault_ns_ = 0;
  std::uint64_t protecting_ns_ = 0;  // processor time of the protecting thread so far
  unsigned holds_ = 0;
  std::size_t known_ = 0;
  std::size_t too_many_ = 0;   // pages of messages beyond `max_pages`
  std::uint64_t arrived_ = 0;  // messages
  std::uint64_t unpaid_ = 0;   // of them, those for which no time was left
  std::size_t stored_ = 0;
  std::uintptr_t known_pages_[max_pages] = {};
  std::uintptr_t stored_pages_[max_stored] = {};  // since the last round
};

/// Unprotects a range for the kernel for its lifetime, as for read() and write(). `stores`: the kernel writes
/// there.
class KernelAccess {
 public:
  KernelAccess(const void* begin, std::size_t bytes, bool stores);
  ~KernelAccess();
  KernelAccess(const KernelAccess&) = delete;
  KernelAccess& operator=(const KernelAccess&) = delete;

 private:
  PageWatch* watch_;
  Range data_;
};

/// The stack of the calling thread; empty where it is not known.
[[nodiscard]] Range own_stack();

/// Called before free() and realloc().
void memory_is_freed(void* begin);
/// Called before munmap(), mremap(), mprotect(), and mmap() over other memory.
void memory_is_remapped(void* begin, std::size_t bytes);

}  // namespace stretto::memory
