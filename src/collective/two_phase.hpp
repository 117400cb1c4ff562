// SPDX-License-Identifier: BSD-3-Clause
// Two-phase operations: each consists of one or two flat operations on the row groups and the column groups
// of a grid. The caller ensures an intracommunicator, a count above zero, and a grid that is not flat and
// matches the number of ranks.
#pragma once

#include <mpi.h>

#include <cstddef>

#include "collective/communicator_state.hpp"
#include "collective/flat.hpp"

namespace stretto::collective {

/// The tag of point-to-point messages of a phase. They use communicators that stretto owns.
inline constexpr int phase_tag = 0;

/// The phases that are executed. A single phase is selected only to time it.
struct PhaseSelection {
  bool leader = true;
  bool concurrent = true;
};

/// The parameters of a two-phase call: its grid, the flat operations of its phases, its segments.
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
  /// The number of ranks in a column: p1, or one less in a ragged grid.
  [[nodiscard]] int column_length(int column) const;
  /// The row of the column leaders: the root's row, or the first row where the root's is not full.
  [[nodiscard]] int leader_row(int root) const;
};

/// Whether a reduction on this grid keeps the order of the ranks where it must. A non-commutative operation
/// on a ragged grid does not.
[[nodiscard]] bool keeps_order(const TwoPhaseCall& call, MPI_Op op);
/// Whether the operation commutes; not for one that MPI refuses.
[[nodiscard]] bool commutes(MPI_Op op);

namespace two_phase {

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
/// On a regular grid only, and for at most INT_MAX elements. The displacements count extents; MPI lets them
/// differ from rank to rank.
void allgatherv(const TwoPhaseCall& call, const void* send, int send_count, MPI_Datatype send_type,
                void* receive, const int* receive_counts, const MPI_Aint* displacements,
                MPI_Datatype receive_type);
/// On a regular grid only, with an operation that commutes.
void reduce_scatter(const TwoPhaseCall& call, const void* send, void* receive, int receive_count,
                    MPI_Datatype type, MPI_Op op);
/// Requires a regular grid and a commutative operation, too.
void reduce_scatterv(const TwoPhaseCall& call, const void* send, void* receive, const int* receive_counts,
                     MPI_Datatype type, MPI_Op op);
/// On a regular grid only.
void alltoall(const TwoPhaseCall& call, const void* send, int send_count, MPI_Datatype send_type,
              void* receive, int receive_count, MPI_Datatype receive_type);

}  // namespace two_phase

/// An allgatherv in `form` with displacements as above: false where all ranks must call MPI's function
/// instead.
[[nodiscard]] bool allgatherv_on_grid(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                      const int* receive_counts, const MPI_Aint* displacements,
                                      MPI_Datatype receive_type, MPI_Comm communicator, const Form& form);

}  // namespace stretto::collective
