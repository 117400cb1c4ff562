// SPDX-License-Identifier: BSD-3-Clause
// What the wrappers of MPI_Init, MPI_Finalize and MPI_Abort have in common in C and in Fortran.
#pragma once

#include "trace/wrapping.hpp"

namespace stretto::trace {

/// Whether MPI_Init of C has begun the recording, which MPICH's Fortran calls.
extern bool initialised_before;

/// Starts the recording after MPI's initialisation by call `number` at `site`, and records that call.
void initialised(std::uint16_t number, void* site);

/// Ends the recording while MPI still works; the duration of the call itself is recorded by then.
class Finalizing {
 public:
  explicit Finalizing(void* site) : call_(call_finalize, site) {}
  int ended(int error);

 private:
  Call call_;
};

/// Records MPI_Abort at `site`, and ends the recording.
void aborting(void* site);

}  // namespace stretto::trace
