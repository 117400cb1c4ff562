// SPDX-License-Identifier: BSD-3-Clause
// The steps of the last rank, which has most data, in a transform in slabs: what Transpose computes and sends
// in this order. `Rank` has `compute(flops)`, `start(hop, size_bytes)`, which returns the message's number,
// and `await(message)` for the message that comes from as far away.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "fft/lines.hpp"
#include "fft/transpose_setup.hpp"

namespace stretto::fft {

/// The operations of a rank for one plane before the transpose.
struct PlaneFlops {
  double columns = 0;  ///< before its rows
  double rows = 0;     ///< of all its rows
};

/// The messages that a rank has started, or that arrive at it, by group.
template <typename Rank>
using MessagesOf = std::vector<std::vector<decltype(std::declval<Rank&>().start(1, 1))>>;

/// Bytes of a message of a group to another rank: of one plane, or of all planes when packed.
[[nodiscard]] inline std::size_t message_bytes(const TransposeShape& shape, int group) {
  const std::size_t rows = shape.piece(shape.b.ranks - 1, group).second;
  return (shape.packed ? shape.a.largest() : 1) * rows * shape.c * sizeof(Complex);
}

/// Plane by plane the columns, then piece by piece the rows for one rank after the other, the rank's own
/// last. Packed blocks leave behind the last plane.
template <typename Rank>
[[nodiscard]] MessagesOf<Rank> produce_steps(Rank& rank, const TransposeShape& shape,
                                             const PlaneFlops& flops) {
  const int groups = shape.largest_pieces();
  const int ranks = shape.b.ranks;
  MessagesOf<Rank> messages(static_cast<std::size_t>(groups));
  const auto send = [&](int hop, int group) {
    messages[static_cast<std::size_t>(group)].push_back(rank.start(hop, message_bytes(shape, group)));
  };
  for (std::size_t plane = 0; plane < shape.a.largest(); ++plane) {
    rank.compute(flops.columns);
    for (int group = 0; group < groups; ++group) {
      for (int hop = 1; hop <= ranks; ++hop) {
        rank.compute(flops.rows / groups / ranks);
        if (!shape.packed && hop < ranks) send(hop, group);
      }
    }
  }
  for (int hop = 1; shape.packed && hop < ranks; ++hop) send(hop, 0);
  return messages;
}

/// Lines of length `n0`, group by group as they arrive. `behind(rows)` follows the lines of a group.
template <typename Rank, typename Behind>
void consume_steps(Rank& rank, const TransposeShape& shape, const MessagesOf<Rank>& messages, std::size_t n0,
                   Behind&& behind) {
  for (int group = 0; group < shape.largest_pieces(); ++group) {
    for (const auto message : messages[static_cast<std::size_t>(group)]) rank.await(message);
    const std::size_t rows = shape.piece(shape.b.ranks - 1, group).second;
    rank.compute(line_flops(n0) * static_cast<double>(rows * shape.c));
    behind(rows);
  }
}

}  // namespace stretto::fft
