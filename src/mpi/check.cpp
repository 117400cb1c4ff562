// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/check.hpp"

#include <array>

namespace stretto::mpi {
namespace {

std::string message(std::string_view call, int code, const std::source_location& where) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  if (MPI_Error_string(code, text.data(), &length) != MPI_SUCCESS) length = 0;
  return std::string{call} + ": " + std::string(text.data(), static_cast<std::size_t>(length)) + " (" +
         where.file_name() + ":" + std::to_string(where.line()) + ")";
}

}  // namespace

MpiError::MpiError(std::string_view call, int code, const std::source_location& where)
    : std::runtime_error(message(call, code, where)), code_(code) {}

}  // namespace stretto::mpi
