// SPDX-License-Identifier: BSD-3-Clause
// The two-phase operations: each made of the flat operation (or two of them) on the row groups and the column
// groups of a grid. The caller has seen to it that the communicator is none between two groups, the count not
// zero and the grid neither flat nor one that does not hold the ranks.
#pragma once

#include <mpi.h>

#include <cstddef>

#include "collective/flat.hpp"
#include "collective/groups.hpp"

namespace stretto::collective {

/// Of the messages that a phase sends by itself: their communicators are ours alone.
inline constexpr int phase_tag = 0;

/// Which of the phases are carried out: one alone only where it is to be timed.
struct Parts {
  bool leader = true;
  bool concurrent = true;
};

/// One operation's place: the grid, its groups, this rank, whose flat operations, in how many segments.
struct Plan {
  Kept& kept;
  Grid grid;
  const FlatOperations& flat;
  int segments = 1;
  Parts parts;

  [[nodiscard]] const Groups& groups() const { return kept.groups(grid); }
  [[nodiscard]] int row_of(int rank) const { return rank / grid.columns; }
  [[nodiscard]] int column_of(int rank) const { return rank % grid.columns; }
  [[nodiscard]] int own_row() const { return row_of(kept.rank()); }
  [[nodiscard]] int own_column() const { return column_of(kept.rank()); }
  [[nodiscard]] bool is_regular() const { return grid.is_regular(kept.size()); }
  /// How many ranks a column has: p1, or one less in a ragged grid.
  [[nodiscard]] int column_length(int column) const;
  /// The row whose members lead their columns: the root's, or the first where the root's is not full.
  [[nodiscard]] int leader_row(int root) const;
};

/// Whether a reduction on this grid keeps the order of the ranks where it must: what does not commute on a
/// ragged grid does not.
[[nodiscard]] bool keeps_order(const Plan& plan, MPI_Op op);
[[nodiscard]] bool commutes(MPI_Op op);

// Arguments as in MPI.
void broadcast(const Plan& plan, void* buffer, int count, MPI_Datatype type, int root);
void gather(const Plan& plan, const void* send, int send_count, MPI_Datatype send_type, void* receive,
            int receive_count, MPI_Datatype receive_type, int root);
void scatter(const Plan& plan, const void* send, int send_count, MPI_Datatype send_type, void* receive,
             int receive_count, MPI_Datatype receive_type, int root);
void reduce(const Plan& plan, const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
            int root);

void allreduce(const Plan& plan, const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op);
void allgather(const Plan& plan, const void* send, int send_count, MPI_Datatype send_type, void* receive,
               int receive_count, MPI_Datatype receive_type);
/// On a regular grid only.
void allgatherv(const Plan& plan, const void* send, int send_count, MPI_Datatype send_type, void* receive,
                const int* receive_counts, const int* displacements, MPI_Datatype receive_type);
/// On a regular grid only, with an operation that commutes.
void reduce_scatter(const Plan& plan, const void* send, void* receive, int receive_count, MPI_Datatype type,
                    MPI_Op op);
/// The same.
void reduce_scatterv(const Plan& plan, const void* send, void* receive, const int* receive_counts,
                     MPI_Datatype type, MPI_Op op);
/// On a regular grid only.
void alltoall(const Plan& plan, const void* send, int send_count, MPI_Datatype send_type, void* receive,
              int receive_count, MPI_Datatype receive_type);

}  // namespace stretto::collective
