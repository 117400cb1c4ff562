// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/library.hpp"

#include <mpi.h>

#include <array>
#include <string>

#include "mpi/check.hpp"

namespace stretto::mpi {

std::string library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  check(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  return {text.data(), static_cast<std::size_t>(length)};
}

std::string processor_name() {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  check(MPI_Get_processor_name(name.data(), &length), "MPI_Get_processor_name");
  return {name.data(), static_cast<std::size_t>(length)};
}

bool is_mpich() { return library_version().find("MPICH") != std::string::npos; }

bool gathers_resized_types() {
  static const bool does = !library_version().starts_with("Intel(R) MPI");
  return does;
}

bool may_thread() {
  int provided = MPI_THREAD_SINGLE;
  check(MPI_Query_thread(&provided), "MPI_Query_thread");
  return provided == MPI_THREAD_MULTIPLE;
}

}  // namespace stretto::mpi
