// SPDX-License-Identifier: BSD-3-Clause
// Nonblocking calls of plain MPI as a naive program makes them: start, compute, wait. It uses neither
// stretto's runtime nor its probes, so that what is preloaded into it is all that it has of stretto.
//
//   mpiexec -n 2 overlapped_calls SAMPLES.jsonl ROUNDS OPERATION:SIZE_BYTES...
//
// OPERATION: send (both ways), alltoall, allreduce, broadcast; idle computes for SIZE_BYTES iterations,
// alone.
#include <mpi.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <stretto/work.hpp>
#include <string_view>
#include <vector>

#include "balanced_computation.hpp"
#include "interleaved_rounds.hpp"

namespace {

using namespace stretto;

int number(std::string_view text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// Buffers of one operation; `start` begins it and returns its requests.
class Communication {
 public:
  Communication(std::string_view operation, int bytes)
      : operation_(operation), bytes_(bytes), out_(static_cast<std::size_t>(bytes)), in_(out_.size()) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  }

  [[nodiscard]] bool is_known() const {
    return operation_ == "send" || operation_ == "alltoall" || operation_ == "allreduce" ||
           operation_ == "broadcast";
  }

  void start() {
    const int doubles = bytes_ / static_cast<int>(sizeof(double));
    requests_.assign(1, MPI_REQUEST_NULL);
    if (operation_ == "alltoall") {
      MPI_Ialltoall(out_.data(), bytes_ / ranks_, MPI_BYTE, in_.data(), bytes_ / ranks_, MPI_BYTE,
                    MPI_COMM_WORLD, requests_.data());
    } else if (operation_ == "allreduce") {
      MPI_Iallreduce(out_.data(), in_.data(), doubles, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, requests_.data());
    } else if (operation_ == "broadcast") {
      MPI_Ibcast(out_.data(), bytes_, MPI_BYTE, 0, MPI_COMM_WORLD, requests_.data());
    } else {
      const int other = rank_ ^ 1;
      requests_.assign(2, MPI_REQUEST_NULL);
      MPI_Irecv(in_.data(), bytes_, MPI_BYTE, other, 0, MPI_COMM_WORLD, requests_.data());
      MPI_Isend(out_.data(), bytes_, MPI_BYTE, other, 0, MPI_COMM_WORLD, &requests_[1]);
    }
  }

  void wait() { MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE); }

 private:
  std::string_view operation_;
  int bytes_;
  std::vector<char> out_;
  std::vector<char> in_;
  std::vector<MPI_Request> requests_;
  int rank_ = 0;
  int ranks_ = 1;
};

void measure_idle(bench::InterleavedRounds& rounds, measure::Worker& worker, int count, int how_often) {
  const auto compute = [&] { worker.work(measure::WorkKind::registers, static_cast<std::uint64_t>(count)); };
  rounds.measure({"overlapped-calls", {{"size_bytes", count}}, 1}, {{"T_w", compute}}, how_often);
}

void measure_overlap(bench::InterleavedRounds& rounds, measure::Worker& worker, std::string_view operation,
                     int bytes, int how_often) {
  Communication communication(operation, bytes);
  const auto communicate = [&] {
    communication.start();
    communication.wait();
  };
  communicate();
  const std::uint64_t count = bench::balanced_count(worker, communicate);
  const auto compute = [&] { worker.work(measure::WorkKind::registers, count); };
  const auto both = [&] {
    communication.start();
    compute();
    communication.wait();
  };
  const bench::Case one{
      "overlapped-calls", {{"operation", std::string(operation)}, {"size_bytes", bytes}}, 1};
  rounds.measure(one, {{"T_c", communicate}, {"T_w", compute}, {"T_t", both}}, how_often);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc < 4 || number(argv[2]) < 1) {
    std::fprintf(stderr, "usage: overlapped_calls SAMPLES.jsonl ROUNDS OPERATION:SIZE_BYTES...\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  bench::InterleavedRounds rounds(argc, argv, argv[1], argc - 3);
  measure::CountedWorker worker;
  for (int i = 3; i < argc; ++i) {
    const std::string_view text = argv[i];
    const std::string_view operation = text.substr(0, text.find(':'));
    const int size = number(text.substr(std::min(operation.size() + 1, text.size())));
    if (operation == "idle") {
      measure_idle(rounds, worker, size, number(argv[2]));
    } else if (size > 0 && Communication(operation, size).is_known()) {
      measure_overlap(rounds, worker, operation, size, number(argv[2]));
    } else {
      std::fprintf(stderr, "overlapped_calls: %s: give OPERATION:SIZE_BYTES\n", argv[i]);
      MPI_Abort(MPI_COMM_WORLD, 2);
    }
  }
  rounds.finish();
  MPI_Finalize();
  return 0;
}
