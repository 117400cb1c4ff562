// SPDX-License-Identifier: BSD-3-Clause
// How a proxy is timed, and what it prints: the longest rank's time, and the sum that both of its variants
// share.
#pragma once

#include <mpi.h>

#include <cstdio>

namespace stretto::proxies {

/// Collective over `ranks`: runs `proxy.run()` from a barrier on, then adds up `proxy.own_sum()`.
template <typename Proxy>
void run_timed(const char* name, Proxy& proxy, MPI_Comm ranks) {
  MPI_Barrier(ranks);
  const double begin_s = MPI_Wtime();
  proxy.run();
  const double own_s = MPI_Wtime() - begin_s;
  const double own = proxy.own_sum();
  double time_s = 0;
  double sum = 0;
  MPI_Reduce(&own_s, &time_s, 1, MPI_DOUBLE, MPI_MAX, 0, ranks);
  MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, ranks);
  int rank = 0;
  MPI_Comm_rank(ranks, &rank);
  if (rank == 0) std::printf("%s time_s %.9f sum %.15g\n", name, time_s, sum);
}

}  // namespace stretto::proxies
