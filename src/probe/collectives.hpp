// SPDX-License-Identifier: BSD-3-Clause
// What the probe `collective` calls, without knowing MPI: one operation among the first ranks, whole or one
// phase of it. The program that has an MPI brings the implementation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stretto/collective_form.hpp>

#include "measure/experiment.hpp"

namespace stretto::probe {

struct CollectiveCall {
  collective::Operation operation = collective::Operation::broadcast;
  collective::Form form;
  int members = 2;  ///< the first so many ranks
  int root = 0;
  std::size_t size_bytes = 0;  ///< b, docs/formats.md
};

enum class CollectivePart { total, leader, concurrent };

class Collectives {
 public:
  Collectives() = default;
  Collectives(const Collectives&) = delete;
  Collectives& operator=(const Collectives&) = delete;
  virtual ~Collectives() = default;

  /// Makes groups and buffers, of which there is one set at a time. Collective over all ranks. With
  /// `checked`, what fill() writes is kept apart for every rank.
  virtual void prepare(const CollectiveCall& call, bool checked) = 0;

  /// What was prepared, at a member; nothing at the other ranks.
  virtual void run(CollectivePart part) = 0;

  /// Contributions that depend on rank, place and `seed`; clears results.
  virtual void fill(std::uint32_t seed) = 0;
  /// Whether the result of a total is what it must be after fill(seed).
  [[nodiscard]] virtual measure::Tally verify(std::uint32_t seed) const = 0;
};

}  // namespace stretto::probe
