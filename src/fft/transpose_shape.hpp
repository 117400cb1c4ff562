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

  /// Rows of the part of b of `source` on their way back to all planes of `target`, from [a][b of
  /// `source`][c]: their place among all rows of b.
  [[nodiscard]] exchange::StridedBlock back_block(int source, int target, std::size_t first_row,
                                                  std::size_t rows) const;
  /// The rows of a group as one message.
  [[nodiscard]] exchange::StridedBlock back_message(int source, int target, int group) const;

  /// The blocks that arrive at `rank` in the forward direction, and in the backward direction.
  [[nodiscard]] exchange::ReceivePattern over(int rank) const;
  [[nodiscard]] exchange::ReceivePattern back(int rank) const;
};

}  // namespace stretto::fft
