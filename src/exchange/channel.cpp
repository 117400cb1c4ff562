// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/channel.hpp"

#include "exchange/pieces.hpp"

namespace stretto::exchange {

Transfer part_of(const Transfer& transfer, int parts, int part) {
  const std::size_t size_bytes = transfer.size_bytes / static_cast<std::size_t>(parts);
  const std::size_t skipped_bytes = size_bytes * static_cast<std::size_t>(part);
  Transfer one = transfer;
  one.size_bytes = size_bytes;
  one.offset_bytes += skipped_bytes;
  if (one.receive_offset_bytes) *one.receive_offset_bytes += skipped_bytes;
  return one;
}

bool Channel::supports(Method method) const { return method == Method::individual; }

void Channel::start_pieces(const Pieces& pieces, Method /*method*/) {
  for (std::size_t i = 0; i < pieces.count; ++i) start(pieces.piece(i));
}

void Channel::expect_pieces(const Pieces& pieces, Method /*method*/) {
  for (std::size_t i = 0; i < pieces.count; ++i) expect(pieces.piece(i));
}

}  // namespace stretto::exchange
