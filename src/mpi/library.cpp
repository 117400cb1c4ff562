// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/library.hpp"

#include <mpi.h>

#include <array>
#include <string_view>

#include "mpi/check.hpp"

namespace stretto::mpi {

bool is_mpich() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  check(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  return std::string_view(text.data(), static_cast<std::size_t>(length)).find("MPICH") !=
         std::string_view::npos;
}

bool may_thread() {
  int provided = MPI_THREAD_SINGLE;
  check(MPI_Query_thread(&provided), "MPI_Query_thread");
  return provided == MPI_THREAD_MULTIPLE;
}

}  // namespace stretto::mpi
