// SPDX-License-Identifier: BSD-3-Clause
// Offsets and transfers beyond 2 GiB, on every path. Only rank 0 exposes memory.
#include <sys/mman.h>

#include <array>
#include <cstring>
#include <new>
#include <span>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/transfer.hpp>

#include "onesided_world.hpp"

namespace stretto::testing {
namespace {

constexpr std::size_t size = (std::size_t{2} << 30) + 4096;

/// Memory in few pages, where the system has large ones: half a million small ones take seconds to fault in.
class LargePages {
 public:
  explicit LargePages(std::size_t count)
      : count_(count),
        begin_(::mmap(nullptr, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (begin_ == MAP_FAILED) throw std::bad_alloc();
    (void)::madvise(begin_, count_, MADV_HUGEPAGE);
  }
  LargePages(const LargePages&) = delete;
  LargePages& operator=(const LargePages&) = delete;
  ~LargePages() { ::munmap(begin_, count_); }

  [[nodiscard]] std::span<std::byte> bytes() const { return {static_cast<std::byte*>(begin_), count_}; }

 private:
  std::size_t count_;
  void* begin_;
};

TEST(OnesidedLarge, FarPlacesAndLongTransfers) {
  // Without reports of long waits: rank 0 only waits.
  const Options direct{.progress = Progress::poll, .report_after_s = 0};
  Options rma = direct;
  rma.path = Path::rma;
  Options message = direct;
  message.path = Path::message;
  message.segment_bytes = 1 << 20;
  for (const Options& options : {direct, rma, message}) {
    Runtime runtime(MPI_COMM_WORLD, options);
    Region region(runtime, runtime.rank() == 0 ? size : 0);
    if (runtime.rank() == 1) {
      const std::array<std::size_t, 2> counts{8, 3};
      const std::array<std::size_t, 1> here{8};
      const std::array<std::size_t, 1> there{size / 2 - 16};
      const Strided shape{.counts = counts, .local_strides = here, .remote_strides = there};
      const std::array<std::uint64_t, 3> out{1, 2, 3};
      std::array<std::uint64_t, 3> in{};
      put(region, {.target = 0, .offset = 16}, out.data(), shape);
      get(region, {.target = 0, .offset = 16}, in.data(), shape);
      EXPECT_EQ(in, out);
      EXPECT_EQ(get_value<std::uint64_t>(region, {.target = 0, .offset = size - 16}), 3U);

      if (options.path == Path::rma) {  // the path whose calls count in int
        const LargePages pages(size - 1);
        const std::span<std::byte> whole = pages.bytes();
        std::memset(whole.data(), 0x5A, whole.size());
        put(region, {.target = 0, .offset = 1}, whole);
        std::memset(whole.data(), 0, whole.size());
        get(region, {.target = 0, .offset = 1}, whole);
        // memcmp tests that each byte equals the one before it: an unoptimised loop over gigabytes is slow.
        EXPECT_EQ(whole.front(), std::byte{0x5A});
        EXPECT_EQ(std::memcmp(whole.data(), whole.data() + 1, whole.size() - 1), 0);
      }
    }
    runtime.barrier();
    if (runtime.rank() == 0) {
      EXPECT_EQ(region.local().front(), std::byte{0});
      EXPECT_EQ(region.local().back(), options.path == Path::rma ? std::byte{0x5A} : std::byte{0});
    }
    runtime.barrier();
  }
}

}  // namespace
}  // namespace stretto::testing
