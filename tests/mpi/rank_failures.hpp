// SPDX-License-Identifier: BSD-3-Clause
// Makes a GoogleTest program one program on many ranks: a failure on one rank fails the test on all ranks,
// and none of them waits for ever.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <chrono>

namespace stretto::testing {

/// Shows the failures of the other ranks (rank 0 shows its own), and agrees on each test's outcome
/// when it ends. A rank that failed may have left the test early. Where the other ranks then do not reach
/// the end within `timeout`, the run is aborted.
class RankFailures : public ::testing::EmptyTestEventListener {
 public:
  RankFailures(MPI_Comm communicator, std::chrono::seconds timeout);

  void OnTestPartResult(const ::testing::TestPartResult& result) override;
  void OnTestEnd(const ::testing::TestInfo& test) override;

 private:
  /// Waits for every rank's count of failures; false if some did not come in time.
  bool gather_counts(int mine, int* all);

  MPI_Comm communicator_;
  std::chrono::seconds timeout_;
  int rank_ = 0;
  int size_ = 0;
  bool agreeing_ = false;  // the failure being added is another rank's, which has shown it
};

}  // namespace stretto::testing
