// SPDX-License-Identifier: BSD-3-Clause
// A halo exchange with computation. Its processor times with and without the preloaded recorder give the
// cost of the recorder, of which this program is independent.
//
//   mpiexec -n RANKS recorder_halo STEPS WORK_COUNT
//
// Rank 0 prints, for each step and as the mean over ranks: processor time, calls of MPI, messages.
#include <mpi.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <string_view>
#include <vector>

#include "measure/work.hpp"

namespace {

constexpr int halo_doubles = 128;
constexpr int calls_a_step = 5;  // two receives, two sends, one wait for all
constexpr int warm_up = 20;

double processor_s() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class Halo {
 public:
  Halo() {
    int rank = 0;
    int ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    neighbours_ = {(rank + ranks - 1) % ranks, (rank + 1) % ranks};
  }

  void step() {
    std::array<MPI_Request, 4> requests{};
    for (int side = 0; side < 2; ++side) {
      MPI_Irecv(in_[side].data(), halo_doubles, MPI_DOUBLE, neighbours_[side], side, MPI_COMM_WORLD,
                &requests[side]);
    }
    for (int side = 0; side < 2; ++side) {
      MPI_Isend(out_[side].data(), halo_doubles, MPI_DOUBLE, neighbours_[1 - side], side, MPI_COMM_WORLD,
                &requests[2 + side]);
    }
    MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE);
  }

 private:
  std::array<int, 2> neighbours_{};
  std::array<std::array<double, halo_doubles>, 2> in_{};
  std::array<std::array<double, halo_doubles>, 2> out_{};
};

bool read(std::string_view word, long& value) {
  return std::from_chars(word.data(), word.data() + word.size(), value).ec == std::errc{};
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  long steps = 0;
  long count = 0;
  if (argc != 3 || !read(argv[1], steps) || !read(argv[2], count) || steps < 1 || count < 0) {
    std::fputs("recorder_halo: give STEPS and WORK_COUNT\n", stderr);
    MPI_Finalize();
    return 2;
  }
  stretto::measure::CountedWorker worker;
  Halo halo;
  double begin_s = 0;
  for (long step = -warm_up; step < steps; ++step) {
    if (step == 0) begin_s = processor_s();
    worker.work(stretto::measure::WorkKind::registers, static_cast<std::uint64_t>(count));
    halo.step();
  }
  const double own_s = (processor_s() - begin_s) / static_cast<double>(steps);
  double sum_s = 0;
  MPI_Reduce(&own_s, &sum_s, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0) {
    std::printf("{\"step_s\": %.12g, \"calls\": %d, \"messages\": 2}\n", sum_s / ranks, calls_a_step);
  }
  MPI_Finalize();
  return 0;
}
