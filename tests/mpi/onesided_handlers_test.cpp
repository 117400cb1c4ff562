// SPDX-License-Identifier: BSD-3-Clause
// Handlers that throw during a collective call: the rank stays in step with the others, and its next call
// that waits throws.
#include <unistd.h>

#include <functional>
#include <optional>
#include <stdexcept>
#include <stretto/mutexes.hpp>
#include <stretto/region.hpp>
#include <stretto/remote_function.hpp>
#include <stretto/runtime.hpp>
#include <stretto/team.hpp>

#include "onesided_world.hpp"

namespace stretto::testing {
namespace {

class OfAHandler : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Calls what throws at rank 1, which does not serve before it is in the collective call itself.
class OnesidedHandlers : public ::testing::TestWithParam<Progress> {
 protected:
  void throws_during(const std::function<void()>& collective) {
    MPI_Barrier(MPI_COMM_WORLD);  // rank 1 has left its last call, which would serve this one
    if (runtime_.rank() == 0) fail_.call(1, Source(nullptr, 0));
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_NO_THROW(collective()) << "rank " << runtime_.rank();
    if (runtime_.rank() == 1) {
      EXPECT_THROW(runtime_.barrier(), OfAHandler);
    } else {
      EXPECT_NO_THROW(runtime_.barrier());
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }

  Runtime runtime_{MPI_COMM_WORLD, {.progress = GetParam()}};
  RemoteFunction fail_{runtime_, [](int, std::span<const std::byte>) { throw OfAHandler("of a handler"); }};
};
INSTANTIATE_TEST_SUITE_P(Progress, OnesidedHandlers, ::testing::Values(Progress::none, Progress::poll));

TEST_P(OnesidedHandlers, AFunctionMadeAtTheSameTimeExists) {
  int calls = 0;
  std::optional<RemoteFunction> made;
  throws_during([&] { made.emplace(runtime_, [&](int, std::span<const std::byte>) { ++calls; }); });
  made->call((runtime_.rank() + 1) % runtime_.size(), Source(nullptr, 0));
  made->free();
  EXPECT_EQ(calls, 1);
}

TEST_P(OnesidedHandlers, ARegionIsMadeAndFreedAtTheSameTime) {
  std::optional<Region> made;
  throws_during([&] { made.emplace(runtime_, 64); });
  EXPECT_EQ(made->size_bytes((runtime_.rank() + 1) % runtime_.size()), 64U);
  throws_during([&] { made->free(); });
}

TEST_P(OnesidedHandlers, MutexesAndTeamsAreMadeAtTheSameTime) {
  std::optional<Mutexes> made;
  throws_during([&] { made.emplace(runtime_, 1); });
  made->lock(0, 0);
  made->unlock(0, 0);
  throws_during([&] { made->free(); });
  throws_during([&] { (void)runtime_.world().split(0, runtime_.rank()); });
}

TEST_P(OnesidedHandlers, ABarrierEndsBeforeItThrows) {
  if (runtime_.rank() == 0) fail_.call(1, Source(nullptr, 0));
  MPI_Barrier(MPI_COMM_WORLD);
  if (runtime_.rank() == 1) {
    EXPECT_THROW(runtime_.barrier(), OfAHandler);
  } else {
    runtime_.barrier();
  }
  EXPECT_NO_THROW(runtime_.barrier());
}

TEST_P(OnesidedHandlers, TheFenceOfABarrierEndsBeforeItThrows) {
  fail_.free();
  // Executed after the other's call has come to rank 1, which waits for the answer and serves that call.
  RemoteFunction slow(runtime_, [](int, std::span<const std::byte>) { ::usleep(20'000); });
  RemoteFunction fail(runtime_, [](int, std::span<const std::byte>) { throw OfAHandler("of a handler"); });
  MPI_Barrier(MPI_COMM_WORLD);
  if (runtime_.rank() == 0) fail.call(1, Source(nullptr, 0));
  if (runtime_.rank() == 1) slow.call(0, Source(nullptr, 0));
  if (runtime_.rank() == 1) {
    EXPECT_THROW(runtime_.barrier(), OfAHandler);
  } else {
    EXPECT_NO_THROW(runtime_.barrier());
  }
  EXPECT_NO_THROW(runtime_.barrier());
}

}  // namespace
}  // namespace stretto::testing
