// SPDX-License-Identifier: BSD-3-Clause
// From a plan's schedule to the shape of a transpose, and the exchanges that its transposes share.
#pragma once

#include <memory>
#include <optional>
#include <stretto/fft.hpp>
#include <vector>

#include "kernel/fft/transpose.hpp"

namespace stretto::kernel {

/// Rows of b in a message, and whether it is packed, as `schedule` says for so many ranks.
[[nodiscard]] TransposeShape transpose_shape(const fft::Schedule& schedule, BlockDistribution a,
                                             BlockDistribution b, std::size_t c);

/// Where the transposes of a team land: elements from the first of their arena on.
struct TransposeOffsets {
  std::size_t over = 0;
  std::optional<std::size_t> back;  ///< none: nothing ever goes back
  bool keeps = false;               ///< see TransposeExchanges
};

/// The first element at a place of its arena that is aligned to 64 bytes, from `elements` on.
[[nodiscard]] constexpr std::size_t whole_line_of(std::size_t elements) {
  constexpr std::size_t line = 64 / sizeof(Complex);
  return (elements + line - 1) / line * line;
}

/// What moves the data of one team's transposes. The patterns over are those of `shapes`; the way back, if
/// there is one, is that of the first.
class TransposeResources {
 public:
  TransposeResources(exchange::BufferArena& arena, const Team& team,
                     const std::vector<TransposeShape>& shapes, const TransposeOffsets& places);

  [[nodiscard]] TransposeExchanges exchanges(std::size_t pattern, Complex* stage) const;
  /// Whether every send over is a copy, so that nothing of the stage stays under way.
  [[nodiscard]] bool all_copies() const;
  [[nodiscard]] std::uint64_t messages() const;

  /// The flags of an arena that the exchanges of such transposes take.
  [[nodiscard]] static std::size_t flags(const std::vector<TransposeShape>& shapes, bool with_back);

 private:
  int rank_;
  int ranks_;
  bool keeps_;
  std::unique_ptr<exchange::Exchange> over_;
  std::unique_ptr<exchange::Exchange> back_;
};

}  // namespace stretto::kernel
