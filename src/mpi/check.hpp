// SPDX-License-Identifier: BSD-3-Clause
// MPI's error codes as exceptions with the call, MPI's text and the source location.
#pragma once

#include <mpi.h>

#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>

#include "mpi/delay.hpp"

namespace stretto::mpi {

class MpiError : public std::runtime_error {
 public:
  MpiError(std::string_view call, int code, const std::source_location& where);
  [[nodiscard]] int code() const { return code_; }

 private:
  int code_;
};

/// Throws MpiError unless `code` is MPI_SUCCESS. `call` is the name of the function that returned it.
inline void check(int code, std::string_view call,
                  const std::source_location& where = std::source_location::current()) {
  delay_point();  // behind every call
  if (code != MPI_SUCCESS) [[unlikely]]
    throw MpiError(call, code, where);
}

}  // namespace stretto::mpi
