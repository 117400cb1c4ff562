// SPDX-License-Identifier: BSD-3-Clause
// The functions behind the wrappers: those of the next preloaded tool, or of the MPI library.
#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace stretto::progress {

/// The next definition of `name`. A wrapper is called only by a program that links to such a function, so one
/// that is missing means that this library was preloaded without its MPI: the process ends and says so.
template <typename Function>
Function* next_symbol(const char* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) {
    std::fprintf(stderr, "stretto: libstretto_progress.so found no %s: preload it with the program's MPI\n",
                 name);
    std::_Exit(2);
  }
  return reinterpret_cast<Function*>(found);
}

}  // namespace stretto::progress

/// `NEXT(MPI_Wait)(...)` calls the MPI_Wait behind the wrapper. It is looked up once.
#define NEXT(function)                                                                           \
  ([]() -> decltype(&(function)) {                                                               \
    static const auto found =                                                                    \
        stretto::progress::next_symbol<std::remove_pointer_t<decltype(&(function))>>(#function); \
    return found;                                                                                \
  }())
