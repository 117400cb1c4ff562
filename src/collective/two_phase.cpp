// SPDX-License-Identifier: BSD-3-Clause
#include "collective/two_phase.hpp"

namespace stretto::collective {

int TwoPhaseCall::column_length(int column) const {
  const int last = (state.size() - 1) / grid.columns;  // the last row
  return column <= (state.size() - 1) % grid.columns ? last + 1 : last;
}

int TwoPhaseCall::leader_row(int root) const {
  const int row = row_of(root);
  const bool full = (row + 1) * grid.columns <= state.size();
  return full ? row : 0;
}

bool commutes(MPI_Op op) {
  int commutative = 0;
  return PMPI_Op_commutative(op, &commutative) == MPI_SUCCESS && commutative != 0;
}

bool keeps_order(const TwoPhaseCall& call, MPI_Op op) { return call.is_regular() || commutes(op); }

}  // namespace stretto::collective
