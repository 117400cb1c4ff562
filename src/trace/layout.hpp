// SPDX-License-Identifier: BSD-3-Clause
// Where in memory the bytes of a message lie, by its datatype.
#pragma once

#include <mpi.h>

#include "memory/watch.hpp"

namespace stretto::trace {

/// Whether elements of the type lie one behind the other without gaps.
[[nodiscard]] bool is_dense(MPI_Datatype type);

/// The byte range that a call may access. Empty for an argument that is not a buffer.
[[nodiscard]] memory::Range span(const void* buffer, MPI_Count count, MPI_Datatype type);

/// The blocks of `count` elements. Where they cannot be listed, the whole span counts: then data may seem to
/// be produced later and consumed earlier than it is.
[[nodiscard]] memory::Data data_of(const void* buffer, MPI_Count count, MPI_Datatype type);

}  // namespace stretto::trace
