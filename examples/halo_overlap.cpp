// SPDX-License-Identifier: BSD-3-Clause
// A halo exchange after: edge rows leave first, with a flag behind them; the inner rows are computed while
// they travel; each edge is computed when its halo row is there. halo_plain.cpp is the same solver before.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/signal.hpp>

#include "conclude.hpp"
#include "halo.hpp"

namespace {

constexpr std::size_t row_bytes = examples::points * sizeof(double);

/// Where the row of one side arrives at a rank: two rows, for even and odd sweeps, and the flag that counts
/// arrivals. A rank is never two sweeps ahead of the next one, so a row is read before it is overwritten.
struct Inbox {
  std::size_t base;
  [[nodiscard]] std::size_t row(int sweep) const {
    return base + static_cast<std::size_t>(sweep % 2) * row_bytes;
  }
  [[nodiscard]] std::size_t flag() const { return base + 2 * row_bytes; }
};
constexpr std::size_t inbox_bytes = 2 * row_bytes + 64;
constexpr Inbox from_above{0};
constexpr Inbox from_below{inbox_bytes};

void solve(examples::Strip& strip) {
  stretto::Runtime runtime(MPI_COMM_WORLD);
  stretto::Region region(runtime, 2 * inbox_bytes);
  const int up = runtime.rank() - 1;
  const int down = runtime.rank() + 1;
  const bool has_up = up >= 0;
  const bool has_down = down < runtime.size();
  const std::size_t last = strip.rows();

  const auto receive = [&](const Inbox& inbox, int sweep, std::size_t halo_row) {
    stretto::wait_signal(region, inbox.flag(), static_cast<std::uint64_t>(sweep) + 1);
    const auto* arrived = reinterpret_cast<const double*>(region.local().data() + inbox.row(sweep));
    std::copy_n(arrived, examples::points, strip.row(halo_row).begin());
  };
  for (int sweep = 0; sweep < examples::sweeps; ++sweep) {
    stretto::Handle upward;
    stretto::Handle downward;
    if (has_up) {
      upward = stretto::nonblocking::put_signal(region, {.target = up, .offset = from_below.row(sweep)},
                                                strip.row(1), {.offset = from_below.flag()});
    }
    if (has_down) {
      downward = stretto::nonblocking::put_signal(region, {.target = down, .offset = from_above.row(sweep)},
                                                  strip.row(last), {.offset = from_above.flag()});
    }
    strip.relax(2, last);  // the inner rows need no halo
    if (has_up) receive(from_above, sweep, 0);
    strip.relax(1, 2);
    if (has_down) receive(from_below, sweep, last + 1);
    strip.relax(last, last + 1);
    runtime.wait(upward);  // before the row is written again
    runtime.wait(downward);
    strip.advance();
  }
  runtime.barrier();
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  examples::Strip strip(rank, ranks);
  solve(strip);
  double sum = strip.sum_of_squares();
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  char text[80];
  std::snprintf(text, sizeof text, "halo: sum of squares %.15g", sum);
  return examples::conclude(strip.is_serial(), text);
}
