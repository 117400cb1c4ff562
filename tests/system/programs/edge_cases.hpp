// SPDX-License-Identifier: BSD-3-Clause
// What programs of edge cases share: expectations, and a main function that runs the cases that are named.
// Usage: PROGRAM NAME... on two or more ranks. Rank 0 prints each name and whether all results are right.
#ifndef STRETTO_TESTS_EDGE_CASES_HPP
#define STRETTO_TESTS_EDGE_CASES_HPP

#include <mpi.h>

#include <cstdio>
#include <map>
#include <string>

namespace edge_cases {

inline int rank = 0;
inline int ranks = 0;
inline bool right = true;

inline void expect(bool holds, const char* what) {
  if (holds) return;
  right = false;
  std::fprintf(stderr, "rank %d: %s\n", rank, what);
}
#define EXPECT(condition) edge_cases::expect(condition, #condition)

inline int left() { return (rank + ranks - 1) % ranks; }
inline int next() { return (rank + 1) % ranks; }

using Cases = std::map<std::string, void (*)()>;

/// A name that is no case ends the program with an exception: the MPI lacks its calls.
inline int run(int argc, char** argv, const Cases& cases) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int word = 1; word < argc; ++word) {
    right = true;
    cases.at(argv[word])();
    int own = right ? 1 : 0, all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0) std::printf("%s %s\n", argv[word], all != 0 ? "right" : "wrong");
  }
  MPI_Finalize();
  return 0;
}

}  // namespace edge_cases

#endif
