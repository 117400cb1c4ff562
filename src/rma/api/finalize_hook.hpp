// SPDX-License-Identifier: BSD-3-Clause
// Hears of MPI_Finalize. A runtime that lives longer than MPI could only crash, or wait for ever.
#pragma once

#include <mpi.h>

#include <functional>

namespace stretto::rma {

class EndOfMpi {
 public:
  /// `ends` is called within MPI_Finalize, while MPI can still be used.
  explicit EndOfMpi(std::function<void()> ends);
  EndOfMpi(const EndOfMpi&) = delete;
  EndOfMpi& operator=(const EndOfMpi&) = delete;
  /// MPI_Finalize may come.
  ~EndOfMpi();

 private:
  std::function<void()> ends_;
  int key_ = MPI_KEYVAL_INVALID;
};

}  // namespace stretto::rma
