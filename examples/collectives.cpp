// SPDX-License-Identifier: BSD-3-Clause
// Collectives: an operation in one piece (flat), or in two phases on a grid p1 x p2 of the ranks. Arguments
// are MPI's, with a form at the end. Without one, the profile of the machine chooses; the result is the same.
#include <mpi.h>

#include <numeric>
#include <stretto/collective.hpp>
#include <stretto/collective_choice.hpp>
#include <string>
#include <vector>

#include "conclude.hpp"

namespace {

using stretto::collective::Form;
using stretto::collective::Operation;

bool same_in_every_form(std::size_t& forms) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  constexpr int count = 1000;
  std::vector<int> own(count);
  std::iota(own.begin(), own.end(), rank);
  std::vector<int> expected(count);
  MPI_Allreduce(own.data(), expected.data(), count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);

  // Flat, every grid p1 x p2 that has as many places as there are ranks, and what is chosen for this size.
  std::vector<Form> candidates{Form{}};
  for (const auto& grid : stretto::collective::factorisations(ranks))
    candidates.push_back(Form{.grid = grid});
  candidates.push_back(
      stretto::collective::choose(Operation::allreduce, count * sizeof(int), MPI_COMM_WORLD));
  forms = candidates.size();

  bool right = true;
  for (const Form& form : candidates) {
    std::vector<int> sum(count);
    stretto::collective::allreduce(own.data(), sum.data(), count, MPI_INT, MPI_SUM, MPI_COMM_WORLD, form);
    right = right && sum == expected;
  }
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::size_t forms = 0;
  const bool right = same_in_every_form(forms);
  return examples::conclude(right,
                            "collectives: allreduce gave MPI's sums in " + std::to_string(forms) + " forms");
}
