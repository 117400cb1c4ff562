// SPDX-License-Identifier: BSD-3-Clause
// A halo exchange without overlap: every sweep sends both edge rows, waits for both halo rows, then computes.
// halo_overlap.cpp is the same solver with overlap.
#include <mpi.h>

#include <array>
#include <cstdio>

#include "conclude.hpp"
#include "halo.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int up = rank == 0 ? MPI_PROC_NULL : rank - 1;
  const int down = rank == ranks - 1 ? MPI_PROC_NULL : rank + 1;
  constexpr int count = examples::points;

  examples::Strip strip(rank, ranks);
  const std::size_t last = strip.rows();
  for (int sweep = 0; sweep < examples::sweeps; ++sweep) {
    std::array<MPI_Request, 4> requests{};
    MPI_Irecv(strip.row(0).data(), count, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(strip.row(last + 1).data(), count, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(strip.row(1).data(), count, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(strip.row(last).data(), count, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE);
    strip.relax(1, last + 1);
    strip.advance();
  }

  double sum = strip.sum_of_squares();
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  char text[80];
  std::snprintf(text, sizeof text, "halo: sum of squares %.15g", sum);
  return examples::conclude(strip.is_serial(), text);
}
