// SPDX-License-Identifier: BSD-3-Clause
// Converts a plan's schedule to the shape of a transpose, and makes the exchanges that its transposes share.
#pragma once

#include <memory>
#include <optional>
#include <stretto/fft.hpp>
#include <vector>

#include "fft/transpose.hpp"

namespace stretto::fft {

/// The shape, with the rows of b per message and the packing that `schedule` defines for this number of
/// ranks.
[[nodiscard]] TransposeShape transpose_shape(const Schedule& schedule, plan::BlockDistribution a,
                                             plan::BlockDistribution b, std::size_t c);

/// The receive buffers of a team's transposes: offsets in elements in their arena.
struct TransposeOffsets {
  std::size_t over = 0;
  std::optional<std::size_t> back;  ///< none: the backward direction is not used
  bool buffer_reusable = false;     ///< see TransposeExchanges
};

/// The first element offset, from `elements` on, that is aligned to 64 bytes in the arena.
[[nodiscard]] constexpr std::size_t whole_line_of(std::size_t elements) {
  constexpr std::size_t line = 64 / sizeof(Complex);
  return (elements + line - 1) / line * line;
}

/// The exchanges of one team's transposes. The forward direction has one pattern per shape. The backward
/// direction, if used, has the pattern of the first shape.
class TransposeResources {
 public:
  TransposeResources(exchange::BufferArena& arena, const Team& team,
                     const std::vector<TransposeShape>& shapes, const TransposeOffsets& places);

  [[nodiscard]] TransposeExchanges exchanges(std::size_t pattern, Complex* stage) const;
  /// Whether every forward send is a copy, so that the stage may be overwritten at once.
  [[nodiscard]] bool all_copies() const;
  [[nodiscard]] std::uint64_t messages() const;

  /// The number of arena flags that the exchanges of such transposes need.
  [[nodiscard]] static std::size_t flags(const std::vector<TransposeShape>& shapes, bool with_back);

 private:
  int rank_;
  int ranks_;
  bool buffer_reusable_;
  std::unique_ptr<exchange::Exchange> over_;
  std::unique_ptr<exchange::Exchange> back_;
};

}  // namespace stretto::fft
