// SPDX-License-Identifier: BSD-3-Clause
#include "collective/two_phase.hpp"
#include "mpi/check.hpp"

namespace stretto::collective {

int Plan::column_length(int column) const {
  const int last = (kept.size() - 1) / grid.columns;  // the last row
  return column <= (kept.size() - 1) % grid.columns ? last + 1 : last;
}

int Plan::leader_row(int root) const {
  const int row = row_of(root);
  const bool full = (row + 1) * grid.columns <= kept.size();
  return full ? row : 0;
}

bool commutes(MPI_Op op) {
  int commutative = 0;
  mpi::check(PMPI_Op_commutative(op, &commutative), "MPI_Op_commutative");
  return commutative != 0;
}

bool keeps_order(const Plan& plan, MPI_Op op) { return plan.is_regular() || commutes(op); }

}  // namespace stretto::collective
