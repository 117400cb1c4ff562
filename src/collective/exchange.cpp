// SPDX-License-Identifier: BSD-3-Clause
// Gather and scatter in two phases. Between the phases the leader of a column holds the blocks of that
// column, one behind the other; at the root the blocks of one column lie p2 blocks apart.
#include <memory>
#include <vector>

#include "collective/memory.hpp"
#include "collective/two_phase.hpp"
#include "mpi/check.hpp"

namespace stretto::collective {
namespace {

using mpi::check;

/// Blocks of `count` elements of `type`.
struct Block {
  Block(int count, MPI_Datatype type) : made(Type::block(count, type)), extent(count * extent_of(type)) {}

  [[nodiscard]] MPI_Datatype get() const { return made.get(); }

  Type made;
  MPI_Aint extent;
};

/// Who leads which column: the member in the root's row, where that is full. Else the member in the first
/// row, and the root its own column.
struct Leaders {
  Leaders(const Plan& plan, int root_rank)
      : plan(plan),
        root(root_rank),
        row(plan.leader_row(root_rank)),
        root_column(plan.column_of(root_rank)) {}

  /// The leader's rank within its column.
  [[nodiscard]] int row_in(int column) const { return column == root_column ? plan.row_of(root) : row; }
  [[nodiscard]] int rank_of(int column) const { return row_in(column) * plan.grid.columns + column; }
  /// Whether this rank leads its column.
  [[nodiscard]] bool is_one() const { return plan.own_row() == row_in(plan.own_column()); }

  const Plan& plan;
  int root;
  int row;
  int root_column;
};

/// The blocks of a column where all ranks' blocks lie in rank order.
Type spread(const Plan& plan, const Block& block, int column) {
  return Type::strided(plan.column_length(column), block.get(), plan.grid.columns * block.extent,
                       block.extent);
}

/// The leaders' phase of a gather on a ragged grid, whose columns are not equally long: by messages of its
/// own.
void gather_from_leaders(const Leaders& leaders, const void* column_blocks, int length, const Block& own,
                         void* receive, const Block* received) {
  const Plan& plan = leaders.plan;
  const MPI_Comm whole = plan.kept.whole();
  std::vector<MPI_Request> requests;
  std::vector<Type> types;
  if (plan.kept.rank() == leaders.root) {
    for (int column = 0; column < plan.grid.columns; ++column) {
      types.push_back(spread(plan, *received, column));
      check(PMPI_Irecv(behind(receive, column * received->extent), 1, types.back().get(),
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

/// The same of a scatter.
void scatter_to_leaders(const Leaders& leaders, const void* send, const Block* sent, void* column_blocks,
                        int length, const Block& own) {
  const Plan& plan = leaders.plan;
  const MPI_Comm whole = plan.kept.whole();
  std::vector<MPI_Request> requests;
  std::vector<Type> types;
  if (leaders.is_one()) {
    check(PMPI_Irecv(column_blocks, length, own.get(), leaders.root, phase_tag, whole,
                     &requests.emplace_back()),
          "MPI_Irecv");
  }
  if (plan.kept.rank() == leaders.root) {
    for (int column = 0; column < plan.grid.columns; ++column) {
      types.push_back(spread(plan, *sent, column));
      check(PMPI_Isend(behind(send, column * sent->extent), 1, types.back().get(), leaders.rank_of(column),
                       phase_tag, whole, &requests.emplace_back()),
            "MPI_Isend");
    }
  }
  check(PMPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
}

}  // namespace

void gather(const Plan& plan, const void* send, int send_count, MPI_Datatype send_type, void* receive,
            int receive_count, MPI_Datatype receive_type, int root) {
  const Leaders leaders(plan, root);
  const bool is_root = plan.kept.rank() == root;
  if (send == MPI_IN_PLACE) {  // only at the root
    send_count = receive_count;
    send_type = receive_type;
    send = behind(receive, MPI_Aint{root} * receive_count * extent_of(receive_type));
  }
  const Block own(send_count, send_type);
  const int length = plan.column_length(plan.own_column());
  const Elements column_blocks(leaders.is_one() ? length : 0, own.get());
  if (plan.parts.concurrent) {
    check(plan.flat.gather(send, 1, own.get(), column_blocks.get(), 1, own.get(),
                           leaders.row_in(plan.own_column()), plan.groups().column.get()),
          "MPI_Gather");
  }
  if (!plan.parts.leader) return;
  const std::unique_ptr<Block> received =
      is_root ? std::make_unique<Block>(receive_count, receive_type) : nullptr;
  if (!plan.is_regular()) {
    gather_from_leaders(leaders, column_blocks.get(), length, own, receive, received.get());
  } else if (leaders.is_one()) {
    const Type to = is_root ? spread(plan, *received, 0) : Type::block(1, own.get());
    check(plan.flat.gather(column_blocks.get(), length, own.get(), receive, 1, to.get(), leaders.root_column,
                           plan.groups().row.get()),
          "MPI_Gather");
  }
}

void scatter(const Plan& plan, const void* send, int send_count, MPI_Datatype send_type, void* receive,
             int receive_count, MPI_Datatype receive_type, int root) {
  const Leaders leaders(plan, root);
  const bool is_root = plan.kept.rank() == root;
  const bool in_place = receive == MPI_IN_PLACE;  // only at the root, whose block stays where it is
  if (in_place) {
    receive_count = send_count;
    receive_type = send_type;
  }
  const Block own(receive_count, receive_type);
  const int length = plan.column_length(plan.own_column());
  const Elements column_blocks(leaders.is_one() ? length : 0, own.get());
  if (plan.parts.leader) {
    const std::unique_ptr<Block> sent = is_root ? std::make_unique<Block>(send_count, send_type) : nullptr;
    if (!plan.is_regular()) {
      scatter_to_leaders(leaders, send, sent.get(), column_blocks.get(), length, own);
    } else if (leaders.is_one()) {
      const Type from = is_root ? spread(plan, *sent, 0) : Type::block(1, own.get());
      check(plan.flat.scatter(send, 1, from.get(), column_blocks.get(), length, own.get(),
                              leaders.root_column, plan.groups().row.get()),
            "MPI_Scatter");
    }
  }
  if (!plan.parts.concurrent) return;
  check(plan.flat.scatter(column_blocks.get(), 1, own.get(), receive, 1, own.get(),
                          leaders.row_in(plan.own_column()), plan.groups().column.get()),
        "MPI_Scatter");
}

}  // namespace stretto::collective
