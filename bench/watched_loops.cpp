// SPDX-License-Identifier: BSD-3-Clause
// Two loops with messages to the own rank, for measuring the cost of recording data accesses: a five-point
// stencil on 1024 x 1024 points with a halo exchange per sweep, and a product with a sparse matrix of 40
// entries per row that receives a part of its vector. The program is independent of the recorder.
//
//   mpiexec -n 1 watched_loops stencil|spmv STEPS
//
// Prints the processor time of one step in s.
#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>
#include <vector>

namespace {

constexpr int warm_up = 3;

double processor_s() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Sends `doubles` from `out` to `in` on this rank.
void exchange(const double* out, double* in, int doubles) {
  MPI_Request requests[2];
  MPI_Irecv(in, doubles, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out, doubles, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

constexpr int side = 1024;
constexpr std::ptrdiff_t row = side + 2;

void sweep(const double* __restrict from, double* __restrict to) {
  for (int i = 1; i <= side; ++i) {
    for (int j = 1; j <= side; ++j) {
      const std::ptrdiff_t at = i * row + j;
      to[at] = 0.5 * from[at] + 0.125 * (from[at - row] + from[at + row] + from[at - 1] + from[at + 1]);
    }
  }
}

class Stencil {
 public:
  void step() {
    exchange(&from_[side * row + 1], &from_[1], side);
    exchange(&from_[row + 1], &from_[(side + 1) * row + 1], side);
    sweep(from_.data(), to_.data());
    std::swap(from_, to_);
  }

 private:
  std::vector<double> from_ = std::vector<double>(static_cast<std::size_t>(row * row), 1.0);
  std::vector<double> to_ = from_;
};

void multiply(const std::vector<int>& first, const int* __restrict columns, const double* __restrict entries,
              const double* __restrict x, double* __restrict y) {
  for (std::size_t i = 0; i + 1 < first.size(); ++i) {
    double sum = 0;
    for (int k = first[i]; k < first[i + 1]; ++k) sum += entries[k] * x[columns[k]];
    y[i] = sum;
  }
}

class Product {
 public:
  Product() {
    first_.push_back(0);
    for (int i = 0; i < rows; ++i) {
      for (int k = 0; k < entries_a_row; ++k) {
        columns_.push_back(static_cast<int>((i + 7LL * k * k) % (rows + ghosts)));
        entries_.push_back(1.0 / entries_a_row);
      }
      first_.push_back(static_cast<int>(columns_.size()));
    }
  }

  void step() {
    exchange(x_.data(), x_.data() + rows, ghosts);
    multiply(first_, columns_.data(), entries_.data(), x_.data(), y_.data());
    std::memcpy(x_.data(), y_.data(), rows * sizeof(double));
  }

 private:
  static constexpr int rows = 40'000;
  static constexpr int ghosts = 2'000;
  static constexpr int entries_a_row = 40;

  std::vector<int> first_;
  std::vector<int> columns_;
  std::vector<double> entries_;
  std::vector<double> x_ = std::vector<double>(rows + ghosts, 1.0);
  std::vector<double> y_ = std::vector<double>(rows, 0.0);
};

template <typename Loop>
double step_s(Loop loop, long steps) {
  double begin_s = 0;
  for (long step = -warm_up; step < steps; ++step) {
    if (step == 0) begin_s = processor_s();
    loop.step();
  }
  return (processor_s() - begin_s) / static_cast<double>(steps);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const char* name = argc == 3 ? argv[1] : "";
  const long steps = argc == 3 ? std::strtol(argv[2], nullptr, 10) : 0;
  const bool is_stencil = std::strcmp(name, "stencil") == 0;
  if ((!is_stencil && std::strcmp(name, "spmv") != 0) || steps < 1) {
    std::fputs("watched_loops: give stencil or spmv, and STEPS\n", stderr);
    MPI_Finalize();
    return 2;
  }
  std::printf("%.9g\n", is_stencil ? step_s(Stencil(), steps) : step_s(Product(), steps));
  MPI_Finalize();
  return 0;
}
