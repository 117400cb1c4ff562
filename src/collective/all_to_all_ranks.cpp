// SPDX-License-Identifier: BSD-3-Clause
// Operations with a result on every rank, in two phases: all row groups concurrently, then all column groups,
// or the reverse. On a ragged grid allreduce and allgather go along the columns to the first row, along that
// row, and back along the columns.
#include <algorithm>
#include <numeric>
#include <vector>

#include "collective/memory.hpp"
#include "collective/two_phase.hpp"
#include "mpi/check.hpp"

namespace stretto::collective::two_phase {
namespace {

using mpi::check;

/// Columns reduce to the first row, the first row does an allreduce, columns broadcast.
void ragged_allreduce(const TwoPhaseCall& call, const void* own, void* receive, int count, MPI_Datatype type,
                      MPI_Op op) {
  const GridGroups& groups = call.groups();
  const bool leads = call.own_row() == 0;
  const Elements sums(leads ? count : 0, type);
  check(call.flat.reduce(own, sums.get(), count, type, op, 0, groups.column.get()), "MPI_Reduce");
  if (leads) {
    check(call.flat.allreduce(sums.get(), receive, count, type, op, groups.row.get()), "MPI_Allreduce");
  }
  check(call.flat.broadcast(receive, count, type, 0, groups.column.get()), "MPI_Bcast");
}

/// Reorders the blocks of all ranks from the order in which the first row gathers them, column by column, to
/// rank order.
void into_rank_order(const TwoPhaseCall& call, const void* by_column, void* receive, const Type& block,
                     MPI_Aint extent) {
  MPI_Aint before = 0;
  for (int column = 0; column < call.grid.columns; ++column) {
    const int length = call.column_length(column);
    const Type spread = Type::strided(length, block.get(), call.grid.columns * extent, extent);
    copy(offset_by(by_column, before * extent), length, block.get(), offset_by(receive, column * extent), 1,
         spread.get(), call.groups().row.get());
    before += length;
  }
}

/// Columns gather to the first row, the first row does an allgather, columns broadcast.
void ragged_allgather(const TwoPhaseCall& call, const void* send, int send_count, MPI_Datatype send_type,
                      void* receive, const Type& block, MPI_Aint extent) {
  const GridGroups& groups = call.groups();
  const bool leads = call.own_row() == 0;
  const int length = call.column_length(call.own_column());
  const Elements of_column(leads ? length : 0, block.get());
  check(
      call.flat.gather(send, send_count, send_type, of_column.get(), 1, block.get(), 0, groups.column.get()),
      "MPI_Gather");
  if (leads) {
    const auto columns = static_cast<std::size_t>(call.grid.columns);
    std::vector<int> lengths(columns);
    std::vector<int> places(columns);
    for (std::size_t i = 0; i < columns; ++i) lengths[i] = call.column_length(static_cast<int>(i));
    std::exclusive_scan(lengths.begin(), lengths.end(), places.begin(), 0);
    const Elements by_column(call.state.size(), block.get());
    check(call.flat.allgatherv(of_column.get(), length, block.get(), by_column.get(), lengths.data(),
                               places.data(), block.get(), groups.row.get()),
          "MPI_Allgatherv");
    into_rank_order(call, by_column.get(), receive, block, extent);
  }
  check(call.flat.broadcast(receive, call.state.size(), block.get(), 0, groups.column.get()), "MPI_Bcast");
}

/// The number of elements in each row.
std::vector<int> row_totals(const TwoPhaseCall& call, const int* counts) {
  std::vector<int> totals;
  for (int row = 0; row < call.grid.rows; ++row) {
    const int* first = counts + static_cast<std::ptrdiff_t>(row) * call.grid.columns;
    totals.push_back(std::accumulate(first, first + call.grid.columns, 0));
  }
  return totals;
}

}  // namespace

void allreduce(const TwoPhaseCall& call, const void* send, void* receive, int count, MPI_Datatype type,
               MPI_Op op) {
  const GridGroups& groups = call.groups();
  const void* own = send == MPI_IN_PLACE ? receive : send;
  if (!call.is_regular()) {
    ragged_allreduce(call, own, receive, count, type, op);
    return;
  }
  // Rows first: consecutive ranks are combined first, which keeps the order for non-commutative operations.
  if (call.phases.leader) {
    check(call.flat.allreduce(send, receive, count, type, op, groups.row.get()), "MPI_Allreduce");
  }
  if (call.phases.concurrent) {
    check(call.flat.allreduce(MPI_IN_PLACE, receive, count, type, op, groups.column.get()), "MPI_Allreduce");
  }
}

void allgather(const TwoPhaseCall& call, const void* send, int send_count, MPI_Datatype send_type,
               void* receive, int receive_count, MPI_Datatype receive_type) {
  const GridGroups& groups = call.groups();
  const Type block = Type::block(receive_count, receive_type);
  const MPI_Aint extent = receive_count * extent_of(receive_type);
  const bool in_place = send == MPI_IN_PLACE;
  if (in_place) {
    send_count = receive_count;
    send_type = receive_type;
  }
  if (!call.is_regular()) {
    const void* own = in_place ? offset_by(receive, call.state.rank() * extent) : send;
    ragged_allgather(call, own, send_count, send_type, receive, block, extent);
    return;
  }
  if (call.phases.leader) {
    void* row = offset_by(receive, MPI_Aint{call.own_row()} * call.grid.columns * extent);
    check(
        call.flat.allgather(send, send_count, send_type, row, receive_count, receive_type, groups.row.get()),
        "MPI_Allgather");
  }
  if (call.phases.concurrent) {
    const Type row = Type::block(call.grid.columns, block.get());
    check(call.flat.allgather(MPI_IN_PLACE, 1, row.get(), receive, 1, row.get(), groups.column.get()),
          "MPI_Allgather");
  }
}

void allgatherv(const TwoPhaseCall& call, const void* send, int send_count, MPI_Datatype send_type,
                void* receive, const int* receive_counts, const MPI_Aint* displacements,
                MPI_Datatype receive_type) {
  const GridGroups& groups = call.groups();
  const auto ranks = static_cast<std::size_t>(call.state.size());
  const MPI_Aint extent = extent_of(receive_type);
  if (send == MPI_IN_PLACE) {
    send_count = receive_counts[call.state.rank()];
    send_type = receive_type;
    send = offset_by(receive, displacements[call.state.rank()] * extent);
  }
  // All blocks travel contiguously in the order of ranks, because displacements are this rank's own.
  std::vector<int> places(ranks);
  std::exclusive_scan(receive_counts, receive_counts + ranks, places.begin(), 0);
  const Elements packed(places.back() + receive_counts[ranks - 1], receive_type);
  const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(call.own_row()) * call.grid.columns;
  check(call.flat.allgatherv(send, send_count, send_type, packed.get(), receive_counts + first,
                             places.data() + first, receive_type, groups.row.get()),
        "MPI_Allgatherv");
  const std::vector<int> totals = row_totals(call, receive_counts);
  std::vector<int> row_places(totals.size());
  std::exclusive_scan(totals.begin(), totals.end(), row_places.begin(), 0);
  check(call.flat.allgatherv(MPI_IN_PLACE, 0, receive_type, packed.get(), totals.data(), row_places.data(),
                             receive_type, groups.column.get()),
        "MPI_Allgatherv");
  std::vector<MPI_Aint> places_bytes(displacements, displacements + ranks);
  for (MPI_Aint& place : places_bytes) place *= extent;
  const Type blocks = Type::indexed(call.state.size(), receive_counts, places_bytes.data(), receive_type);
  copy(packed.get(), row_places.back() + totals.back(), receive_type, receive, 1, blocks.get(),
       groups.row.get());
}

void reduce_scatter(const TwoPhaseCall& call, const void* send, void* receive, int receive_count,
                    MPI_Datatype type, MPI_Op op) {
  const GridGroups& groups = call.groups();
  const void* own = send == MPI_IN_PLACE ? receive : send;
  const int row_count = call.grid.columns * receive_count;
  const Elements of_row(row_count, type);
  if (call.phases.concurrent) {
    check(call.flat.reduce_scatter(own, of_row.get(), row_count, type, op, groups.column.get()),
          "MPI_Reduce_scatter_block");
  }
  if (call.phases.leader) {
    check(call.flat.reduce_scatter(of_row.get(), receive, receive_count, type, op, groups.row.get()),
          "MPI_Reduce_scatter_block");
  }
}

void reduce_scatterv(const TwoPhaseCall& call, const void* send, void* receive, const int* receive_counts,
                     MPI_Datatype type, MPI_Op op) {
  const GridGroups& groups = call.groups();
  const void* own = send == MPI_IN_PLACE ? receive : send;
  const std::vector<int> totals = row_totals(call, receive_counts);
  const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(call.own_row()) * call.grid.columns;
  const Elements of_row(std::max(totals[static_cast<std::size_t>(call.own_row())], 1), type);
  check(call.flat.reduce_scatterv(own, of_row.get(), totals.data(), type, op, groups.column.get()),
        "MPI_Reduce_scatter");
  check(call.flat.reduce_scatterv(of_row.get(), receive, receive_counts + first, type, op, groups.row.get()),
        "MPI_Reduce_scatter");
}

void alltoall(const TwoPhaseCall& call, const void* send, int send_count, MPI_Datatype send_type,
              void* receive, int receive_count, MPI_Datatype receive_type) {
  const GridGroups& groups = call.groups();
  const int rows = call.grid.rows;
  const int columns = call.grid.columns;
  const Type arriving = Type::block(receive_count, receive_type);
  const MPI_Aint arriving_extent = receive_count * extent_of(receive_type);
  const bool in_place = send == MPI_IN_PLACE;
  const void* from = in_place ? receive : send;
  const Type leaving =
      in_place ? Type::block(receive_count, receive_type) : Type::block(send_count, send_type);
  const MPI_Aint extent = in_place ? arriving_extent : send_count * extent_of(send_type);
  // The data is packed explicitly, because SimGrid's alltoall writes beyond its buffer with strided
  // datatypes.
  const Elements packed(call.state.size(), arriving.get());
  const Elements between(call.state.size(),
                         arriving.get());  // ordered by the sender's column, then by the receiver's row
  // Along the row: each column gets all data for that column.
  if (call.phases.leader) {
    const Type of_column = Type::strided(rows, leaving.get(), columns * extent, extent);
    for (int column = 0; column < columns; ++column) {
      copy(offset_by(from, column * extent), 1, of_column.get(),
           offset_by(packed.get(), MPI_Aint{column} * rows * arriving_extent), rows, arriving.get(),
           groups.row.get());
    }
    check(call.flat.alltoall(packed.get(), rows, arriving.get(), between.get(), rows, arriving.get(),
                             groups.row.get()),
          "MPI_Alltoall");
  }
  // Along the column: each row gets the data that all ranks of this row have for it.
  if (call.phases.concurrent) {
    const Type of_row = Type::strided(columns, arriving.get(), rows * arriving_extent, arriving_extent);
    for (int row = 0; row < rows; ++row) {
      copy(offset_by(between.get(), row * arriving_extent), 1, of_row.get(),
           offset_by(packed.get(), MPI_Aint{row} * columns * arriving_extent), columns, arriving.get(),
           groups.row.get());
    }
    check(call.flat.alltoall(packed.get(), columns, arriving.get(), receive, columns, arriving.get(),
                             groups.column.get()),
          "MPI_Alltoall");
  }
}

}  // namespace stretto::collective::two_phase
