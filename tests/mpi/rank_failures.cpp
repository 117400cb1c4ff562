// SPDX-License-Identifier: BSD-3-Clause
#include "rank_failures.hpp"

#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace stretto::testing {

namespace {

/// The ranks other than `self` whose count is not zero, as a list for a sentence; empty if there are none.
std::string failed_ranks(const std::vector<int>& counts, int self) {
  std::string ranks;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    if (counts[rank] != 0 && static_cast<int>(rank) != self) {
      ranks += (ranks.empty() ? "" : ", ") + std::to_string(rank);
    }
  }
  return ranks;
}

}  // namespace

RankFailures::RankFailures(MPI_Comm communicator, std::chrono::seconds timeout)
    : communicator_(communicator), timeout_(timeout) {
  MPI_Comm_rank(communicator_, &rank_);
  MPI_Comm_size(communicator_, &size_);
}

void RankFailures::OnTestPartResult(const ::testing::TestPartResult& result) {
  if (rank_ == 0 || agreeing_ || !result.failed()) {
    return;
  }
  // Printed immediately, because the rank may be killed later. One call keeps ranks apart within a line.
  const std::string where = result.file_name() == nullptr ? "?"
                                                          : std::string(result.file_name()) + ":" +
                                                                std::to_string(result.line_number());
  std::fprintf(stderr, "[rank %d] %s: Failure\n%s\n", rank_, where.c_str(), result.message());
  std::fflush(stderr);
}

void RankFailures::OnTestEnd(const ::testing::TestInfo& test) {
  std::vector<int> counts(static_cast<std::size_t>(size_));
  const int mine = test.result()->Failed() ? 1 : 0;
  if (!gather_counts(mine, counts.data())) {
    std::fprintf(stderr,
                 "[rank %d] %s.%s: waited %lld s for the other ranks at the end of the test; aborting\n",
                 rank_, test.test_suite_name(), test.name(), static_cast<long long>(timeout_.count()));
    std::fflush(stderr);
    MPI_Abort(communicator_, 1);
  }
  const std::string others = failed_ranks(counts, rank_);
  if (!others.empty()) {
    agreeing_ = true;
    ADD_FAILURE() << "failed on rank " << others;
    agreeing_ = false;
  }
}

bool RankFailures::gather_counts(int mine, int* all) {
#ifdef STRETTO_SIMGRID
  // The simulator detects a deadlock unless a rank polls; and its clock is not wall-clock time.
  MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, communicator_);
  return true;
#else
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallgather(&mine, 1, MPI_INT, all, 1, MPI_INT, communicator_, &request);
  const auto deadline = std::chrono::steady_clock::now() + timeout_;
  int done = 0;
  while (true) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) {
      return true;
    }
    if (std::chrono::steady_clock::now() > deadline) {
      return false;
    }
    // There are often more ranks than cores: yield the core to ranks that still run tests.
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
#endif
}

}  // namespace stretto::testing
