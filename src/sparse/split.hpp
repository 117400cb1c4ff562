// SPDX-License-Identifier: BSD-3-Clause
// Splits a rank's rows by the owners of the elements of x, and determines which rank needs which elements. It
// transfers no element of x.
#pragma once

#include <cstdint>
#include <stretto/spmv.hpp>
#include <vector>

#include "mpi/communicator.hpp"
#include "sparse/grouped_rows.hpp"

namespace stretto::spmv {

/// Elements of a block of x that one rank owns and another one needs: indices in that block, ascending.
struct PeerElements {
  int peer = 0;  ///< the other rank
  std::vector<std::uint32_t> elements;
};

struct Split {
  std::size_t rows = 0;
  std::vector<std::size_t> first;      ///< first element of x of each rank, and one past the last
  GroupedRows own;                     ///< columns: indices in the own block
  std::vector<GroupedRows> others;     ///< one for each of `needs`; columns: as `whole_blocks` says
  std::vector<PeerElements> receives;  ///< elements of other ranks, beginning with the next rank
  /// Elements for other ranks, beginning with the previous rank, because readers need this rank in that
  /// order..
  std::vector<PeerElements> sends;
  /// For each of `sends`: the number of elements that its reader receives before them.
  std::vector<std::size_t> remote_offset;

  [[nodiscard]] std::size_t block(int rank) const {
    const auto place = static_cast<std::size_t>(rank);
    return first[place + 1] - first[place];
  }
};

/// `whole_blocks`: remote columns are numbered within their owner's block; otherwise within the needed
/// elements. Throws ArgumentError `part`, on all ranks, when a rank's part is invalid. Collective.
[[nodiscard]] Split split(const mpi::Communicator& team, const Part& part, bool whole_blocks);

}  // namespace stretto::spmv
