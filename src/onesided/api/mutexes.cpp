// SPDX-License-Identifier: BSD-3-Clause
// A queue lock (Mellor-Crummey and Scott, 1991) on the runtime's own atomics. The queue holds rank + 1, so
// that zeroed memory means no rank. A rank cannot leave the queue, so that a lock is continued after its
// wait has thrown: to enter again would make the rank its own predecessor.
#include <stretto/atomic.hpp>
#include <stretto/checked_size.hpp>
#include <stretto/error.hpp>
#include <stretto/mutexes.hpp>
#include <stretto/signal.hpp>
#include <string>

#include "mpi/check.hpp"
#include "onesided/api/access.hpp"
#include "onesided/api/agreement.hpp"
#include "onesided/api/runtime_state.hpp"
#include "onesided/memory/memory_operations.hpp"

namespace stretto {

using detail::checked_product;
using detail::checked_sum;

namespace {

constexpr std::size_t word = sizeof(std::uint64_t);

// Each rank's part has a row for every mutex: the tail of the queue (used at the owner), the rank that
// follows this one, and whether this rank has got the mutex.
constexpr std::size_t row = 3 * word;
std::size_t tail(std::size_t number) { return number * row; }
std::size_t next(std::size_t number) { return number * row + word; }
std::size_t turn(std::size_t number) { return number * row + 2 * word; }

std::vector<std::size_t> first_numbers(const Runtime& runtime, std::size_t count) {
  const MPI_Comm communicator = onesided::Access::state(runtime)->communicator.get();
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(runtime.size()));
  const std::uint64_t mine = count;
  onesided::Access::state(runtime)->barrier(communicator);
  mpi::check(MPI_Allgather(&mine, 1, MPI_UINT64_T, counts.data(), 1, MPI_UINT64_T, communicator),
             "MPI_Allgather");
  std::vector<std::size_t> first{0};
  // All ranks see the same counts, and refuse the same.
  for (const std::uint64_t one : counts) first.push_back(checked_sum("count", first.back(), one));
  (void)checked_product("count", first.back(), row);
  return first;
}

}  // namespace

Mutexes::Mutexes(Runtime& runtime, std::size_t count)
    : runtime_(runtime),
      first_(first_numbers(runtime, count)),
      queues_(runtime, first_.back() * row),
      entries_(first_.back()) {}

std::size_t Mutexes::number(int owner, std::size_t index) const {
  onesided::Access::state(runtime_)->check_target(owner);
  const auto place = static_cast<std::size_t>(owner);
  const std::size_t count = first_[place + 1] - first_[place];
  if (index >= count) {
    throw ArgumentError("index", "mutex " + std::to_string(index) + " is none of the " +
                                     std::to_string(count) + " of rank " + std::to_string(owner));
  }
  return first_[place] + index;
}

void Mutexes::lock(int owner, std::size_t index) {
  const std::size_t mutex = number(owner, index);
  Entry& entry = entries_[mutex];
  if (entry.step == Step::held)
    throw ArgumentError("index", "this rank holds mutex " + std::to_string(index) + " already");
  if (entry.step > Step::held)
    throw ArgumentError("index",
                        "the unlock of mutex " + std::to_string(index) + " has not ended: repeat it");
  acquire(entry, owner, mutex);
}

void Mutexes::acquire(Entry& entry, int owner, std::size_t mutex) {
  const auto me = static_cast<std::uint64_t>(runtime_.rank()) + 1;
  if (entry.step == Step::none) {
    reset_signal(queues_, next(mutex));
    reset_signal(queues_, turn(mutex));
    entry.handle = nonblocking::swap(queues_, {.target = owner, .offset = tail(mutex)}, me, entry.answer);
    entry.step = Step::entering;
  }
  if (entry.step == Step::entering) {
    runtime_.wait(entry.handle);
    if (entry.answer == 0) {
      entry.step = Step::held;
      return;
    }
    const int before = static_cast<int>(entry.answer) - 1;
    entry.handle = nonblocking::swap(queues_, {.target = before, .offset = next(mutex)}, me, entry.answer);
    entry.step = Step::linking;
  }
  if (entry.step == Step::linking) {
    runtime_.wait(entry.handle);
    entry.step = Step::queued;
  }
  (void)wait_signal(queues_, turn(mutex), 1);
  entry.step = Step::held;
}

void Mutexes::unlock(int owner, std::size_t index) {
  const std::size_t mutex = number(owner, index);
  Entry& entry = entries_[mutex];
  if (entry.step < Step::held)
    throw ArgumentError("index", "this rank does not hold mutex " + std::to_string(index));
  release(entry, owner, mutex);
}

void Mutexes::release(Entry& entry, int owner, std::size_t mutex) {
  const auto me = static_cast<std::uint64_t>(runtime_.rank()) + 1;
  if (entry.step == Step::held) {
    runtime_.fence();
    entry.handle = nonblocking::compare_swap(queues_, {.target = owner, .offset = tail(mutex)}, me,
                                             std::uint64_t{0}, entry.answer);
    entry.step = Step::leaving;
  }
  if (entry.step == Step::leaving) {
    runtime_.wait(entry.handle);
    if (entry.answer == me) {
      entry.step = Step::none;
      return;
    }
    entry.step = Step::followed;
  }
  if (entry.step == Step::followed) {
    const int after = static_cast<int>(wait_signal(queues_, next(mutex), 1)) - 1;
    entry.handle =
        nonblocking::swap(queues_, {.target = after, .offset = turn(mutex)}, std::uint64_t{1}, entry.answer);
    entry.step = Step::passing;
  }
  runtime_.wait(entry.handle);
  entry.step = Step::none;
}

void Mutexes::free() {
  onesided::agree(runtime_, [&] {
    for (const Entry& entry : entries_) {
      if (entry.step == Step::held) throw HandleError("a mutex is freed that this rank holds");
      if (entry.step != Step::none)
        throw HandleError("a mutex is freed that this rank is still locking or unlocking");
    }
  });
  queues_.free();
}

}  // namespace stretto
