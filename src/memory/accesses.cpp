// SPDX-License-Identifier: BSD-3-Clause
// Loads and stores that instrumented code reports because the shadow byte of their granule is not zero, and
// one store in many as a sample. A load of a marked granule makes the thread's next store marked: the stored
// value may depend on the message. So is the store that follows it closely in the code, because a loop's
// body may load several values first and then store them all.
#include <algorithm>
#include <limits>
#include <utility>

#include "memory/entry_points.hpp"
#include "memory/epochs.hpp"
#include "memory/granules.hpp"
#include "memory/in_flight.hpp"
#include "memory/signal_handlers.hpp"
#include "memory/thread_state.hpp"
#include "memory/work_log.hpp"

namespace stretto::memory {
namespace {

constexpr std::uintptr_t straight_line_bytes = 1024;
constexpr std::size_t large_block = 512;  // bytes of a copy that are timed on their own

/// The next store calls the runtime.
void attend(ThreadState& thread) {
  if (thread.period == 0) return;
  thread.iteration = {};
  thread.unmarked += static_cast<std::uint32_t>(thread.period - thread.left);
  thread.left = thread.period = 0;
}

/// Notes where the data of an arrival is accessed for the first time.
void note_first_access(std::uint8_t slot, std::uintptr_t pc) {
  if (slot == 0 || slot == unread_slot) return;
  std::atomic<std::uintptr_t>& place = first_access_of(epoch_of(slot));
  if (place.load(std::memory_order_relaxed) == 0) place.store(pc, std::memory_order_relaxed);
}

/// The newest of the slots that these granules are marked with; forgets marks that no longer count.
std::uint8_t look_at(ThreadState& thread, std::uintptr_t first, std::uintptr_t last, std::uintptr_t pc) {
  std::uint8_t newest = 0;
  for (std::uintptr_t granule = first; granule <= last; ++granule) {
    const std::uint8_t byte = shadow_of(granule);
    if ((byte & loads_mask) == 0) continue;
    const std::uint8_t slot = byte & slot_mask;
    if ((byte & stores_watched) != 0) {  // others are of no message
      if (note_load(granule)) note_first_access(slot, pc);
      in_flight::loaded(granule, pc);
    }
    if (!is_alive(slot)) {
      set_shadow(granule, byte & stores_watched);
    } else if ((byte & scalar_mark) != 0 && thread.log != nullptr) {
      thread.log->depend_on(slot, ticks());
    } else {
      newest = std::max(newest, slot);
    }
  }
  return newest;
}

/// The slot of the newest arrival before which nothing may be stored to these granules, 0: none: MPI was
/// still reading what was sent from there.
std::uint8_t slot_of_returned(std::uintptr_t first, std::uintptr_t last) {
  std::uint8_t newest = 0;
  for (std::uintptr_t granule = first; granule <= last; ++granule) {
    if ((shadow_of(granule) & stores_watched) != 0)
      newest = std::max(newest, slot_of(returned_with(granule)));
  }
  return newest;
}

/// Marks what is stored with `slot`, 0: with none. Other bytes of the first and last granule keep their mark.
void mark(std::uintptr_t address, std::size_t bytes, std::uint8_t slot, std::uintptr_t source,
          std::uintptr_t pc) {
  const std::uintptr_t last = granule_of(address + bytes - 1);
  for (std::uintptr_t granule = granule_of(address); granule <= last; ++granule) {
    const std::uint8_t byte = shadow_of(granule);
    const std::uintptr_t begin = granule << granule_bits;
    if ((byte & stores_watched) != 0) {
      const std::uintptr_t from = source == 0 ? 0 : source + (std::max(begin, address) - address);
      if (note_store(granule, from, pc)) note_first_access(byte & slot_mask, pc);
      in_flight::stored(granule, pc);
    }
    const bool whole = address <= begin && begin + granule_bytes <= address + bytes;
    const std::uint8_t before = byte & slot_mask;
    const std::uint8_t kept = !whole && is_alive(before) ? std::max(before, slot) : slot;
    const auto changed = static_cast<std::uint8_t>((byte & stores_watched) | kept);
    if (changed != byte) set_shadow(granule, changed);
  }
}

/// Marks a copied block as its source is marked: granule by granule, or, where they do not match, as a whole.
void copy_marks(std::uintptr_t to, std::uintptr_t from, std::size_t bytes, std::uint8_t newest,
                std::uintptr_t pc) {
  if (newest == 0 || from % granule_bytes != to % granule_bytes) {
    mark(to, bytes, newest, from, pc);
    return;
  }
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t size = std::min(bytes - done, granule_bytes - (to + done) % granule_bytes);
    const std::uint8_t slot = shadow_of(granule_of(from + done)) & slot_mask;
    mark(to + done, size, is_alive(slot) ? slot : std::uint8_t{0}, from + done, pc);
    done += size;
  }
}

/// So many unmarked stores before a marked one are a sample of their own.
constexpr std::uint32_t unmarked_stretch = 8;

/// Counts a store with the sample that it belongs to.
void count(ThreadState& thread, std::uint8_t slot, std::uintptr_t pc) {
  if (slot == 0) {
    ++thread.unmarked;
  } else {
    if (thread.marked > 0 && thread.run != slot) thread.log->sample(ticks(), pc);
    if (thread.marked == 0 && thread.unmarked >= unmarked_stretch) thread.log->end_unmarked(ticks(), pc);
    thread.run = slot;
    thread.run_pc = pc;
    ++thread.marked;
  }
  if (thread.unmarked + thread.marked >= thread.until_sample) thread.log->sample(ticks(), pc);
  const std::uint32_t stores = thread.unmarked + thread.marked;
  // While marked values are stored, or an iteration is measured, the runtime looks at every store.
  const bool looks = thread.straight_line != 0 || thread.awaiting != 0;
  thread.left = thread.period = looks ? 0 : static_cast<std::int32_t>(thread.until_sample - stores);
}

/// An iteration of a loop with more stores is not measured.
constexpr std::uint32_t max_loop_stores = 64;

/// Of an iteration with marked stores, all stores count as marked: a loop is divided between its iterations.
void mark_whole(ThreadState& thread, std::uint32_t marked) {
  if (thread.loop_stores <= marked) return;
  const std::uint32_t others = thread.loop_stores - marked;
  thread.unmarked -= std::min(others, thread.unmarked);
  thread.marked += others;
}

/// The code has gone back to `pc`: an iteration ends, and another one begins there.
void end_iteration(ThreadState& thread, std::uintptr_t pc) {
  const Iteration ended = std::exchange(thread.iteration, {.first_pc = pc, .stores = 0, .marked = 0});
  if (ended.first_pc == pc) {
    thread.loop_pc = pc;
    thread.loop_stores = ended.stores;
  }
  const bool is_known = thread.loop_pc == pc;
  if (const std::uint32_t before = std::exchange(thread.awaiting, 0); before != 0 && is_known) {
    mark_whole(thread, before);
  }
  if (ended.marked == 0) return;
  if (is_known) {
    mark_whole(thread, ended.marked);
  } else {
    thread.awaiting = ended.marked;
  }
}

/// What the stored value depends on. `newest`: the newest mark among what was loaded for it.
std::uint8_t depends_on(ThreadState& thread, std::uint8_t newest, std::uintptr_t pc) {
  const std::int32_t unseen = thread.period - thread.left - 1;  // stores since the last look
  if (unseen > 0) {
    thread.unmarked += static_cast<std::uint32_t>(unseen);
    thread.straight_line = 0;
    thread.iteration = {};
  }
  const bool ahead = pc > thread.last_store_pc && pc - thread.last_store_pc < straight_line_bytes;
  if (!ahead && unseen <= 0) end_iteration(thread, pc);
  if (ahead) newest = std::max(newest, thread.straight_line);
  thread.straight_line = newest;
  thread.last_store_pc = pc;
  const std::uint8_t slot = newest > thread.base ? newest : std::uint8_t{0};
  ++thread.iteration.stores;
  if (slot != 0) ++thread.iteration.marked;
  if (thread.iteration.stores > max_loop_stores) thread.awaiting = 0;
  return slot;
}

/// Takes the time of one in `timed_accesses` of the runtime's calls, which is not the program's time.
class OwnTime {
 public:
  explicit OwnTime(ThreadState& thread)
      : thread_(thread), begin_(++thread.accesses % timed_accesses == 0 ? ticks() : 0) {}
  ~OwnTime() {
    if (begin_ == 0) return;
    const std::uint64_t passed = ticks() - begin_;
    if (passed < suspicious_ticks) thread_.own_ticks += passed;
  }
  OwnTime(const OwnTime&) = delete;
  OwnTime& operator=(const OwnTime&) = delete;

 private:
  ThreadState& thread_;
  std::uint64_t begin_;
};

/// Keeps the runtime's work on a large range out of the program's time.
class Untimed {
 public:
  Untimed(ThreadState& thread, std::size_t bytes, std::uintptr_t pc)
      : thread_(thread), logs_(thread.log != nullptr && bytes >= large_block) {
    if (!logs_) return;
    attend(thread);
    thread.log->sample(ticks(), pc);
    begin_ = ticks();
  }
  ~Untimed() {
    if (logs_) thread_.log->resume_sample(begin_);
  }
  Untimed(const Untimed&) = delete;
  Untimed& operator=(const Untimed&) = delete;

 private:
  ThreadState& thread_;
  bool logs_;
  std::uint64_t begin_ = 0;
};

void store(ThreadState& thread, std::uintptr_t address, std::size_t bytes, std::uintptr_t pc) {
  std::uint8_t slot = 0;
  if (thread.log != nullptr) {
    const std::uint8_t returned = slot_of_returned(granule_of(address), granule_of(address + bytes - 1));
    slot = depends_on(thread, std::max(thread.newest, returned), pc);
  }
  thread.newest = 0;
  {
    const OwnTime own(thread);
    mark(address, bytes, slot, thread.last_load, pc);
  }
  if (thread.log != nullptr) {
    count(thread, slot, pc);
  } else {
    thread.left = thread.period = std::numeric_limits<std::int32_t>::max();
  }
}

}  // namespace
}  // namespace stretto::memory

using namespace stretto::memory;

void stretto_memory_loads(std::uintptr_t address, std::size_t bytes, std::uintptr_t pc) {
  if (bytes == 0 || in_signal_handler()) return;
  ThreadState& thread = stretto_memory_thread;
  const OwnTime own(thread);
  const std::uint8_t newest = look_at(thread, granule_of(address), granule_of(address + bytes - 1), pc);
  if (newest == 0) return;
  thread.newest = std::max(thread.newest, newest);
  attend(thread);
}

void stretto_memory_stores(std::uintptr_t address, std::size_t bytes, std::uintptr_t pc) {
  if (bytes > 0 && !in_signal_handler()) store(stretto_memory_thread, address, bytes, pc);
}

void stretto_memory_range_stores(std::uintptr_t address, std::size_t bytes, std::uintptr_t pc) {
  if (bytes == 0 || in_signal_handler()) return;
  ThreadState& thread = stretto_memory_thread;
  const Untimed untimed(thread, bytes, pc);
  // Not counted as a store: the copy that it announces is.
  const bool depends = thread.log != nullptr && thread.newest > thread.base;
  mark(address, bytes, depends ? thread.newest : std::uint8_t{0}, 0, pc);
  thread.newest = 0;
  thread.range_to = address;
  thread.range_bytes = bytes;
}

void stretto_memory_range_loads(std::uintptr_t address, std::size_t bytes, std::uintptr_t pc) {
  if (bytes == 0 || in_signal_handler()) return;
  ThreadState& thread = stretto_memory_thread;
  const Untimed untimed(thread, bytes, pc);
  const std::uint8_t newest = look_at(thread, granule_of(address), granule_of(address + bytes - 1), pc);
  if (std::exchange(thread.range_bytes, 0) == bytes) {  // it is copied to there
    copy_marks(thread.range_to, address, bytes, newest, pc);
  } else if (newest != 0) {
    thread.newest = std::max(thread.newest, newest);
    attend(thread);
  }
}

void stretto_memory_block_begins(std::uintptr_t to, std::uintptr_t from, std::size_t bytes,
                                 std::uintptr_t pc) {
  if (bytes == 0 || in_signal_handler()) return;
  ThreadState& thread = stretto_memory_thread;
  const Untimed untimed(thread, bytes, pc);
  std::uint8_t newest = 0;
  if (from != 0) newest = look_at(thread, granule_of(from), granule_of(from + bytes - 1), pc);
  copy_marks(to, from, bytes, newest, pc);
  if (newest > thread.base) {
    thread.run = newest;
    thread.run_pc = pc;
    ++thread.marked;
  } else {
    ++thread.unmarked;
  }
}

void stretto_memory_block_ends(std::size_t bytes, std::uintptr_t pc) {
  const ThreadState& thread = stretto_memory_thread;
  if (thread.log != nullptr && bytes >= large_block && !in_signal_handler()) thread.log->sample(ticks(), pc);
}
