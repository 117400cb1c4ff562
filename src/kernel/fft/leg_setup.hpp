// SPDX-License-Identifier: BSD-3-Clause
// From a plan's schedule to the shape of a leg, and the movers that its legs share.
#pragma once

#include <memory>
#include <optional>
#include <stretto/fft.hpp>
#include <vector>

#include "kernel/fft/leg.hpp"

namespace stretto::kernel {

/// Rows of b in a message, and whether it is packed, as `schedule` says for so many ranks.
[[nodiscard]] LegShape leg_shape(const fft::Schedule& schedule, Share a, Share b, std::size_t c);

/// Where the legs of a team land: elements from the first of their ground on.
struct LegPlaces {
  std::size_t over = 0;
  std::optional<std::size_t> back;  ///< none: nothing ever goes back
  bool keeps = false;               ///< see LegMovers
};

/// The first element at a place of its ground that is aligned to 64 bytes, from `elements` on.
[[nodiscard]] constexpr std::size_t whole_line_of(std::size_t elements) {
  constexpr std::size_t line = 64 / sizeof(Complex);
  return (elements + line - 1) / line * line;
}

/// What moves the data of one team's legs. The routes over are those of `shapes`; the way back, if there is
/// one, is that of the first.
class LegResources {
 public:
  LegResources(Ground& ground, const Team& team, const std::vector<LegShape>& shapes,
               const LegPlaces& places);

  [[nodiscard]] LegMovers movers(std::size_t route, Complex* stage) const;
  /// Whether every send over is a copy, so that nothing of the stage stays under way.
  [[nodiscard]] bool all_copies() const;
  [[nodiscard]] std::uint64_t messages() const;

  /// The flags of a ground that the movers of such legs take.
  [[nodiscard]] static std::size_t flags(const std::vector<LegShape>& shapes, bool with_back);

 private:
  int rank_;
  int ranks_;
  bool keeps_;
  std::unique_ptr<Mover> over_;
  std::unique_ptr<Mover> back_;
};

}  // namespace stretto::kernel
