// SPDX-License-Identifier: BSD-3-Clause
// The protocol that the runtime takes for an operation, and why. It moves nothing.
#pragma once

#include <cstddef>
#include <string_view>

namespace stretto {

class Region;

/// direct: loads and stores. rma: MPI_Put and MPI_Get. eager: packets that carry the data, copied on both
/// sides. rendezvous: segments that are sent from where they are and received where they belong.
enum class Protocol { direct, rma, eager, rendezvous };

[[nodiscard]] std::string_view to_string(Protocol protocol);

enum class OperationClass { put, get, put_signal, update };

struct ProtocolQuery {
  OperationClass operation = OperationClass::put;
  int target = 0;  ///< in the region's team
  std::size_t size_bytes = 0;
  /// Of the shortest row, or piece, of data that is not contiguous. 0: the data is contiguous.
  std::size_t row_bytes = 0;
};

struct ProtocolChoice {
  Protocol protocol = Protocol::direct;
  std::string_view reason;
};

/// Throws what the operation would throw: ArgumentError `target`, FinalizedError.
[[nodiscard]] ProtocolChoice protocol_of(const Region& region, const ProtocolQuery& query);

}  // namespace stretto
