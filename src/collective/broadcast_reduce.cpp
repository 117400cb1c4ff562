// SPDX-License-Identifier: BSD-3-Clause
// Broadcast and reduce in two phases: the leaders' row group, and all column groups. The leaders' row is
// first in a broadcast and last in a reduce.
#include <algorithm>
#include <limits>

#include "collective/memory.hpp"
#include "collective/two_phase.hpp"
#include "mpi/check.hpp"

namespace stretto::collective::two_phase {
namespace {

using mpi::check;

/// MPI_Pack counts bytes in int: more are broadcast in one piece.
constexpr std::size_t largest_packed_bytes = std::numeric_limits<int>::max();

/// The root's row and column, and the row of the leaders.
struct Root {
  Root(const TwoPhaseCall& call, int root)
      : row(call.row_of(root)), column(call.column_of(root)), leader_row(call.leader_row(root)) {}

  int row;
  int column;
  int leader_row;
};

/// Sends from one member of the root's column to another; needed only where the root's row is not full.
void move(const TwoPhaseCall& call, const Root& root, const void* from_buffer, int from, void* to_buffer,
          int to, int count, MPI_Datatype type) {
  if (call.own_column() != root.column || from == to) return;
  const MPI_Comm column = call.groups().column.get();
  if (call.own_row() == from) check(PMPI_Send(from_buffer, count, type, to, phase_tag, column), "MPI_Send");
  if (call.own_row() == to) {
    check(PMPI_Recv(to_buffer, count, type, from, phase_tag, column, MPI_STATUS_IGNORE), "MPI_Recv");
  }
}

void broadcast_segment(const TwoPhaseCall& call, void* data, int count, MPI_Datatype type, const Root& root) {
  const GridGroups& groups = call.groups();
  move(call, root, data, root.row, data, root.leader_row, count, type);
  if (call.phases.leader && call.own_row() == root.leader_row) {
    check(call.flat.broadcast(data, count, type, root.column, groups.row.get()), "MPI_Bcast");
  }
  if (call.phases.concurrent) {
    check(call.flat.broadcast(data, count, type, root.leader_row, groups.column.get()), "MPI_Bcast");
  }
}

/// Reduces rows first, so that consecutive ranks are combined first and the order of ranks is kept.
void reduce_in_order(const TwoPhaseCall& call, const void* own, void* receive, int count, MPI_Datatype type,
                     MPI_Op op, const Root& root) {
  const GridGroups& groups = call.groups();
  const bool joins = call.own_column() == root.column;
  const Elements of_row(joins ? count : 0, type);
  check(call.flat.reduce(own, of_row.get(), count, type, op, root.column, groups.row.get()), "MPI_Reduce");
  if (!joins) return;
  check(call.flat.reduce(of_row.get(), receive, count, type, op, root.row, groups.column.get()),
        "MPI_Reduce");
}

/// Reduces one segment with a commutative operation: along the columns, then along the leaders' row.
void reduce_segment(const TwoPhaseCall& call, const void* own, void* column_sum, void* receive, int count,
                    MPI_Datatype type, MPI_Op op, const Root& root) {
  const GridGroups& groups = call.groups();
  if (call.phases.concurrent) {
    check(call.flat.reduce(own, column_sum, count, type, op, root.leader_row, groups.column.get()),
          "MPI_Reduce");
  }
  if (call.phases.leader && call.own_row() == root.leader_row) {
    check(call.flat.reduce(column_sum, receive, count, type, op, root.column, groups.row.get()),
          "MPI_Reduce");
  }
}

}  // namespace

void broadcast(const TwoPhaseCall& call, void* buffer, int count, MPI_Datatype type, int root_rank) {
  const Root root(call, root_rank);
  // The same on all ranks, like the bytes of a broadcast.
  if (call.segments == 1 || size_of(count, type) > largest_packed_bytes) {
    broadcast_segment(call, buffer, count, type, root);
    return;
  }
  // Segments are cut by bytes, because ranks may describe the same data by other counts and types.
  Bytes bytes(buffer, count, type);
  if (call.state.rank() == root_rank) bytes.pack();
  const auto size = static_cast<long long>(bytes.size());
  const auto segments = std::min<long long>(call.segments, size);
  for (long long i = 0; i < segments; ++i) {
    const long long first = size * i / segments;
    const auto length = static_cast<int>(size * (i + 1) / segments - first);
    broadcast_segment(call, bytes.get() + first, length, MPI_BYTE, root);
  }
  if (call.state.rank() != root_rank) bytes.unpack();
}

void reduce(const TwoPhaseCall& call, const void* send, void* receive, int count, MPI_Datatype type,
            MPI_Op op, int root_rank) {
  const Root root(call, root_rank);
  const void* own = send == MPI_IN_PLACE ? receive : send;
  if (!commutes(op)) {
    reduce_in_order(call, own, receive, count, type, op, root);
    return;
  }
  const bool leads = call.own_row() == root.leader_row;
  const bool is_root = call.state.rank() == root_rank;
  // Where the root's row is not full, the first row computes the result and sends it to the root.
  const bool holds_result = leads && call.own_column() == root.column;
  const Elements column_sums(leads ? count : 0, type);
  const Elements result(holds_result && !is_root ? count : 0, type);
  void* to = is_root ? receive : result.get();
  const MPI_Aint extent = extent_of(type);
  // Segments are cut by elements, because counts and types of a reduction are equal on all ranks.
  const long long segments = std::clamp(call.segments, 1, count);
  for (long long i = 0; i < segments; ++i) {
    const long long first = count * i / segments;
    const auto length = static_cast<int>(count * (i + 1) / segments - first);
    const auto offset = static_cast<MPI_Aint>(first * extent);
    void* sums = leads ? offset_by(column_sums.get(), offset) : nullptr;
    void* end = holds_result ? offset_by(to, offset) : nullptr;
    reduce_segment(call, offset_by(own, offset), sums, end, length, type, op, root);
  }
  move(call, root, result.get(), root.leader_row, receive, root.row, count, type);
}

}  // namespace stretto::collective::two_phase
