// SPDX-License-Identifier: BSD-3-Clause
// Requests of more ranks than there are buffers: from all ranks to rank 0, and around a ring.
#include <stretto/atomic.hpp>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/signal.hpp>
#include <stretto/transfer.hpp>

#include "onesided_world.hpp"

namespace stretto::testing {
namespace {

TEST(OnesidedManyRanks, RequestsOfAllRanksAreServed) {
  Runtime runtime(
      MPI_COMM_WORLD,
      {.progress = Progress::poll, .path = Path::message, .segment_bytes = 1024, .outstanding = 4});
  const auto ranks = static_cast<std::size_t>(runtime.size());
  constexpr std::size_t data_bytes = 3000;
  const std::size_t flag = data_bytes;
  const std::size_t counter = flag + 8;
  const std::size_t marks = counter + 8;
  Region region(runtime, marks + 8 * ranks);
  const int right = (runtime.rank() + 1) % runtime.size();
  const int left = (runtime.rank() + runtime.size() - 1) % runtime.size();
  const auto data = patterned(runtime.rank(), data_bytes, 1);
  put_signal(region, {.target = right}, data, {.offset = flag});
  for (std::int64_t i = 0; i < 10; ++i) {
    (void)fetch_add(region, {.target = 0, .offset = counter}, std::int64_t{1});
    put_value(region, {.target = 0, .offset = marks + 8 * static_cast<std::size_t>(runtime.rank())}, i);
  }
  wait_signal(region, flag, 1);
  EXPECT_EQ(std::memcmp(region.local().data(), patterned(left, data_bytes, 1).data(), data_bytes), 0);
  std::vector<std::byte> got(data_bytes);
  get(region, {.target = right}, got);
  EXPECT_EQ(got, data);
  runtime.barrier();
  if (runtime.rank() == 0) {
    EXPECT_EQ(region.local_as<std::int64_t>()[counter / 8], 10 * runtime.size());
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      EXPECT_EQ(region.local_as<std::int64_t>()[marks / 8 + rank], 9) << "of rank " << rank;
    }
  }
  runtime.barrier();
}

}  // namespace
}  // namespace stretto::testing
