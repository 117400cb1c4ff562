// SPDX-License-Identifier: BSD-3-Clause
// Several threads of one rank: what a fence promises to one of them holds whatever the others do meanwhile.
// Each of these fails, or hangs and so fails, where that is not so.
#include <array>
#include <atomic>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/transfer.hpp>
#include <thread>

#include "rma_world.hpp"

#ifndef STRETTO_SIMGRID  // where there are no threads

namespace stretto::testing {
namespace {

/// By message also to neighbours, whose memory can be looked at without another operation.
const Options by_message{
    .progress = Progress::thread, .path = Path::message, .segment_bytes = 1024, .outstanding = 4};

std::uint64_t look(const Region& region, int target) {
  auto* const there = reinterpret_cast<std::uint64_t*>(region.neighbour(target));
  return std::atomic_ref(*there).load(std::memory_order_acquire);
}

TEST(RmaThreads, AFenceCoversWhatItsThreadStartedWhileAnotherFencedTheSameTarget) {
  Runtime runtime(MPI_COMM_WORLD, by_message);
  Region region(runtime, sizeof(std::uint64_t));
  const int target = runtime.size() - 1;
  const std::uint64_t rounds = runtime.size() > 4 ? 100 : 1000;  // processors are scarce there
  if (runtime.rank() == 0) {
    std::atomic<bool> over{false};
    std::thread other([&] {
      while (!over) runtime.fence(target);
    });
    std::uint64_t missing = 0;
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      put_value(region, {.target = target}, round);
      runtime.fence(target);
      missing += look(region, target) == round ? 0 : 1;
    }
    over = true;
    other.join();
    EXPECT_EQ(missing, 0U) << "puts that were not there after a fence";
  }
  runtime.barrier();
}

TEST(RmaThreads, AFenceEndsThoughAnotherThreadAlwaysHasMoreToSend) {
  Runtime runtime(MPI_COMM_WORLD, by_message);
  constexpr std::size_t size =
      32 << 10;  // eight times what the buffers hold, so the next ones are always unsent
  Region region(runtime, 8 + size);
  const int target = runtime.size() - 1;
  if (runtime.rank() == 0) {
    std::atomic<bool> over{false};
    std::thread other([&] {
      const std::vector<std::byte> data(size);
      std::array<Handle, 4> handles;
      for (std::size_t i = 0; !over; i = (i + 1) % handles.size()) {
        runtime.wait(handles[i]);
        handles[i] = nonblocking::put(region, {.target = target, .offset = 8}, data);
      }
      runtime.wait_all(handles);
    });
    for (std::uint64_t round = 1; round <= (runtime.size() > 4 ? 5U : 30U); ++round) {
      put_value(region, {.target = target}, round);
      runtime.fence(target);
      EXPECT_EQ(look(region, target), round);
    }
    over = true;
    other.join();
  }
  runtime.barrier();
}

}  // namespace
}  // namespace stretto::testing

#endif
