// SPDX-License-Identifier: BSD-3-Clause
// The two-phase operations: each consists of the flat operation (or two of them) on the row groups and the
// column groups of a grid. The caller ensures that the communicator is an intracommunicator, that the count
// is not zero, and that the grid is not flat and holds the ranks.
#pragma once

#include <mpi.h>

#include <cstddef>

#include "collective/communicator_state.hpp"
#include "collective/flat.hpp"

namespace stretto::collective {

/// The tag of messages that a phase sends itself. Their communicators are not the application's.
inline constexpr int phase_tag = 0;

/// Which of the phases are carried out: one alone only where it is to be timed.
struct PhaseSelection {
  bool leader = true;
  bool concurrent = true;
};

/// How a call is carried out: its grid, the flat operations that its phases consist of, its segments.
struct TwoPhaseCall {
  CommunicatorState& state;
  Grid grid;
  const FlatOperations& flat;
  int segments = 1;
  PhaseSelection phases;

  [[nodiscard]] const GridGroups& groups() const { return state.groups(grid); }
  [[nodiscard]] int row_of(int rank) const { return rank / grid.columns; }
  [[nodiscard]] int column_of(int rank) const { return rank % grid.columns; }
  [[nodiscard]] int own_row() const { return row_of(state.rank()); }
  [[nodiscard]] int own_column() const { return column_of(state.rank()); }
  [[nodiscard]] bool is_regular() const { return grid.is_regular(state.size()); }
  /// How many ranks a column has: p1, or one less in a ragged grid.
  [[nodiscard]] int column_length(int column) const;
  /// The row of the members that lead their columns: the root's, or the first where the root's is not full.
  [[nodiscard]] int leader_row(int root) const;
};

/// Whether a reduction on this grid keeps the order of the ranks where it must: what does not commute on a
/// ragged grid does not.
[[nodiscard]] bool keeps_order(const TwoPhaseCall& call, MPI_Op op);
[[nodiscard]] bool commutes(MPI_Op op);

// Arguments as in MPI.
void broadcast(const TwoPhaseCall& call, void* buffer, int count, MPI_Datatype type, int root);
void gather(const TwoPhaseCall& call, const void* send, int send_count, MPI_Datatype send_type, void* receive,
            int receive_count, MPI_Datatype receive_type, int root);
void scatter(const TwoPhaseCall& call, const void* send, int send_count, MPI_Datatype send_type,
             void* receive, int receive_count, MPI_Datatype receive_type, int root);
void reduce(const TwoPhaseCall& call, const void* send, void* receive, int count, MPI_Datatype type,
            MPI_Op op, int root);

void allreduce(const TwoPhaseCall& call, const void* send, void* receive, int count, MPI_Datatype type,
               MPI_Op op);
void allgather(const TwoPhaseCall& call, const void* send, int send_count, MPI_Datatype send_type,
               void* receive, int receive_count, MPI_Datatype receive_type);
/// On a regular grid only.
void allgatherv(const TwoPhaseCall& call, const void* send, int send_count, MPI_Datatype send_type,
                void* receive, const int* receive_counts, const int* displacements,
                MPI_Datatype receive_type);
/// On a regular grid only, with an operation that commutes.
void reduce_scatter(const TwoPhaseCall& call, const void* send, void* receive, int receive_count,
                    MPI_Datatype type, MPI_Op op);
/// The same.
void reduce_scatterv(const TwoPhaseCall& call, const void* send, void* receive, const int* receive_counts,
                     MPI_Datatype type, MPI_Op op);
/// On a regular grid only.
void alltoall(const TwoPhaseCall& call, const void* send, int send_count, MPI_Datatype send_type,
              void* receive, int receive_count, MPI_Datatype receive_type);

}  // namespace stretto::collective
