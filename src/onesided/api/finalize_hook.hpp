// SPDX-License-Identifier: BSD-3-Clause
// Calls a function when MPI_Finalize begins. A runtime that outlived MPI would crash, or wait for ever.
#pragma once

#include <mpi.h>

#include <functional>

namespace stretto::onesided {

class FinalizeHook {
 public:
  /// MPI_Finalize calls `ends`, while MPI can still be used.
  explicit FinalizeHook(std::function<void()> ends);
  FinalizeHook(const FinalizeHook&) = delete;
  FinalizeHook& operator=(const FinalizeHook&) = delete;
  /// MPI_Finalize no longer calls it.
  ~FinalizeHook();

 private:
  std::function<void()> ends_;
  int key_ = MPI_KEYVAL_INVALID;
};

}  // namespace stretto::onesided
