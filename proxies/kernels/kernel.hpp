// SPDX-License-Identifier: BSD-3-Clause
// The description of a kernel of `stretto run`: its name, its options, and a function that solves, times and
// verifies. It does not depend on command lines and files.
#pragma once

#include <mpi.h>

#include <span>
#include <string_view>
#include <vector>

#include "kernels/choice.hpp"
#include "kernels/result.hpp"

namespace stretto::kernel {

/// A named choice with a description for users.
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
  std::string_view two_sided_variant;            ///< the one that is always over mpi-two-sided; may be empty
  std::span<const Named> options;
  /// Prefix of variants that carry a number, such as `chunks=8`; may be empty.
  std::string_view variant_prefix;
  /// Runs the kernel. Throws std::invalid_argument, on all ranks alike, for errors that the user must
  /// correct. Collective over `communicator`.
  RunResult (*run)(const Request&, MPI_Comm communicator);
  /// What `--variant auto` compares, the plainest first. Null: the kernel has no such choice.
  std::vector<Alternative> (*alternatives)(const Request&, MPI_Comm communicator);
  /// The time of one step on the slowest rank, as plan::trial_s has it. Throws as `run`. Collective.
  double (*trial_s)(const Request&, MPI_Comm communicator, double enough_s);
};

}  // namespace stretto::kernel
