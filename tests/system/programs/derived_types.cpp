// SPDX-License-Identifier: BSD-3-Clause
// Sends columns of a matrix many times, then of another one whose datatype may get the first one's handle.
// Rank 1 prints how often somebody has asked MPI how a datatype was made: the program itself never does.
#include <dlfcn.h>
#include <mpi.h>

#include <atomic>
#include <cstdio>
#include <vector>

namespace {
std::atomic<int> questions{0};

void send_columns(int columns, int times, int rank) {
  constexpr int rows = 64;
  std::vector<double> matrix(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns), 1);
  MPI_Datatype column = MPI_DATATYPE_NULL;
  MPI_Type_vector(rows, 1, columns, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  for (int i = 0; i < times; ++i) {
    if (rank == 0) MPI_Send(matrix.data(), 1, column, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(matrix.data(), 1, column, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Type_free(&column);
}
}  // namespace

extern "C" int PMPI_Type_get_contents(MPI_Datatype type, int integers, int addresses, int types, int* n,
                                      MPI_Aint* a, MPI_Datatype* of) {
  static const auto next =
      reinterpret_cast<decltype(&PMPI_Type_get_contents)>(dlsym(RTLD_NEXT, "PMPI_Type_get_contents"));
  ++questions;
  return next(type, integers, addresses, types, n, a, of);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  send_columns(4, 50, rank);
  send_columns(6, 50, rank);
  MPI_Finalize();
  if (rank == 1) std::printf("%d questions\n", questions.load());
}
