// SPDX-License-Identifier: BSD-3-Clause
#include "collective/interpose/next.hpp"

#include <cstdio>
#include <cstdlib>

namespace stretto::interpose {

void* next_symbol(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) {
    std::fprintf(stderr,
                 "stretto: no %s behind libstretto_collectives.so: preload it, with the MPI of the program\n",
                 name);
    std::_Exit(2);
  }
  return found;
}

}  // namespace stretto::interpose
