// SPDX-License-Identifier: BSD-3-Clause
// How much memory this process has asked for, now and at the most: by new, of FFTW, and in windows of MPI.
// What MPI takes for itself is not counted.
#pragma once

#include <cstddef>

namespace stretto::testing {

/// Whether it is counted here: not where one process is all the ranks.
[[nodiscard]] bool memory_is_counted();

/// From its beginning on.
class CountedMemory {
 public:
  CountedMemory();
  /// More than at the beginning.
  [[nodiscard]] std::size_t held_bytes() const;
  /// The most of it so far.
  [[nodiscard]] std::size_t peak_bytes() const;

 private:
  long long before_;
};

}  // namespace stretto::testing
