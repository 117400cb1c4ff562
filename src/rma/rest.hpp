// SPDX-License-Identifier: BSD-3-Clause
// How long a helper rests after traffic. Knows no MPI, and no clock.
#pragma once

#include <algorithm>
#include <chrono>
#include <utility>

namespace stretto::rma {

/// A quarter of the pace at first, for what answers a request are a few short messages back and forth; twice
/// as long each time while more comes, up to the pace, for that is bulk.
class Rest {
 public:
  explicit Rest(std::chrono::nanoseconds pace) : pace_(pace), next_(first()) {}

  /// After traffic.
  std::chrono::nanoseconds next() { return std::exchange(next_, std::min(2 * next_, pace_)); }

  /// After a pace without traffic.
  void begin_anew() { next_ = first(); }

 private:
  [[nodiscard]] std::chrono::nanoseconds first() const { return pace_ / 4; }

  std::chrono::nanoseconds pace_;
  std::chrono::nanoseconds next_;
};

}  // namespace stretto::rma
