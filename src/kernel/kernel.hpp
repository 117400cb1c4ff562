// SPDX-License-Identifier: BSD-3-Clause
// What a kernel of `stretto run` is: a name, what it may be asked for, and a function that solves, times and
// verifies. Knows nothing of command lines and files.
#pragma once

#include <mpi.h>

#include <span>
#include <string_view>

#include "kernel/result.hpp"

namespace stretto::kernel {

/// A named choice, and a sentence for people.
struct Named {
  std::string_view name;
  std::string_view about;
};

struct Kernel {
  std::string_view name;
  std::string_view about;
  std::span<const std::string_view> classes;     ///< smallest first; the first is the default; may be none
  std::span<const std::string_view> variants;    ///< the first is the default
  std::span<const std::string_view> transports;  ///< the first is the default
  std::span<const Named> options;
  /// A variant that is a name with a number behind it, such as `chunks=8`, begins with this; may be empty.
  std::string_view variant_prefix;
  /// Collective over `communicator`. Throws std::invalid_argument, on all ranks alike, for what the user must
  /// mend.
  RunResult (*run)(const Request&, MPI_Comm communicator);
};

}  // namespace stretto::kernel
