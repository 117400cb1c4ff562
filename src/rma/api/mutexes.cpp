// SPDX-License-Identifier: BSD-3-Clause
// A queue lock (Mellor-Crummey and Scott, 1991) on the runtime's own atomics. The queue holds rank + 1, so
// that zeroed memory means no rank.
#include <stretto/atomic.hpp>
#include <stretto/checked_size.hpp>
#include <stretto/error.hpp>
#include <stretto/mutexes.hpp>
#include <stretto/signal.hpp>
#include <string>

#include "mpi/check.hpp"
#include "rma/api/access.hpp"
#include "rma/api/agreement.hpp"
#include "rma/api/runtime_state.hpp"
#include "rma/memory/memory_operations.hpp"

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
  const MPI_Comm communicator = rma::Access::state(runtime)->communicator.get();
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(runtime.size()));
  const std::uint64_t mine = count;
  rma::Access::state(runtime)->barrier(communicator);
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
      held_(first_.back(), 0) {}

std::size_t Mutexes::number(int owner, std::size_t index) const {
  rma::Access::state(runtime_)->check_target(owner);
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
  if (held_[mutex] != 0)
    throw ArgumentError("index", "this rank holds mutex " + std::to_string(index) + " already");
  const auto me = static_cast<std::uint64_t>(runtime_.rank()) + 1;
  reset_signal(queues_, next(mutex));
  reset_signal(queues_, turn(mutex));
  const std::uint64_t before = swap(queues_, {.target = owner, .offset = tail(mutex)}, me);
  if (before != 0) {
    swap(queues_, {.target = static_cast<int>(before) - 1, .offset = next(mutex)}, me);
    (void)wait_signal(queues_, turn(mutex), 1);
  }
  held_[mutex] = 1;
}

void Mutexes::unlock(int owner, std::size_t index) {
  const std::size_t mutex = number(owner, index);
  if (held_[mutex] == 0)
    throw ArgumentError("index", "this rank does not hold mutex " + std::to_string(index));
  held_[mutex] = 0;
  runtime_.fence();
  const auto me = static_cast<std::uint64_t>(runtime_.rank()) + 1;
  if (compare_swap(queues_, {.target = owner, .offset = tail(mutex)}, me, std::uint64_t{0}) == me) return;
  const std::uint64_t after = wait_signal(queues_, next(mutex), 1);
  swap(queues_, {.target = static_cast<int>(after) - 1, .offset = turn(mutex)}, std::uint64_t{1});
}

void Mutexes::free() {
  rma::agree(runtime_, [&] {
    for (const char held : held_) {
      if (held != 0) throw HandleError("a mutex is freed that this rank holds");
    }
  });
  queues_.free();
}

}  // namespace stretto
