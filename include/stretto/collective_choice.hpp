// SPDX-License-Identifier: BSD-3-Clause
// The choice between flat and the grids, by the runtime functions of a profile (docs/collectives.md). A
// process has one choice, which must be the same on all ranks; load_profile ensures that.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <stretto/collective_form.hpp>
#include <string>
#include <string_view>

namespace stretto::collective {

/// Rank 0 reads the profile at `path`; all ranks of `communicator` choose by it from now on. Collective.
/// Returns how many runtime functions it has: with none, every choice is flat. Throws std::runtime_error, on
/// all ranks alike, that names the file and what is wrong with it.
std::size_t load_profile(const std::string& path, MPI_Comm communicator);

/// Forces a form, without the runtime functions: `flat`, `P1xP2` for every operation on p1 p2 ranks, or a
/// list such as `broadcast=4x24,reduce=flat`; an empty text ends it. Other numbers of ranks stay with the
/// choice. Throws std::invalid_argument that says what is wrong with it.
void force_forms(std::string_view text);

/// The algorithms that the form is chosen for and made of (default: the MPI library's).
void use_algorithm(Algorithm algorithm);

/// The form that is chosen for this operation of `size_bytes` (its b, docs/formats.md) on the communicator's
/// ranks. The same on all ranks, without a message.
[[nodiscard]] Form choose(Operation operation, std::uint64_t size_bytes, MPI_Comm communicator);

}  // namespace stretto::collective
