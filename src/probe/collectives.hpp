// SPDX-License-Identifier: BSD-3-Clause
// The interface through which the probe `collective` calls an operation, or one phase of it, without
// knowing MPI. A program with MPI provides the implementation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stretto/collective_form.hpp>

#include "measure/experiment.hpp"

namespace stretto::probe {

struct CollectiveCall {
  collective::Operation operation = collective::Operation::broadcast;
  collective::Form form;
  int members = 2;  ///< ranks 0 to members - 1 take part
  int root = 0;
  std::size_t size_bytes = 0;  ///< b of docs/formats.md
};

enum class CollectivePart { total, leader, concurrent };

class Collectives {
 public:
  Collectives() = default;
  Collectives(const Collectives&) = delete;
  Collectives& operator=(const Collectives&) = delete;
  virtual ~Collectives() = default;

  /// Creates the groups and buffers of `call`; they replace those of the call before. Collective over all
  /// ranks. With `checked`, each rank has separate data for fill().
  virtual void prepare(const CollectiveCall& call, bool checked) = 0;

  /// Runs the prepared call on its members; does nothing on the other ranks.
  virtual void run(CollectivePart part) = 0;

  /// Fills the contributions with values that depend on rank, place and `seed`, and clears the results.
  virtual void fill(std::uint32_t seed) = 0;
  /// Checks the result of CollectivePart::total after fill(seed).
  [[nodiscard]] virtual measure::CheckedTransfers verify(std::uint32_t seed) const = 0;
};

}  // namespace stretto::probe
