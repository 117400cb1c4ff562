// SPDX-License-Identifier: BSD-3-Clause
// Regions over a program's own memory, distributed arrays, and active messages: what needs more than the
// memory that the runtime allocates.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <stretto/accumulate.hpp>
#include <stretto/array.hpp>
#include <stretto/atomic.hpp>
#include <stretto/error.hpp>
#include <stretto/region.hpp>
#include <stretto/remote_function.hpp>
#include <stretto/runtime.hpp>
#include <stretto/signal.hpp>
#include <stretto/transfer.hpp>

#include "onesided/memory/window_lock.hpp"
#include "onesided_world.hpp"

namespace stretto::testing {
namespace {

class OnesidedMemory : public EverySetting {};
INSTANTIATE_TEST_SUITE_P(Settings, OnesidedMemory, ::testing::ValuesIn(settings()), name_of);

TEST_P(OnesidedMemory, ARegionOverAProgramsMemoryTakesEveryOperation) {
  Runtime runtime(MPI_COMM_WORLD, options());
  constexpr std::size_t size = 6000;
  std::vector<std::uint64_t> own(size / 8 + 4, 0);
  const auto bytes = std::as_writable_bytes(std::span(own));
  Region allocated(runtime, 64);
  Region region(runtime, bytes);
  EXPECT_EQ(region.local().data(), bytes.data());
  const int right = (runtime.rank() + 1) % runtime.size();
  const int left = (runtime.rank() + runtime.size() - 1) % runtime.size();
  const auto data = patterned(runtime.rank(), size, 5);
  // Blocking stores to both kinds of memory take effect in order.
  put_value(allocated, {.target = right}, 1);
  Handle handle = nonblocking::put_signal(region, {.target = right}, data, {.offset = size});
  wait_signal(region, size, 1);
  const auto expected = patterned(left, size, 5);
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), bytes.begin()));
  runtime.wait(handle);
  runtime.fence(right);  // the get may take another path, and nothing else orders it after a nonblocking put
  std::vector<std::byte> got(size);
  get(region, {.target = right}, got);
  EXPECT_EQ(got, data);
  atomic_add(region, {.target = 0, .offset = size + 8}, 1.5);
  const std::array<double, 1> one{2.0};
  accumulate(region, {.target = 0, .offset = size + 20}, one, Scale::of(1.0));  // not aligned
  put_value(allocated, {.target = right}, 2);
  runtime.barrier();
  EXPECT_EQ(allocated.local_as<int>()[0], 2);
  EXPECT_EQ((get_value<double>(region, {.target = 0, .offset = size + 8})), 1.5 * runtime.size());
  EXPECT_EQ((get_value<double>(region, {.target = 0, .offset = size + 20})), 2.0 * runtime.size());
  runtime.barrier();
  EXPECT_THROW(Region(runtime, bytes.subspan(1)), ArgumentError);
  Region part(runtime.world(), bytes.first(runtime.rank() == 0 ? 16 : 0));
  EXPECT_THROW(put_value(part, {.target = runtime.size() > 1 ? 1 : 0, .offset = 16}, 1), ArgumentError);
  put_value(part, {.target = 0}, 7);
  runtime.barrier();
}

TEST_P(OnesidedMemory, ADistributedArrayHasLocalAndRemoteBlocks) {
  Runtime runtime(MPI_COMM_WORLD, options());
  constexpr std::size_t size = 1001;
  Array<double> array(runtime, size);
  std::size_t elements = 0;
  for (int rank = 0; rank < runtime.size(); ++rank) elements += array.elements_of(rank);
  EXPECT_EQ(elements, size);
  EXPECT_EQ(array.local().size(), array.elements_of(runtime.rank()));
  for (std::size_t i = 0; i < array.local().size(); ++i) {
    array.local()[i] = static_cast<double>(array.first_local() + i);
  }
  runtime.barrier();
  std::vector<double> all(size);
  array.get(0, all);
  for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(all[i], static_cast<double>(i));
  runtime.barrier();
  const std::vector<double> ones(size, 1.0);
  array.accumulate(0, ones, 2.0);
  runtime.barrier();
  EXPECT_EQ(array.get(size - 1), static_cast<double>(size - 1) + 2 * runtime.size());
  runtime.barrier();
  if (runtime.rank() == 0) array.put(1, std::span<const double>(all).subspan(0, size - 1));
  runtime.barrier();
  const GlobalPointer<double> second = array.pointer(0) + 1;
  EXPECT_EQ(second.get(), 0.0);
  EXPECT_EQ(array.owner(size - 1), array.pointer(size - 1).rank());
  const double* const here = second.node_local();
  EXPECT_EQ(here == nullptr ? 0.0 : *here, 0.0);
  EXPECT_THROW((void)(array.pointer(0) + -1).node_local(), ArgumentError);
  const auto here_count = static_cast<std::ptrdiff_t>(array.elements_of(0));
  EXPECT_NO_THROW((void)(array.pointer(0) + here_count).node_local());
  EXPECT_THROW((void)(array.pointer(0) + (here_count + 1)).node_local(), ArgumentError);
  EXPECT_THROW((void)array.get(size), ArgumentError);
  EXPECT_THROW(array.put(2, std::span<const double>(all)), ArgumentError);
  runtime.barrier();
}

TEST_P(OnesidedMemory, AnActiveMessageRunsAtItsTarget) {
  Runtime runtime(MPI_COMM_WORLD, options());
  Region region(runtime, 8);
  std::atomic<std::uint64_t> sum{0};
  std::atomic<int> calls{0};
  std::atomic<bool> in_order{true};
  std::vector<std::uint64_t> last(static_cast<std::size_t>(runtime.size()), 0);
  RemoteFunction add(runtime, [&](int source, std::span<const std::byte> payload) {
    std::uint64_t number = 0;
    std::memcpy(&number, payload.data(), sizeof number);
    if (number != last[static_cast<std::size_t>(source)] + 1) in_order = false;
    last[static_cast<std::size_t>(source)] = number;
    sum += number;
  });
  // Its function answers by a put.
  RemoteFunction answer(runtime, [&](int source, std::span<const std::byte> payload) {
    ++calls;
    atomic_add(region, {.target = source}, static_cast<std::uint64_t>(payload.size()));
  });
  constexpr std::uint64_t count = 50;
  const std::vector<std::byte> most(answer.max_bytes());
  for (std::uint64_t i = 1; i <= count; ++i) {
    for (int target = 0; target < runtime.size(); ++target) add.call(target, std::span(&i, 1));
  }
  answer.call(runtime.size() - 1, most);
  answer.call(runtime.size() - 1, Source(nullptr, 0));
  wait_signal(region, 0, most.size());
  EXPECT_THROW(add.call(0, std::vector<std::byte>(add.max_bytes() + 1)), ArgumentError);
  EXPECT_THROW(add.call(runtime.size(), most), ArgumentError);
  for (int target = 0; target < runtime.size(); ++target) runtime.fence(target);
  runtime.barrier();
  EXPECT_EQ(sum, static_cast<std::uint64_t>(runtime.size()) * count * (count + 1) / 2);
  EXPECT_EQ(calls, runtime.rank() == runtime.size() - 1 ? 2 * runtime.size() : 0);
  EXPECT_TRUE(in_order);
  runtime.barrier();
}

// What the inner handler ends is not the outer one: a put of the latter would otherwise fence first, and wait
// for its own call.
TEST_P(OnesidedMemory, AHandlerMayPollAnotherRuntime) {
  Options quick = options();
  quick.timeout_s = 10;
  Runtime runtime(MPI_COMM_WORLD, quick);
  Runtime other(MPI_COMM_WORLD, quick);
  Region region(runtime, 8);
  std::atomic<int> inner{0};
  std::atomic<int> outer{0};
  RemoteFunction within(other, [&](int, std::span<const std::byte>) { ++inner; });
  const int self = runtime.rank();
  RemoteFunction around(runtime, [&](int, std::span<const std::byte>) {
    within.call(self, Source(nullptr, 0));
    for (int polls = 0; polls < 100; ++polls) other.poll();
    const std::uint64_t number = 17;
    put(region, {.target = self}, std::span(&number, 1));
    ++outer;
  });
  for (int call = 0; call < 3; ++call) around.call(self, Source(nullptr, 0));
  runtime.fence();
  EXPECT_EQ(outer, 3);
  other.fence();
  EXPECT_EQ(inner, 3);
  EXPECT_EQ(get_value<std::uint64_t>(region, {.target = self}), 17U);
  other.barrier();
  runtime.barrier();
}

#ifdef STRETTO_WINDOW_CREATION_LOCKED
TEST(OnesidedWindowLock, NobodyWhoKnowsANameCanHoldIt) {
  // What stretto once locked, by a name that any user can take.
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  const std::string name =
      std::string("/dev/shm/stretto-windows.") + host.data() + "." + std::to_string(getuid());
  const int file = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  (void)flock(file, LOCK_EX | LOCK_NB);  // one rank of the node holds it
  MPI_Barrier(MPI_COMM_WORLD);
  for (const bool with_job_directory : {true, false}) {
    if (!with_job_directory) ::unsetenv("OMPI_MCA_orte_jobfam_session_dir");
    Runtime runtime(MPI_COMM_WORLD, {.node_ranks = 1});
    Region region(runtime, 64);  // waits for nobody else
    runtime.barrier();
  }
  ::close(file);
  ::unlink(name.c_str());
}
#endif

}  // namespace
}  // namespace stretto::testing
