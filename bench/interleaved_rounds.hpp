// SPDX-License-Identifier: BSD-3-Clause
// Compares distributed operations: all ranks start together, each round runs all variants in random order,
// and the time of a variant is that of its slowest rank.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "bench_header.hpp"
#include "record/sample_file.hpp"

namespace stretto::bench {

struct Variant {
  std::string name;
  std::function<void()> once;  // one repetition; collective
};

/// The members that all rows of a case share.
struct Case {
  std::string probe;
  record::Fields axes;
  int repeats = 1;  // repetitions of a variant per sample
};

/// The time of `repeats` repetitions, from a common start to the end of the slowest rank. Collective.
inline double slowest_s(const std::function<void()>& once, int repeats = 1) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double began_s = MPI_Wtime();
  for (int i = 0; i < repeats; ++i) once();
  double took_s = MPI_Wtime() - began_s;
  MPI_Allreduce(MPI_IN_PLACE, &took_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return took_s;
}

class InterleavedRounds {
 public:
  /// Collective.
  InterleavedRounds(int argc, char** argv, const char* path, int cases) {
    const record::Header head = header(argc, argv, cases);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    if (rank_ != 0) return;
    file_.emplace(path);
    file_->append(head);
  }

  /// Runs every variant once untimed, then `rounds` times. Collective.
  void measure(const Case& one, const std::vector<Variant>& variants, int rounds) {
    std::vector<std::size_t> sequence;
    for (const Variant& variant : variants) {
      sequence.push_back(sequence.size());
      variant.once();
    }
    for (int round = 0; round < rounds; ++round) {
      std::shuffle(sequence.begin(), sequence.end(), order_);  // the same on all ranks
      for (const std::size_t which : sequence) {
        const double time_s = slowest_s(variants[which].once, one.repeats);
        if (!file_) continue;
        file_->append(record::Sample{.probe = one.probe,
                                     .case_index = index_,
                                     .quantity = variants[which].name,
                                     .round = round,
                                     .time_s = time_s,
                                     .messages = one.repeats,
                                     .ranks = ranks_,
                                     .axes = one.axes});
      }
    }
    ++index_;
  }

  void finish() {
    if (file_) file_->finish();
  }

 private:
  int rank_ = 0;
  int ranks_ = 1;
  int index_ = 0;
  std::optional<record::SampleFile> file_;  // on rank 0 only
  std::mt19937 order_{1};
};

}  // namespace stretto::bench
