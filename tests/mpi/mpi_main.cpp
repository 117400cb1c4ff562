// SPDX-License-Identifier: BSD-3-Clause
// main() of the tests that run on several ranks: `PROGRAM --ranks=N [--timeout=SECONDS] [gtest options]`.
#include <gtest/gtest.h>
#include <mpi.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <string_view>

#include "rank_failures.hpp"

namespace {

/// The number after `--NAME=`, or `otherwise`.
int option(int argc, char** argv, std::string_view prefix, int otherwise) {
  int value = otherwise;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.starts_with(prefix)) {
      std::from_chars(argument.data() + prefix.size(), argument.data() + argument.size(), value);
    }
  }
  return value;
}

int run_tests(MPI_Comm communicator, int argc, char** argv) {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &size);
  const int wanted = option(argc, argv, "--ranks=", 0);
  if (size != wanted) {
    std::fprintf(stderr, "these tests need %d ranks (--ranks=N), but this run has %d\n", wanted, size);
    return 1;
  }
  auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
  if (rank != 0) {
    delete listeners.Release(listeners.default_result_printer());
  }
  const std::chrono::seconds timeout{option(argc, argv, "--timeout=", 20)};
  listeners.Append(new stretto::testing::RankFailures(communicator, timeout));  // GoogleTest deletes it
  const int status = RUN_ALL_TESTS();
  if (::testing::UnitTest::GetInstance()->test_to_run_count() == 0) {
    std::fprintf(stderr, "no test is chosen: see --gtest_list_tests\n");
    return 1;
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  ::testing::InitGoogleTest(&argc, argv);
#ifdef STRETTO_SIMGRID
  // SimGrid ends the ranks of a deadlock by an exception; caught as one test's, the run would exit with 0.
  ::testing::GTEST_FLAG(catch_exceptions) = false;
#endif
  // A separate communicator, so that messages of the tests on the world are not taken for the outcome.
  MPI_Comm communicator = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  const int status = run_tests(communicator, argc, argv);
  MPI_Comm_free(&communicator);
  MPI_Finalize();
  return status;
}
