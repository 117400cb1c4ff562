// SPDX-License-Identifier: BSD-3-Clause
// How long a helper rests after traffic, and how long it listens where there is none. Knows no MPI, and no
// clock.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace stretto::rma {

/// A quarter of the pace at first, for what answers a request are a few short messages back and forth; twice
/// as long each time while more comes, up to the pace. Up to four where it is bulk, beside a program
/// that calls nobody meanwhile: no one waits for a part of that, and a wake costs what it costs. Half as long
/// where the buffers nearly were too few. A few looks in vain make it no longer: ranks that are about to
/// begin agree on that first, and what they begin should not find a helper that rests from it.
class Rest {
 public:
  explicit Rest(std::chrono::nanoseconds pace) : pace_(pace), next_(first()) {}

  /// After traffic, which went through the share `filled` of the buffers.
  std::chrono::nanoseconds next(double filled, bool bulk) {
    in_vain_ = 0;
    return lengthen(filled, bulk);
  }

  /// After traffic of which the helper found nothing, and the program no bulk.
  std::chrono::nanoseconds next_in_vain() {
    if (++in_vain_ <= few_in_vain) next_ = first();
    return lengthen(0, false);
  }

  /// After a pace without traffic.
  void begin_anew() {
    in_vain_ = 0;
    next_ = first();
  }

 private:
  static constexpr int few_in_vain = 8;  // two paces of them

  [[nodiscard]] std::chrono::nanoseconds first() const { return pace_ / 4; }

  std::chrono::nanoseconds lengthen(double filled, bool bulk) {
    const std::chrono::nanoseconds most = bulk ? 4 * pace_ : pace_;
    if (filled > 0.5) next_ = std::max(next_ / 2, first());
    const std::chrono::nanoseconds now = std::min(next_, most);
    next_ = filled > 0.25 ? now : std::min(2 * now, most);
    return now;
  }

  std::chrono::nanoseconds pace_;
  std::chrono::nanoseconds next_;
  int in_vain_ = 0;
};

/// A pace; four after a silence of four, where more of what came was heard of than was found unheard, for
/// there a request wakes the helper anyway, and an idle one should cost next to nothing.
class Listening {
 public:
  explicit Listening(std::chrono::nanoseconds pace) : pace_(pace) {}

  [[nodiscard]] std::chrono::nanoseconds next() const {
    return silent_ >= long_silence && heard_ > unheard_ ? 4 * pace_ : pace_;
  }

  /// It ended with traffic.
  void heard() {
    ++heard_;
    silent_ = 0;
  }

  /// It ended without; `found`: something had come all the same.
  void silent(bool found) {
    unheard_ += found ? 1 : 0;
    silent_ = found ? 0 : silent_ + 1;
  }

 private:
  static constexpr std::int64_t long_silence = 4;

  std::chrono::nanoseconds pace_;
  std::int64_t heard_ = 0;
  std::int64_t unheard_ = 0;
  std::int64_t silent_ = 0;
};

}  // namespace stretto::rma
