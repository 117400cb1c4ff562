// SPDX-License-Identifier: BSD-3-Clause
// A rank's rows cut by the owners of the elements of x, and which rank needs which of them. Moves no element
// of x.
#pragma once

#include <cstdint>
#include <stretto/spmv.hpp>
#include <vector>

#include "kernel/spmv/grouped_rows.hpp"
#include "mpi/communicator.hpp"

namespace stretto::kernel {

/// Elements of the block of x that one of two ranks has and the other one needs: places in that block,
/// ascending.
struct PeerElements {
  int peer = 0;  ///< the other one
  std::vector<std::uint32_t> elements;
};

struct Split {
  std::size_t rows = 0;
  std::vector<std::size_t> first;      ///< element of x of each rank, and one past the last
  GroupedRows own;                     ///< columns: places in the own block
  std::vector<GroupedRows> others;     ///< one for each of `needs`; columns: as `whole_blocks` says
  std::vector<PeerElements> receives;  ///< of others, from the next rank on
  std::vector<PeerElements> sends;  ///< by others, from the rank before on: they need this rank in that order
  std::vector<std::size_t>
      remote_offset;  ///< of each of `sends`: how many elements its reader needs before them

  [[nodiscard]] std::size_t block(int rank) const {
    const auto place = static_cast<std::size_t>(rank);
    return first[place + 1] - first[place];
  }
};

/// `whole_blocks`: the others' columns are places in their owner's block; else in what is needed of it.
/// Collective. Throws ArgumentError `part`, on all ranks, when the part of one of them cannot be.
[[nodiscard]] Split split(const mpi::Communicator& team, const spmv::Part& part, bool whole_blocks);

}  // namespace stretto::kernel
