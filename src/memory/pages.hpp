// SPDX-License-Identifier: BSD-3-Clause
// Programs as they are, watched by the protection of pages: the first touch of a page after a message came is
// seen exactly, the last store before it is sent to within a round, after which pages that were stored to are
// protected again. Knows no MPI: what MPI or the kernel is about to touch is lent to it, and accessible
// meanwhile.
#pragma once

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>

#include "memory/addresses.hpp"
#include "memory/watch.hpp"

namespace stretto::memory {

inline constexpr std::uint64_t round_ns = 1'000'000;
/// What protecting pages and their faults may take of the time where nobody says otherwise, as it is counted:
/// of what they cost in caches nobody is told. Beyond it messages go unwatched.
inline constexpr double share_unless_said = 0.04;

inline std::uintptr_t first_page(Range data) { return data.begin >> page_bits; }
inline std::uintptr_t last_page(Range data) { return (data.end() - 1) >> page_bits; }

/// From the first to the last.
struct Pages {
  std::uintptr_t first;
  std::uintptr_t last;
};
inline Pages all_of(Range data) { return {first_page(data), last_page(data)}; }

/// A page of which less is a message's is touched with what lies beside that.
inline constexpr std::size_t nearly_whole = page_bytes / 4 * 3;

/// How many of a page's bytes are the message's.
[[nodiscard]] inline std::size_t covered(std::uintptr_t page, Range data) {
  const std::uintptr_t begin = page << page_bits;
  return std::min(begin + page_bytes, data.end()) - std::max(begin, data.begin);
}

class PageWatch final : public Watch {
 public:
  /// The only one; from now on SIGSEGV is handled. `not_the_program`: whether the thread at hand runs code
  /// that is not the program's own. `share`: what watching may take of the time. Null: the system gives no
  /// room for the table of pages.
  static PageWatch* begin(bool (*not_the_program)(), double share);

  /// Null while nothing is watched by page.
  [[nodiscard]] static PageWatch* running();

  bool produced(Range data, PartTimes& last_stores) override;
  void arrived(Range data) override;
  void overwritten(Range data) override;
  bool consumed(Range data, PartTimes& first_loads) override;
  void lend(Range data) override;
  void give_back(Range data) override;
  void lend_all() override;
  void give_back_all() override;

  /// The program has the kernel touch it.
  void touched(Range data, bool stores);
  /// It is freed: whoever gets it next, MPI or the kernel for it, finds it accessible.
  void freed(Range data);
  /// In a child of fork(): there is no one who protects again.
  void end_in_child();
  /// False: it is none of ours.
  bool on_fault(std::uintptr_t address, bool is_store);

 private:
  enum class Kind : std::uint8_t { unknown, watchable, excluded };
  enum class Protection : std::uint8_t { open, no_stores, closed };

  struct Page {
    Kind kind;
    Protection protection;
    bool sends;        // messages are sent from it: stores are of interest
    bool stores_seen;  // all of them, since it was last sent from
    bool expecting;    // a message came, and nobody has touched it yet
    bool load_seen;    // whether somebody did
    std::uint16_t lent;
    bool own;              // all of it is a message's, or nearly
    std::uint8_t strikes;  // else: faults beside messages, of late
    std::uint16_t begin;   // offsets: messages lie between
    std::uint16_t end;
    std::uint64_t since_ns;
    std::uint64_t store_ns;
    std::uint64_t load_ns;
  };

  /// The lock, for as long as this lives.
  class Held {
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

  [[nodiscard]] static bool fits(Range data) { return data.bytes > 0 && last_page(data) < process_pages; }
  [[nodiscard]] Page& page_of(std::uintptr_t page) { return table_[page]; }
  [[nodiscard]] std::uintptr_t number_of(const Page& page) const {
    return static_cast<std::uintptr_t>(&page - table_);
  }
  /// Those that tell about a message: its own, and where it has none, those that it shares.
  [[nodiscard]] static Pages telling(Range data);
  /// Of these, those that tell about a part: a page counts for the part that has more of it, and a part that
  /// has none takes the nearest.
  [[nodiscard]] static Pages part_of(Pages pages, Range part);
  bool know(Pages pages, Range data);
  void classify(Pages pages);
  /// A page that messages share is given up when it is not them that are touched.
  [[nodiscard]] static bool is_tried(const Page& page) {
    return page.kind == Kind::watchable && (page.own || page.strikes < most_strikes);
  }
  [[nodiscard]] bool may_spend(std::uint64_t now_ns) const;
  void protect(std::uintptr_t page, std::size_t count, Protection protection);
  template <typename Which>
  void protect_where(Pages pages, Protection protection, const Which& which);
  /// It was stored to, and nobody has it on loan.
  [[nodiscard]] bool to_protect(const Page& page) const {
    return page.protection == Protection::open && page.lent == 0 && holds_ == 0;
  }
  void watch_stores_again();
  static void* rounds(void* self);
  void begin_rounds();
  void measure_faults();

  static constexpr std::size_t most_pages = std::size_t{1} << 16U;  // of messages: 256 MiB
  static constexpr std::size_t most_stored = 4096;
  static constexpr std::uint8_t most_strikes = 2;

  Page* table_ = nullptr;
  std::atomic_flag busy_;
  bool (*not_the_program_)() = nullptr;
  double share_ = 0;
  std::uint64_t begin_ns_ = 0;
  std::uint64_t spent_ns_ = 0;
  std::uint64_t fault_ns_ = 0;
  std::uint64_t helper_ns_ = 0;  // processor time of the thread that protects again, so far
  unsigned holds_ = 0;
  std::size_t known_ = 0;
  std::size_t stored_ = 0;
  std::uintptr_t known_pages_[most_pages] = {};
  std::uintptr_t stored_pages_[most_stored] = {};  // since the last round
};

/// A range that the kernel is about to touch, as read() and write() let it; `stores`: it writes there. For as
/// long as this lives.
class KernelLoan {
 public:
  KernelLoan(const void* begin, std::size_t bytes, bool stores);
  ~KernelLoan();
  KernelLoan(const KernelLoan&) = delete;
  KernelLoan& operator=(const KernelLoan&) = delete;

 private:
  PageWatch* watch_;
  Range data_;
};

/// Of free() and realloc(), before them.
void memory_is_freed(void* begin);

/// Where the program's own handler of SIGSEGV is kept; null while nothing is watched by page.
[[nodiscard]] struct sigaction* program_handler();

}  // namespace stretto::memory
