// SPDX-License-Identifier: BSD-3-Clause
// How a product comes by the elements of x that other ranks have: one interface, two ways: their owners put
// them (signalled.cpp), or the rank that needs them gets them (fetched.cpp). Knows nothing of matrices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stretto/spmv.hpp>

#include "kernel/spmv/split.hpp"

namespace stretto::kernel {

inline constexpr std::size_t value_bytes = sizeof(double);  // of an element of x

/// A product: begin; arrived, for each of the needs in their order; end. Every rank goes through every
/// product.
class SourceExchange {
 public:
  virtual ~SourceExchange() = default;

  /// Starts what can be started. `x` stays unchanged until end().
  virtual void begin(const double* x) = 0;
  /// Waits for the elements of need number `index`; they can be read until end().
  [[nodiscard]] virtual const double* arrived(std::size_t index) = 0;
  virtual void end() = 0;

  /// Puts or gets so far.
  [[nodiscard]] std::uint64_t messages() const { return messages_; }

 protected:
  std::uint64_t messages_ = 0;
};

// Collective. What they are given stays as long as they do.
[[nodiscard]] std::unique_ptr<SourceExchange> signalled_exchange(Runtime& runtime, const Split& split,
                                                                 const spmv::Settings& settings,
                                                                 spmv::Timers& timers);
[[nodiscard]] std::unique_ptr<SourceExchange> fetched_exchange(Runtime& runtime, const Split& split,
                                                               const spmv::Settings& settings,
                                                               spmv::Timers& timers);

}  // namespace stretto::kernel
