// SPDX-License-Identifier: BSD-3-Clause
// The main function of a native program without MPI.
#pragma once

#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>

namespace stretto::tools {

/// Prints what is wrong in one line, and returns the exit status.
inline int fail(const char* program, const char* what, int status) {
  std::fprintf(stderr, "%s: %s\n", program, what);
  return status;
}

/// Calls `run`, and returns its exit status; 2 for std::invalid_argument, which is wrong input, and 1 for
/// another exception. `no_memory`: what to say of std::bad_alloc.
template <typename Run>
int run_program(const char* program, const Run& run, const char* no_memory = "there is not enough memory") {
  try {
    return run();
  } catch (const std::invalid_argument& error) {
    return fail(program, error.what(), 2);
  } catch (const std::bad_alloc&) {
    return fail(program, no_memory, 1);
  } catch (const std::exception& error) {
    return fail(program, error.what(), 1);
  }
}

}  // namespace stretto::tools
