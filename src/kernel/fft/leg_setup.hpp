// SPDX-License-Identifier: BSD-3-Clause
// From a plan's schedule to the shape of a leg, and the movers and stage that its legs share.
#pragma once

#include <memory>
#include <stretto/fft.hpp>
#include <vector>

#include "kernel/fft/leg.hpp"

namespace stretto::kernel {

/// Rows of b in a message, and whether it is packed, as `schedule` says for so many ranks.
[[nodiscard]] LegShape leg_shape(const fft::Schedule& schedule, Share a, Share b, std::size_t c);

/// What moves the data of one team's legs. The routes over are those of `shapes`; the way back, if there is
/// one, is that of the first. `keeps`: see LegMovers.
class LegResources {
 public:
  LegResources(Runtime& runtime, const Team& team, Transport transport, const std::vector<LegShape>& shapes,
               bool with_back, bool keeps = false);

  [[nodiscard]] LegMovers movers(std::size_t route) const;
  /// Elements of the stage, which is the landing of the way back where there is one.
  [[nodiscard]] Complex* stage() const { return stage_; }
  [[nodiscard]] std::size_t memory_bytes() const;
  [[nodiscard]] std::uint64_t messages() const;

 private:
  std::unique_ptr<Mover> over_;
  std::unique_ptr<Mover> back_;
  Scratch own_stage_;
  std::size_t own_stage_bytes_ = 0;
  Complex* stage_ = nullptr;
  bool keeps_;
};

}  // namespace stretto::kernel
