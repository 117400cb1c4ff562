// SPDX-License-Identifier: BSD-3-Clause
// Put and get: a rank writes to another rank's memory and reads it back, and the other rank takes no part.
// Shows a region, blocking and nonblocking transfers, and the two kinds of completion.
#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/transfer.hpp>
#include <vector>

#include "conclude.hpp"

namespace {

constexpr std::size_t count = 1000;

bool put_and_get() {
  stretto::Runtime runtime(MPI_COMM_WORLD);
  // Symmetric memory: every rank gives as much, and every rank may address all of it. Collective; zeroed.
  stretto::Region region(runtime, count * sizeof(double));
  const int right = (runtime.rank() + 1) % runtime.size();
  const int left = (runtime.rank() + runtime.size() - 1) % runtime.size();

  // A nonblocking put has started when the call returns. The source must not change until it is waited for.
  std::vector<double> row(count);
  std::iota(row.begin(), row.end(), 1000.0 * runtime.rank());
  stretto::Handle handle = stretto::nonblocking::put(region, {.target = right, .offset = 0}, row);
  const double sum = std::accumulate(row.begin(), row.end(), 0.0);  // the data moves at the same time
  runtime.wait(handle);                                             // local completion: row may be changed
  std::fill(row.begin(), row.end(), -1.0);
  runtime.barrier();  // remote completion, on every rank

  // What the left rank has put is in this rank's own part.
  const std::span<const double> mine = region.local_as<double>();
  bool correct = mine.front() == 1000.0 * left && mine.back() == 1000.0 * left + count - 1;

  // A blocking get: the data is here when the call returns. It reads back what this rank has put.
  stretto::get(region, {.target = right, .offset = 0}, row);
  correct = correct && std::accumulate(row.begin(), row.end(), 0.0) == sum;

  // One value is a put or a get as well.
  const auto last =
      stretto::get_value<double>(region, {.target = right, .offset = (count - 1) * sizeof(double)});
  correct = correct && last == row.back();

  runtime.barrier();  // nobody frees the region while others still read it
  return correct;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);  // allows a progress thread
  const bool correct = put_and_get();                             // the runtime ends before MPI does
  return examples::conclude(correct, "put_get: every rank read back the 1000 numbers that it put");
}
