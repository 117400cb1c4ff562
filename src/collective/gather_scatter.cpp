// SPDX-License-Identifier: BSD-3-Clause
// Gather and scatter in two phases. Between the phases the leader of a column holds that column's blocks
// contiguously. At the root the blocks of one column have a stride of p2 blocks.
#include <memory>
#include <vector>

#include "collective/memory.hpp"
#include "collective/two_phase.hpp"
#include "mpi/check.hpp"
#include "mpi/library.hpp"

namespace stretto::collective::two_phase {
namespace {

using mpi::check;

/// A rank's block: `count` elements of `type`.
struct RankBlock {
  RankBlock(int count, MPI_Datatype type)
      : block_type(Type::block(count, type)), extent(count * extent_of(type)) {}

  [[nodiscard]] MPI_Datatype get() const { return block_type.get(); }

  Type block_type;
  MPI_Aint extent;
};

/// The leader of each column: the member in the root's row if that row is full. Otherwise the member in the
/// first row, and in the root's column the root itself.
struct Leaders {
  Leaders(const TwoPhaseCall& call, int root_rank)
      : call(call),
        root(root_rank),
        row(call.leader_row(root_rank)),
        root_column(call.column_of(root_rank)) {}

  /// The leader's rank within its column.
  [[nodiscard]] int row_in(int column) const { return column == root_column ? call.row_of(root) : row; }
  [[nodiscard]] int rank_of(int column) const { return row_in(column) * call.grid.columns + column; }
  /// Whether this rank leads its column.
  [[nodiscard]] bool is_one() const { return call.own_row() == row_in(call.own_column()); }

  const TwoPhaseCall& call;
  int root;
  int row;
  int root_column;
};

/// A datatype of a column's blocks in an array of all blocks in rank order.
Type spread(const TwoPhaseCall& call, const RankBlock& block, int column) {
  return Type::strided(call.column_length(column), block.get(), call.grid.columns * block.extent,
                       block.extent);
}

/// The leaders' phase of a gather on a ragged grid, and where MPI_Gather cannot spread a column's blocks. It
/// uses point-to-point messages, because columns differ in length.
void gather_from_leaders(const Leaders& leaders, const void* column_blocks, int length, const RankBlock& own,
                         void* receive, const RankBlock* received) {
  const TwoPhaseCall& call = leaders.call;
  const MPI_Comm whole = call.state.internal_communicator();
  std::vector<MPI_Request> requests;
  std::vector<Type> types;
  if (call.state.rank() == leaders.root) {
    for (int column = 0; column < call.grid.columns; ++column) {
      types.push_back(spread(call, *received, column));
      check(PMPI_Irecv(offset_by(receive, column * received->extent), 1, types.back().get(),
                       leaders.rank_of(column), phase_tag, whole, &requests.emplace_back()),
            "MPI_Irecv");
    }
  }
  if (leaders.is_one()) {
    check(PMPI_Isend(column_blocks, length, own.get(), leaders.root, phase_tag, whole,
                     &requests.emplace_back()),
          "MPI_Isend");
  }
  check(PMPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
}

/// The same for a scatter.
void scatter_to_leaders(const Leaders& leaders, const void* send, const RankBlock* sent, void* column_blocks,
                        int length, const RankBlock& own) {
  const TwoPhaseCall& call = leaders.call;
  const MPI_Comm whole = call.state.internal_communicator();
  std::vector<MPI_Request> requests;
  std::vector<Type> types;
  if (leaders.is_one()) {
    check(PMPI_Irecv(column_blocks, length, own.get(), leaders.root, phase_tag, whole,
                     &requests.emplace_back()),
          "MPI_Irecv");
  }
  if (call.state.rank() == leaders.root) {
    for (int column = 0; column < call.grid.columns; ++column) {
      types.push_back(spread(call, *sent, column));
      check(PMPI_Isend(offset_by(send, column * sent->extent), 1, types.back().get(), leaders.rank_of(column),
                       phase_tag, whole, &requests.emplace_back()),
            "MPI_Isend");
    }
  }
  check(PMPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
}

}  // namespace

void gather(const TwoPhaseCall& call, const void* send, int send_count, MPI_Datatype send_type, void* receive,
            int receive_count, MPI_Datatype receive_type, int root) {
  const Leaders leaders(call, root);
  const bool is_root = call.state.rank() == root;
  if (send == MPI_IN_PLACE) {  // only at the root
    send_count = receive_count;
    send_type = receive_type;
    send = offset_by(receive, MPI_Aint{root} * receive_count * extent_of(receive_type));
  }
  const RankBlock own(send_count, send_type);
  const int length = call.column_length(call.own_column());
  const Elements column_blocks(leaders.is_one() ? length : 0, own.get());
  if (call.phases.concurrent) {
    check(call.flat.gather(send, 1, own.get(), column_blocks.get(), 1, own.get(),
                           leaders.row_in(call.own_column()), call.groups().column.get()),
          "MPI_Gather");
  }
  if (!call.phases.leader) return;
  const std::unique_ptr<RankBlock> received =
      is_root ? std::make_unique<RankBlock>(receive_count, receive_type) : nullptr;
  if (!call.is_regular() || !mpi::gathers_resized_types()) {
    gather_from_leaders(leaders, column_blocks.get(), length, own, receive, received.get());
  } else if (leaders.is_one()) {
    const Type to = is_root ? spread(call, *received, 0) : Type::block(1, own.get());
    check(call.flat.gather(column_blocks.get(), length, own.get(), receive, 1, to.get(), leaders.root_column,
                           call.groups().row.get()),
          "MPI_Gather");
  }
}

void scatter(const TwoPhaseCall& call, const void* send, int send_count, MPI_Datatype send_type,
             void* receive, int receive_count, MPI_Datatype receive_type, int root) {
  const Leaders leaders(call, root);
  const bool is_root = call.state.rank() == root;
  const bool in_place = receive == MPI_IN_PLACE;  // only at the root; its block stays in place
  if (in_place) {
    receive_count = send_count;
    receive_type = send_type;
  }
  const RankBlock own(receive_count, receive_type);
  const int length = call.column_length(call.own_column());
  const Elements column_blocks(leaders.is_one() ? length : 0, own.get());
  if (call.phases.leader) {
    const std::unique_ptr<RankBlock> sent =
        is_root ? std::make_unique<RankBlock>(send_count, send_type) : nullptr;
    if (!call.is_regular()) {
      scatter_to_leaders(leaders, send, sent.get(), column_blocks.get(), length, own);
    } else if (leaders.is_one()) {
      const Type from = is_root ? spread(call, *sent, 0) : Type::block(1, own.get());
      check(call.flat.scatter(send, 1, from.get(), column_blocks.get(), length, own.get(),
                              leaders.root_column, call.groups().row.get()),
            "MPI_Scatter");
    }
  }
  if (!call.phases.concurrent) return;
  check(call.flat.scatter(column_blocks.get(), 1, own.get(), receive, 1, own.get(),
                          leaders.row_in(call.own_column()), call.groups().column.get()),
        "MPI_Scatter");
}

}  // namespace stretto::collective::two_phase
