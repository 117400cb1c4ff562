// SPDX-License-Identifier: BSD-3-Clause
// The sizes of a distributed transpose: its messages, and where they arrive.
#pragma once

#include <cstddef>
#include <utility>

#include "exchange/exchange.hpp"
#include "plan/block_distribution.hpp"

namespace stretto::fft {

/// The sizes of a transpose and its pieces. Equal on all ranks of the team.
struct TransposeShape {
  plan::BlockDistribution a;  ///< distributed before
  plan::BlockDistribution b;  ///< distributed after
  std::size_t c = 1;
  bool packed = false;
  std::size_t piece_rows = 1;  ///< rows of b per message; ignored when packed

  /// Number of messages per plane (when packed: in total) to rank `target`.
  [[nodiscard]] int pieces(int target) const;
  [[nodiscard]] int largest_pieces() const;
  /// Rows of the target's part of b in a message of this group: the first and the number.
  [[nodiscard]] std::pair<std::size_t, std::size_t> piece(int target, int group) const;
  /// Number of elements of a rank before and after the transpose.
  [[nodiscard]] std::size_t before(int rank) const { return a.count(rank) * b.total * c; }
  [[nodiscard]] std::size_t after(int rank) const { return b.count(rank) * a.total * c; }

  /// The blocks that arrive at `rank` in the forward direction, and in the backward direction.
  [[nodiscard]] exchange::ReceivePattern over(int rank) const;
  [[nodiscard]] exchange::ReceivePattern back(int rank) const;
};

}  // namespace stretto::fft
