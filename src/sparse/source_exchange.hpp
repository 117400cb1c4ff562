// SPDX-License-Identifier: BSD-3-Clause
// The communication of remote elements of x for a product. One interface with two implementations: owners put
// the elements (signalled.cpp), or the rank that needs them gets them (fetched.cpp). It does not depend on
// matrices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stretto/spmv.hpp>

#include "sparse/split.hpp"

namespace stretto::spmv {

inline constexpr std::size_t value_bytes = sizeof(double);  // size of an element of x

/// Usage per product: begin; arrived, for each of the needs in their order; end. Every rank takes part in
/// every product.
class SourceExchange {
 public:
  virtual ~SourceExchange() = default;

  /// Starts all transfers that can start. `x` must stay unchanged until end().
  virtual void begin(const double* x) = 0;
  /// Waits for the elements of need number `index` and returns them; they are valid until end().
  [[nodiscard]] virtual const double* arrived(std::size_t index) = 0;
  virtual void end() = 0;

  /// Number of puts or gets so far.
  [[nodiscard]] std::uint64_t messages() const { return messages_; }

 protected:
  std::uint64_t messages_ = 0;
};

// Collective. The arguments must outlive the exchange.
[[nodiscard]] std::unique_ptr<SourceExchange> signalled_exchange(Runtime& runtime, const Split& split,
                                                                 const Settings& settings,
                                                                 PlanTimers& timers);
[[nodiscard]] std::unique_ptr<SourceExchange> fetched_exchange(Runtime& runtime, const Split& split,
                                                               const Settings& settings, PlanTimers& timers);

}  // namespace stretto::spmv
