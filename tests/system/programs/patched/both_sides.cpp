// SPDX-License-Identifier: BSD-3-Clause
// C++: particles that leave are sent late, and those that come are waited for early.
#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int moving = 20000;
constexpr int staying = 30000;

void drift(double* positions, int count) {
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < count; ++i) positions[i] = std::sqrt(positions[i] * positions[i] + 0.01);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int steps = argc > 1 ? std::atoi(argv[1]) : 12;
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double sum = 0;
  std::vector<double> leave(moving);
  std::vector<double> come(moving);
  std::vector<double> stay(staying, 1.0);
  for (int step = 0; step < steps; ++step) {
    MPI_Request requests[2];
    for (int i = 0; i < moving; ++i) leave[i] = step + i + rank;
    drift(stay.data(), staying);
    MPI_Irecv(come.data(), moving, MPI_DOUBLE, (rank + 1) % ranks, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(leave.data(), moving, MPI_DOUBLE, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    drift(stay.data(), staying);
    for (int i = 0; i < moving; ++i) sum += come[i];
  }
  std::printf("%d %.17g %.17g\n", rank, sum, stay[7]);
  MPI_Finalize();
  return 0;
}
