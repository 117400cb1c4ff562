// SPDX-License-Identifier: BSD-3-Clause
// The next definitions of functions that a preloaded library interposes: those of the library that is
// preloaded after it, or those of MPI and libc.
#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace stretto::mpi {

/// The next definition of `name`. If there is none, this library was preloaded into a program without that
/// function: the process ends with a message.
inline void* next_symbol(const char* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  if (found != nullptr) return found;
  static const char this_library = 0;
  Dl_info info{};
  const bool known = dladdr(&this_library, &info) != 0;
  std::fprintf(stderr, "stretto: %s found no %s: preload it with the program's MPI\n",
               known ? info.dli_fname : "the preloaded library", name);
  std::_Exit(2);
}

/// The same as a function of a given type.
template <typename Function>
Function* next_function(const char* name) {
  return reinterpret_cast<Function*>(next_symbol(name));
}

}  // namespace stretto::mpi

/// `NEXT(MPI_Wait)(...)` calls the next MPI_Wait after ours; it is looked up once.
#define NEXT(function)                                                                                       \
  ([]() -> decltype(&(function)) {                                                                           \
    static const auto found = reinterpret_cast<decltype(&(function))>(stretto::mpi::next_symbol(#function)); \
    return found;                                                                                            \
  }())
