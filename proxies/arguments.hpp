// SPDX-License-Identifier: BSD-3-Clause
// Command lines of the proxies: `--name NUMBER` and `--name`, nothing else. An example needs no library for
// it.
#pragma once

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string_view>

namespace stretto::proxies {

/// What an option sets: a number of at least `least`, or a flag (`least` < 0, 1 where it was given).
struct Option {
  std::string_view name;
  int* value;
  int least;
};

/// One line on stderr, by rank 0, and every rank ends with `status`.
[[noreturn]] inline void leave(const char* program, std::string_view said, int status) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) std::fprintf(stderr, "%s: %.*s\n", program, static_cast<int>(said.size()), said.data());
  MPI_Finalize();
  std::exit(status);
}

/// Between MPI_Init and everything else. Ends the program with 2 on what is no option or no number of its
/// range.
inline void read_arguments(int argc, char** argv, std::string_view usage,
                           std::initializer_list<Option> options) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const Option* found = nullptr;
    for (const Option& one : options) {
      if (one.name == word) found = &one;
    }
    if (found == nullptr) leave(argv[0], usage, 2);
    if (found->least < 0) {
      *found->value = 1;
      continue;
    }
    char* end = nullptr;
    const long number = ++i < argc ? std::strtol(argv[i], &end, 10) : 0;
    if (end == nullptr || *end != '\0' || number < found->least || number > 1'000'000'000) {
      leave(argv[0], usage, 2);
    }
    *found->value = static_cast<int>(number);
  }
}

}  // namespace stretto::proxies
